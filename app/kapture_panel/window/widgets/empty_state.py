"""What a part of the window says while it has nothing to show."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.label import Label


class EmptyState(QWidget):
    """A sentence on what is missing, one on what to do, and a button that does it.

    Where it would be cut, what to do is left out, and in the tooltip; so is the first sentence where not even that has
    room.
    """

    def __init__(self, what: str, how: str, button: QPushButton | None = None) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(6)
        self._what, self._hint = Label(what, kind="strong"), Label(how, kind="secondary")
        self._hint.setWordWrap(True)
        for label in (self._what, self._hint):
            # Hidden, it keeps its room: what stands beside this part of the window does not move.
            policy = label.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            label.setSizePolicy(policy)
            column.addWidget(label)
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
        margins = layout.contentsMargins()
        has_line = margins.top() + self._what.sizeHint().height() + margins.bottom() <= self.height()
        self._what.setVisible(has_line)
        left_out = [label.text() for label, is_shown in ((self._what, has_line), (self._hint, fits)) if not is_shown]
        self.setToolTip(safe_text.tooltip("\n".join(left_out)))
