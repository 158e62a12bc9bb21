"""Work off the window's thread ends in it, and nobody is called who is gone."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from kapture_panel.window.widgets.off_thread import OffThread
from tests.support.patience import PATIENCE_S
from tests.support.window.qt_loop import bury


def test_it_is_done_elsewhere_and_told_here(qtbot: QtBot) -> None:
    off_thread = OffThread(parent := QObject())
    told: list[tuple[threading.Thread, threading.Thread]] = []
    off_thread.start(threading.current_thread, parent, lambda where: told.append((where, threading.current_thread())))
    qtbot.waitUntil(lambda: told != [])
    ((where, here),) = told
    assert where is not here
    assert here is threading.main_thread()
    off_thread.close()
    bury(parent)


def test_who_is_gone_is_not_called_and_after_the_end_nothing_begins(qtbot: QtBot) -> None:
    off_thread = OffThread(parent := QObject())
    owner, told = QObject(), list[str]()
    goes_on = threading.Event()

    def slow() -> bool:
        return goes_on.wait(PATIENCE_S)

    off_thread.start(slow, owner, lambda _: told.append("gone"))
    bury(owner)
    off_thread.start(lambda: True, parent, lambda _: told.append("here"))
    goes_on.set()
    qtbot.waitUntil(lambda: told != [])
    off_thread.close()
    begun: list[str] = []
    off_thread.start(lambda: begun.append("late"), parent, lambda _: told.append("late"))
    bury(parent)  # waits for what runs
    assert (told, begun) == (["here"], [])
