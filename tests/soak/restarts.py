"""Panels end and begin under many agents: no agent's program ends, and each finds the next panel by itself."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from kapture_panel.demo.agent import Agent, ToolError, connect
from kapture_panel.demo.site import DemoSite
from tests.soak.check import Amount, Check, Figure, spread
from tests.support.e2e.apart import apart, connected_tab
from tests.support.e2e.panel import PAGES
from tests.support.e2e.processes import Serve, unbounded, wait_gone_but
from tests.support.patience import PATIENCE_S

#: Agents and how often the panel begins anew, of which each agent sees all.
FEW, MANY = (8, 6), (50, 20)
MAX_DOWN_S = 0.1
#: So often does a panel begin anew under a person's browser, whose tab must come back under its name.
OWN_RESTARTS = 3
#: An agent waits so long before it asks again whether the panel is back.
PAUSE_S = 0.1


@dataclass
class Seen:
    """What the agents were answered."""

    codes: Counter[str] = field(default_factory=Counter)
    #: How long PANEL_DOWN took, first while the panel ends, then once it has.
    ending_s: list[float] = field(default_factory=list)
    down_s: list[float] = field(default_factory=list)
    back_s: list[float] = field(default_factory=list)


async def measure(folder: Path, count: int) -> Figure:
    """End the panel by turns orderly and not, while all agents call."""
    root, seen = folder / "data", Seen()
    agents_count, restarts = FEW if count == FEW[0] * FEW[1] else MANY
    unbounded(root)
    serve = await asyncio.to_thread(Serve, root)
    async with AsyncExitStack() as stack:
        agents = [Agent(await stack.enter_async_context(connect(root, f"a{n}"))) for n in range(agents_count)]
        children = children_of_ours()
        for number in range(restarts):
            calling = asyncio.gather(*(call_until_down(agent, seen) for agent in agents))
            await asyncio.to_thread(serve.end, (signal.SIGKILL, signal.SIGTERM)[number % 2])
            await calling
            await asyncio.to_thread(wait_gone_but, root, children)
            for agent in agents:
                began = time.monotonic()
                await ask(agent, seen)
                seen.down_s.append(time.monotonic() - began)
            serve = await asyncio.to_thread(Serve, root)
            began = time.monotonic()
            await asyncio.gather(*(call_until_back(agent, seen, began) for agent in agents))
        exits = len(children - children_of_ours())
        alive = len(children)
    code = await asyncio.to_thread(serve.end)
    own = await own_tabs_back(folder / "own")
    others = {name: n for name, n in seen.codes.items() if name not in ("ok", "PANEL_DOWN", "OUTCOME_UNKNOWN")}
    shown = (
        f"{exits} of {alive} children ended; answers {dict(seen.codes)}; PANEL_DOWN after {spread(seen.down_s)}, "
        f"while it ends {spread(seen.ending_s)}; "
        f"back after {spread(seen.back_s)}; the tab of a person's browser came back {own} of {OWN_RESTARTS} times"
    )
    is_met = not exits and alive == agents_count and not others and code == 0
    is_soon = max(*seen.ending_s, *seen.down_s) <= MAX_DOWN_S
    return Figure(shown, is_met and is_soon and own == OWN_RESTARTS)


async def own_tabs_back(folder: Path) -> int:
    """How often the connected tab of a person's browser is there again under its name, and works."""
    back = 0
    with DemoSite(PAGES) as site:
        async with apart(folder, f"{site.url}/blank.html?mine") as one, connect(one.data.root, "own") as client:
            agent = Agent(client)
            tab = await connected_tab(agent)
            for _ in range(OWN_RESTARTS):
                await one.kill()
                await one.start()
                again = await connected_tab(agent)
                back += again == tab and (await agent.call("evaluate", code="6 * 7", tabId=tab))["value"] == 42
    return back


def children_of_ours() -> set[int]:
    """The processes of `kapture mcp` that we started."""
    return {child.pid for child in psutil.Process(os.getpid()).children() if "mcp" in child.cmdline()}


async def ask(agent: Agent, seen: Seen) -> str:
    """Call once; the code of the answer."""
    try:
        await agent.call("list_tabs")
        code = "ok"
    except ToolError as error:
        code = str(error).partition(":")[0]
    seen.codes[code] += 1
    return code


async def call_until_down(agent: Agent, seen: Seen) -> None:
    while True:
        began = time.monotonic()
        if await ask(agent, seen) == "PANEL_DOWN":
            seen.ending_s.append(time.monotonic() - began)
            return


async def call_until_back(agent: Agent, seen: Seen, began: float) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while await ask(agent, seen) != "ok":  # noqa: ASYNC110 - nothing tells an agent that the panel is back
            await asyncio.sleep(PAUSE_S)
    seen.back_s.append(time.monotonic() - began)


CHECK = Check(
    "restarts",
    f"the panel ends and begins under agents: 0 of their children end, calls meanwhile answer PANEL_DOWN within "
    f"{MAX_DOWN_S * 1000:.0f} ms, all find the next panel; a tab of a person's browser comes back under its name",
    measure,
    longest_s=300,
    amount=Amount(
        FEW[0] * FEW[1], MANY[0] * MANY[1], f"restarts under an agent ({MANY[0]} agents, {MANY[1]} restarts)"
    ),
)
