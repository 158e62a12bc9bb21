"""How long the window's thread is held at a time, told by the beats of a timer that come late."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer

PERIOD_MS = 5
#: A twentieth of a second is what a person begins to feel. It bounds all that holds the thread: its own work, and its
#: waits for files, locks and the interpreter; not its wait for a processor that others have.
MAX_HELD_MS = 50.0


class Gap(NamedTuple):
    """Between two beats: how much longer than a period it took, and how much of it the thread worked.

    `held_ms` is the part of `late_ms` in which the thread could have run and did not beat: it worked, slept, or waited
    for a file or a lock. What is left out is its wait for a processor that others had.
    """

    late_ms: float
    work_ms: float
    held_ms: float


class Heartbeat:
    """Beats every 5 ms in the event loop of the thread that made it, until `stop`.

    On a machine whose processors are shared a beat is late because of others, too. How long that was Linux counts for
    each thread: the second figure of its schedstat, in ns.
    """

    def __init__(self, parent: QObject) -> None:
        self.gaps: list[Gap] = []
        self._timer = QTimer(parent)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(PERIOD_MS)
        self._stat = os.open(Path(f"/proc/self/task/{threading.get_native_id()}/schedstat"), os.O_RDONLY)
        self._at = time.perf_counter()
        self._worked = time.thread_time()
        self._queued_ns = self._queue_ns()

    def stop(self) -> list[Gap]:
        """The gaps, in the order they came."""
        self._timer.stop()
        os.close(self._stat)
        return self.gaps

    def _queue_ns(self) -> int:
        """How long the thread has waited for a processor since it began."""
        return int(os.pread(self._stat, 100, 0).split()[1])

    def _beat(self) -> None:
        at, worked, queued_ns = time.perf_counter(), time.thread_time(), self._queue_ns()
        late_ms = max(0.0, (at - self._at) * 1000 - PERIOD_MS)
        held_ms = max(0.0, late_ms - (queued_ns - self._queued_ns) / 1e6)
        self.gaps.append(Gap(late_ms, (worked - self._worked) * 1000, held_ms))
        self._at, self._worked, self._queued_ns = at, worked, queued_ns
