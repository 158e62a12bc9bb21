"""The tools of a conversation: which there are, and what a call answers."""

from __future__ import annotations

import pytest

from kapture_panel.core.errors import KaptureError
from kapture_panel.hub.mcp_tools import CORE_TOOLS, chosen_tools, tool
from tests.core.fakes import CATALOGUE, COMMANDS, World
from tests.hub.conversation import Conversation, text_of


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


@pytest.mark.parametrize("name", COMMANDS)
def test_hints_are_given_where_they_differ_from_the_protocols_own(name: str) -> None:
    command = CATALOGUE.get(name)
    hints = tool(command).model_dump(by_alias=True, exclude_none=True).get("annotations")
    expected = {
        "read": {"readOnlyHint": True}, "interact": {"destructiveHint": False}, "navigate": {"destructiveHint": False},
    }  # fmt: skip
    assert hints == expected.get(command.klass)
