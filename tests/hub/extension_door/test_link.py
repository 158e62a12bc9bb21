"""One WebSocket of the extension: commands out in order, responses in, nothing left waiting when it breaks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosedError

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.stores.offers import Offers
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.events import ConsoleSaid, Event, TabChanged
from kapture_panel.core.wire.protocol import Response
from kapture_panel.core.wire.results import Picked
from kapture_panel.hub.extension_door import link as link_module
from kapture_panel.hub.extension_door.link import Link


class FakeConnection:
    """A WebSocket whose far end is the test: `say` and `cut` from there, `sent` is what arrived there."""

    def __init__(self) -> None:
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.close_code: int | None = None
        self._frames: asyncio.Queue[str | None] = asyncio.Queue()

    def say(self, frame: dict[str, Any] | str) -> None:
        self._frames.put_nowait(frame if isinstance(frame, str) else json.dumps(frame))

    def cut(self) -> None:
        self.close_code = 1006
        self._frames.put_nowait(None)

    async def send(self, frame: str) -> None:
        if self.close_code is not None:
            raise ConnectionClosedError(None, None)
        self.sent.put_nowait(json.loads(frame))

    async def close(self) -> None:
        self.cut()

    def __aiter__(self) -> FakeConnection:
        return self

    async def __anext__(self) -> str:
        frame = await self._frames.get()
        if frame is None:
            raise StopAsyncIteration
        return frame


class Served:
    """A link under way."""

    def __init__(self) -> None:
        self.far = FakeConnection()
        self.events: list[Event] = []
        self.link = Link(cast(ServerConnection, self.far), self.events.extend)
        self.serving = tasks.spawn(self.link.serve(), "link")

    def call(self, command: str = "kapturemcp_click", **params: Any) -> asyncio.Task[Response]:
        return tasks.spawn(self.link.run(command, params, 30_000), command)

    async def end(self) -> None:
        self.far.cut()
        await self.serving


@pytest.fixture
async def served() -> Any:
    made = Served()
    yield made
    if not made.serving.done():
        await made.end()


async def code_of(call: asyncio.Task[Response]) -> str:
    with pytest.raises(KaptureError) as raised:
        await call
    return raised.value.code


async def test_a_command_carries_all_it_needs_and_gets_its_response(served: Served) -> None:
    call = served.call(ref="e1")
    frame = await served.far.sent.get()
    assert frame == {
        "type": "command", "id": frame["id"], "command": "kapturemcp_click", "params": {"ref": "e1"}, "timeout": 30_000,
    }  # fmt: skip
    served.far.say({"type": "response", "id": frame["id"], "success": True, "result": {"a": 1}, "ms": 2.5})
    assert await call == Response(id=frame["id"], success=True, result={"a": 1}, ms=2.5)


async def test_commands_leave_in_the_order_they_were_given(served: Served) -> None:
    calls = [served.call(number=number) for number in range(50)]
    frames = [await served.far.sent.get() for _ in calls]
    assert [frame["params"]["number"] for frame in frames] == list(range(50))
    assert len({frame["id"] for frame in frames}) == 50
    for frame in reversed(frames):
        served.far.say({"type": "response", "id": frame["id"], "success": True, "result": frame["params"]["number"]})
    assert [(await call).result for call in calls] == list(range(50))


async def test_a_cut_leaves_every_running_command_with_an_unknown_outcome(served: Served) -> None:
    calls = [served.call(), served.call()]
    await served.far.sent.get()
    await served.end()
    assert [await code_of(call) for call in calls] == ["OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN"]


async def test_a_command_that_crosses_the_end_of_its_tab_is_told_so(served: Served) -> None:
    call = served.call()
    await served.far.sent.get()
    served.far.say({"type": "event", "events": [{"kind": "closed"}]})
    await served.end()
    assert await code_of(call) == "TAB_DISCONNECTED"


async def test_after_the_end_nothing_is_sent(served: Served) -> None:
    await served.end()
    assert await code_of(served.call()) == "NOT_SENT"
    assert served.far.sent.empty()


async def test_a_link_that_broke_its_word_takes_no_more_commands_though_it_still_closes(served: Served) -> None:
    call = served.call()
    await served.far.sent.get()
    served.far.say('{"type":"hello","protocol":1,"role":"tab","install":"i","nonce":"n"}')
    with pytest.raises(KaptureError, match="unexpected Hello after registration"):
        await served.serving
    assert await code_of(call) == "OUTCOME_UNKNOWN"
    assert served.far.close_code is None
    assert await code_of(served.call()) == "NOT_SENT"


async def test_garbage_ends_the_link(served: Served) -> None:
    served.far.say("garbage")
    with pytest.raises(KaptureError, match="not a frame"):
        await served.serving


async def test_a_caller_that_gives_up_cancels_the_command_over_there(served: Served) -> None:
    call = served.call()
    frame = await served.far.sent.get()
    await tasks.end(call)
    assert await served.far.sent.get() == {"type": "cancel", "id": frame["id"]}
    served.far.say({"type": "response", "id": frame["id"], "success": True})
    next_call = served.call()
    next_frame = await served.far.sent.get()
    served.far.say({"type": "response", "id": next_frame["id"], "success": True, "result": "mine"})
    assert (await next_call).result == "mine"


@pytest.mark.parametrize("answer_comes", ["before the caller gives up", "after it gave up"])
async def test_an_answer_in_the_very_turn_in_which_its_caller_gives_up_is_told_after_that(answer_comes: str) -> None:
    told: list[str] = []
    far = FakeConnection()
    link = Link(
        cast(ServerConnection, far),
        lambda _events: None,
        on_late=lambda response: told.append(f"late {response.id}"),
        on_given_up=lambda frame_id: told.append(f"given up {frame_id}"),
    )
    call = tasks.spawn(link.run("kapturemcp_click", {}, 30_000, frame_id="m.1"), "call")
    await asyncio.sleep(0)  # it waits
    turn: list[Callable[[], object]] = [call.cancel, lambda: link._receive(Response(id="m.1", success=True))]
    for happens in turn if answer_comes == "after it gave up" else reversed(turn):
        happens()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert told == ["given up m.1", "late m.1"]


async def test_a_response_to_nothing_is_dropped(served: Served) -> None:
    call = served.call()
    frame = await served.far.sent.get()
    for answered in ("c0", frame["id"], frame["id"]):
        served.far.say({"type": "response", "id": answered, "success": True, "result": answered})
    assert (await call).result == frame["id"]


async def test_a_ping_is_answered_and_a_pong_is_not(served: Served) -> None:
    served.far.say({"type": "pong"})
    served.far.say({"type": "ping"})
    assert await served.far.sent.get() == {"type": "pong"}
    assert served.far.sent.empty()


async def test_the_panel_pings_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    assert protocol.PING_INTERVAL_S == 20
    monkeypatch.setattr(protocol, "PING_INTERVAL_S", 0)
    served = Served()
    assert await served.far.sent.get() == {"type": "ping"}
    await served.end()


async def test_an_extension_that_is_silent_for_several_pings_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert link_module.SILENT_S > 3 * protocol.PING_INTERVAL_S
    monkeypatch.setattr(protocol, "PING_INTERVAL_S", 0)
    monkeypatch.setattr(link_module, "SILENT_S", -1.0)
    served = Served()
    call = served.call()
    await served.serving
    assert served.far.close_code is not None
    assert await code_of(call) in ("OUTCOME_UNKNOWN", "NOT_SENT")


async def test_events_are_handed_on_in_batches(served: Served) -> None:
    served.far.say({"type": "event", "events": [{"kind": "tab"}, {"kind": "console"}]})
    served.far.say({"type": "ping"})
    await served.far.sent.get()
    assert served.events == [TabChanged(), ConsoleSaid()]


async def test_closing_hangs_up(served: Served) -> None:
    await served.link.close()
    await served.serving
    assert served.far.close_code is not None


async def test_a_pick_is_asked_answered_and_taken_back_like_a_command(served: Served) -> None:
    picking = tasks.spawn(served.link.pick(), "pick")
    asked = await served.far.sent.get()
    assert asked["type"] == "pick"
    served.far.say({"type": "response", "id": asked["id"], "success": True, "result": {"ended": "left"}})
    assert await picking == Picked(ended="left")
    picking = tasks.spawn(served.link.pick(), "pick")
    asked = await served.far.sent.get()
    served.far.say({"type": "response", "id": asked["id"], "success": True, "result": {"ended": "bored"}})
    with pytest.raises(KaptureError, match="answered no Picked"):
        await picking
    picking = tasks.spawn(served.link.pick(), "pick")
    asked = await served.far.sent.get()
    await tasks.end(picking)
    assert await served.far.sent.get() == {"type": "cancel", "id": asked["id"]}


async def test_a_piece_of_an_offered_file_is_read_and_any_other_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abcdef")
    offers = Offers()
    far = FakeConnection()
    link = Link(cast(ServerConnection, far), lambda _events: None, offers=offers)
    serving = tasks.spawn(link.serve(), "link")
    with offers.open([tmp_path / "a"]) as (token,):
        far.say({"type": "read", "id": "r1", "token": token, "start": 2, "size": 3})
        assert await far.sent.get() == {"type": "piece", "id": "r1", "data": "Y2Rl"}
    far.say({"type": "read", "id": "r2", "token": token, "start": 2, "size": 3})
    refused = await far.sent.get()
    assert (refused["id"], refused["error"]["code"]) == ("r2", "FILE_NOT_ALLOWED")
    far.cut()
    await serving


async def test_a_link_without_offers_reads_no_file(served: Served) -> None:
    served.far.say({"type": "read", "id": "r1", "token": "t", "start": 0, "size": 1})
    with pytest.raises(KaptureError, match="unexpected ReadFile"):
        await served.serving
