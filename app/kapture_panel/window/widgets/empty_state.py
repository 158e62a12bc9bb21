"""What a part of the window says while it has nothing to show."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.label import Label


class EmptyState(QWidget):
    """A sentence on what is missing, one on what to do, and a button that does it.

    What to do is left out, and in the tooltip, where it would be cut.
    """

    def __init__(self, what: str, how: str, button: QPushButton | None = None) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(6)
        column.addWidget(Label(what, kind="strong"))
        hint = self._hint = Label(how, kind="secondary")
        hint.setWordWrap(True)
        # Hidden, it keeps its room: what stands beside this part of the window does not move.
        policy = hint.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        hint.setSizePolicy(policy)
        column.addWidget(hint)
        if button is not None:
            column.addSpacing(4)
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        layout = self.layout()
        assert layout is not None
        fits = layout.heightForWidth(self.width()) <= self.height()
        self._hint.setVisible(fits)
        self.setToolTip("" if fits else safe_text.tooltip(self._hint.text()))
