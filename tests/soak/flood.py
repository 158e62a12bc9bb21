"""A page that floods its console: other tabs answer as before, each line is kept or counted, memory stays flat."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import psutil

from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.site import DemoSite
from tests.soak.check import Amount, Check, Figure, percentile, spread
from tests.support.e2e.panel import PAGES
from tests.support.e2e.processes import Serve, unbounded

#: As long as promised, for the slow answers before the brake are some fifteen however long it lasts.
SECONDS = 60
#: Written by the page at 10,000 a second, as far as the browser lets it.
FLOOD = (
    "window.written = 0; window.flood = setInterval(() => "
    "{ for (let line = 0; line < 100; line += 1) console.log(`line ${++written}`); }, 10); 0"
)
STOP = "clearInterval(flood); written"
#: What we say about the flood are lines of the console, too.
OWN_LINES = 4
MAX_RATIO = 2.0
#: Below this a ratio says nothing: so much a call differs by itself.
FLOOR_S = 0.005
#: Of the first answers, before the page is slowed.
MAX_FIRST_S = 1.0
MAX_GROWTH_MB = 30
#: The ring of the tab is full after so long; what is taken then is taken for good.
FILLING_S = 5


async def measure(folder: Path, count: int) -> Figure:
    """Time the calls of a quiet tab before and during the flood."""
    root = folder / "data"
    unbounded(root)
    serve = await asyncio.to_thread(Serve, root, "--browser", "--headless")
    panel = psutil.Process(serve.ready["pid"])
    try:
        with DemoSite(PAGES) as site:
            async with connect(root, "loud") as one, connect(root, "quiet") as other:
                loud, quiet = Agent(one), Agent(other)
                for agent in (loud, quiet):
                    await agent.call("new_tab", url=f"{site.url}/blank.html")
                await answers(quiet, FILLING_S)
                calm_s = await answers(quiet, count)
                await loud.call("evaluate", code=FLOOD)
                first_s = await answers(quiet, FILLING_S)
                before = panel.memory_info().rss
                flooded_s = await answers(quiet, count)
                grown_mb = (panel.memory_info().rss - before) / 1024 / 1024
                written = (await loud.call("evaluate", code=STOP))["value"]
                told = await all_told(loud, written)
    finally:
        code = await asyncio.to_thread(serve.end)
    # From the first one on: what the flood does before it is braked counts, too.
    flooded_s = first_s + flooded_s
    calm, flooded = max(percentile(calm_s, 99), FLOOR_S), percentile(flooded_s, 99)
    shown = (
        f"{written:,} lines written, {told:,} kept or counted as dropped; quiet tab before: {spread(calm_s)}, during "
        f"the flood: {spread(flooded_s)} ({flooded / calm:.1f} times), in its "
        f"first {FILLING_S} s: {spread(first_s)}; panel's memory {grown_mb:+.1f} MB"
    )
    is_exact = written <= told <= written + OWN_LINES
    is_fast = flooded <= MAX_RATIO * calm and max(first_s) <= MAX_FIRST_S
    return Figure(shown, is_exact and is_fast and grown_mb <= MAX_GROWTH_MB and code == 0)


async def answers(agent: Agent, seconds: float) -> list[float]:
    """How long the calls of an agent take that works as fast as it can."""
    taken, ends_at = [], time.monotonic() + seconds
    while time.monotonic() < ends_at:
        began = time.monotonic()
        await agent.call("evaluate", code="1 + 1")
        taken.append(time.monotonic() - began)
    return taken


async def all_told(agent: Agent, written: int) -> int:
    """How many lines the panel knows of, once it knows of all or hears of no more."""
    told, before = 0, -1
    while told < written and told != before:
        before = told
        await answers(agent, 1.0)
        counted = re.search(r"of (\d+) lines, newest first(?:; (\d+) older ones dropped)?", await agent.text("logs"))
        told = sum(int(number or 0) for number in counted.groups()) if counted else 0
    return told


CHECK = Check(
    "flood",
    f"a page would write 10,000 console lines a second: another tab's p99 <= {MAX_RATIO:.0f} times that before (at "
    f"least {FLOOR_S * 1000:.0f} ms), its longest answer of the "
    f"first {FILLING_S} s <= {MAX_FIRST_S:.0f} s, every line is kept or counted, the panel's "
    f"memory +<= {MAX_GROWTH_MB} MB",
    measure,
    longest_s=300,
    amount=Amount(SECONDS, SECONDS, "s of flood"),
)
