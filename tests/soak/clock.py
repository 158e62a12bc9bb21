"""The clock jumps by a day and back under a panel at work: no command notices, and the history stays in order."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kapture_panel.core.basics import tasks
from kapture_panel.core.stores.history import History
from kapture_panel.demo.agent import Agent, ToolError, connect
from kapture_panel.demo.site import DemoSite
from kapture_panel.paths import DataDir
from tests.soak.check import Amount, Check, Figure, spread
from tests.support.e2e.apart import apart, connected_tab, tabs_of
from tests.support.e2e.panel import PAGES

JUMPS, FULL = 10, 100
#: By turns ahead, back and to the real time, under a panel that has begun at the real one.
OFFSETS = ("+1d", "-1d", "+0")
#: The panel sees its wall clock; the monotonic one stays as it is, as when a person sets the time.
_LIBRARY = "*/faketime/libfaketimeMT.so.1"
WAIT_MS, TIMEOUT_MS = 700, 900
MAX_LATE_S = 2.0


async def measure(folder: Path, count: int) -> Figure:
    """Jump while a wait, a time-out and an idle agent's lease are under way."""
    library = next(Path("/usr/lib").glob(_LIBRARY), None)
    if library is None:
        # Set-up installs it on Debian and Ubuntu: a Linux without it must not pass for one where this was measured.
        why = "the clock cannot be faked: install libfaketime"
        return Figure(why, is_met=False, is_left_out=sys.platform != "linux")
    offset = folder / "offset"
    set_to(offset, "+0")
    faked = {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(offset),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    late_s: list[float] = []
    wrong: list[str] = []
    with DemoSite(PAGES) as site:
        # A browser of its own, for Chromium does not start with a faked clock.
        async with (
            apart(folder, f"{site.url}/blank.html?mine", faked) as one,
            connect(one.data.root, "clock") as client,
        ):
            agent = Agent(client)
            tab = await connected_tab(agent)
            other = (await agent.call("new_tab", url=f"{site.url}/blank.html"))["tabId"]
            for number in range(count):
                jump = partial(set_to, offset, OFFSETS[number % len(OFFSETS)])
                late_s += await jumped(agent, tab, other, jump, wrong)
    rows = History(DataDir.open(str(folder / "data")).history).rows()
    open_rows = sum(row.state == "running" for row in rows)
    odd = sum(row.ms is None or not 0 <= row.ms <= 30_000 for row in rows)
    times = [row.at for row in rows]
    days = (max(times) - min(times)) / 86_400
    shown = (
        f"{len(wrong)} wrong answers {wrong[:3]}, at most {spread(late_s)} late; of {len(rows):,} rows "
        f"over {days:.0f} days {open_rows} open, {odd} with an impossible duration"
    )
    return Figure(shown, not wrong and max(late_s) <= MAX_LATE_S and open_rows == odd == 0 and days >= 2)


async def jumped(agent: Agent, tab: str, other: str, jump: Callable[[], None], wrong: list[str]) -> list[float]:
    """How late a wait and a time-out came that were under way, and what else was wrong."""
    endless = {"code": "new Promise(() => {})", "timeout": TIMEOUT_MS}
    running = [
        tasks.spawn(said(agent, "wait", time=WAIT_MS, tabId=tab), "wait"),
        tasks.spawn(said(agent, "evaluate", **endless, tabId=other), "time out"),
    ]
    began = time.monotonic()
    while {one["state"] for one in await tabs_of(agent) if one["tabId"] in (tab, other)} != {"executing"}:
        pass  # each look is a call of its own
    jump()
    (waited, waited_at), (ended, ended_at) = [await one for one in running]
    wrong += [f"wait: {waited}"] if waited != "ok" else []
    wrong += [f"time-out: {ended}"] if ended != "COMMAND_TIMEOUT" else []
    for one in (tab, other):
        answer, _ = await said(agent, "evaluate", code="6 * 7", tabId=one)
        wrong += [f"afterwards: {answer}"] if answer != "ok" else []
    return [abs(waited_at - began - WAIT_MS / 1000), abs(ended_at - began - TIMEOUT_MS / 1000)]


async def said(agent: Agent, name: str, **params: Any) -> tuple[str, float]:
    """ "ok" or the error's code, and when."""
    try:
        await agent.call(name, **params)
    except ToolError as error:
        return str(error).partition(":")[0], time.monotonic()
    return "ok", time.monotonic()


def set_to(offset: Path, words: str) -> None:
    """What the faked clock shows, from its next look on."""
    made = offset.with_suffix(".new")
    made.write_text(f"{words}\n", encoding="utf-8")
    made.replace(offset)


CHECK = Check(
    "clock",
    f"the wall clock jumps by a day, back and to the real time: what runs ends as it would have, at most "
    f"{MAX_LATE_S:.0f} s late, tabs stay held and work, and no row has an impossible duration",
    measure,
    longest_s=180,
    amount=Amount(JUMPS, FULL, "jumps"),
)
