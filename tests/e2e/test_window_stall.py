"""The window stays quick while an agent works: nothing holds its thread for long."""

from __future__ import annotations

from pathlib import Path

from tests import watched_demo

#: A twentieth of a second is what a person begins to feel. It bounds all that holds the thread: its own work, and its
#: waits for files, locks and the interpreter; not its wait for a processor that others have.
MAX_HELD_MS = 50.0
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
