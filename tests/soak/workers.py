"""The extension's worker is killed under connected tabs: each comes back under its name, as it was."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from pathlib import Path

import psutil

from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.site import DemoSite
from kapture_panel.hub.hub import Hub
from tests.soak.check import Amount, Check, Figure, spread
from tests.support.e2e.panel import PAGES
from tests.support.e2e.running import running

KILLS, FULL = 8, 200
TABS = 10
WIDTH = 500
MAX_BACK_S = 35.0


async def measure(folder: Path, count: int) -> Figure:
    """Kill the worker by turns as Chromium evicts one, and with its process."""
    lost, changed, back_s = 0, 0, []
    with DemoSite(PAGES) as site:
        async with running(folder / "data") as hub, connect(folder / "data", "workers") as client:
            agent = Agent(client)
            tabs = [(await agent.call("new_tab", url=f"{site.url}/blank.html?{n}"))["tabId"] for n in range(TABS)]
            await agent.call("resize", tabId=tabs[0], width=WIDTH, height=400)
            for number in range(count):
                came_back = await killed(hub, set(tabs), is_evicted=number % 2 == 0)
                back_s += came_back
                lost += len(tabs) - len(came_back)
                for tab in random.sample(tabs, 3):
                    told = await agent.call("evaluate", code="[location.search, innerWidth]", tabId=tab)
                    width = WIDTH if tab == tabs[0] else 1280
                    changed += told["value"] != [f"?{tabs.index(tab)}", width]
    shown = f"{lost} tabs lost, {changed} not as before, {len(back_s)} times back after {spread(back_s)}"
    return Figure(shown, not lost and not changed and max(back_s, default=0) <= MAX_BACK_S)


async def killed(hub: Hub, expected: set[str], *, is_evicted: bool) -> list[float]:
    """Kill the worker; how long each tab was away that came back in time."""
    back: dict[str, float] = {}
    all_back = asyncio.Event()

    def on_added(tab: Tab) -> None:
        back[tab.tab_id] = time.monotonic() - at
        if expected <= back.keys():
            all_back.set()

    hub.state.tabs.added.connect(on_added)
    at = time.monotonic()
    try:
        await (evict(hub) if is_evicted else asyncio.to_thread(kill, hub))
        async with asyncio.timeout(2 * MAX_BACK_S):
            await all_back.wait()
    except TimeoutError:
        print(f"          never back: {sorted(expected - back.keys())}", flush=True)
    finally:
        hub.state.tabs.added.disconnect(on_added)
    return [took for tab, took in back.items() if tab in expected]


async def evict(hub: Hub) -> None:
    """End the worker as Chromium does."""
    assert hub.browsers.shared is not None
    pipe = hub.browsers.shared.pipe
    found = (await pipe.call("Target.getTargets", {"filter": [{"type": "service_worker"}]}))["targetInfos"]
    own = next(one for one in found if one["url"].startswith(f"chrome-extension://{EXTENSION_ID}/"))
    await pipe.call("Target.closeTarget", {"targetId": own["targetId"]})


def kill(hub: Hub) -> None:
    """Kill the process the worker runs in."""
    assert hub.browsers.shared is not None
    of_extension = []
    for process in psutil.Process(hub.browsers.shared.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):  # the browser ends some by itself
            if "--extension-process" in process.cmdline():
                of_extension.append(process)
    if not of_extension:
        raise RuntimeError("the browser has no process of an extension")
    for process in of_extension:
        process.kill()


CHECK = Check(
    "workers",
    f"the extension's worker is evicted and killed by turns under {TABS} tabs: 0 lost, each back within "
    f"{MAX_BACK_S:.0f} s as it was",
    measure,
    longest_s=300,
    amount=Amount(KILLS, FULL, "kills"),
)
