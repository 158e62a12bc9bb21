"""The menu of how an agent's mouse moves and whether one sees it."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from kapture_panel.core.basics.settings import CHOICES, NATURAL_MOUSE, SHOW_CURSOR, SHOW_FRAME, Choice, Settings

_ENTRIES = {
    NATURAL_MOUSE: "Move the mouse like a person",
    SHOW_CURSOR: "Show the agent's cursor",
    SHOW_FRAME: "Show a frame while a tab is driven",
}
_CHOICE_WORDS: dict[Choice, str] = {"auto": "Only in your own browser", "on": "Always", "off": "Never"}


class MouseMenu(QMenu):
    """One submenu for each setting; what is chosen is kept at once."""

    def __init__(self, settings: Settings, parent: QWidget) -> None:
        super().__init__("Agent's mouse", parent)
        self._settings = settings
        for name, words in _ENTRIES.items():
            menu = self.addMenu(words)
            group = QActionGroup(menu)
            for choice in CHOICES:
                action = menu.addAction(_CHOICE_WORDS[choice])
                action.setCheckable(True)
                action.setChecked(choice == settings.choice(name))
                action.triggered.connect(partial(self._on_choice, name, choice))
                group.addAction(action)

    def _on_choice(self, name: str, choice: Choice, _checked: bool = False) -> None:
        self._settings.set(name, choice)
