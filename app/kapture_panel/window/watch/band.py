"""What stands between the person and the page, said above it, with what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy

from kapture_panel.window.widgets.label import ElidedLabel


class Band(QFrame):
    """Hidden while there is nothing to say."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "question")
        self.setAccessibleName("About the page")
        self.words = ElidedLabel(kind="strong")
        self.words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 5, 8, 5)
        self._row.setSpacing(8)
        self._row.addWidget(self.words, 1)
        self.buttons: list[QPushButton] = []
        self._actions: Sequence[tuple[str, Callable[[], object]]] = ()
        self.hide()

    def say(self, words: str, *actions: tuple[str, Callable[[], object]]) -> None:
        """Say something, with a button for each of `actions`; nothing hides it."""
        self._actions = actions  # the same words may be about another tab now
        if words == self.words.text() and [button.text() for button in self.buttons] == _names(actions):
            return
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = [self._button(name, number) for number, (name, _do) in enumerate(actions)]
        self.words.show_line(words)
        self.setVisible(bool(words))

    def _button(self, name: str, number: int) -> QPushButton:
        button = QPushButton(name)
        button.setAccessibleName(name)
        button.clicked.connect(lambda: self._actions[number][1]())
        self._row.addWidget(button)
        return button


def _names(actions: Sequence[tuple[str, Callable[[], object]]]) -> list[str]:
    return [name for name, _do in actions]
