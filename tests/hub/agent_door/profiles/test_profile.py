"""What a profile comes to: the tools that are chosen of it, and its rule for dialogs."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.agent_door.profiles.files import read
from kapture_panel.hub.agent_door.profiles.profile import CANONICAL, CORE_TOOLS, chosen_tools
from tests.support.core.fakes import CATALOGUE, COMMANDS
from tests.support.hub.conversation import PROFILES
from tests.support.hub.profiles import NAMES, minimal


def names(choice: str) -> list[str]:
    return [command.short_name for command in chosen_tools(CATALOGUE, choice)]


def test_all_tools_are_the_default() -> None:
    assert names("all") == names("") == COMMANDS


def test_the_core_tools_are_there_and_in_the_catalogues_order() -> None:
    assert set(COMMANDS) >= CORE_TOOLS
    assert names("core") == [name for name in COMMANDS if name in CORE_TOOLS]


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


def test_tools_that_cannot_answer_a_dialog_have_a_rule_for_it() -> None:
    assert {name: PROFILES.get(name).dialog_rule for name in PROFILES.names()} == {
        "kapture": "", "unibrowse": "dismiss", "webpilot": "dismiss", "phoenix": "dismiss", "browserx": "dismiss",
    }  # fmt: skip
    assert read("mine", minimal(), CATALOGUE).dialog_rule == "dismiss"
    assert read("mine", {**minimal(), "dialogs": "accept"}, CATALOGUE).dialog_rule == "accept"
    ours = PROFILES.get(CANONICAL)
    rules = [ours.chosen(tools, CATALOGUE).dialog_rule for tools in ("core", "looking", "looking,interaction")]
    assert rules == ["", "dismiss", ""]
