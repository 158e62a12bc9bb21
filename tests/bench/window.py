"""How soon the window is there, and how long an agent's work holds its thread: `make bench ARGS=window`."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from tests.bench.goals import Table
from tests.support import first_paint, watched_demo

STARTS = 7


def starts(folder: Path, table: Table) -> None:
    """From the start of the program to its window painted, beside an empty window."""
    bare_ms, ours_ms = [], []
    for number in range(STARTS):
        bare_ms.append(first_paint.took_ms("bare"))
        ours_ms.append(first_paint.took_ms("panel", "--data-dir", str(folder / str(number)), "--port", "0"))
    table.add("window: start → first paint", statistics.median(ours_ms), empty_window=statistics.median(bare_ms))


def held(folder: Path, table: Table) -> None:
    """How long the window's thread is held at a time through the demo; waits for a processor are left out."""
    gaps = watched_demo.gaps(folder)
    held, late = [gap.held_ms for gap in gaps], [gap.late_ms for gap in gaps]
    p99 = statistics.quantiles(held, n=100)[98]
    table.add("window: thread held in the demo, worst", max(held), p99=p99, by_the_clock=max(late))


def measure(table: Table) -> None:
    """Its start, and the demo."""
    with tempfile.TemporaryDirectory() as folder:
        starts(Path(folder) / "starts", table)
        held(Path(folder) / "demo", table)
