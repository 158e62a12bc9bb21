"""Many tabs and agents for long: the panel's memory stays small and does not grow, and answers stay as quick."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import psutil

from kapture_panel.demo.agent import Agent, ToolError, connect
from kapture_panel.demo.site import DemoSite
from tests.soak.check import Amount, Check, Figure, spread
from tests.support.e2e.panel import PAGES, current_tab
from tests.support.e2e.processes import Serve, unbounded

MINUTES, FULL = 2, 60
TABS, AGENTS = 200, 50
#: So many agents open their tabs at a time: a browser starts no faster than that.
OPENING = 4
LONGEST_REST_S = 4.0
#: What is taken while the rings fill and the caches warm up is taken for good.
SETTLING_S = 30.0
MAX_MB, MAX_GROWTH = 400, 0.05
#: An evaluate in one of all tabs takes at most so many times one in the only tab of another panel; so many of each.
MAX_SLOWER, EVALUATES = 1.3, 100
WORK: tuple[Callable[[Agent, str], Awaitable[object]], ...] = (
    lambda agent, tab: agent.text("snapshot", tabId=tab),
    lambda agent, tab: agent.call("click", selector="#plain", tabId=tab),
    lambda agent, tab: agent.call("fill", selector="#plain", value=tab, tabId=tab),
    lambda agent, tab: agent.call("evaluate", code="document.title", tabId=tab),
    lambda agent, tab: agent.picture(name="scale", tabId=tab),
    lambda agent, tab: agent.text("logs", tabId=tab),
)


async def measure(folder: Path, count: int) -> Figure:
    """Let all agents work in their tabs, and look at the panel's memory meanwhile."""
    root = folder / "data"
    unbounded(root)
    serve = await asyncio.to_thread(Serve, root, "--browser", "--headless")
    panel = psutil.Process(serve.ready["pid"])
    taken: list[float] = []
    failed: list[str] = []
    try:
        with DemoSite(PAGES) as site:
            async with AsyncExitStack() as stack:
                agents = [Agent(await stack.enter_async_context(connect(root, f"a{n}"))) for n in range(AGENTS)]
                gate = asyncio.Semaphore(OPENING)
                # More than these the panel takes from nobody; one is there from the start.
                numbers = [TABS // AGENTS - 1, *[TABS // AGENTS] * (AGENTS - 1)]
                openings = zip(agents, numbers, strict=True)
                tabs = await asyncio.gather(
                    *(opened(agent, f"{site.url}/keys.html", number, gate) for agent, number in openings)
                )
                slower = await slowed(folder / "single", agents[1], tabs[1][0], f"{site.url}/keys.html")
                await worked(agents, tabs, SETTLING_S, failed)
                before = mb_of(panel)
                for _ in range(count):
                    taken += await worked(agents, tabs, 60.0, failed)
                after = mb_of(panel)
                answering = 0
                for agent, own in zip(agents, tabs, strict=True):
                    for tab in own:
                        answering += (await agent.call("evaluate", code="6 * 7", tabId=tab))["value"] == 42
    finally:
        code = await asyncio.to_thread(serve.end)
    # Of a short run the growth is not extrapolated: noise would be.
    growth = after / before - 1
    shown = (
        f"{before:.0f} MB, after {count} min {after:.0f} MB ({growth:+.1%}); {len(taken):,} calls, {spread(taken)}, "
        f"{len(failed)} failed {failed[:2]}; {answering} tabs answer; an evaluate takes {slower:.2f} times one of a "
        f"panel with one tab; the panel ended with {code}"
    )
    is_small = max(before, after) <= MAX_MB and growth <= MAX_GROWTH * max(1.0, count / 60)
    is_met = is_small and answering == TABS - 1 and slower <= MAX_SLOWER
    return Figure(shown, is_met and not failed and code == 0)


async def slowed(root: Path, agent: Agent, tab_id: str, url: str) -> float:
    """How many times as long an evaluate in one of many tabs takes as one in the only tab of another panel."""
    unbounded(root)
    single = await asyncio.to_thread(Serve, root, "--browser", "--headless")
    many_s: list[float] = []
    one_s: list[float] = []
    try:
        async with connect(root, "single") as client:
            alone = Agent(client)
            await alone.call("navigate", url=url)
            own_id = await current_tab(alone)
            for _ in range(EVALUATES):
                for taken, asked, tab in ((many_s, agent, tab_id), (one_s, alone, own_id)):
                    began = time.perf_counter()
                    assert (await asked.call("evaluate", code="6 * 7", tabId=tab))["value"] == 42
                    taken.append(time.perf_counter() - began)
    finally:
        await asyncio.to_thread(single.end)
    return statistics.median(many_s) / statistics.median(one_s)


async def opened(agent: Agent, url: str, number: int, gate: asyncio.Semaphore) -> list[str]:
    """The tabs of an agent."""
    async with gate:
        return [(await agent.call("new_tab", url=url))["tabId"] for _ in range(number)]


async def worked(agents: list[Agent], tabs: list[list[str]], seconds: float, failed: list[str]) -> list[float]:
    """How long the calls of all agents took that worked for so long, each with a rest after each call.

    Args:
        failed: gets what went wrong.
    """
    ends_at, taken = time.monotonic() + seconds, []

    async def work(agent: Agent, own: list[str]) -> None:
        while time.monotonic() < ends_at:
            await asyncio.sleep(random.uniform(0, LONGEST_REST_S))
            began = time.monotonic()
            try:
                await random.choice(WORK)(agent, random.choice(own))
            except ToolError as error:
                failed.append(str(error)[:100])
            taken.append(time.monotonic() - began)

    await asyncio.gather(*(work(agent, own) for agent, own in zip(agents, tabs, strict=True)))
    return taken


def mb_of(process: psutil.Process) -> float:
    """What it has in memory."""
    return float(process.memory_info().rss) / 1024 / 1024


CHECK = Check(
    "scale",
    f"{TABS} tabs and {AGENTS} agents at work: the panel takes at most {MAX_MB} MB and grows by at most "
    f"{MAX_GROWTH:.0%}, in an hour or in less; an evaluate takes at most {MAX_SLOWER} times one in a single tab",
    measure,
    longest_s=600,
    amount=Amount(MINUTES, FULL, "minutes"),
)
