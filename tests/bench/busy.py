"""The window in sight while a page floods its console and agents work: `make bench ARGS=busy`."""

from __future__ import annotations

from tests.bench import apart
from tests.bench.busy_window import Figures
from tests.bench.goals import Table


def measure(table: Table) -> None:
    """How long the window's thread is held at a time; the rates that were reached stand beside it."""
    seen = Figures(**apart.figures("tests.bench.busy_window"))
    rates = {"lines_per_s": seen.lines_per_s, "commands_per_s": seen.commands_per_s}
    table.add("busy: thread held, p99", seen.held_p99_ms, by_the_clock=seen.late_p99_ms, work=seen.work_p99_ms, **rates)
    table.add("busy: thread held, worst", seen.held_worst_ms, by_the_clock=seen.late_worst_ms)
