"""A text editor as high as what is in it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy


class TextEdit(QPlainTextEdit):
    """Plain text that comes out exactly as it went in, between `min_lines` and `max_lines` high."""

    def __init__(self, *, min_lines: int, max_lines: int, is_mono: bool = False) -> None:
        super().__init__()
        self._min_lines = min_lines
        self._max_lines = max_lines
        #: Whether a line that wraps counts as many.
        self.is_whole = False
        self.setProperty("mono", is_mono)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(3)
        self.document().contentsChanged.connect(self.updateGeometry)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._on_size())
        self._show_bar()

    def text(self) -> str:
        """What was entered; unlike `toPlainText` this keeps no-break spaces."""
        return self.document().toRawText().replace("\u2029", "\n")

    def show_text(self, text: str) -> None:
        """Replace all; unlike `setPlainText` Ctrl+Z brings the old text back."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    @property
    def _lines(self) -> int:
        """How many lines there is room for."""
        lines = self.document().blockCount()
        if self.is_whole and self.lineWrapMode() != self.LineWrapMode.NoWrap:
            lines = max(lines, int(self.document().size().height()))  # Qt counts it in lines
        return min(max(lines, self._min_lines), self._max_lines)

    def _on_size(self) -> None:
        if self.is_whole:
            self.updateGeometry()
        self._show_bar()

    def _show_bar(self) -> None:
        """Have a scroll bar only where there is more than the editor has room for: Qt shows a stub a pixel early."""
        policies = Qt.ScrollBarPolicy
        is_longer = self.document().size().height() > self._lines
        wanted = policies.ScrollBarAsNeeded if is_longer else policies.ScrollBarAlwaysOff
        # Each setting lays the text out again, and so comes back here.
        if self.verticalScrollBarPolicy() != wanted:
            self.setVerticalScrollBarPolicy(wanted)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A line break scrolls before there is room for the next line."""
        super().resizeEvent(event)
        if self.is_whole:
            # Qt breaks lines anew only when it paints.
            self.blockBoundingRect(self.document().firstBlock())
            self.updateGeometry()
        if self.document().size().height() <= self._lines:
            self.verticalScrollBar().setValue(0)

    def sizeHint(self) -> QSize:
        lines = self._lines
        # What does not wrap is scrolled sideways.
        bar = self.horizontalScrollBar().sizeHint().height() if self.lineWrapMode() == self.LineWrapMode.NoWrap else 0
        height = bar + lines * self.fontMetrics().lineSpacing() + 2 * int(self.document().documentMargin()) + 6
        return QSize(super().sizeHint().width(), max(height, 28))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())
