"""What became of commands whose answers were lost is written into their rows and told to who gave them, once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from kapture_panel.core import router
from kapture_panel.core.answer import Answer
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.protocol import Response
from tests.support.core.fakes import World, failed, ok, refused
from tests.support.core.router import running

BROKEN = KaptureError("OUTCOME_UNKNOWN", "the tab's connection broke while the command ran")
SECRET = "typed by the agent"


async def lost(world: World, command: str = "click", **params: Any) -> Row:
    """The row of a command whose answer was lost."""
    world.executor.answers[command] = BROKEN
    assert (await refused(world, command, **({"selector": "#buy"} | params))).code == "OUTCOME_UNKNOWN"
    del world.executor.answers[command]
    row = world.row()
    assert (row.state, bool(row.frame)) == ("unknown", True)
    return row


def told_late(row: Row, response: Response) -> Response:
    return msgspec.structs.replace(response, id=row.frame)


def news(answer: Answer) -> Any:
    return msgspec.to_builtins(answer.late_effects.settled) if answer.late_effects is not None else []


DONE = ok(effects={"changed": True}, outcome={"outcome": "done"})


async def test_the_row_says_what_happened_and_the_next_answer_tells_it_once(world: World) -> None:
    world.tab()
    row = await lost(world)
    world.core.settling.take(told_late(row, DONE))
    settled = world.row()
    assert (settled.state, settled.code, settled.outcome, settled.frame) == ("ok", "", "done", "")
    assert settled.effects == {"changed": True}
    assert settled.summary == "page changed · told after the connection came back"
    assert news(await world.run("snapshot")) == [
        {"command": "click #buy", "outcome": "done", "said": "page changed · told after the connection came back"}
    ]
    assert news(await world.run("snapshot")) == []
    world.core.settling.take(told_late(row, failed("ELEMENT_NOT_FOUND")))
    assert world.history.of([settled.id])[0].state == "ok"


async def test_a_failure_and_what_was_never_done_are_told_too(world: World) -> None:
    world.tab()
    row = await lost(world)
    world.core.settling.take(told_late(row, failed("NOT_SENT", "it had not begun", nextStep="nothing was done")))
    settled = world.row()
    assert (settled.state, settled.code, settled.said) == ("error", "NOT_SENT", "it had not begun; nothing was done")
    world.executor.answers["click"] = failed("ELEMENT_NOT_FOUND")
    with_error = (await refused(world, "click", selector="#a")).details["lateEffects"]["settled"]
    assert [one["outcome"] for one in with_error] == ["NOT_SENT"]


async def test_a_read_whose_answer_was_lost_was_done(world: World) -> None:
    world.tab()
    row = await lost(world, "count_elements")
    world.core.settling.take(told_late(row, ok()))
    assert (world.row().state, world.row().summary) == ("ok", "done · told after the connection came back")


async def test_what_the_extension_does_not_know_either_stays_unknown(world: World) -> None:
    world.tab()
    row = await lost(world)
    world.core.settling.take(told_late(row, failed("OUTCOME_UNKNOWN", "cut off before its end")))
    assert (world.row().state, world.row().summary, world.row().frame) == ("unknown", "cut off before its end", "")
    assert news(await world.run("snapshot")) == []


async def test_what_was_typed_is_in_neither_the_row_nor_what_is_told(world: World) -> None:
    world.tab()
    row = await lost(world, "fill", value=SECRET)
    effects = {"title": f"Results for {SECRET}", "consoleErrors": [f'no "{SECRET}"'], "changed": True}
    world.core.settling.take(told_late(row, ok(effects=effects, outcome={"outcome": "confirmed"})))
    answer = await world.run("snapshot")
    assert news(answer)[0]["command"] == "fill #buy"
    assert SECRET not in str(world.history.rows()) + str(news(answer))


async def test_an_answer_that_comes_before_its_caller_was_told_settles_the_row_then(world: World) -> None:
    world.tab()
    world.executor.open.clear()
    world.executor.answers["click"] = BROKEN
    call = running(world, "click", selector="#buy")
    await world.executor.arrived.get()
    row = world.row()
    world.core.settling.take(told_late(row, DONE))
    assert world.row().state == "running"
    world.executor.open.set()
    with pytest.raises(KaptureError, match="the tab's connection broke"):
        await call
    assert (world.row().state, world.row().outcome) == ("ok", "done")


async def test_a_late_answer_to_what_was_told_already_or_to_nothing_changes_no_row(world: World) -> None:
    world.tab()
    await world.run("click", selector="#a")
    before = world.row()
    assert before.frame == ""
    for frame in ("", "unknown.1"):
        world.core.settling.take(msgspec.structs.replace(DONE, id=frame))
    assert world.row() == before


async def given_up(world: World, monkeypatch: pytest.MonkeyPatch, by: str) -> Row:
    """The row of a click that the panel gave up, though the link of its tab stayed."""
    world.executor.open.clear()
    if by == "deadline":
        monkeypatch.setattr(router, "GRACE_S", 0.0)
        assert (await refused(world, "click", selector="#buy", timeout=1)).code == "OUTCOME_UNKNOWN"
    else:
        call = running(world, "click", selector="#buy")
        await world.executor.arrived.get()
        world.router.gates.pause.hold()
        with pytest.raises(KaptureError, match="a person paused the agents"):
            await call
        world.router.gates.pause.lift()
    world.executor.open.set()
    return world.row()


WHY = {"deadline": "may have been done", "pause": "a person paused the agents"}


@pytest.mark.parametrize("by", WHY)
async def test_the_late_answer_to_what_was_given_up_settles_its_row(
    world: World, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    world.tab()
    row = await given_up(world, monkeypatch, by)
    assert row.state == "unknown"
    world.core.settling.take(told_late(row, DONE))
    assert (world.row().state, world.row().summary) == ("ok", "page changed · told afterwards")
    assert [one["outcome"] for one in news(await world.run("snapshot"))] == ["done"]


@pytest.mark.parametrize("by", WHY)
async def test_a_row_that_stays_unknown_keeps_saying_why_it_was_given_up(
    world: World, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    world.tab()
    row = await given_up(world, monkeypatch, by)
    assert WHY[by] in row.said
    said = row.said
    world.core.settling.take(told_late(row, failed("OUTCOME_UNKNOWN", "cancelled by its caller")))
    assert (world.row().state, world.row().said, world.row().frame) == ("unknown", said, "")


async def test_what_came_before_its_caller_was_told_is_let_go_of_when_the_call_ends_as_something_else(
    world: World,
) -> None:
    world.tab()
    world.executor.open.clear()
    call = running(world, "click", selector="#buy")
    await world.executor.arrived.get()
    world.core.settling.take(told_late(world.row(), DONE))
    assert world.core.settling._early
    await tasks.end(call)
    assert world.row().state == "cancelled"
    assert not world.core.settling._early


async def test_others_and_the_person_are_not_told(world: World) -> None:
    world.tab()
    row = await lost(world)
    other = Client("other", "agent")
    world.clients.add(other)
    world.core.settling.take(told_late(row, DONE))
    assert news(await world.router.run(other, "snapshot", {})) == []
    assert news(await world.router.run(world.person, "snapshot", {})) == []
    world.tab("t2")
    assert news(await world.run("snapshot", tabId="t2")) == []
    assert len(news(await world.run("snapshot", tabId="t1"))) == 1


async def test_who_has_gone_is_told_when_one_of_that_name_comes_back(world: World) -> None:
    world.tab()
    row = await lost(world)
    world.core.settling.take(told_late(row, DONE))
    world.clients.remove(world.agent)
    back = Client("claude", "agent")
    world.clients.add(back)
    assert len(news(await world.router.run(back, "snapshot", {}))) == 1


async def test_after_a_restart_the_file_knows_what_to_ask_for_and_no_text_of_the_page_is_kept(tmp_path: Path) -> None:
    first = World(tmp_path)
    first.tab()
    for command in ("click", "fill"):
        await lost(first, command, **({"value": SECRET} if command == "fill" else {}))
    first.history.flush()
    second = World(tmp_path)  # the first was killed
    first.history.close()
    second.tab()
    frames = second.history.open_frames(10)
    assert [tab_id for tab_id, _ in frames] == ["t1", "t1"]
    effects = {"title": f"Results for {SECRET}", "changed": True, "requests": 2}
    responses = (ok(effects=effects, outcome={"outcome": "done"}), failed("ELEMENT_NOT_FOUND", f"no {SECRET}"))
    for (_, frame), response in zip(frames, responses, strict=True):
        second.core.settling.take(msgspec.structs.replace(response, id=frame))
    failure, done = second.history.rows()
    assert (done.state, done.outcome, done.effects) == ("ok", "done", {"changed": True, "requests": 2})
    assert (failure.state, failure.code) == ("error", "ELEMENT_NOT_FOUND")
    assert second.history.open_frames(10) == []
    answer = await second.run("snapshot")
    assert [one["outcome"] for one in news(answer)] == ["done", "ELEMENT_NOT_FOUND"]
    assert SECRET not in str(second.history.rows()) + str(news(answer))
    second.history.close()


async def test_a_row_of_an_action_is_asked_for_though_the_panel_was_killed_before_its_answer(tmp_path: Path) -> None:
    first = World(tmp_path)
    first.tab()
    first.executor.open.clear()
    call = running(first, "click", selector="#buy")
    await first.executor.arrived.get()
    second = World(tmp_path)
    assert second.row().state == "unknown"
    assert len(second.history.open_frames(10)) == 1
    second.history.close()
    first.executor.open.set()
    await call
    first.history.close()


async def test_what_the_person_had_forgotten_is_told_to_nobody(world: World) -> None:
    world.tab()
    row = await lost(world)
    world.history.forget("1", ())
    world.core.settling.take(told_late(row, DONE))
    assert news(await world.run("snapshot")) == []
    assert [kept.command for kept in world.history.rows()] == ["snapshot"]
