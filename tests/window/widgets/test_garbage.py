"""Cycles of Python's objects are collected on the window's thread."""

from __future__ import annotations

import threading
import weakref

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot


class Timer(QTimer):
    """A timer that only the collector can end."""

    def __init__(self) -> None:
        super().__init__()
        self.itself = self


def test_a_qobject_in_a_cycle_is_destroyed_on_the_windows_thread(qapp: QApplication, qtbot: QtBot) -> None:
    ended_on: list[threading.Thread] = []
    timer = Timer()
    weakref.finalize(timer, lambda: ended_on.append(threading.current_thread()))
    timer.start(60_000)
    del timer
    made: list[list[int]] = []
    # Ten times what makes Python collect everything by itself.
    other = threading.Thread(target=lambda: made.extend([number] for number in range(2_000_000)))
    other.start()
    other.join()
    assert ended_on == []
    qtbot.waitUntil(lambda: ended_on != [])
    assert ended_on == [threading.main_thread()]
