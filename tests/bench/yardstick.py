"""How slow the processor is right now.

What other virtual machines do on the same processor slows this one without any load that it could see: the same work
took 8.6 to 14.4 ms within half a minute, with nothing else running here.
"""

from __future__ import annotations

import statistics
import time

#: What the work takes while nobody else uses the processor: the fastest of many.
QUIET_MS = 8.5
_ROUNDS = 5
_STEPS = 200_000


def slowness() -> float:
    """How many times longer than on a quiet processor work takes now; 1 on a faster one, too."""
    return max(1.0, statistics.median(_work_ms() for _ in range(_ROUNDS)) / QUIET_MS)


def _work_ms() -> float:
    begun, total = time.perf_counter(), 0
    for step in range(_STEPS):
        total += step
    assert total > 0
    return (time.perf_counter() - begun) * 1000
