"""What a client may list and read beside tools, with the official client, in both protocol eras."""

from __future__ import annotations

import base64
import json
from typing import Any

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError

from kapture_panel.core.gates.policy import Decision
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.hub.agent_door.mcp.resources import PAGE_SIZE
from tests.support.core.fakes import World, failed, ok, picture
from tests.support.hub.conversation import MODES, Conversation

NOT_FOUND = {"legacy": -32002, "auto": types.INVALID_PARAMS, MODES[-1]: types.INVALID_PARAMS}


@pytest.fixture
def conversation(world: World) -> Conversation:
    return Conversation(world)


async def listed(client: Any) -> list[types.Resource]:
    """All pages."""
    page = await client.list_resources()
    found = list(page.resources)
    while page.next_cursor:
        page = await client.list_resources(cursor=page.next_cursor)
        found += page.resources
    return found


async def one(client: Any, uri: str) -> Any:
    (content,) = (await client.read_resource(uri)).contents
    assert content.uri == uri
    return content


@pytest.mark.parametrize("mode", MODES)
async def test_each_tab_is_listed_in_each_form(conversation: Conversation, mode: str) -> None:
    conversation.world.tab()
    async with conversation.client(mode) as client:
        found = await listed(client)
        templates = (await client.list_resource_templates()).resource_templates
    assert [entry.uri for entry in found] == [
        "kapture://tabs", "kapture://tab/t1", "kapture://tab/t1/console", "kapture://tab/t1/snapshot",
        "kapture://tab/t1/screenshot",
    ]  # fmt: skip
    assert [entry.uri_template for entry in templates] == [
        "kapture://tab/{tabId}", "kapture://tab/{tabId}/console", "kapture://tab/{tabId}/snapshot",
        "kapture://tab/{tabId}/screenshot", "kapture://screenshot/{name}",
    ]  # fmt: skip
    assert all(entry.name and entry.title for entry in (*found, *templates))


@pytest.mark.parametrize("mode", MODES)
async def test_what_is_listed_can_be_read(conversation: Conversation, mode: str) -> None:
    world = conversation.world
    world.tab()
    world.executor.answers.update(
        snapshot=ok("- button [ref=e1]"),
        screenshot=picture(b"the page"),
        logs=ok({"logs": [], "kept": 0, "dropped": 0}),
    )
    async with conversation.client(mode) as client:
        assert json.loads((await one(client, "kapture://tabs")).text) == {"tabs": [{"tabId": "t1"}]}
        assert json.loads((await one(client, "kapture://tab/t1")).text) == {"tabId": "t1"}
        assert (await one(client, "kapture://tab/t1/console")).text == "no console lines yet"
        snapshot = await one(client, "kapture://tab/t1/snapshot")
        assert (snapshot.text, snapshot.mime_type) == (
            "[untrusted: https://shop.example]\n- button [ref=e1]",
            "text/plain",
        )
        shown = await one(client, "kapture://tab/t1/screenshot")
        assert (base64.b64decode(shown.blob), shown.mime_type) == (b"the page", "image/png")
        stored = next(entry for entry in await listed(client) if entry.uri.startswith("kapture://screenshot/"))
        assert stored.size == len(b"the page")
        assert base64.b64decode((await one(client, stored.uri)).blob) == b"the page"
    rows = world.history.rows(limit=10)
    assert [row.command for row in rows] == ["screenshot", "snapshot", "logs", "list_tabs", "list_tabs"]
    assert {row.client for row in rows} == {"test-agent"}
    assert world.agent.result_bytes > 0


async def test_reading_does_not_move_the_agent_to_another_tab(conversation: Conversation) -> None:
    world = conversation.world
    world.tab("t1")
    world.tab("t2")
    world.executor.answers["snapshot"] = ok("- button")
    async with conversation.client() as client:
        await client.call_tool("kapturemcp_click", {"ref": "e1", "tabId": "t1"})
        await one(client, "kapture://tab/t2/snapshot")
        await client.call_tool("kapturemcp_click", {"ref": "e1"})
    assert [sent.tab_id for sent in world.executor.sent] == ["t1", "t2", "t1"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "uri",
    [
        "kapture://tab/t9", "kapture://tab/t9/snapshot", "kapture://tab/t1/cookies", "kapture://tab/t1/snapshot/x",
        "kapture://nothing", "kapture://", "file:///etc/passwd", "", "kapture://screenshot/none.png",
        "kapture://screenshot/..%2F..%2Fhistory.sqlite3", "kapture://screenshot/%2Fetc%2Fpasswd",
        "kapture://screenshot/../history.sqlite3", "kapture://output/..%2Fhistory.sqlite3", "kapture://output/none.txt",
    ],
)  # fmt: skip
async def test_what_is_not_there_is_not_found(conversation: Conversation, mode: str, uri: str) -> None:
    world = conversation.world
    world.tab()
    world.shots.add(b"x", name="a", tab_id="t1", format="png")
    async with conversation.client(mode) as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)
    assert (caught.value.code, caught.value.data) == (NOT_FOUND[mode], {"uri": uri})
    assert "resources/list" in caught.value.message
    assert world.executor.sent == []


@pytest.mark.parametrize("mode", MODES)
async def test_a_command_that_fails_says_why(conversation: Conversation, mode: str) -> None:
    world = conversation.world
    world.tab()
    world.executor.answers["snapshot"] = failed("TAB_CRASHED", "load the page again")
    async with conversation.client(mode) as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource("kapture://tab/t1/snapshot")
    assert caught.value.message == "TAB_CRASHED: load the page again"
    assert (caught.value.code, caught.value.data["code"]) == (types.INTERNAL_ERROR, "TAB_CRASHED")
    assert world.row().code == "TAB_CRASHED"


async def test_the_policy_decides_about_reading_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world.router.gates.policy, "decide", lambda _case: Decision("block", "not here"))
    world.tab()
    async with Conversation(world).client() as client:
        for uri in ("kapture://tabs", "kapture://tab/t1/snapshot"):
            with pytest.raises(MCPError, match="DENIED"):
                await client.read_resource(uri)
    assert world.executor.sent == []


async def test_a_defect_is_told_in_the_log_alone(conversation: Conversation, caplog: pytest.LogCaptureFixture) -> None:
    async def broken(_params: dict[str, Any]) -> Any:
        raise ZeroDivisionError("secret details")

    conversation.world.tab()
    conversation.world.executor.answers["snapshot"] = broken
    async with conversation.client() as client:
        with pytest.raises(MCPError, match=r"INTERNAL: a defect in Kapture Panel \(ZeroDivisionError\)"):
            await client.read_resource("kapture://tab/t1/snapshot")
    assert "secret details" in caplog.text


async def test_a_conversation_sees_its_own_tabs_alone(world: World) -> None:
    world.tab("shared")
    world.tabs.add(Tab("own", "https://a.example/", "A", "i", session="s1"))
    for session in ("", "s1"):
        world.shots.add(b"x", name=f"of-{session}", tab_id="t", format="png", session=session)
    world.agent.session = "s1"
    async with Conversation(world).client() as client:
        uris = [entry.uri for entry in await listed(client)]
        other = next(shot for shot in world.shots if shot.session == "").path.name
        for uri in ("kapture://tab/shared", "kapture://tab/shared/snapshot", f"kapture://screenshot/{other}"):
            assert uri not in uris
            with pytest.raises(MCPError, match="resources/list"):
                await client.read_resource(uri)
    assert "kapture://tab/own" in uris
    assert sum("screenshot/" in uri for uri in uris) == 1
    assert world.executor.sent == []


async def test_long_answers_are_read_by_name(conversation: Conversation) -> None:
    names = {suffix: conversation.outputs.add('{"größe": 1}', suffix) for suffix in (".txt", ".json")}
    async with conversation.client() as client:
        for suffix, mime_type in ((".txt", "text/plain"), (".json", "application/json")):
            content = await one(client, f"kapture://output/{names[suffix]}")
            assert (content.text, content.mime_type) == ('{"größe": 1}', mime_type)


@pytest.mark.parametrize("mode", MODES)
async def test_many_resources_come_in_pages(conversation: Conversation, mode: str) -> None:
    for number in range(60):
        conversation.world.tab(f"t{number}")
    async with conversation.client(mode) as client:
        assert len((await client.list_resources()).resources) == PAGE_SIZE
        assert len({entry.uri for entry in await listed(client)}) == 1 + 4 * 60
        for cursor in ("x", "-1", "100000"):
            with pytest.raises(MCPError, match="list again without") as caught:
                await client.list_resources(cursor=cursor)
            assert caught.value.code == types.INVALID_PARAMS


async def test_what_a_template_asks_for_is_completed(conversation: Conversation) -> None:
    world = conversation.world
    world.tab("abc")
    world.tab("abd")
    shot = world.shots.add(b"x", name="cart", tab_id="abc", format="png")

    async with conversation.client() as client:

        async def values(template: str, name: str, value: str) -> list[str]:
            reference = types.ResourceTemplateReference(uri=template)
            completed = await client.complete(reference, {"name": name, "value": value})
            return completed.completion.values

        assert await values("kapture://tab/{tabId}/console", "tabId", "ab") == ["abc", "abd"]
        assert await values("kapture://tab/{tabId}", "tabId", "abd") == ["abd"]
        assert await values("kapture://screenshot/{name}", "name", "") == [shot.path.name]
        assert await values("kapture://screenshot/{name}", "tabId", "") == []
        assert await values("kapture://other/{tabId}", "tabId", "") == []
