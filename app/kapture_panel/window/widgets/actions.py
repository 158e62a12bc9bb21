"""The actions of the window, made from the table of all that can be done there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from kapture_panel.window.widgets.entries import SHARED, Entry, sequences
from kapture_panel.window.widgets.theme import Theme


class Actions(QObject):
    """QActions by the names of their entries; their shortcuts work in all of `window`. Each room adds its own."""

    def __init__(self, window: QWidget, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._entries: dict[str, Entry] = dict(SHARED)
        self._actions: dict[str, QAction] = {}
        self._can: dict[str, Callable[[], bool]] = {}
        self._looks = QActionGroup(self)

    def __getitem__(self, name: str) -> QAction:
        """The action called `name`."""
        return self._actions[name]

    def __iter__(self) -> Iterator[tuple[Entry, QAction]]:
        """Every action with its entry, in the order of the table."""
        return iter([(one, self._actions[one.name]) for one in self.entries if one.name in self._actions])

    @property
    def entries(self) -> list[Entry]:
        """All that rooms have declared, in order."""
        return sorted(self._entries.values(), key=lambda one: one.order)

    def entry(self, name: str) -> Entry:
        """The entry called `name`; a name that nobody declared is a defect (KeyError)."""
        return self._entries[name]

    def declare(self, entries: Mapping[str, Entry]) -> None:
        """Take a room's entries in; a name stands for one thing in the whole window."""
        assert not self._entries.keys() & entries.keys(), self._entries.keys() & entries.keys()
        self._entries.update(entries)

    def add(self, name: str, do: Callable[[], object], *, can: Callable[[], bool] | None = None) -> None:
        """Make the action called `name`.

        Args:
            do: what it does.
            can: whether that would do something now; see `refresh`.
        """
        self.adopt(name, QAction(self))
        self._actions[name].triggered.connect(partial(_call, do))
        if can is not None:
            self._can[name] = can

    def adopt(self, name: str, action: QAction) -> None:
        """Make an action that exists (a dock's own, one that is a choice) the one called `name`."""
        one = self._entries[name]
        self._actions[name] = action
        action.setText(one.words)
        if not one.part:
            action.setShortcuts(sequences(one))
        if "theme" in one.places:
            action.setCheckable(True)
            self._looks.addAction(action)
        elif not action.isCheckable():
            self._theme.tint(action, one.icon)
        self._window.addAction(action)

    def refresh(self) -> None:
        """Enable what can be done now, before it is offered."""
        for name, can in self._can.items():
            self._actions[name].setEnabled(can())

    def fill(self, menu: QMenu, place: str) -> None:
        """Add the actions of `place` to `menu`, those of a group together."""
        group = ""
        for one, action in self:
            if place in one.places:
                if one.group != group or one.name in ("quit", "reset_layout"):
                    menu.addSeparator()  # before the first one it is not shown
                group = one.group
                menu.addAction(action)


def _call(do: Callable[[], object], _checked: bool = False) -> None:
    do()
