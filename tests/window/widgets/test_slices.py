"""Long work lets the event loop in between its slices, and what replaces it wins."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from kapture_panel.window.widgets.slices import Slices
from tests.support.patience import PATIENCE_S


def work(number: int, done: list[int], step_s: float = 0.0) -> Iterator[None]:
    for at in range(number):
        until = time.perf_counter() + step_s
        while time.perf_counter() < until:
            pass
        done.append(at)
        yield


def test_little_work_is_done_at_once(qtbot: QtBot) -> None:
    done: list[int] = []
    ended: list[bool] = []
    slices = Slices(parent := QObject(), PATIENCE_S)
    slices.begin(work(10, done), lambda: ended.append(True))
    assert (len(done), ended, slices.is_working) == (10, [True], False)
    parent.deleteLater()


def test_others_have_their_turn_between_the_slices(qtbot: QtBot) -> None:
    done: list[int] = []
    turns: list[int] = []
    slices, other = Slices(parent := QObject()), QTimer(parent)
    other.timeout.connect(lambda: turns.append(len(done)))
    other.start(0)
    slices.begin(work(60, done, 0.001), other.stop)
    assert slices.is_working
    qtbot.waitUntil(lambda: not slices.is_working)
    assert len(turns) >= 3
    assert turns == sorted(turns)
    parent.deleteLater()


def test_what_begins_later_replaces_what_is_under_way(qtbot: QtBot) -> None:
    first: list[int] = []
    second: list[int] = []
    ended: list[str] = []
    slices = Slices(parent := QObject())
    slices.begin(work(100, first, 0.001), lambda: ended.append("first"))
    slices.begin(work(20, second, 0.001), lambda: ended.append("second"))
    qtbot.waitUntil(lambda: not slices.is_working)
    assert (len(first) < 100, len(second), ended) == (True, 20, ["second"])
    parent.deleteLater()


def test_work_that_fails_is_over(qtbot: QtBot) -> None:
    def failing() -> Iterator[None]:
        yield
        raise RuntimeError("broken")

    slices = Slices(parent := QObject())
    with pytest.raises(RuntimeError, match="broken"):
        slices.begin(failing(), lambda: None)
    assert not slices.is_working
    parent.deleteLater()
