"""Where the person writes what they have to say about a place they point at."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton

from kapture_panel.window.watch.entries import ENTRIES
from kapture_panel.window.widgets.entries import bind

#: Longer ones nobody would read.
MAX_CHARS = 2000


class NoteBar(QFrame):
    """Hidden until it `ask`s. `written` carries the note; `left` tells that there will be none."""

    written = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "question")
        self.setAccessibleName("Note to the agent")
        self.words = QLineEdit()
        self.words.setAccessibleName("What you say about this place")
        self.words.setPlaceholderText("Tell the agent about this place")
        self.words.setMaxLength(MAX_CHARS)
        self.words.returnPressed.connect(self._write)
        self.send = QPushButton("Send")
        self.words.textChanged.connect(lambda text: self.send.setEnabled(bool(text.strip())))
        self.send.setAccessibleName("Send the note")
        self.send.clicked.connect(self._write)
        self.cancel = QPushButton("Cancel")
        self.cancel.setAccessibleName("Write no note")
        self.cancel.clicked.connect(self.leave)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 5, 8, 5)
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        row.addWidget(self.send)
        row.addWidget(self.cancel)
        bind(ENTRIES["no_note"], self, self.leave)
        self.hide()

    def ask(self) -> None:
        """Have a note written."""
        self.words.clear()
        self.send.setEnabled(False)
        self.show()
        self.words.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """Have none written."""
        if not self.isHidden():
            self.hide()
            self.left.emit()

    def _write(self) -> None:
        if words := self.words.text().strip():
            self.hide()
            self.written.emit(words)
