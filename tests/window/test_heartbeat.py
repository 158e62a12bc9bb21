"""What the bench of the window (tests/bench/window.py) can see."""

from __future__ import annotations

import time

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.support.heartbeat import MAX_HELD_MS, Heartbeat


def test_a_sleep_on_the_windows_thread_is_seen_though_it_is_no_work(qapp: QApplication) -> None:
    heartbeat = Heartbeat(qapp)
    QTest.qWait(50)
    time.sleep(0.2)
    QTest.qWait(50)
    gaps = heartbeat.stop()
    held = max(gaps, key=lambda gap: gap.held_ms)
    assert held.held_ms > 2 * MAX_HELD_MS
    assert held.work_ms < held.held_ms / 2
