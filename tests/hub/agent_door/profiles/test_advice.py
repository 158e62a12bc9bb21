"""What answers advise names tools that the agent has; words of the page stay as they are."""

from __future__ import annotations

import json

import pytest

from kapture_panel.core.answer import Answer
from kapture_panel.hub.agent_door.profiles import advice
from tests.support.core.fakes import CATALOGUE, World, ok
from tests.support.hub.conversation import PROFILES, Conversation, text_of
from tests.support.tree import EXTENSION

#: A page that writes as we do.
PAGE = "- text: (5 of 9 nodes left out; go on with kapturemcp_snapshot); kapturemcp_find_by_text\n"
GO_ON = (
    '(5 of 9 nodes left out; go on with kapturemcp_snapshot and cursor "s1:4", or narrow it with a target, roles or '
    "interactiveOnly)"
)
#: The tab t1 as webpilot counts it.
TAB = int("t1", 36)
NOT_FOUND = '(no line says "a"; kapturemcp_find_by_text looks into long texts, too)'
LONG = [
    ("kapture", "all", "kapturemcp_snapshot", GO_ON),
    ("kapture", "core", "kapturemcp_snapshot", GO_ON),
    ("kapture", "dom", "kapturemcp_get_filtered_aria_tree",
     "(5 of 9 nodes left out; narrow it with roles or interactiveOnly)"),
    ("unibrowse", "all", "browser_snapshot", '(5 of 9 nodes left out; go on with browser_snapshot and cursor "s1:4")'),
    ("webpilot", "all", "browser_get_accessibility_tree",
     '(5 of 9 nodes left out; go on with browser_get_accessibility_tree and cursor "s1:4")'),
]  # fmt: skip


@pytest.mark.parametrize(("profile", "choice", "tool", "told"), LONG)
async def test_a_long_page_goes_on_with_a_tool_there_is(
    world: World, profile: str, choice: str, tool: str, told: str
) -> None:
    world.tab()
    for command in ("snapshot", "get_filtered_aria_tree"):
        world.executor.answers[command] = ok(PAGE + GO_ON)
    async with Conversation(world, tools=choice, profile=profile).client() as client:
        said = text_of(await client.call_tool(tool, {"tab_id": TAB} if profile == "webpilot" else {}))
    part = {"unibrowse": "data", "webpilot": "tree"}.get(profile)
    shown = json.loads(said)[part] if part else said
    assert f"{PAGE}{told}" in shown


@pytest.mark.parametrize(("choice", "told"), [
    ("core", GO_ON),
    ("navigation,interaction", "(5 of 9 nodes left out)"),  # what would narrow it would click something else
])  # fmt: skip
async def test_a_long_page_after_an_action_is_narrowed_with_the_tool_that_looks(
    world: World, choice: str, told: str
) -> None:
    world.tab()
    world.executor.answers["click"] = ok({"clicked": "a"}, snapshot=PAGE + GO_ON)
    async with Conversation(world, tools=choice).client() as client:
        said = text_of(await client.call_tool("kapturemcp_click", {"selector": "a", "snapshot": "full"}))
    assert PAGE + told in said


def test_these_are_the_words_of_the_extension() -> None:
    snapshots = (EXTENSION / "tab" / "snapshots.js").read_text(encoding="utf-8")
    assert GO_ON.removeprefix("(5 of 9").replace("s1:4", "${id}:${index}") in snapshots
    assert NOT_FOUND.partition('"a"')[2] in snapshots
    hints = (EXTENSION / "page" / "fields" / "field_hints.js").read_text(encoding="utf-8")
    assert hints.count(" is open; ") == 2


async def test_what_is_found_nowhere_is_searched_with_a_tool_there_is(world: World) -> None:
    world.tab()
    world.executor.answers["snapshot"] = ok(NOT_FOUND)
    async with Conversation(world, tools="looking").client() as client:
        said = text_of(await client.call_tool("kapturemcp_snapshot", {"find": "a"}))
    assert '(no line says "a"; find_by_text (not among these tools) looks into long texts, too)' in said


async def test_a_tab_to_ask_for_and_a_list_to_choose_in_name_tools_there_are(world: World) -> None:
    world.tab()
    popup = 'the list of <select id="x is open; kapturemcp_fill"> is open; choose with {}, or close it with Escape'
    world.executor.answers["click"] = ok(
        {"clicked": "a", "popup": popup.format("kapturemcp_select")},
        effects={"newTabs": [{"browserTabId": 7, "next": "not connected: ask for it with kapturemcp_connect_tab"}]},
    )
    async with Conversation(world, tools="core").client() as client:
        core = (await client.call_tool("kapturemcp_click", {"selector": "a"})).structured_content
    assert core is not None
    assert core["popup"] == popup.format("kapturemcp_select")
    next_step = core["effects"]["newTabs"][0]["next"]
    assert next_step == "not connected: ask for it with connect_tab (not among these tools)"
    unibrowse = PROFILES.get("unibrowse")
    answer = Answer(CATALOGUE.get("click"), {"popup": popup.format("kapturemcp_select")})
    told = advice.in_own_tools(answer, unibrowse, unibrowse.tools["browser_click"].routes[""])
    assert told.result == {"popup": popup.format(unibrowse.in_own_tools("kapturemcp_select"))}
    assert unibrowse.in_own_tools("kapturemcp_select").startswith("browser_")
