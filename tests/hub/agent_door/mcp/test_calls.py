"""Calls of tools that are answered beside the SDK: the same answers, and what is unusual is left to it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import anyio
import mcp_types as types
import pytest

from kapture_panel.core import progress
from kapture_panel.core.wire.protocol import Response
from kapture_panel.hub.agent_door.mcp.calls import Calls, call_in
from tests.support.core.fakes import World, failed, ok, picture
from tests.support.hub.line_client import LineClient, talking

CLICK: dict[str, Any] = {"name": "kapturemcp_click", "arguments": {"ref": "e1"}}
CALL: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": CLICK}
#: What makes a call unusual.
UNUSUAL: list[dict[str, Any]] = [
    {"id": True}, {"id": 1.5}, {"id": None}, {"id": 2**60}, {"jsonrpc": "1.0"}, {"method": "tools/list"}, {"more": 1},
    {"params": None}, {"params": {}}, {"params": {"name": 1}}, {"params": {"name": "a", "arguments": []}},
    {"params": {"name": "a", "task": {}}}, {"params": {"name": "a", "_meta": 1}},
]  # fmt: skip


def test_a_call_in_its_usual_form_is_taken() -> None:
    call = call_in(json.dumps(CALL).encode())
    assert call is not None
    assert (call.id, call.params.name, call.params.arguments) == (1, "kapturemcp_click", {"ref": "e1"})


@pytest.mark.parametrize("change", UNUSUAL, ids=repr)
def test_any_other_is_left_to_the_sdk(change: dict[str, Any]) -> None:
    assert call_in(json.dumps(CALL | change).encode()) is None


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"\xff", json.dumps([CALL]).encode(), b"[" * 5000], ids=repr)
def test_what_is_no_message_is_left_to_the_sdk(line: bytes) -> None:
    assert call_in(line) is None


async def both_ways(client: LineClient, **params: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The results of a call beside the SDK, and through it."""
    client.say("tools/call", "beside", **params)
    await client.answers("beside")
    client.say("tools/call", "through", **params, more=1)  # unusual
    await client.answers("through")
    return client.heard.pop("beside"), client.heard.pop("through")


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_the_answers_are_those_the_sdk_would_give(world: World, version: str) -> None:
    world.tab()
    world.executor.answers |= {
        "click": ok({"clicked": "a", "nothing": None}, effects={"changed": True}),
        "snapshot": ok('- button "Käufe 🛒"\n' * 3000),
        "screenshot": picture(b"the picture", format="webp"),
        "hover": failed("STALE_REF", "take a new snapshot", tabId="t9"),
    }
    async with talking(world, version) as client:
        for name, arguments in (
            ("click", {"ref": "e1"}),
            ("hover", {"ref": "e1"}),
            ("snapshot", {"maxBytes": 100_000}),
            ("screenshot", {}),
            ("click", {"ref": "e1", "button": "fourth"}),
            ("list_tabs", None),
            ("no_such_tool", {}),
        ):
            beside, through = await both_ways(client, name=f"kapturemcp_{name}", arguments=arguments)
            assert "result" in beside
            assert (beside.pop("id"), through.pop("id")) == ("beside", "through")
            assert same(beside) == same(through), name


def same(answer: dict[str, Any]) -> Any:
    """An answer without the name of the file that a picture or a long text has got."""
    said = json.dumps(answer)
    for block in answer["result"]["content"]:
        if "uri" in block:
            said = said.replace(block["uri"].rpartition("/")[2], "FILE")
        elif "Saved as " in block.get("text", ""):
            said = said.replace(block["text"].rpartition("/")[2], "FILE")
    return json.loads(said)


async def test_progress_is_told_under_the_token_of_the_call(world: World) -> None:
    world.tab()

    async def in_steps(_params: dict[str, Any]) -> Response:
        await progress.step_done(1)
        return ok({})

    world.executor.answers["click"] = in_steps
    async with talking(world) as client:
        client.say("tools/call", 1, **CLICK, _meta={"progressToken": "mine"})
        await client.answers(1)
    told = [one["params"] for one in client.notified if one["method"] == "notifications/progress"]
    assert told == [{"progressToken": "mine", "progress": 1, "total": 1, "message": "step 1 of 1 done: click"}]


@pytest.mark.parametrize("named", [7, "7"])
async def test_a_call_that_is_given_up_is_never_answered_and_its_id_is_free(world: World, named: object) -> None:
    world.tab()
    world.executor.open.clear()
    call = {"name": "kapturemcp_reload", "arguments": {}}
    async with talking(world) as client:
        client.say("tools/call", 7, **call)
        await world.executor.arrived.get()
        client.say("notifications/cancelled", requestId=named)
        client.say("tools/call", 7, **call)
        await world.executor.arrived.get()
        assert world.executor.cancelled == ["reload"]
        assert 7 not in client.heard
        world.executor.open.set()
        assert "result" in (await client.answers(7))[0]


async def test_a_call_that_is_given_up_as_it_is_made_leaves_the_conversation_whole(world: World) -> None:
    async with talking(world) as client:
        client.say("tools/call", 7, name="kapturemcp_list_tabs", arguments={})
        client.say("notifications/cancelled", requestId=7)
        client.say("tools/call", 8, name="kapturemcp_list_tabs", arguments={})
        assert "result" in (await client.answers(8))[0]
        assert 7 not in client.heard


async def test_a_call_that_is_given_up_as_its_answer_comes_takes_nothing_from_the_next_one_of_its_id(
    world: World,
) -> None:
    outbox, over, given = FakeOutbox(), FakeUnderWay(), [asyncio.Event(), asyncio.Event()]
    answering = iter(given)

    async def call_tool(name: str, _arguments: dict[str, Any], _send: object) -> types.CallToolResult:
        with anyio.CancelScope(shield=True):
            await next(answering).wait()
        return types.CallToolResult(content=[types.TextContent(type="text", text=name)])

    calls = Calls(call_tool, outbox, over)  # type: ignore[arg-type]
    async with anyio.create_task_group() as group:
        for name, is_answered in zip(("first", "second"), given, strict=True):
            call = call_in(json.dumps(CALL | {"id": 7, "params": {"name": name}}).encode())
            assert call is not None
            calls.start(group, call)
            await anyio.lowlevel.checkpoint()
            if name == "first":
                calls.cancel(7)
            is_answered.set()
    assert [json.loads(line)["result"]["content"][0]["text"] for line in outbox.lines] == ["second"]
    assert over.ids == [7]


class FakeOutbox:
    """Keeps what goes out."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    async def put(self, line: str) -> None:
        self.lines.append(line)


class FakeUnderWay:
    """Keeps which calls are over."""

    def __init__(self) -> None:
        self.ids: list[Any] = []

    def over(self, request_id: Any) -> None:
        self.ids.append(request_id)


async def test_what_is_under_way_when_the_client_has_said_its_last_word_is_answered_with_that(world: World) -> None:
    world.tab()
    world.executor.open.clear()
    async with talking(world) as client:
        client.say("tools/call", 7, name="kapturemcp_reload", arguments={})
        await world.executor.arrived.get()
    assert client.heard[7]["error"]["message"] == "Connection closed"
    assert world.executor.cancelled == ["reload"]
