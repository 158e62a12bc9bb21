"""The actions of the window, made from the table of all that can be done there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from kapture_panel.window.widgets.actions import ENTRIES, Entry, entry, sequences
from kapture_panel.window.widgets.theme import Theme


class Actions(QObject):
    """The entries that are actions of the window, as QActions whose shortcuts work in all of it.

    Args:
        deeds: what to call for each name.
        given: QActions that exist already (a dock's own), by name.
    """

    def __init__(
        self, window: QWidget, theme: Theme, deeds: Mapping[str, Callable[[], object]], given: Mapping[str, QAction]
    ) -> None:
        super().__init__(window)
        self._actions: dict[str, QAction] = {}
        themes = QActionGroup(self)
        for one in ENTRIES:
            if one.part and one.name not in deeds:
                continue
            action = self._actions[one.name] = given.get(one.name) or QAction(one.words, self)
            action.setText(one.words)
            if not one.part:
                action.setShortcuts(sequences(one))
            if "theme" in one.places:
                action.setCheckable(True)
                themes.addAction(action)
            elif not action.isCheckable():
                theme.tint(action, one.icon)
            if one.name in deeds:
                action.triggered.connect(partial(_call, deeds[one.name]))
            window.addAction(action)

    def __getitem__(self, name: str) -> QAction:
        """The action called `name`."""
        return self._actions[name]

    def __iter__(self) -> Iterator[tuple[Entry, QAction]]:
        """Every action with its entry, in the order of the table."""
        return iter([(entry(name), action) for name, action in self._actions.items()])

    def fill(self, menu: QMenu, place: str) -> None:
        """Add the actions of `place` to `menu`."""
        for one, action in self:
            if place in one.places:
                if one.name in ("quit", "reset_layout"):
                    menu.addSeparator()
                menu.addAction(action)


def _call(deed: Callable[[], object], _checked: bool = False) -> None:
    deed()
