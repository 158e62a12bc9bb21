"""A tab is closed, crashes or is led away under a command: the command ends at once with an error that says so."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.demo.site import DemoSite
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.hub import Hub
from tests.soak.check import Amount, Check, Figure, spread
from tests.support.e2e.panel import PAGES
from tests.support.e2e.running import running
from tests.support.patience import PATIENCE_S

EACH, FULL = 40, 1_000
#: Of each: no command waits longer.
MAX_S = 0.25
#: What code says when it runs: a command that is on its way when its tab is led away runs in the next page.
BEGUN = "console.log('begun');"


@dataclass(frozen=True)
class Way:
    """How a tab goes: the raw call, what runs meanwhile by turns, what it may be told."""

    name: str
    method: str
    commands: tuple[tuple[str, dict[str, Any]], ...]
    codes: frozenset[str]


EVALUATE = ("evaluate", {"code": f"{BEGUN} new Promise(() => {{}})"})
#: Code that runs belongs to its page. What waits for an element or an address goes on to the next page.
INJECT = ("inject_script", {"source": f"{BEGUN} for (;;) {{}}"})
WAITING = (("wait", {"selector": "#never"}), ("click", {"selector": "#never", "wait": 20_000}))
WAYS = (
    # A tab whose page is busy closes after half a second: so long Chromium itself waits for the page.
    Way("closed", "Target.closeTarget", (EVALUATE, *WAITING), frozenset({"TAB_DISCONNECTED", "TAB_NOT_FOUND"})),
    Way("crashed", "Page.crash", (EVALUATE, INJECT, *WAITING), frozenset({"TAB_CRASHED"})),
    Way("led away", "Page.navigate", (EVALUATE, INJECT), frozenset({"EXECUTION_ERROR"})),
)


async def measure(folder: Path, count: int) -> Figure:
    """Let each command begin in a tab of its own and take the tab from it."""
    told: dict[str, Counter[str]] = defaultdict(Counter)
    took_s: dict[str, list[float]] = defaultdict(list)
    with DemoSite(PAGES) as site:
        async with running(folder / "data") as hub:
            for number in range(count):
                for way in WAYS:
                    code, took = await vanished(hub, f"{site.url}/blank.html?{way.method}{number}", way, number)
                    told[way.name][code] += 1
                    took_s[way.name].append(took)
    shown = "; ".join(f"{way.name}: {dict(told[way.name])}, {spread(took_s[way.name])}" for way in WAYS)
    is_met = all(told[way.name].keys() <= way.codes and max(took_s[way.name]) <= MAX_S for way in WAYS)
    return Figure(shown, is_met)


async def vanished(hub: Hub, url: str, way: Way, number: int) -> tuple[str, float]:
    """The code of the error that a command ended with, and how long that took."""
    command, params = way.commands[number % len(way.commands)]
    assert hub.browsers.shared is not None
    router, me, pipe = hub.core.router, hub.state.person, hub.browsers.shared.pipe
    tab = (await router.run(me, "new_tab", {"url": url})).tab_id
    session = await Witness(pipe, url).session()
    targets = (await pipe.call("Target.getTargets", {"filter": [{"type": "page"}]}))["targetInfos"]
    target = next(one["targetId"] for one in targets if one["url"] == url)
    going = tasks.spawn(outcome(router.run(me, command, {**params, "tabId": tab})), command)
    await begun(hub, tab, logs=BEGUN in str(params))
    at = time.monotonic()
    if way.method == "Target.closeTarget":
        raw = tasks.spawn(pipe.call(way.method, {"targetId": target}), way.name)
    else:
        there = {"url": url.replace("blank", "keys")} if way.method == "Page.navigate" else {}
        raw = tasks.spawn(pipe.call(way.method, there, session=session), way.name)
    async with asyncio.timeout(PATIENCE_S):
        code = await going
    took = time.monotonic() - at
    if took > MAX_S:
        print(f"          {way.name} under {command}: {took * 1000:.0f} ms", flush=True)
    await tasks.end(raw)  # a crashed page does not answer
    if hub.state.tabs.find(tab) is not None:
        await router.run(me, "close_tab", {"tabId": tab})
    return code, took


async def outcome(call: Any) -> str:
    try:
        await call
    except KaptureError as error:
        return error.code
    return "ok"


async def begun(hub: Hub, tab: str, *, logs: bool) -> None:
    """Wait until the command runs in the tab; code says so in the console, of others the panel knows it."""
    came = asyncio.Event()

    def look(*_told: object) -> None:
        lines = hub.state.console.lines(tab)
        if any(line.text == "begun" for line in lines) if logs else hub.state.tabs.get(tab).state == "executing":
            came.set()

    signals = (hub.state.console.appended, hub.state.tabs.changed)
    for each in signals:
        each.connect(look)
    look()
    async with asyncio.timeout(PATIENCE_S):
        await came.wait()
    for each in signals:
        each.disconnect(look)


CHECK = Check(
    "vanishing",
    "a tab is closed, crashes and is led away under a command: the command ends with an error that says so, each "
    f"within {MAX_S * 1000:.0f} ms, never with a time-out",
    measure,
    longest_s=300,
    amount=Amount(EACH, FULL, "of each"),
)
