"""What a profile comes to: the tools that are chosen of it, and its rule for dialogs."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.agent_door.profiles.files import read
from kapture_panel.hub.agent_door.profiles.profile import CANONICAL, chosen_tools
from tests.support.core.fakes import CATALOGUE, COMMANDS
from tests.support.hub.conversation import PROFILES
from tests.support.hub.profiles import NAMES, minimal


def names(choice: str) -> list[str]:
    return [command.short_name for command in chosen_tools(CATALOGUE, choice)]


def test_all_tools_are_the_default() -> None:
    assert names("all") == names("") == COMMANDS


def test_the_core_tools_are_there_and_in_the_catalogues_order() -> None:
    assert names("core") == [command.short_name for command in CATALOGUE if command.core]
    assert {"navigate", "snapshot", "click", "fill", "handle_dialog"} < set(names("core")) < set(COMMANDS)


@pytest.mark.parametrize("group", CATALOGUE.groups)
def test_a_group_offers_its_own(group: str) -> None:
    assert names(group) == [command.short_name for command in CATALOGUE if command.group == group]
    assert names(group)


def test_groups_are_joined_by_commas() -> None:
    assert names(" script , tabs") == names("tabs") + names("script")


@pytest.mark.parametrize("choice", ["cooking", "tabs,cooking", "tabs,", "core,tabs", "Tabs"])
def test_a_group_there_is_not_is_refused_with_those_there_are(choice: str) -> None:
    with pytest.raises(KaptureError, match="is not one of all, core, tabs, navigation") as raised:
        chosen_tools(CATALOGUE, choice)
    assert raised.value.code == "INVALID_PARAMS"


def test_tools_can_be_chosen_of_our_own_profile_only() -> None:
    assert len(PROFILES.get(CANONICAL).chosen("core", CATALOGUE).tools) == 15
    assert PROFILES.get("phoenix").chosen("all", CATALOGUE).tools.keys() == NAMES["phoenix"]
    with pytest.raises(KaptureError, match="phoenix has exactly its tools"):
        PROFILES.get("phoenix").chosen("core", CATALOGUE)


@pytest.mark.parametrize("name", ["unibrowse", "webpilot", "browserx"])
def test_a_system_that_did_not_wait_for_its_targets_does_not_here(name: str) -> None:
    acting = [
        route for tool in PROFILES.get(name).tools.values() for route in tool.routes.values() if route.command.waits
    ]
    assert acting
    assert [route.fixed.get("wait") for route in acting] == [0] * len(acting)


def test_ours_waits_and_phoenix_has_no_tool_that_would() -> None:
    ours = PROFILES.get(CANONICAL).tools.values()
    assert not any("wait" in route.fixed for tool in ours for route in tool.routes.values())
    phoenix = PROFILES.get("phoenix").tools.values()
    assert not any(route.command.waits for tool in phoenix for route in tool.routes.values())


def test_tools_that_cannot_answer_a_dialog_have_a_rule_for_it() -> None:
    assert {name: PROFILES.get(name).dialog_rule for name in PROFILES.names()} == {
        "kapture": "", "unibrowse": "dismiss", "webpilot": "dismiss", "phoenix": "dismiss", "browserx": "dismiss",
    }  # fmt: skip
    assert read("mine", minimal(), CATALOGUE).dialog_rule == "dismiss"
    assert read("mine", {**minimal(), "dialogs": "accept"}, CATALOGUE).dialog_rule == "accept"
    ours = PROFILES.get(CANONICAL)
    rules = [ours.chosen(tools, CATALOGUE).dialog_rule for tools in ("core", "looking", "looking,interaction")]
    assert rules == ["", "dismiss", ""]


@pytest.mark.parametrize(
    ("profile", "tool", "given", "wanted"),
    [
        ("webpilot", "browser_click", {}, "click takes exactly one of selector, ref or x,y"),
        ("webpilot", "browser_scroll", {"deltaY": "far"}, 'scroll: pixels must be of type number, not "far"'),
        ("unibrowse", "browser_drag", {"selector": "a"}, "drag takes exactly one of endSelector, endRef"),
        ("unibrowse", "browser_drag", {"toRef": "e1"}, "drag takes exactly one of startSelector or startRef"),
        ("phoenix", "browser_eval", {"code": ""}, 'evaluate: expression "" should be non-empty'),
        ("phoenix", "browser_eval", {}, "evaluate: the parameter 'expression' is missing"),
    ],
)
def test_an_error_names_only_the_parameters_of_its_tool(
    profile: str, tool: str, given: dict[str, Any], wanted: str
) -> None:
    entry = PROFILES.get(profile).tools[tool]
    (route,) = entry.routes.values()
    with pytest.raises(KaptureError) as refused:
        route.command.validate(given)
    told = route.in_own_words(refused.value, given)
    assert told.what == wanted
    schema = entry.schema["properties"]
    others = set(route.command.all_properties) - set(schema)
    assert not others & set(re.findall(r"\w+", f"{told.what} {told.next_step}"))
    assert told.param == "" or told.param in schema


def test_another_error_stays_as_it_is_but_for_the_name_of_its_parameter() -> None:
    (route,) = PROFILES.get("phoenix").tools["browser_eval"].routes.values()
    other = KaptureError("STALE_REF", "the code", param="code")
    assert route.in_own_words(other, {"code": "1"}) is other
    assert other.param == "code"
    refused = KaptureError("INVALID_PARAMS", "the page takes no such code", param="code")
    told = route.in_own_words(refused, {"code": "1"})
    assert (told.what, told.param) == ("the page takes no such code", "expression")


def test_a_next_step_names_the_tools_of_the_profile() -> None:
    unibrowse = PROFILES.get("unibrowse")
    assert unibrowse.in_own_tools("kapturemcp_navigate goes to an address") == "browser_navigate goes to an address"
    said = unibrowse.in_own_tools("answer it with kapturemcp_handle_dialog")
    assert said == "answer it with handle_dialog (not among these tools)"
    ours = PROFILES.get(CANONICAL)
    assert ours.in_own_tools("use kapturemcp_select on it") == "use kapturemcp_select on it"
    core = ours.chosen("core", CATALOGUE).in_own_tools("see kapturemcp_list_requests")
    assert core == "see list_requests (not among these tools)"
