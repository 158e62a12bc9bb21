"""The window stays quick while an agent works: nothing holds its thread for long."""

from __future__ import annotations

from pathlib import Path

from tests import watched_demo

#: A twentieth of a second is what a person begins to feel.
MAX_WORK_MS = 50.0
#: With sleeps, files and locks, and without the wait for a processor. A busy machine's memory and disk are in it, too.
MAX_HELD_MS = 150.0
#: The demo takes some seconds; with fewer beats than this nobody listened.
LEAST_BEATS = 200


def test_nothing_holds_the_windows_thread_through_the_whole_demo(tmp_path: Path) -> None:
    gaps = watched_demo.gaps(tmp_path / "demo")
    assert len(gaps) >= LEAST_BEATS
    held = sorted((gap.held_ms for gap in gaps), reverse=True)[:5]
    work = sorted((gap.work_ms for gap in gaps), reverse=True)[:5]
    print(f"longest at a time, ms: {held}; of processor time: {work}")
    assert work[0] <= MAX_WORK_MS
    assert held[0] <= MAX_HELD_MS
