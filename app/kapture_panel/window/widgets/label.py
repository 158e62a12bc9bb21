"""A label that never takes what it shows for markup."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.theme import mark


class Label(QLabel):
    """Plain text of one of the style sheet's kinds; `tone` colours it."""

    def __init__(self, text: str = "", *, kind: str = "", tone: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        if kind:
            self.setProperty("kind", kind)
        if tone:
            self.setProperty("tone", tone)
        if kind == "pill":
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def set_tone(self, tone: str) -> None:
        """Change the colour."""
        if self.property("tone") != tone:
            mark(self, tone=tone)


class ElidedLabel(Label):
    """One line that gives way: "…" stands for what does not fit, which is whole in the tooltip.

    Args:
        elide: where it gives way.
    """

    def __init__(
        self, text: str = "", *, kind: str = "", elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> None:
        super().__init__(text, kind=kind)
        self._elide = elide

    def minimumSizeHint(self) -> QSize:
        return QSize(min(24, self.sizeHint().width()), super().minimumSizeHint().height())

    def show_line(self, text: str) -> None:
        """Show `text`, which may come from a page."""
        self.setText(safe_text.line(text))
        self._update_tooltip()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_tooltip()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = self.contentsRect()
        text = painter.fontMetrics().elidedText(self.text(), self._elide, rect.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _update_tooltip(self) -> None:
        fits = self.fontMetrics().horizontalAdvance(self.text()) <= self.contentsRect().width()
        self.setToolTip("" if fits else safe_text.tooltip(self.text()))
