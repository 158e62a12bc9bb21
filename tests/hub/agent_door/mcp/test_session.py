"""An MCP conversation, with the official client at the other end, in both protocol eras."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import mcp_types as types
import pytest
from mcp.client.client import Client as McpClient
from mcp.client.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from kapture_panel import __version__
from kapture_panel.core.basics import tasks
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.wire.protocol import Response
from tests.support.core.fakes import CATALOGUE, World, failed, ok, picture
from tests.support.hub.conversation import MODES, Conversation, text_of
from tests.support.hub.fakes import Changes
from tests.support.patience import PATIENCE_S


@pytest.fixture
def conversation(world: World) -> Conversation:
    return Conversation(world)


@pytest.mark.parametrize("mode", MODES)
async def test_the_tools_are_the_catalogue(conversation: Conversation, mode: str) -> None:
    async with conversation.client(mode) as client:
        listed = (await client.list_tools()).tools
    assert [(entry.name, entry.description, entry.input_schema) for entry in listed] == [
        (command.name, command.description, command.tool_schema) for command in CATALOGUE
    ]
    assert all(entry.output_schema is None and entry.icons is None and entry.title is None for entry in listed)


@pytest.mark.parametrize("mode", MODES)
async def test_a_call_goes_through_the_router_in_either_era(conversation: Conversation, mode: str) -> None:
    world = conversation.world
    world.tab()
    world.executor.answers["click"] = ok({"clicked": "button"}, effects={"changed": True})
    async with conversation.client(mode) as client:
        result = await client.call_tool("kapturemcp_click", {"ref": "e1"})
    assert not result.is_error
    assert result.structured_content == {
        "untrusted": "https://shop.example", "clicked": "button", "effects": {"changed": True},
    }  # fmt: skip
    assert json.loads(text_of(result)) == result.structured_content
    assert (world.row().client, world.row().kind) == ("test-agent", "agent")
    assert world.agent.result_bytes == len(text_of(result))


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_server_introduces_itself(conversation: Conversation, mode: str) -> None:
    async with conversation.client(mode) as client:
        info, said = client.server_info, client.instructions
        era = client.protocol_version
    assert info is not None
    assert (info.name, info.version) == ("kapture-panel", __version__)
    assert said is not None
    assert all(word in said for word in ("tabId", "target", "timeout", "kapturemcp_snapshot", "never instructions"))
    assert (era in MODERN_PROTOCOL_VERSIONS) == (mode != "legacy")
    methods = [line.get("method") for line in conversation.said]
    assert ("initialize" in methods) == (mode == "legacy")


@pytest.mark.parametrize("mode", MODES)
async def test_the_client_is_known_by_the_name_it_gives(conversation: Conversation, mode: str) -> None:
    heard: list[str] = []
    conversation.world.clients.changed.connect(lambda client: heard.append(client.name))
    async with conversation.client(mode) as client:
        await client.list_tools()
        await client.list_tools(cache_mode="refresh")
    assert (conversation.world.agent.name, conversation.world.agent.version) == ("test-agent", "2.1")
    assert heard == ["test-agent"]


async def test_an_endless_name_is_cut(world: World) -> None:
    conversation = Conversation(world)
    info = types.Implementation(name="n" * 5000, version="v" * 5000)
    async with McpClient(conversation.transport(), mode="legacy", client_info=info):
        pass
    assert (len(world.agent.name), len(world.agent.version)) == (80, 40)


@pytest.mark.parametrize("mode", MODES)
async def test_a_picture_comes_as_an_image_and_never_beside_structure(conversation: Conversation, mode: str) -> None:
    conversation.world.tab()
    conversation.world.executor.answers["screenshot"] = picture(b"the picture", format="webp")
    async with conversation.client(mode) as client:
        result = await client.call_tool("kapturemcp_screenshot", {"name": "cart"})
    image, words = result.content
    assert isinstance(image, types.ImageContent)
    assert (base64.b64decode(image.data), image.mime_type) == (b"the picture", "image/webp")
    assert isinstance(words, types.TextContent)
    assert result.structured_content is None


@pytest.mark.parametrize(
    ("name", "response"),
    [
        ("snapshot", ok("- button")),
        ("logs", ok({"logs": [], "kept": 0, "dropped": 0})),
        ("click", ok({"clicked": "a"}, snapshot="- link")),
    ],
)
async def test_page_text_never_stands_beside_structure(
    conversation: Conversation, name: str, response: Response
) -> None:
    conversation.world.tab()
    conversation.world.executor.answers[name] = response
    async with conversation.client() as client:
        result = await client.call_tool(f"kapturemcp_{name}", {"ref": "e1"} if name == "click" else {})
    assert result.structured_content is None
    assert text_of(result)
    assert "structuredContent" not in conversation.heard[-1]["result"]


@pytest.mark.parametrize("mode", MODES)
async def test_an_error_is_a_tool_error_that_begins_with_its_code(conversation: Conversation, mode: str) -> None:
    conversation.world.tab()
    conversation.world.executor.answers["click"] = failed("STALE_REF", "take a new snapshot", tabId="t9")
    async with conversation.client(mode) as client:
        stale = await client.call_tool("kapturemcp_click", {"ref": "e1"})
        wrong = await client.call_tool("kapturemcp_click", {"ref": "e1", "button": "fourth"})
        nowhere = await client.call_tool("kapturemcp_click", {"ref": "e1", "tabId": "t9"})
    assert stale.is_error
    assert text_of(stale) == "STALE_REF: take a new snapshot\n[untrusted: https://shop.example]"
    assert stale.structured_content == {
        "untrusted": "https://shop.example",
        "error": {"code": "STALE_REF", "message": "take a new snapshot", "tabId": "t9"},
    }
    assert wrong.is_error
    assert text_of(wrong).startswith("INVALID_PARAMS: click: button must be one of left, middle, right")
    assert text_of(nowhere).startswith("TAB_NOT_FOUND: no connected tab is called 't9'")


async def test_an_unknown_tool_is_answered_with_the_nearest(conversation: Conversation) -> None:
    async with conversation.client() as client:
        result = await client.call_tool("kapturemcp_clik", {})
    assert result.is_error
    assert "there is no command 'kapturemcp_clik'; did you mean click" in text_of(result)


async def test_a_defect_is_a_tool_error_and_told_in_the_log(
    conversation: Conversation, caplog: pytest.LogCaptureFixture
) -> None:
    conversation.world.tab()

    async def broken(_params: dict[str, Any]) -> Response:
        raise ZeroDivisionError("secret details")

    conversation.world.executor.answers["click"] = broken
    async with conversation.client() as client:
        result = await client.call_tool("kapturemcp_click", {"ref": "e1"})
        assert not (await client.call_tool("kapturemcp_list_tabs", {})).is_error
    assert result.is_error
    assert text_of(result).startswith("INTERNAL: a defect in Kapture Panel (ZeroDivisionError)")
    assert "secret details" not in text_of(result)
    assert "kapturemcp_click failed" in caplog.text


@pytest.mark.parametrize("mode", MODES)
async def test_calls_at_once_reach_the_tab_in_their_order(conversation: Conversation, mode: str) -> None:
    world = conversation.world
    world.tab()
    world.executor.open.clear()
    async with conversation.client(mode) as client:
        calls = [
            tasks.spawn(client.call_tool("kapturemcp_press_key", {"key": str(number)}), "call") for number in range(8)
        ]
        arrived = [await world.executor.arrived.get() for _ in calls]
        world.executor.open.set()
        results = await asyncio.gather(*calls)
    order = [line["params"]["arguments"]["key"] for line in conversation.said if line.get("method") == "tools/call"]
    assert [sent.params["key"] for sent in arrived] == order
    assert sorted(order) == [str(number) for number in range(8)]
    assert not any(result.is_error for result in results)


@pytest.mark.parametrize("mode", MODES)
async def test_a_call_the_client_cancels_is_cancelled_in_the_tab(conversation: Conversation, mode: str) -> None:
    world = conversation.world
    world.tab()
    world.executor.open.clear()
    settled = Changes(world.history.settled)
    async with conversation.client(mode) as client:
        call = tasks.spawn(client.call_tool("kapturemcp_reload", {}), "call")
        await world.executor.arrived.get()
        await tasks.end(call)
        await settled.until(lambda: world.executor.cancelled == ["reload"] and world.row().state == "cancelled")


@pytest.mark.parametrize("mode", MODES)
async def test_what_still_runs_when_the_client_goes_is_cancelled(conversation: Conversation, mode: str) -> None:
    world = conversation.world
    world.tab()
    world.executor.open.clear()
    async with conversation.client(mode) as client:
        call = tasks.spawn(client.call_tool("kapturemcp_reload", {}), "call")
        await world.executor.arrived.get()
    await asyncio.wait([call])
    assert call.cancelled() or isinstance(call.exception(), MCPError)
    assert world.executor.cancelled == ["reload"]
    assert world.row().state == "cancelled"


async def test_a_line_that_is_no_message_does_not_end_the_conversation(world: World) -> None:
    heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    said: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def lines() -> AsyncIterator[bytes]:
        while (line := await said.get()) is not None:
            yield line

    async def send(line: str) -> None:
        heard.put_nowait(json.loads(line))

    session = Conversation(world).session(send)
    serving = tasks.spawn(session.serve(lines()), "MCP session")
    for line in (b"garbage\n", b"[]\n", b"{}\n", b'{"jsonrpc":"2.0","id":5}\n', b"\xff\n"):
        said.put_nowait(line)
    said.put_nowait(b'{"jsonrpc":"2.0","id":7,"method":"ping"}\n')
    while (answer := await heard.get()).get("id") != 7:
        assert "error" in answer
    assert answer["result"] == {}
    said.put_nowait(None)
    await serving


def notified(conversation: Conversation, method: str) -> list[Any]:
    """The parameters of the notifications the client got."""
    return [line.get("params") for line in conversation.heard if line.get("method") == f"notifications/{method}"]


@pytest.mark.filterwarnings("ignore:resources/:mcp.shared.exceptions.MCPDeprecationWarning")
async def test_a_subscription_is_told_until_it_ends(conversation: Conversation) -> None:
    world = conversation.world
    tab = world.tab()
    async with conversation.client("legacy") as client:
        for _ in range(2):
            await client.subscribe_resource("kapture://tab/t1")
        world.tabs.update(tab, title="New")
        await client.list_tools(cache_mode="refresh")
        assert notified(conversation, "resources/updated") == [{"uri": "kapture://tab/t1"}]
        await client.unsubscribe_resource("kapture://tab/t1")
        world.tabs.update(tab, title="Newer")
        world.tab("t2")
        await client.list_tools(cache_mode="refresh")
        assert len(notified(conversation, "resources/updated")) == 1
        assert len(notified(conversation, "resources/list_changed")) == 1
        for uri in ("kapture://tab/t1/cookies", "kapture://screenshot/a.png", "https://a.example/"):
            with pytest.raises(MCPError, match="nothing that changes") as caught:
                await client.subscribe_resource(uri)
            assert caught.value.code == -32002


@pytest.mark.filterwarnings("ignore:resources/:mcp.shared.exceptions.MCPDeprecationWarning")
async def test_one_client_cannot_follow_without_end(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kapture_panel.hub.agent_door.mcp.session.MAX_SUBSCRIPTIONS", 3)
    async with conversation.client("legacy") as client:
        await client.subscribe_resource("kapture://tab/a")
        await client.subscribe_resource("kapture://tab/b")
        with pytest.raises(MCPError, match="unsubscribe from one first"):
            await client.subscribe_resource("kapture://tab/c")


async def test_a_stream_says_what_it_grants_and_tells_that_alone(conversation: Conversation) -> None:
    world = conversation.world
    async with conversation.client("auto") as client:
        asked = ["kapture://tabs", "kapture://nothing"]
        listening = client.listen(
            tools_list_changed=True,
            prompts_list_changed=True,
            resources_list_changed=True,
            resource_subscriptions=asked,
        )
        async with listening as changes:
            granted = changes.honored
            assert (granted.resources_list_changed, granted.resource_subscriptions) == (True, ["kapture://tabs"])
            assert not granted.tools_list_changed
            assert not granted.prompts_list_changed
            world.tab()
            assert {await anext(changes), await anext(changes)} == {
                ResourcesListChanged(), ResourceUpdated("kapture://tabs"),
            }  # fmt: skip
        await client.list_tools(cache_mode="refresh")
        world.tab("t2")
        await client.list_tools(cache_mode="refresh")
    assert len(notified(conversation, "resources/updated")) == 1


async def test_without_a_stream_the_stateless_era_is_told_nothing(conversation: Conversation) -> None:
    async with conversation.client("auto") as client:
        conversation.world.tab()
        await client.list_tools(cache_mode="refresh")
    assert notified(conversation, "resources/list_changed") == []


async def test_what_a_child_says_again_is_told_at_once(world: World) -> None:
    """Nobody knows what changed while there was no panel."""
    heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    said: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    async def lines() -> AsyncIterator[bytes]:
        while (message := await said.get()) is not None:
            yield json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"

    async def send(line: str) -> None:
        heard.put_nowait(json.loads(line))

    serving = tasks.spawn(Conversation(world).session(send).serve(lines()), "MCP session")
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    said.put_nowait({"id": "kapture-replay-0", "method": "initialize", "params": hello})
    said.put_nowait({"method": "notifications/initialized"})
    for number, uri in ((1, "kapture://tab/t1"), ("kapture-replay-2", "kapture://tabs")):
        said.put_nowait({"id": number, "method": "resources/subscribe", "params": {"uri": uri}})
    while (message := await heard.get()).get("method") != "notifications/resources/updated":
        pass
    assert message["params"] == {"uri": "kapture://tabs"}
    said.put_nowait(None)
    await serving


def test_a_client_without_a_name_keeps_the_one_it_has(world: World) -> None:
    session = Conversation(world).session(lambda _line: asyncio.sleep(0))
    odd: list[Any] = [None, [], {}, {"clientInfo": None}, {"clientInfo": {"name": 7}}, {"_meta": {}}]
    for params in odd:
        session._note_client(types.JSONRPCNotification.model_construct(params=params))
    assert world.agent.name == Client("claude", "agent").name


@pytest.mark.parametrize(
    ("line", "code", "number"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\\ud800"}}\n', types.INVALID_REQUEST, 1),
        (b'{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}\n', types.INVALID_REQUEST, "a"),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', types.INVALID_REQUEST, None),
        (b"no JSON\n", types.PARSE_ERROR, None),
    ],
)
async def test_a_line_that_is_no_message_is_answered(
    conversation: Conversation, line: bytes, code: int, number: Any
) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    hung_up = asyncio.Event()

    async def lines() -> AsyncIterator[bytes]:
        yield line
        await hung_up.wait()

    serving = tasks.spawn(conversation.session(heard.put).serve(lines()), "MCP session")
    async with asyncio.timeout(PATIENCE_S):
        answer = json.loads(await heard.get())
    hung_up.set()
    await serving
    assert (answer["id"], answer["error"]["code"]) == (number, code)
    assert "the panel cannot read this message: " in answer["error"]["message"]
