"""The panel comes back after a pick, however long it takes; that a real display obeys is test_window_keys.py's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.window.command import back_in_front
from kapture_panel.window.command.back_in_front import BackInFront
from tests.support.patience import PATIENCE_S
from tests.support.window.qt_loop import bury

HOUR_MS = 3_600_000


class Refused(QWidget):
    """A window on a display where each request for the focus but one is refused."""

    place: ClassVar = QPoint(1, 1)

    def __init__(self) -> None:
        super().__init__()
        self.winId()  # it has a window of the system
        self.requests = self.granted = 0
        self.is_active = False

    def raise_(self) -> None:
        """Nothing else is there."""

    def activateWindow(self) -> None:
        self.requests += 1
        if self.requests == self.granted:
            self.turn(is_active=True)

    def turn(self, *, is_active: bool) -> None:
        """The focus comes or goes."""
        self.is_active = is_active
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusWindowChanged.emit(self.windowHandle() if is_active else None)


@pytest.fixture
def refused(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Refused]:
    window = Refused()
    monkeypatch.setattr(back_in_front, "GIVE_UP_MS", HOUR_MS)  # a busy machine takes its time
    monkeypatch.setattr(back_in_front, "NEWS_MS", HOUR_MS)
    monkeypatch.setattr(back_in_front, "AGAIN_MS", 0)
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "xcb")
    monkeypatch.setattr(QApplication, "activeWindow", lambda: window if window.is_active else None)
    monkeypatch.setattr(QCursor, "pos", lambda: window.place)
    yield window
    bury(window)


def test_a_window_asks_until_it_has_the_focus(refused: Refused, qtbot: QtBot) -> None:
    refused.granted = 100
    BackInFront(refused).come()
    qtbot.waitUntil(lambda: refused.is_active, timeout=int(1000 * PATIENCE_S))
    rest()
    assert refused.requests == refused.granted


def test_a_browser_that_takes_the_focus_late_gives_it_back(refused: Refused, qtbot: QtBot) -> None:
    refused.granted = 2
    BackInFront(refused).come()
    qtbot.waitUntil(lambda: refused.is_active, timeout=int(1000 * PATIENCE_S))
    refused.granted = 100
    refused.turn(is_active=False)
    qtbot.waitUntil(lambda: refused.is_active, timeout=int(1000 * PATIENCE_S))


def test_a_person_who_goes_elsewhere_later_stays_there(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(back_in_front, "NEWS_MS", 0)
    refused.granted = 2
    BackInFront(refused).come()
    rest()
    refused.turn(is_active=False)
    rest()
    assert refused.requests == 2


def test_a_person_who_moves_the_mouse_meanwhile_stays_there(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    BackInFront(refused).come()
    rest()
    monkeypatch.setattr(Refused, "place", QPoint(2, 2))
    requests = refused.requests
    rest()
    assert refused.requests == requests


def test_a_window_that_is_refused_gives_up(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(back_in_front, "GIVE_UP_MS", 0)
    BackInFront(refused).come()
    rest()
    requests = refused.requests
    rest()
    assert refused.requests == requests


def rest() -> None:
    """What a timer of no length does is done."""
    for _ in range(10):
        QApplication.processEvents()
