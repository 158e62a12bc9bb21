"""The window in sight while pages write lines and agents work, then while one floods it: `make bench ARGS=busy`."""

from __future__ import annotations

from tests.bench import apart
from tests.bench.busy_window import Figures
from tests.bench.goals import Table


def measure(table: Table) -> None:
    """How much flowed, and how long the window's thread was held at a time meanwhile."""
    seen = Figures(**apart.figures("tests.bench.busy_window"))
    table.add("busy: lines of the console", seen.lines_per_s)
    table.add("busy: commands", seen.commands_per_s)
    table.add("busy: thread held, p99", seen.held_p99_ms, by_the_clock=seen.late_p99_ms, work=seen.work_p99_ms)
    table.add("busy: thread held, worst", seen.held_worst_ms, by_the_clock=seen.late_worst_ms)
    table.add("flood of the console: thread held, p99", seen.flood_p99_ms, lines_per_s=seen.flood_lines_per_s)
    table.add("flood of the console: thread held, worst", seen.flood_worst_ms)
