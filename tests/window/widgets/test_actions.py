"""The table of actions: whole, without two meanings for one key, read by every menu."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.actions import ENTRIES

OURS = [one for one in ENTRIES if not one.part]


def in_menu(menu: QMenu) -> list[QAction]:
    return [action for action in menu.actions() if not action.isSeparator() and action.menu() is None]


def test_names_and_keys_mean_one_thing() -> None:
    assert max(Counter(one.name for one in ENTRIES).values()) == 1
    for part in {one.part for one in ENTRIES}:
        # What works in the whole window works in its parts, too.
        keys = Counter(QKeySequence(key).toString() for one in ENTRIES if one.part in ("", part) for key in one.keys)
        assert [key for key, number in keys.items() if number > 1] == []


def test_every_key_is_one_qt_knows() -> None:
    assert all(QKeySequence(key).toString() for one in ENTRIES for key in one.keys)
    assert all(one.icon for one in OURS)


@pytest.mark.parametrize("name", [one.name for one in OURS])
def test_every_action_does_something(name: str, window: MainWindow) -> None:
    made = window.actions_table[name]
    assert made.receivers("2triggered(bool)") > 0 or made.isCheckable()
    wanted = {QKeySequence(key) for one in OURS if one.name == name for key in one.keys}
    assert set(made.shortcuts()) == wanted
    assert made in window.actions()


def test_the_menus_show_what_the_table_says(window: MainWindow) -> None:
    menus = {"menu": window.menu, "view": window.view_menu, "tray": window.tray.menu}
    for place, menu in menus.items():
        assert in_menu(menu) == [window.actions_table[one.name] for one in OURS if place in one.places]
    assert window.view_menu.menuAction() in window.menu.actions()


def test_the_look_in_force_is_ticked(window: MainWindow) -> None:
    window.actions_table["theme_dark"].trigger()
    assert window.theme.is_dark
    ticked = [one.name for one, action in window.actions_table if action.isChecked() and one.name.startswith("theme")]
    assert ticked == ["theme_dark"]
    window.actions_table["theme_system"].trigger()
