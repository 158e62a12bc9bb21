"""The panel is killed while agents act: every action that was answered has its row, and the file is whole."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import shutil
import sqlite3
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from kapture_panel.core.stores import history_file
from kapture_panel.demo.agent import Agent, ToolError, connect
from kapture_panel.demo.site import DemoSite
from tests.soak.check import Amount, Check, Figure
from tests.support.e2e.apart import Apart, apart, connected_tab
from tests.support.e2e.cutting import PAGE, PRESSES
from tests.support.e2e.panel import PAGES

KILLS, FULL = 25, 1_000
LONGEST_RUN_S = 0.6
#: An agent thinks between its calls, so that some kill meets a moment without any.
LONGEST_REST_S = 0.08
MAX_WINDOW_S = 0.05
MOST_ROWS = 50_000


@dataclass
class Lives:
    """What the agent was answered, and what was found after each kill."""

    numbers: int = 0
    #: When a call was answered well in the panel's present life, by the number that its selector names.
    clicks: dict[int, float] = field(default_factory=dict)
    looks: dict[int, float] = field(default_factory=dict)
    answers: int = 0
    lost_actions: int = 0
    unknown_actions: int = 0
    lost_looks: int = 0
    #: How long before the kill the answers came whose outcome, or row of a look, was not written.
    unwritten_s: list[float] = field(default_factory=list)
    damaged: int = 0


async def measure(folder: Path, count: int) -> Figure:
    """Kill, look at the file, start again; at the end compare the page with the history."""
    seed = random.SystemRandom().randrange(10**6)
    print(f"          seed {seed}", flush=True)
    lot, lives = random.Random(seed), Lives()
    with DemoSite(PAGES) as site:
        async with apart(folder, f"{site.url}/blank.html?mine") as one, connect(one.data.root, "kills") as client:
            agent = Agent(client)
            await one.browser.see(one.page, f"{PAGE}; 0")
            for _ in range(count):
                killed_at = await live(one, agent, lives, lot)
                look(one, lives, killed_at, folder / "copy")
                await one.start()
            await agent.call("count_elements", selector="body", tabId=await connected_tab(agent))
            pressed = await one.browser.see(one.page, PRESSES)
            await asyncio.to_thread(one.serve.end)
            rows = history_file.read(one.data.history, limit=MOST_ROWS, matching="cmd:click")
    return figure(lives, pressed, Counter(row.state for row in rows))


async def live(one: Apart, agent: Agent, lives: Lives, lot: random.Random) -> float:
    """Act for a while and be killed in the middle of it; when that was."""
    tab = await connected_tab(agent)
    lives.clicks.clear()
    lives.looks.clear()

    async def act(command: str, answered: dict[int, float]) -> None:
        with contextlib.suppress(ToolError):  # the panel is down
            while True:
                lives.numbers += 1
                number = lives.numbers
                await agent.call(command, selector=f"#count:not(.n{number})", tabId=tab)
                answered[number] = time.monotonic()
                await asyncio.sleep(lot.uniform(0, LONGEST_REST_S))

    acting = asyncio.gather(act("click", lives.clicks), act("click", lives.clicks), act("count_elements", lives.looks))
    await asyncio.sleep(lot.uniform(0, LONGEST_RUN_S))
    killed_at = await one.kill()
    await acting
    return killed_at


def look(one: Apart, lives: Lives, killed_at: float, copy: Path) -> None:
    """What a copy of the file holds of what was answered; the next panel mends the file itself."""
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for file in one.data.root.glob("history.sqlite3*"):
        shutil.copy(file, copy)
    with contextlib.closing(sqlite3.connect(copy / "history.sqlite3")) as db:
        lives.damaged += db.execute("PRAGMA integrity_check").fetchone() != ("ok",)
    states = {}
    for row in history_file.read(copy / "history.sqlite3", limit=1000):
        if named := re.search(r"\.n(\d+)\)", str(row.params.get("selector"))):
            states[int(named[1])] = row.state
    lives.answers += len(lives.clicks) + len(lives.looks)
    for number, at in lives.clicks.items():
        lives.lost_actions += number not in states
        if number in states and states[number] != "ok":
            lives.unknown_actions += 1
            lives.unwritten_s.append(killed_at - at)
    for number, at in lives.looks.items():
        if number not in states:
            lives.lost_looks += 1
            lives.unwritten_s.append(killed_at - at)


def figure(lives: Lives, pressed: int, states: Counter[str]) -> Figure:
    """All lives together."""
    window_s = max(lives.unwritten_s, default=0.0)
    shown = (
        f"of {lives.answers} answered calls {lives.lost_actions} actions have no row; {lives.unknown_actions} actions "
        f"stood there as unknown and {lives.lost_looks} looks had no row, all answered in the last "
        f"{window_s * 1000:.0f} ms; integrity_check failed {lives.damaged} times; in the end {pressed} presses for "
        f"{states['ok']} rows that say so, {states['unknown']} unknown"
    )
    is_met = not lives.lost_actions and not lives.damaged and window_s <= MAX_WINDOW_S and pressed == states["ok"]
    return Figure(shown, is_met and lives.answers > 0)


CHECK = Check(
    "kills",
    "the panel is killed while agents act: 0 answered actions without a row, the file is whole, an outcome or a look's "
    f"row that was not written is at most {MAX_WINDOW_S * 1000:.0f} ms old",
    measure,
    longest_s=300,
    amount=Amount(KILLS, FULL, "kills"),
)
