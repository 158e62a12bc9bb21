"""A question in the view before something of the history is done again: it blocks nothing."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.widgets.label import Label


class HistoryQuestion(QFrame):
    """`run`, `edit` carry the row; Escape leaves it as it is, and `left` carries whether it had the focus."""

    run = Signal(object)
    edit = Signal(object)
    left = Signal(bool)
    #: It stands there now, and has taken its room.
    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.row: Row | None = None
        self.setProperty("kind", "question")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.words = Label(kind="strong")
        self.where = Label(kind="secondary")
        for label in (self.words, self.where):
            label.setWordWrap(True)
        self.run_button = QPushButton("Run again")
        self.run_button.setProperty("kind", "primary")
        self.edit_button = QPushButton("Edit first")
        self.leave_button = QPushButton("Cancel")
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        for button in (self.run_button, self.edit_button, self.leave_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 8)
        column.setSpacing(4)
        column.addWidget(self.words)
        column.addWidget(self.where)
        column.addSpacing(4)
        column.addLayout(buttons)
        self.run_button.clicked.connect(lambda: self._end(self.run))
        self.edit_button.clicked.connect(lambda: self._end(self.edit))
        self.leave_button.clicked.connect(self.leave)
        self.hide()

    def ask(self, row: Row, words: str, where: str) -> None:
        """Ask about `row`; an older question is forgotten. The focus goes to the button that does nothing."""
        self.row = row
        self.words.setText(words)
        self.where.setText(where)
        self.setAccessibleName(f"{words} {where}")
        # It gets its own width only when it is shown: too much height until then would make a low window higher.
        parent = self.parentWidget()
        self._take_room(self.width() if parent is None else parent.width())
        self.show()
        self.leave_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.asked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for the height its words need as wide as it is: a dock knows only what they need at their widest."""
        super().resizeEvent(event)
        self._take_room(self.width())

    def leave(self) -> None:
        """Do nothing."""
        focused = QApplication.focusWidget()
        had_focus = focused is not None and self.isAncestorOf(focused)
        self.row = None
        self.hide()
        self.left.emit(had_focus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def _take_room(self, width_px: int) -> None:
        layout = self.layout()
        assert layout is not None
        margins = layout.contentsMargins()
        # Not the labels' own width, which they get only after this.
        inside_px = width_px - margins.left() - margins.right() - 2 * self.frameWidth()
        for label in (self.words, self.where):
            label.setMinimumHeight(0)  # else what it needed in less room counts as its height
            label.setMinimumHeight(max(0, label.heightForWidth(inside_px)))

    def _end(self, signal: SignalInstance) -> None:
        row = self.row
        self.row = None
        self.hide()
        signal.emit(row)
