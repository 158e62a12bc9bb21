"""Watching a tab and stepping into it while two agents work: `make bench ARGS=watch`."""

from __future__ import annotations

import statistics

from tests.bench import apart
from tests.bench.goals import Table
from tests.bench.watch_window import Figures


def measure(table: Table) -> None:
    """A tab of 1280 × 720 in a real window."""
    seen = Figures(**apart.figures("tests.bench.watch_window"))
    table.add("watch: pictures painted, the page moves", seen.painted_per_s)
    table.add("watch: on the socket, the page is still", seen.still_mb_per_s)
    pressed = seen.pressed_ms
    table.add("watch: a press → its picture painted", statistics.median(pressed), worst=max(pressed))
    table.add("watch: thread held, p99", seen.held_p99_ms, worst=seen.held_worst_ms)
