"""What breaks on the way to browsers of a real Selenium Grid: it is told at once, and nothing of ours stays there."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e.panel import Panel
from tests.support.e2e.processes import Serve
from tests.support.selenium_grid import SESSION_TIMEOUT_S, Grid, grid, places

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: What we promise; the agent's own way to the panel and back is in it, and a machine that is busy with browsers.
TOLD_WITHIN_S = 5.0


def far(root: Path, name: str, place: str) -> Any:
    return connect(root, name, "all", "--isolated", "--on", place)


@pytest.fixture
def small(needed: None, tmp_path: Path) -> Iterator[Grid]:
    """A Grid to be broken: one node with one browser."""
    with grid(tmp_path, 1) as made:
        yield made


async def waiting(panel: Panel, agent: Agent, name: str) -> asyncio.Task[str]:
    """A command that is under way."""
    client = next(client for client in panel.hub.state.clients.agents() if client.name == name)
    waits = tasks.spawn(agent.fails("wait", selector="#never", timeout=100_000), "wait")
    await panel.executing(client.current_tab)
    return waits


@pytest.mark.parametrize("how", ["killed", "frozen"])
async def test_a_node_that_is_gone_is_told_and_the_next_call_has_a_new_session(
    panel: Panel, small: Grid, pages: str, how: str
) -> None:
    panel.data.places.write_text(places(small=small.address))
    async with far(panel.data.root, how, "small") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html")
        waits = await waiting(panel, agent, how)
        (node,) = small.nodes
        began = time.monotonic()
        node.kill() if how == "killed" else node.freeze()
        said = await waits
        took = time.monotonic() - began
        assert said.startswith("OUTCOME_UNKNOWN")
        assert "small was lost" in said
        assert "with all its tabs" in said
        assert took < TOLD_WITHIN_S
        if how == "frozen":
            node.kill()
        small.add(1)
        await asyncio.to_thread(small.until, "another node", lambda: small.has_free_slot(small.nodes[-1]))
        said = await agent.fails("evaluate", code="1")
        assert said.startswith("TAB_DISCONNECTED")
        assert said.endswith("the next call starts a new browser")
        await agent.call("navigate", url=f"{pages}/blank.html?new")
        assert (await agent.call("evaluate", code="location.search"))["value"] == "?new"


async def test_a_hub_that_is_gone_is_told_and_its_return_is_a_new_start(panel: Panel, small: Grid, pages: str) -> None:
    panel.data.places.write_text(places(small=small.address))
    async with far(panel.data.root, "hubless", "small") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html")
        waits = await waiting(panel, agent, "hubless")
        (node,) = small.nodes
        assert node.browsers()
        began = time.monotonic()
        small.kill_hub()
        said = await waits
        took = time.monotonic() - began
        assert said.startswith("OUTCOME_UNKNOWN")
        assert "small was lost" in said
        assert took < TOLD_WITHIN_S
        said = await agent.fails("evaluate", code="1")
        assert said.startswith("TAB_DISCONNECTED")
        said = await agent.fails("navigate", url=f"{pages}/blank.html")
        assert said.startswith("NO_BROWSER: small (127.0.0.1:")
        assert "cannot be reached" in said
        assert "look whether it runs" in said
        # Nobody could be told that the session is over: its node ends it by itself.
        await asyncio.to_thread(small.until, "the session's end", lambda: not node.browsers())
        small.start_hub_again()
        small.add(1)
        await asyncio.to_thread(small.until, "another node", lambda: small.has_free_slot(small.nodes[-1]))
        await agent.call("navigate", url=f"{pages}/blank.html?new")
        assert (await agent.call("evaluate", code="location.search"))["value"] == "?new"


async def test_a_full_grid_is_waited_for_told_and_can_be_given_up(panel: Panel, small: Grid, pages: str) -> None:
    patient = places(small=small.address)
    panel.data.places.write_text(patient)
    async with far(panel.data.root, "first", "small") as one, far(panel.data.root, "second", "small") as two:
        first, second = Agent(one), Agent(two)
        await first.call("navigate", url=f"{pages}/blank.html")
        panel.data.places.write_text(f"{patient}\nwait_seconds = 3\n")
        said = await second.fails("navigate", url=f"{pages}/blank.html")
        assert said.startswith("NO_BROWSER: small had no browser within 3 s: 1 of 1 are taken, 1 wait")
        panel.data.places.write_text(patient)
        is_told = asyncio.Event()

        async def on_progress(_done: float, _total: float | None, message: str | None) -> None:
            assert "for a browser at small" in (message or "")
            is_told.set()

        arguments = {"url": f"{pages}/blank.html?second"}
        asking = two.call_tool("kapturemcp_navigate", arguments, progress_callback=on_progress)
        waits = tasks.spawn(asking, "wait for a browser")
        await is_told.wait()
        await tasks.end(waits)
    # Both requests that were given up still came, and were given back.
    await asyncio.to_thread(small.until, "the queue's end", lambda: not small.queue() and not small.sessions())


async def test_no_more_sessions_are_had_at_once_than_the_person_said(panel: Panel, machines: Grid, pages: str) -> None:
    few = places(night=machines.address).replace("at_once = 30", "at_once = 1")
    panel.data.places.write_text(few)
    async with far(panel.data.root, "one", "night") as one, far(panel.data.root, "two", "night") as two:
        await Agent(one).call("navigate", url=f"{pages}/blank.html")
        panel.data.places.write_text(f"{few}\nwait_seconds = 2\n")
        said = await Agent(two).fails("navigate", url=f"{pages}/blank.html")
        assert said.startswith("NO_BROWSER: night had no browser within 2 s: all 1 that at_once allows are in use")
        assert len(machines.sessions()) == 1
    await asyncio.to_thread(machines.until, "the session's end", lambda: not machines.sessions())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_no_session_outlives_its_panel(machines: Grid, tmp_path: Path, pages: str, number: int) -> None:
    root = tmp_path / "serve"
    root.mkdir()
    (root / "browsers.toml").write_text(places(night=machines.address))
    serve = Serve(root, "--headless")
    async with far(root, "orphan", "night") as mcp:
        await Agent(mcp).call("navigate", url=f"{pages}/blank.html")
        assert len(machines.sessions()) == 1
        await asyncio.to_thread(serve.end, number)
        began = time.monotonic()
        await asyncio.to_thread(machines.until, "the session's end", lambda: not machines.sessions())
        # A Grid looks for such sessions now and then.
        assert time.monotonic() - began < (2 if number == signal.SIGTERM else 2.5 * SESSION_TIMEOUT_S + 10)
