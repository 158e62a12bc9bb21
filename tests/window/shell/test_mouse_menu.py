"""The menu of the agent's mouse: what is chosen there is kept, and shown as chosen the next time."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.core.basics.settings import NATURAL_MOUSE, SHOW_CURSOR, SHOW_FRAME, Settings
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.shell.mouse_menu import MouseMenu


@pytest.fixture
def settings(tmp_path: Path, qapp: QApplication) -> Settings:
    return Settings(tmp_path / "settings.json")


@pytest.fixture
def holder(qtbot: QtBot) -> QWidget:
    """What the menus end with."""
    made = QWidget()
    qtbot.addWidget(made)
    return made


def submenus(menu: QMenu) -> dict[str, QMenu]:
    return {action.text(): found for action in menu.actions() if isinstance(found := action.menu(), QMenu)}


def entry(menu: QMenu, setting: str, words: str) -> QAction:
    return next(action for action in submenus(menu)[setting].actions() if action.text() == words)


def checked(menu: QMenu) -> dict[str, list[str]]:
    return {name: [one.text() for one in inner.actions() if one.isChecked()] for name, inner in submenus(menu).items()}


def test_by_default_both_are_for_a_persons_own_browser_only(settings: Settings, holder: QWidget) -> None:
    assert checked(MouseMenu(settings, holder)) == {
        "Move the mouse like a person": ["Only in your own browser"],
        "Show the agent's cursor": ["Only in your own browser"],
        "Show a frame while a tab is driven": ["Only in your own browser"],
    }


def test_what_is_chosen_is_kept_over_restarts(settings: Settings, holder: QWidget, tmp_path: Path) -> None:
    menu = MouseMenu(settings, holder)
    entry(menu, "Move the mouse like a person", "Always").trigger()
    entry(menu, "Show the agent's cursor", "Never").trigger()
    entry(menu, "Show a frame while a tab is driven", "Always").trigger()
    again = Settings(tmp_path / "settings.json")
    assert (again.choice(NATURAL_MOUSE), again.choice(SHOW_CURSOR), again.choice(SHOW_FRAME)) == ("on", "off", "on")
    wanted = {"Move the mouse like a person": ["Always"], "Show the agent's cursor": ["Never"]}
    wanted |= {"Show a frame while a tab is driven": ["Always"]}
    assert checked(menu) == checked(MouseMenu(again, holder)) == wanted


def test_a_person_finds_it_in_the_toolbar(window: MainWindow) -> None:
    buttons = window.toolbar.findChildren(QToolButton)
    button = next(button for button in buttons if button.accessibleName() == "How an agent's mouse moves")
    assert button.menu() is window.mouse_menu
    assert list(submenus(window.mouse_menu)) == [
        "Move the mouse like a person", "Show the agent's cursor", "Show a frame while a tab is driven",
    ]  # fmt: skip
