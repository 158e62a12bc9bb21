"""Panel and browser are stopped and go on, as when a laptop sleeps: what ran then is told soon after, and all works."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

import psutil

from kapture_panel.core.basics import tasks
from kapture_panel.demo.agent import Agent, ToolError, connect
from kapture_panel.demo.site import DemoSite
from tests.soak.check import Amount, Check, Figure, spread
from tests.support.e2e.apart import Apart, apart, connected_tab
from tests.support.e2e.panel import PAGES

SLEEPS, FULL = 6, 60
TIMEOUT_MS = 2_000
#: Longer than the command may take, so that its time is over when all go on. The last, which only a full run reaches,
#: is longer than a ping waits for its answer.
SLEPT_S = (3.0, 6.0, 40.0)
MAX_LATE_S = 3.0
#: None comes to an end by itself; each says in the page that it has begun.
COMMANDS = (
    ("evaluate", {"code": "document.title = 'begun'; new Promise(() => {})"}),
    ("wait", {"expression": "(document.title = 'begun', false)"}),
)
CODES = {"OUTCOME_UNKNOWN", "COMMAND_TIMEOUT"}


async def measure(folder: Path, count: int) -> Figure:
    """Stop the panel, the browser, and both by turns, while code runs and while something is waited for."""
    lot = random.Random(count)
    late_s: list[float] = []
    codes: Counter[str] = Counter()
    afterwards = 0
    with DemoSite(PAGES) as site:
        async with apart(folder, f"{site.url}/blank.html?mine") as one, connect(one.data.root, "sleep") as client:
            agent = Agent(client)
            whom = ("panel",), ("browser",), ("panel", "browser")
            for number in range(count):
                seconds = SLEPT_S[number // 3 % 3] + lot.random()
                code, late = await slept(one, agent, whom[number % 3], COMMANDS[number % 2], seconds)
                codes[code] += 1
                late_s.append(late)
                tab = await connected_tab(agent)
                afterwards += (await agent.call("evaluate", code="6 * 7", tabId=tab))["value"] == 42
    shown = f"told {dict(codes)}, {spread(late_s)} after they went on; {afterwards} of {count} tabs work afterwards"
    return Figure(shown, codes.keys() <= CODES and max(late_s) <= MAX_LATE_S and afterwards == count)


async def slept(
    one: Apart, agent: Agent, whom: tuple[str, ...], command: tuple[str, dict[str, str]], seconds: float
) -> tuple[str, float]:
    """What a command was told that ran meanwhile, and how long after the end of the sleep, or of its time."""
    tab = await connected_tab(agent)
    running = tasks.spawn(told(agent, tab, *command), "running")
    await one.browser.until(one.page, "document.title === 'begun'")
    began = time.monotonic()
    processes = [one.serve.process.pid] if "panel" in whom else []
    processes += browser_of(one) if "browser" in whom else []
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    await asyncio.sleep(seconds)
    for pid in processes:
        os.kill(pid, signal.SIGCONT)
    woken = time.monotonic()
    said, at = await running
    await one.browser.see(one.page, "document.title = ''")
    due = woken if "panel" in whom else began + TIMEOUT_MS / 1000
    late = max(0.0, at - due)
    if late > MAX_LATE_S:
        print(f"          {command[0]}, {' and '.join(whom)} for {seconds:.0f} s: {said} {late:.1f} s late", flush=True)
    return said, late


async def told(agent: Agent, tab: str, command: str, params: dict[str, str]) -> tuple[str, float]:
    try:
        await agent.call(command, **params, tabId=tab, timeout=TIMEOUT_MS)
    except ToolError as error:
        return str(error).partition(":")[0], time.monotonic()
    return "ok", time.monotonic()


def browser_of(one: Apart) -> list[int]:
    """All processes of the person's browser."""
    profile = str(one.data.root.parent / "profile")
    return [
        process.pid
        for process in psutil.Process().children(recursive=True)
        if any(profile in part for part in process.cmdline()) or "--type=" in " ".join(process.cmdline())
    ]


CHECK = Check(
    "sleep",
    f"panel, browser and both are stopped for seconds while a command of {TIMEOUT_MS / 1000:.0f} s runs: it is told "
    f"that it timed out or what became of it is unknown, at most {MAX_LATE_S:.0f} s after they go on or its time is "
    "over, and the tab works",
    measure,
    longest_s=300,
    amount=Amount(SLEEPS, FULL, "sleeps"),
)
