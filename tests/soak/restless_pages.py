"""Two thousand clicks, fills and drags of two agents on pages that never stand still, on a busy machine: whom they
reach."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from pathlib import Path

from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.site import DemoSite
from tests.soak.check import Amount, Check, Figure
from tests.support.e2e.panel import PAGES
from tests.support.e2e.restless import MODES, Restless, Tally
from tests.support.e2e.running import running

ACTIONS = 2000
#: At work at the same time, each in a tab of its own.
AGENTS = 2
#: Of ten actions so many are clicks, fills, drags.
KINDS = ("click",) * 6 + ("fill",) * 2 + ("drag",) * 2
#: A page is loaded again after so many.
PER_PAGE = 20
BUSY = 2
MIN_RIGHT = 0.99


async def measure(folder: Path, count: int) -> Figure:
    """Count what the actions did to whom."""
    seed = random.SystemRandom().randrange(10**6)
    print(f"          seed {seed}", flush=True)
    spinning = (sys.executable, "-c", "while True: pass")
    busy = [await asyncio.create_subprocess_exec(*spinning) for _ in range(BUSY)]
    try:
        with DemoSite(PAGES) as site:
            async with running(folder / "panel"), asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(at_work(folder / "panel", site.url, seed + number, count // AGENTS))
                    for number in range(AGENTS)
                ]
            return shown([task.result() for task in tasks])
    finally:
        for child in busy:
            child.kill()
            await child.wait()


async def at_work(root: Path, url: str, seed: int, count: int) -> Tally:
    """What the actions of one agent did."""
    async with connect(root, f"soak {seed}") as client:
        await (agent := Agent(client)).call("new_tab", url="about:blank")
        lot = random.Random(seed)
        restless = Restless(agent, url, seed)
        for number in range(count):
            if number % PER_PAGE == 0:
                await restless.begin(MODES[number // PER_PAGE % len(MODES)])
            await restless.act(lot.choice(KINDS))
        return restless.tally


def shown(tallies: list[Tally]) -> Figure:
    """The figure, with some examples of what was not right."""
    for example in [example for tally in tallies for example in tally.examples][:20]:
        print(f"          {example}", flush=True)
    counts = sum((tally.counts for tally in tallies), Counter[str]())
    right = counts["right"] / counts.total()
    words = f"{counts['wrong']} on another element, {right:.1%} right, {counts['refused']} refused"
    return Figure(words, is_met=counts["wrong"] == 0 and right >= MIN_RIGHT)


CHECK = Check(
    "restless-pages",
    "of two agents' clicks, fills and drags on pages that move, on a busy machine, none reaches another element "
    f"without saying so, {MIN_RIGHT:.0%} do what was meant",
    measure,
    longest_s=1500,
    amount=Amount(ACTIONS, ACTIONS, "actions"),
)
