"""The tools of a conversation: which there are, and what a call answers."""

from __future__ import annotations

import errno

import pytest

from kapture_panel.hub.agent_door.mcp.tools import head_of
from tests.support.core.fakes import CATALOGUE, World, ok
from tests.support.hub.conversation import Conversation, text_of


async def test_a_tool_that_was_not_chosen_is_neither_listed_nor_run(world: World) -> None:
    world.tab()
    conversation = Conversation(world, tools="tabs")
    async with conversation.client() as client:
        assert len((await client.list_tools()).tools) == len(
            [command for command in CATALOGUE if command.group == "tabs"]
        )
        result = await client.call_tool("kapturemcp_evaluate", {"code": "1"})
    assert result.is_error
    assert "is not among the tools this client started with" in text_of(result)
    assert world.executor.sent == []


@pytest.mark.parametrize("name", ["evaluate", "kapturemcp_evaluate"])
async def test_a_step_of_a_batch_is_no_way_to_a_tool_that_was_not_chosen(world: World, name: str) -> None:
    world.tab()
    steps = [{"command": "close_tab"}, {"command": name, "params": {"code": "1"}}]
    async with Conversation(world, tools="tabs").client() as client:
        result = await client.call_tool("kapturemcp_batch", {"steps": steps})
        assert result.is_error
        assert text_of(result) == (
            "INVALID_PARAMS: kapturemcp_evaluate is not among the tools this client started with"
        )
        assert world.executor.sent == []
        assert not (await client.call_tool("kapturemcp_batch", {"steps": steps[:1]})).is_error


@pytest.mark.parametrize(
    ("text", "max_bytes", "head"),
    [
        ("one\ntwo\nthree\n", 9, "one\ntwo"),
        ("one\ntwo\nthree\n", 8, "one\ntwo"),
        ("one\ntwo\nthree\n", 7, "one"),
        ("a line longer than that", 6, "a line"),
        ("üüüü", 5, "üü"),
        ("\n\n\n", 2, "\n"),
    ],
)
def test_a_head_is_whole_lines_or_the_beginning_of_a_long_one(text: str, max_bytes: int, head: str) -> None:
    assert head_of(text, max_bytes) == (head, len(head.encode()))


@pytest.mark.parametrize(("profile", "limit"), [("kapture", 20_000), ("phoenix", 1024)])
@pytest.mark.parametrize("over", [0, 1])
async def test_an_answer_above_the_limit_is_a_head_and_a_link(
    world: World, profile: str, limit: int, over: int
) -> None:
    world.tab()
    conversation = Conversation(world, profile=profile)
    name = "browser_get_service_workers" if profile == "phoenix" else "kapturemcp_get_service_workers"
    mark = "" if profile == "phoenix" else "[untrusted: https://shop.example]\n"
    said = ("line of text\n" * limit)[: limit + over - len(mark)]
    world.executor.answers["get_service_workers"] = ok(said)
    text = mark + said
    async with conversation.client() as client:
        result = await client.call_tool(name, {})
    kept = list((world.folder / "output").iterdir())
    if not over:
        assert text_of(result) == text
        assert kept == []
        return
    _, link = result.content
    assert link.type == "resource_link"
    assert link.uri == f"kapture://output/{kept[0].name}"
    assert (link.size, link.mime_type) == (len(text), "text/plain")
    assert conversation.outputs.read(kept[0].name).decode() == text
    head, _, how = text_of(result).partition("\n(cut: ")
    assert text.startswith(head + "\n")
    assert limit // 8 < len(head) <= limit // 4
    assert how.startswith(f"{len(head)} of {len(text)} bytes. All of it is in {kept[0]}: read it with `cat {kept[0]}`")
    assert result.structured_content is None


async def test_the_limit_counts_bytes_and_json_loses_its_structure_with_its_length(world: World) -> None:
    world.tab()
    world.executor.answers["evaluate"] = ok({"value": "ü" * 10_001})
    async with Conversation(world).client() as client:
        result = await client.call_tool("kapturemcp_evaluate", {"code": "x"})
    assert result.structured_content is None
    assert result.content[1].type == "resource_link"
    assert result.content[1].mime_type == "application/json"
    assert result.content[1].uri.endswith(".json")


async def test_a_snapshot_pages_itself_and_is_never_cut(world: World) -> None:
    world.tab()
    world.executor.answers["snapshot"] = ok("- button\n" * 3500)
    world.executor.answers["click"] = ok({"clicked": "b"}, snapshot="- button\n" * 3500)
    async with Conversation(world).client() as client:
        for name in ("snapshot", "click"):
            result = await client.call_tool(f"kapturemcp_{name}", {"selector": "a"})
            assert [block.type for block in result.content] == ["text"]
            assert len(text_of(result)) > 30_000
    assert list((world.folder / "output").iterdir()) == []


async def test_a_long_answer_of_what_was_done_is_one_though_the_disk_is_full(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    world.tab()
    conversation = Conversation(world)
    world.executor.answers["evaluate"] = ok({"value": "line of text\n" * 5_000})

    def full(*_: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(conversation.outputs, "add", full)
    async with conversation.client() as client:
        result = await client.call_tool("kapturemcp_evaluate", {"code": "1"})
    assert not result.is_error
    head, _, why = text_of(result).partition("\n(cut: ")
    assert "line of text" in head
    assert why.endswith("The rest could not be kept: No space left on device)")
    assert "could not be kept" in caplog.text
