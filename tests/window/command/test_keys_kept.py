"""What holds the keyboard and for how long; that it works on a real display is tests/e2e/test_window_keys.py's."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QWindow

from kapture_panel import paths
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.window.command.keys_kept import KeysKept
from kapture_panel.window.shell.main_window import MainWindow

CATALOGUE = Catalogue(paths.catalogue())


@pytest.fixture
def grabs(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the keyboard was asked for or given back, call by call."""
    asked: list[bool] = []
    monkeypatch.setattr(QWindow, "setKeyboardGrabEnabled", lambda _window, is_on: asked.append(is_on))
    return asked


def kept(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> KeysKept:
    monkeypatch.setattr("kapture_panel.window.command.keys_kept.QGuiApplication.platformName", lambda: "xcb")
    window.activateWindow()
    return KeysKept(window)


@pytest.mark.parametrize(("command", "is_held"), [("click", True), ("batch", True), ("snapshot", False)])
def test_only_what_may_press_holds_it(
    window: MainWindow, grabs: list[bool], monkeypatch: pytest.MonkeyPatch, command: str, is_held: bool
) -> None:
    keys = kept(window, monkeypatch)
    keys.hold(CATALOGUE.get(command))
    assert keys.is_held is is_held
    keys.release()
    assert grabs == ([True, False] if is_held else [])


def test_elsewhere_than_on_x11_nothing_is_held(window: MainWindow, grabs: list[bool]) -> None:
    window.activateWindow()
    window.rooms.command.keys.hold(CATALOGUE.get("click"))
    assert not window.rooms.command.keys.is_held
    assert grabs == []


def test_a_second_run_holds_on(window: MainWindow, grabs: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    keys, click = kept(window, monkeypatch), CATALOGUE.get("click")
    keys.hold(click)
    keys.let_go()
    keys.hold(click)
    assert keys.is_held
    assert grabs == [True]
    keys.release()
