"""`timeout`: every command takes it, and those the panel carries out, or prepares, keep it too."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from PIL import Image

from kapture_panel.core.basics import tasks
from kapture_panel.demo.agent import connect
from tests.support.core.fakes import CATALOGUE, COMMANDS
from tests.support.e2e.panel import OpenAgent, Panel, Visit, current_tab, heard
from tests.support.e2e.silent import silent_server
from tests.support.patience import PATIENCE_MS

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("name", COMMANDS)
async def test_every_command_takes_a_timeout(name: str) -> None:
    assert CATALOGUE.get(name).tool_schema["properties"]["timeout"] == {"type": "integer"}


@pytest.fixture
def large_image(panel: Panel) -> Path:
    """A picture that takes a while to read, where agents may read."""
    path = panel.data.screenshots / "large.png"
    Image.effect_noise((3000, 3000), 90).save(path, compress_level=1)
    return path


async def test_a_command_of_the_panel_ends_at_its_timeout(visitor: Visit, pages: str, large_image: Path) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        assert (await a.call("list_tabs", timeout=PATIENCE_MS))["tabs"]
        said = await a.fails("read_image", path=str(large_image), timeout=1)
        assert said == "COMMAND_TIMEOUT: read_image did not answer within 1 ms; try a longer timeout"
        assert await a.text("read_image", path=str(large_image), timeout=PATIENCE_MS)
    large_image.unlink()


async def test_phoenix_says_it_in_its_own_words(panel: Panel, large_image: Path) -> None:
    async with connect(panel.data.root, "phoenix", "all", "--profile", "phoenix") as client:
        result = await client.call_tool("read_image", {"path": str(large_image), "timeout": "1ms"})
        assert result.is_error
        assert isinstance(result.content[0], types.TextContent)
        assert result.content[0].text == "Timeout after 1ms"
    large_image.unlink()


async def test_a_script_that_never_comes_ends_at_the_timeout(visitor: Visit, pages: str) -> None:
    async with silent_server() as silent, visitor(f"{pages}/blank.html") as a:
        timeout = 500
        while not silent.asked.is_set():  # on a busy machine it was not even asked for in that time
            began, timeout = time.perf_counter(), 2 * timeout
            said = await a.fails("inject_script", url=f"{silent.url}never", timeout=timeout)
            assert time.perf_counter() - began >= timeout / 1000
            assert said.startswith(f"COMMAND_TIMEOUT: inject_script did not answer within {timeout} ms"), said
        assert (await a.call("evaluate", code="1"))["value"] == 1


STEPS: list[dict[str, Any]] = [
    {"command": "evaluate", "params": {"code": "document.title = 'first'"}},
    {"command": "wait", "params": {"selector": "#never"}},
    {"command": "evaluate", "params": {"code": "document.title = 'third'"}},
]


async def test_the_timeout_of_a_batch_bounds_all_of_it_and_its_error_says_what_was_done(
    visitor: Visit, panel: Panel, pages: str
) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        tab = await current_tab(a)
        timeout, said = 300, "step 1 of 3"
        while "step 1 of 3" in said:  # on a busy machine not even that was done in time
            timeout *= 2
            began = time.perf_counter()
            said = await a.fails("batch", steps=STEPS, timeout=timeout)
            assert time.perf_counter() - began >= timeout / 1000
        assert said.startswith(
            f"COMMAND_TIMEOUT: step 2 of 3 (wait): cut off, the batch did not finish within {timeout} ms; "
            'done before it:\n1. evaluate: {"value":"first"'
        ), said
        # What was cut off is over in the tab, too, and nothing came after it.
        assert (await a.call("evaluate", code="document.title", tabId=tab))["value"] == "first"
        rows = panel.hub.state.history.rows(limit=4)
        assert [(row.command, row.state) for row in rows] == [
            ("evaluate", "ok"), ("wait", "cancelled"), ("evaluate", "ok"), ("batch", "error"),
        ]  # fmt: skip


async def test_typing_that_runs_out_of_time_says_how_far_it_came(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        await a.call("evaluate", code="document.body.innerHTML = '<input>'; 0")
        said = await a.fails("type", selector="input", text="x" * 50, delay=500, timeout=1500)
        told = re.search(r"; at most (\d+) of 50 characters were typed before it$", said)
        assert said.startswith("COMMAND_TIMEOUT")
        assert told, said
        typed = len((await a.call("evaluate", code="document.querySelector('input').value"))["value"])
        assert typed <= int(told[1]) < 50


async def test_a_batch_given_up_by_its_caller_is_no_timeout(visitor: Visit, panel: Panel, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        tab = await current_tab(a)
        running = tasks.spawn(a.fails("batch", steps=STEPS[1:], timeout=PATIENCE_MS), "batch")
        await panel.executing(tab)
        await tasks.end(running)
        assert (await a.call("evaluate", code="1"))["value"] == 1
        states = {row.command: row.state for row in panel.hub.state.history.rows(limit=3)}
        assert states == {"evaluate": "ok", "wait": "cancelled", "batch": "cancelled"}


@pytest.mark.parametrize("way", ["navigate", "reload"])
async def test_a_page_that_got_stuck_after_the_last_answer_is_left(
    panel: Panel, agent: OpenAgent, pages: str, way: str
) -> None:
    async with silent_server() as silent, agent(f"{pages}/blank.html") as a:
        async with heard(panel, f"stuck before {way}"):
            # Stuck in either way; the second one leaves the processor to the other tests.
            stuck = "while (true);" if way == "navigate" else silent.hang
            code = f"setTimeout(() => {{ console.log('stuck before {way}'); {stuck} }}, 300); 1"
            assert (await a.call("evaluate", code=code))["value"] == 1
        to = {"url": f"{pages}/refs.html"} if way == "navigate" else {}
        assert (await a.call(way, **to))["outcome"] == "confirmed"
        assert (await a.call("evaluate", code="2"))["value"] == 2


@pytest.mark.parametrize("way", ["navigate", "reload"])
async def test_a_page_that_is_on_its_way_and_then_gets_stuck_is_left(
    panel: Panel, agent: OpenAgent, pages: str, way: str
) -> None:
    async with silent_server() as silent, agent(f"{pages}/blank.html") as a:
        # There is no navigation yet when a time-out looks for one to stop.
        busy = "for (const until = Date.now() + 3000; Date.now() < until;);"
        away = f"location.href = '{silent.url}never'; console.log('{way}: leads away'); while (true);"
        async with heard(panel, f"{way}: leads away"):
            await a.call("evaluate", code=f"setTimeout(() => {{ {busy} {away} }}, 300); 1")
            said = await a.fails("wait", selector="#never", timeout=1000)
            assert said.startswith("COMMAND_TIMEOUT"), said
        to = {"url": f"{pages}/refs.html"} if way == "navigate" else {}
        assert (await a.call(way, **to))["outcome"] == "confirmed"
        assert (await a.call("evaluate", code="2"))["value"] == 2
