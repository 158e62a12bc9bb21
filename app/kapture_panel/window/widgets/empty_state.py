"""What a part of the window says while it has nothing to show."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from kapture_panel.window.widgets.label import Label


class EmptyState(QWidget):
    """A sentence on what is missing, one on what to do, and a button that does it."""

    def __init__(self, what: str, how: str, button: QPushButton | None = None) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(6)
        column.addWidget(Label(what, kind="strong"))
        hint = Label(how, kind="secondary")
        hint.setWordWrap(True)
        column.addWidget(hint)
        if button is not None:
            column.addSpacing(4)
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch()
