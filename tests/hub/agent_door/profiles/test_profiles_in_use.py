"""A profile's words reach the command, and the command's answer comes back in them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kapture_panel import paths
from kapture_panel.core.wire.dialogs import AnsweredDialog
from kapture_panel.core.wire.errors import Failure
from kapture_panel.core.wire.protocol import Response
from kapture_panel.hub.agent_door.profiles.files import Profiles
from tests.support.core.fakes import CATALOGUE, World, failed, ok, picture
from tests.support.hub.conversation import Conversation, text_of

SHIPPED = paths.resources() / "profiles"

PROFILES = Profiles([SHIPPED], CATALOGUE)


async def test_defaults_conversions_and_fixed_values_reach_the_command(world: World) -> None:
    world.tab()
    world.executor.answers["evaluate"] = ok({"value": {"a": [1, "ü"]}})
    async with Conversation(world, profile="phoenix").client() as client:
        result = await client.call_tool("browser_eval", {"expression": "x", "await": False})
        assert text_of(result) == '<javascript_result>{"a":[1,"ü"]}</javascript_result>'
        assert result.structured_content is None
        await client.call_tool("browser_eval", {"expression": "x", "timeout": "500ms"})
    first, second = world.executor.sent
    assert (first.params, first.timeout_ms) == ({"code": "x", "awaitPromise": False, "snapshot": "none"}, 15000)
    assert (second.params["awaitPromise"], second.timeout_ms) == (True, 500)


async def test_dialogs_that_were_answered_stand_in_a_text_of_their_own(world: World) -> None:
    world.tab()
    shown = [{"type": "alert", "message": "Hi", "accepted": False}]
    world.executor.answers["evaluate"] = ok({"value": 1}, dialogs=shown)
    error = Failure(code="NAVIGATION_FAILED", message="it could not be loaded")
    answered = msgspec.convert(shown, list[AnsweredDialog])
    world.executor.answers["navigate"] = Response(id="c1", success=False, error=error, dialogs=answered)
    said = 'the page showed a dialog, alert "Hi"; it was dismissed'
    async with Conversation(world, profile="phoenix").client() as client:
        result = await client.call_tool("browser_eval", {"expression": "alert('Hi')"})
        assert [getattr(block, "text", "") for block in result.content] == [
            "<javascript_result>1</javascript_result>",
            said,
        ]
        result = await client.call_tool("browser_navigate", {"url": "https://a.example/"})
        assert result.is_error
        assert [getattr(block, "text", "") for block in result.content] == ["it could not be loaded", said]


ASKED: list[tuple[str, str, dict[str, Any], str]] = [
    ("phoenix", "browser_navigate", {}, "browser_navigate: the parameter 'url' is missing"),
    ("phoenix", "browser_navigate", {"url": 5}, "browser_navigate: url must be of type string, not 5"),
    (
        "phoenix",
        "browser_navigate",
        {"url": "x", "timeout": "soon"},
        "'soon' is not a duration; give one like 15s or 500ms",
    ),
    (
        "phoenix",
        "browser_eval",
        {"expression": "1", "x": 1},
        "unknown parameter 'x'; it takes expression, timeout, await",
    ),
    ("phoenix", "browser_resize", {"width": 0, "height": 5}, "Invalid dimensions: width and height must be positive"),
    ("phoenix", "kapturemcp_click", {}, "there is no tool 'kapturemcp_click'; there are browser_navigate"),
    ("webpilot", "browser_click", {"tab_id": 1.5}, "a whole number is wanted, not 1.5"),
    ("webpilot", "browser_close_tab", {"tab_id": 123}, "No tab with id: 123."),
    ("browserx", "PageScreenShotTool", {}, "PageScreenShotTool: the parameter 'action' is missing"),
    ("browserx", "PageScreenShotTool", {"action": "fly"}, "action must be one of screenshot, click, type"),
    ("browserx", "PageScreenShotTool", {"action": "click", "x": 1}, "PageScreenShotTool click: the parameter 'y' is"),
    ("browserx", "PageScreenShotTool", {"action": "keypress", "key": "a", "text": "b"}, "does not take 'text'"),
]


@pytest.mark.parametrize(("profile", "tool", "arguments", "words"), ASKED)
async def test_wrong_arguments_are_told_in_the_profiles_words(
    world: World, profile: str, tool: str, arguments: dict[str, Any], words: str
) -> None:
    world.tab()
    async with Conversation(world, profile=profile).client() as client:
        result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert words in text_of(result)
    assert world.executor.sent == []


async def test_an_error_without_words_of_the_profile_keeps_ours(world: World) -> None:
    world.tab()
    world.executor.answers["click"] = failed("ELEMENT_NOT_VISIBLE", "it is covered by the banner")
    async with Conversation(world, profile="unibrowse").client() as client:
        result = await client.call_tool("browser_click", {"selector": "#a"})
    assert text_of(result) == "it is covered by the banner"
    assert result.structured_content is None


async def test_a_conversation_that_names_no_tab_has_the_one_connected_last(world: World) -> None:
    world.tab("t1").connected_at = 10.0
    world.tab("t2").connected_at = 20.0
    world.executor.answers["go_back"] = ok({})
    async with Conversation(world, profile="unibrowse").client() as client:
        await client.call_tool("browser_go_back", {})
        world.tab("t3").connected_at = 30.0
        await client.call_tool("browser_go_back", {})
        world.tabs.remove(world.tabs.get("t2"))
        gone = await client.call_tool("browser_go_back", {})
        assert gone.is_error
        assert "is closed or disconnected" in text_of(gone)
        await client.call_tool("browser_go_back", {})
    assert [sent.tab_id for sent in world.executor.sent] == ["t2", "t2", "t3"]


async def test_a_one_slot_picture_is_gone_from_the_store_once_it_is_told(world: World) -> None:
    world.tab()
    world.executor.answers["screenshot"] = picture()
    async with Conversation(world, profile="browserx").client() as client:
        result = await client.call_tool("PageScreenShotTool", {"action": "screenshot"})
    assert [block.type for block in result.content] == ["image", "text"]
    assert len(world.shots) == 0
    assert [path for path in (world.folder / "screenshots").rglob("*") if path.is_file()] == []


async def test_the_profile_instructs_its_agents(world: World) -> None:
    async with Conversation(world, profile="phoenix").client("legacy") as client:
        assert client.instructions == PROFILES.get("phoenix").instructions
