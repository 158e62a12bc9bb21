"""What is promised in milliseconds, each beside its goal: `make bench ARGS=promises`."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from kapture_panel import paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.settings import RECORD_PICTURES
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.site import DemoSite
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.window.widgets.text_filter import TextFilter
from tests.bench.goals import Table
from tests.bench.harness import PAGES
from tests.support.e2e import pausing

TABS = 20
STOPS = 3
CLICKS = 12
LINES = 50


async def gone_ms(hub: Hub, agent: Agent, url: str) -> float:
    """From the panel's knowing that a tab is gone until the command under way in it is told."""
    loop, tabs = asyncio.get_running_loop(), hub.state.tabs
    tab_id = (await agent.call("new_tab", url=url))["tabId"]
    gone_at: list[float] = []
    running = asyncio.Event()

    def on_removed(tab: Tab) -> None:
        if tab.tab_id == tab_id:
            gone_at.append(loop.time())

    def on_changed(tab: Tab) -> None:
        if tab.tab_id == tab_id and tab.state == "executing":
            running.set()

    tabs.removed.connect(on_removed)
    tabs.changed.connect(on_changed)
    work = hub.core.router.run(hub.state.person, "evaluate", {"code": "new Promise(() => {})", "tabId": tab_id})
    waiting = asyncio.gather(work, return_exceptions=True)
    await running.wait()
    assert hub.browsers.shared is not None
    pipe = hub.browsers.shared.pipe
    targets = (await pipe.call("Target.getTargets", {"filter": [{"type": "page"}]}))["targetInfos"]
    (target,) = [found["targetId"] for found in targets if found["url"] == url]
    await pipe.call("Target.closeTarget", {"targetId": target})
    (told,) = await waiting
    assert isinstance(told, KaptureError)
    assert told.code == "TAB_DISCONNECTED"
    told_at = loop.time()
    tabs.removed.disconnect(on_removed)
    tabs.changed.disconnect(on_changed)
    return (told_at - gone_at[0]) * 1000


async def median_ms(work: Callable[[], Awaitable[object]], times: int) -> float:
    """The median of some calls, one after the other."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        await work()
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


async def recording(hub: Hub, agent: Agent, url: str, table: Table) -> None:
    """What a click costs more while pictures are recorded than a click and a picture do."""
    await agent.call("new_tab", url=url)

    async def click() -> None:
        await agent.call("click", selector="#area")

    async def picture() -> None:
        await agent.picture(name="one", format="jpeg", quality=50, width=960)

    one, plain = await median_ms(picture, CLICKS), await median_ms(click, CLICKS)
    hub.state.settings.set(RECORD_PICTURES, True)
    recorded = await median_ms(click, CLICKS)
    hub.state.settings.set(RECORD_PICTURES, False)
    more = recorded - plain - one
    table.add("click with pictures: more than a click and a picture", more, recorded=recorded, click=plain, picture=one)


async def stops(pages: str, table: Table) -> None:
    """Eight agents are stopped some times over; the median of each figure."""
    times: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        async with pausing.eight_agents(Path(folder), pages) as eight:
            world = eight.world
            for _ in range(STOPS):
                times.append(await pausing.stopped(eight))
                await world.until(lambda: world.states() == ["paused", "paused"])
                world.hub.core.router.gates.pause.lift()
                eight.silent.give_up()
                await world.until(lambda: world.states() == ["connected", "connected"])
    table.add("pause, eight agents: refused", statistics.median(one["refused"] for one in times))
    table.add("pause, eight agents: cut", statistics.median(one["cut"] for one in times))
    table.add("pause, eight agents: let go of", statistics.median(one["detached"] for one in times))


async def measured(table: Table) -> None:
    """Each promise in turn."""
    runaway = TextFilter("(a+)+$", is_pattern=True)
    began = time.perf_counter()
    for _ in range(LINES):
        runaway.passes("a" * 4000 + "b")
    table.add("a pattern that runs away, a line", (time.perf_counter() - began) * 1000 / LINES)
    with tempfile.TemporaryDirectory() as folder, DemoSite(PAGES) as site:
        data = paths.DataDir.open(folder)
        instance = Instance(data.lock)
        assert instance.acquire(lambda: False)
        hub = Hub(data, instance, Options(port=0, headless=True), lambda _ask: False)
        try:
            await hub.start()
            await hub.browsers.open(in_front=True)
            async with connect(data.root, "bench") as client:
                agent = Agent(client)
                told = [await gone_ms(hub, agent, f"{site.url}/blank.html?{number}") for number in range(TABS)]
                table.add("a tab goes: its command is told, worst", max(told), median=statistics.median(told))
                await recording(hub, agent, f"{site.url}/keys.html", table)
        finally:
            await hub.stop()
            instance.release()
        await stops(site.url, table)


def measure(table: Table) -> None:
    """Every promise."""
    asyncio.run(measured(table))
