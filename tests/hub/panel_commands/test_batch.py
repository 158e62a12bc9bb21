"""`batch`: steps in order through the router's own door."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from kapture_panel import paths
from kapture_panel.core.answer import Answer, Picture, Steps
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.hub.panel_commands.batch import batch
from kapture_panel.hub.panel_commands.context import Context

CATALOGUE = Catalogue(Path(paths.catalogue()))
CLIENT = Client("claude", "agent")


def context(run: Callable[[Client, str, dict[str, Any]], Awaitable[Answer]]) -> Context:
    return Context(Tabs(), run, lambda _tab: None)


class Commands:
    """Answers every command but the one told to fail, and remembers what it was given."""

    def __init__(self, failing: str = "", code: str = "ELEMENT_NOT_FOUND") -> None:
        self.given: list[tuple[str, dict[str, Any]]] = []
        self._failing = failing
        self._code = code

    async def run(self, _client: Client, name: str, params: dict[str, Any]) -> Answer:
        self.given.append((name, params))
        if name == self._failing:
            raise KaptureError(self._code, "nothing matches")
        return Answer(CATALOGUE.get(name), {"value": len(self.given)})


async def test_steps_run_in_order() -> None:
    commands = Commands()
    steps = [
        {"command": "click", "params": {"selector": "a"}},
        {"command": "wait", "params": {"time": 1, "tabId": "t9"}},
    ]
    said = await batch(context(commands.run), CLIENT, {"timeout": 30000, "steps": steps})
    assert commands.given == [("click", {"selector": "a"}), ("wait", {"time": 1, "tabId": "t9"})]
    assert said == Steps('1. click: {"value":1}\n2. wait: {"value":2}')


async def test_the_pictures_of_its_steps_are_told_in_order() -> None:
    shot = {"width": 8, "height": 6, "scale": 1.0, "x": 0, "y": 0, "path": "/s/a.png"}

    async def run(_client: Client, name: str, params: dict[str, Any]) -> Answer:
        if name == "click":
            return Answer(CATALOGUE.get(name), {"value": 1})
        return Answer(CATALOGUE.get(name), {**shot, "format": params["format"]}, image=params["format"].encode())

    taken = [{"command": "screenshot", "params": {"format": kind}} for kind in ("png", "jpeg")]
    steps = [taken[0], {"command": "click"}, taken[1]]
    said = await batch(context(run), CLIENT, {"timeout": 30000, "steps": steps})
    assert said.pictures == tuple(Picture(kind.encode(), {**shot, "format": kind}) for kind in ("png", "jpeg"))
    assert said.text.startswith("1. screenshot: 8 × 6 png, ")
    assert said.sources == ("the page",), "a picture shows what a page shows; the click's number is ours"


async def test_the_first_error_ends_it_and_tells_what_was_done() -> None:
    commands = Commands(failing="fill")
    steps = [{"command": "click"}, {"command": "fill"}, {"command": "hover"}]
    with pytest.raises(KaptureError, match="step 2 of 3") as error:
        await batch(context(commands.run), CLIENT, {"timeout": 30000, "steps": steps})
    assert error.value.code == "ELEMENT_NOT_FOUND"
    assert "1. click" in error.value.message
    assert [name for name, _ in commands.given] == ["click", "fill"]


async def test_a_step_that_waits_for_a_person_does_not_have_the_steps_before_it_done_again() -> None:
    commands = Commands(failing="evaluate", code="APPROVAL_PENDING")
    steps = [{"command": "click"}, {"command": "evaluate"}]
    with pytest.raises(KaptureError, match="repeat only the steps from 2 on; done before it") as second:
        await batch(context(commands.run), CLIENT, {"timeout": 30000, "steps": steps})
    assert "1. click" in second.value.message
    with pytest.raises(KaptureError) as first:
        await batch(context(commands.run), CLIENT, {"timeout": 30000, "steps": steps[1:]})
    assert "alone" not in first.value.message


async def test_a_batch_holds_no_batch() -> None:
    commands = Commands()
    with pytest.raises(KaptureError, match="cannot hold another"):
        await batch(context(commands.run), CLIENT, {"timeout": 30000, "steps": [{"command": "kapturemcp_batch"}]})
    assert commands.given == []


async def test_its_timeout_bounds_all_steps_and_says_which_was_cut_off() -> None:
    async def run(_client: Client, name: str, _params: dict[str, Any]) -> Answer:
        if name == "wait":
            await asyncio.Event().wait()
        return Answer(CATALOGUE.get(name), {"value": 1})

    steps = [{"command": "click"}, {"command": "wait"}, {"command": "hover"}]
    with pytest.raises(KaptureError) as error:
        await batch(context(run), CLIENT, {"timeout": 20, "steps": steps})
    assert error.value.code == "COMMAND_TIMEOUT"
    assert error.value.message == (
        'step 2 of 3 (wait): cut off, the batch did not finish within 20 ms; done before it:\n1. click: {"value":1}'
    )
    assert error.value.details == {"step": 2}
