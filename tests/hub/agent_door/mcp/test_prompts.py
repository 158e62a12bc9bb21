"""Prompts: the words they give, for what a conversation can do."""

from __future__ import annotations

import re

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError

from kapture_panel.hub.agent_door.mcp import prompts as mcp_prompts
from tests.support.core.fakes import CATALOGUE, COMMANDS, World
from tests.support.hub.conversation import MODES, Conversation

EXAMPLES = {
    "check_page": {"url": "https://shop.example/"},
    "fill_in_form": {"url": "https://shop.example/checkout", "data": "name {Ada}"},
    "reproduce_bug": {"description": "The cart is empty after a reload"},
}
ALL = set(COMMANDS)


def tools_named(text: str) -> set[str]:
    return set(re.findall(r"kapturemcp_(\w+)", text))


@pytest.mark.parametrize("mode", MODES)
async def test_prompts_are_listed_and_given(world: World, mode: str) -> None:
    async with Conversation(world).client(mode) as client:
        prompts = (await client.list_prompts()).prompts
        assert [prompt.name for prompt in prompts] == list(EXAMPLES)
        for prompt in prompts:
            assert prompt.title
            assert prompt.description
            assert [argument.name for argument in prompt.arguments or []] == list(EXAMPLES[prompt.name])
            (message,) = (await client.get_prompt(prompt.name, EXAMPLES[prompt.name])).messages
            assert message.role == "user"
            assert isinstance(message.content, types.TextContent)
            for value in EXAMPLES[prompt.name].values():
                assert value in message.content.text


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_prompt_names_tools_there_are(name: str) -> None:
    said = mcp_prompts.text(name, EXAMPLES[name], ALL)
    assert tools_named(said) <= ALL
    assert len(tools_named(said)) >= 4
    assert len(said) < 2000
    assert mcp_prompts.CAUTION in said


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_prompt_names_no_tool_the_conversation_is_without(name: str) -> None:
    tools = set(mcp_prompts.NEEDED)
    said = mcp_prompts.text(name, EXAMPLES[name], tools)
    numbers = re.findall(r"^(\d)\. ", said, re.MULTILINE)
    assert tools_named(said) <= tools | {"select"}
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]


def test_every_step_is_of_a_tool() -> None:
    for job in mcp_prompts.JOBS.values():
        assert all(not tool or CATALOGUE.get(tool) for tool, _ in job.steps)


async def test_without_our_tools_there_are_no_prompts(world: World) -> None:
    async with Conversation(world, tools="console").client() as client:
        assert (await client.list_prompts()).prompts == []
        with pytest.raises(MCPError, match="there is no prompt 'check_page'; there are none here"):
            await client.get_prompt("check_page", EXAMPLES["check_page"])


@pytest.mark.parametrize("mode", MODES)
async def test_what_is_missing_is_named(world: World, mode: str) -> None:
    async with Conversation(world).client(mode) as client:
        with pytest.raises(MCPError, match="fill_in_form needs data: What to enter") as caught:
            await client.get_prompt("fill_in_form", {"url": "https://a.example/", "data": " "})
        assert caught.value.code == types.INVALID_PARAMS
        with pytest.raises(MCPError, match="no prompt 'check'; there are check_page, fill_in_form, reproduce_bug"):
            await client.get_prompt("check")


async def test_an_address_is_completed_from_the_connected_tabs(world: World) -> None:
    world.tab("t1", "https://shop.example/cart")
    world.tab("t2", "https://other.example/")
    world.tab("t3", "about:blank")
    async with Conversation(world).client() as client:

        async def values(prompt: str, name: str, value: str) -> list[str]:
            reference = types.PromptReference(name=prompt)
            return (await client.complete(reference, {"name": name, "value": value})).completion.values

        assert await values("check_page", "url", "shop") == ["https://shop.example/cart"]
        assert await values("check_page", "url", "") == ["https://shop.example/cart", "https://other.example/"]
        assert await values("reproduce_bug", "description", "") == []
        assert await values("nothing", "url", "") == []
