"""The tables of actions: whole, without two meanings for one key, read by every menu."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.entries import Entry


def ours(window: MainWindow) -> list[Entry]:
    """Those that are actions of the whole window."""
    return [one for one in window.shell.actions.entries if not one.part]


def in_menu(menu: QMenu) -> list[QAction]:
    return [action for action in menu.actions() if not action.isSeparator() and action.menu() is None]


def test_names_and_keys_mean_one_thing(window: MainWindow) -> None:
    entries = window.shell.actions.entries
    with pytest.raises(AssertionError):
        window.shell.actions.declare({entries[0].name: entries[0]})
    for part in {one.part for one in entries}:
        # What works in the whole window works in its parts, too.
        keys = Counter(QKeySequence(key).toString() for one in entries if one.part in ("", part) for key in one.keys)
        assert [key for key, number in keys.items() if number > 1] == []


def test_every_key_is_one_qt_knows(window: MainWindow) -> None:
    assert all(QKeySequence(key).toString() for one in window.shell.actions.entries for key in one.keys)
    assert all(one.icon for one in ours(window))


def test_every_action_does_something(window: MainWindow) -> None:
    for one in ours(window):
        made = window.shell.actions[one.name]
        assert made.receivers("2triggered(bool)") > 0 or made.isCheckable(), one.name
        assert set(made.shortcuts()) == {QKeySequence(key) for key in one.keys}, one.name
        assert made in window.actions(), one.name


def test_the_menus_show_what_the_table_says(window: MainWindow) -> None:
    menus = {"menu": window.menu, "view": window.view_menu, "tray": window.tray.menu}
    for place, menu in menus.items():
        assert in_menu(menu) == [window.shell.actions[one.name] for one in ours(window) if place in one.places]
    assert window.view_menu.menuAction() in window.menu.actions()


def test_what_belongs_together_stands_together_in_the_menu(window: MainWindow) -> None:
    groups = {window.shell.actions[one.name]: one.group for one in ours(window)}
    blocks: list[list[str]] = [[]]
    for action in window.menu.actions():
        if action.isSeparator():
            blocks.append([])
        elif action in groups:
            blocks[-1].append(groups[action])
    assert all(len(set(block)) <= 1 for block in blocks)
    begun = [block[0] for block in blocks if block]
    # What the program itself is asked stands at both ends.
    assert [group for group in begun if group != "Panel"] == ["Agents", "Browser", "History", "Console"]
    assert begun[0] == begun[-1] == "Panel"


def test_the_look_in_force_is_ticked(window: MainWindow) -> None:
    window.shell.actions["theme_dark"].trigger()
    assert window.shell.theme.is_dark
    ticked = [one.name for one, action in window.shell.actions if action.isChecked() and one.name.startswith("theme")]
    assert ticked == ["theme_dark"]
    window.shell.actions["theme_system"].trigger()
