"""What a profile comes to: the tools that are chosen of it, and its rule for dialogs."""

from __future__ import annotations

import re

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
    with pytest.raises(KaptureError, match="is none of all, core, tabs, navigation") as raised:
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
    ("profile", "tool", "what", "param", "wanted"),
    [
        ("webpilot", "browser_click", "click takes exactly one of selector, xpath, ref or x,y; none of them was given",
         "selector", "click takes exactly one of "),
        ("webpilot", "browser_scroll", "scroll: deltaY must be a number", "deltaY", "scroll: pixels must be a number"),
        ("unibrowse", "browser_drag", "give toSelector, toXpath, toRef, or toX with toY", "",
         "give endSelector or endRef"),
        ("phoenix", "browser_eval", "evaluate: code must not be empty", "code",
         "evaluate: expression must not be empty"),
    ],
)  # fmt: skip
def test_an_error_names_only_the_parameters_of_its_tool(
    profile: str, tool: str, what: str, param: str, wanted: str
) -> None:
    entry = PROFILES.get(profile).tools[tool]
    (route,) = entry.routes.values()
    told = route.in_own_words(KaptureError("INVALID_PARAMS", what, what, param=param))
    assert told.what.startswith(wanted)
    assert told.next_step == told.what
    schema = entry.schema["properties"]
    others = set(route.command.all_properties) - set(schema)
    assert not others & set(re.findall(r"\w+", told.what))
    assert told.param == "" or told.param in schema
    other = KaptureError("STALE_REF", what, param=param)
    assert route.in_own_words(other) is other
