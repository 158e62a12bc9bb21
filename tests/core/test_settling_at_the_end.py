"""What runs when the panel ends is settled by the next one, which alone can tell who gave it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from kapture_panel.core.basics import tasks
from tests.support.core.fakes import World, ok
from tests.support.core.router import running

DONE = ok(effects={"changed": True}, outcome={"outcome": "done"})


async def test_an_answer_that_comes_as_the_panel_ends_is_left_to_the_next_one(tmp_path: Path) -> None:
    first = World(tmp_path)
    first.tab()
    first.executor.open.clear()
    call = running(first, "click", selector="#buy")
    await first.executor.arrived.get()
    first.core.settling.end()
    await tasks.end(call)
    frame = first.row().frame
    assert (first.row().state, first.row().code, bool(frame)) == ("unknown", "OUTCOME_UNKNOWN", True)
    first.core.settling.take(msgspec.structs.replace(DONE, id=frame))
    assert first.row().state == "unknown"
    first.history.close()

    second = World(tmp_path)
    second.tab()
    assert second.history.open_frames(10) == [("t1", frame)]
    second.core.settling.take(msgspec.structs.replace(DONE, id=frame))
    answer = await second.run("snapshot")
    assert answer.late_effects is not None
    assert [(one.command, one.outcome) for one in answer.late_effects.settled] == [("click #buy", "done")]
    second.history.close()
