"""The window stays quick while an agent works: nothing holds its thread for long."""

from __future__ import annotations

from pathlib import Path

from tests.support import watched_demo
from tests.support.heartbeat import MAX_HELD_MS

#: What the program does wrong it does in every run. On a busy machine a run may be held because a thread of ours that
#: has the interpreter waits for a processor; then another one tells.
RUNS = 3
#: The demo takes some seconds; with fewer beats than this nobody listened.
LEAST_BEATS = 200


def test_nothing_holds_the_windows_thread_through_the_whole_demo(tmp_path: Path) -> None:
    longest = []
    for run in range(RUNS):
        gaps = watched_demo.gaps(tmp_path / f"demo{run}")
        assert len(gaps) >= LEAST_BEATS
        longest.append(max(max(gap.held_ms, gap.work_ms) for gap in gaps))
        if longest[-1] <= MAX_HELD_MS:
            break
    assert longest[-1] <= MAX_HELD_MS, f"the longest of each run, in ms: {longest}"
