"""A question in the window before something ends or goes for good: it blocks nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.overlay import Overlay

_WIDTH_PX = 440
_TOP_PX = 92


class Question(Overlay):
    """Cancel has the focus; Escape, and whatever else takes the focus, cancels too."""

    def __init__(self, host: QWidget, name: str) -> None:
        super().__init__(host, name)
        self._do: Callable[[], object] = lambda: None
        self.title = Label(kind="strong")
        self.words = Label(kind="secondary")
        for label in (self.title, self.words):
            label.setWordWrap(True)
        self.cancel = QPushButton("Cancel")
        self.cancel.clicked.connect(self.dismiss)
        self.go_on = QPushButton()
        self.go_on.setProperty("kind", "danger")
        self.go_on.setAccessibleName("Go on")
        self.go_on.clicked.connect(self._on_go_on)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.go_on)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.words)
        column.addLayout(buttons)

    def first(self) -> QWidget:
        """The button that does nothing."""
        return self.cancel

    def wanted(self, room: QRect) -> QRect:
        """In the upper middle."""
        width = min(_WIDTH_PX, room.width())
        height = min(self.heightForWidth(width), room.height())
        return QRect(room.center().x() - width // 2, room.top() + min(_TOP_PX, room.height() - height), width, height)

    def ask(self, title: str, words: str, button: str, do: Callable[[], object]) -> None:
        """Ask; `do` is done when the person presses `button`. Asked again while it is open, it stays."""
        self._do = do
        self.title.setText(title)
        self.words.setText(words)
        self.setAccessibleName(f"{title} {words}")
        self.go_on.setText(button)
        self.go_on.setAccessibleName(button)
        if self.isHidden():
            self.open()

    def _on_go_on(self) -> None:
        self.dismiss()
        self._do()
