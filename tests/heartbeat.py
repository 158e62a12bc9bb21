"""How long the window's thread is held at a time, told by the beats of a timer that come late."""

from __future__ import annotations

import time
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer

PERIOD_MS = 5


class Gap(NamedTuple):
    """Between two beats: how much longer than a period it took, and how much of it the thread worked."""

    late_ms: float
    work_ms: float


class Heartbeat:
    """Beats every 5 ms in the event loop of the thread that made it, until `stop`.

    On a machine whose processors are shared a beat is late because of others, too: `work_ms` is the thread's own
    processor time, which is what the program answers for.
    """

    def __init__(self, parent: QObject) -> None:
        self.gaps: list[Gap] = []
        self._timer = QTimer(parent)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(PERIOD_MS)
        self._at = time.perf_counter()
        self._worked = time.thread_time()

    def stop(self) -> list[Gap]:
        """The gaps, in the order they came."""
        self._timer.stop()
        return self.gaps

    def _beat(self) -> None:
        at, worked = time.perf_counter(), time.thread_time()
        late_ms = max(0.0, (at - self._at) * 1000 - PERIOD_MS)
        self.gaps.append(Gap(late_ms, (worked - self._worked) * 1000))
        self._at, self._worked = at, worked
