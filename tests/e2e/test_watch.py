"""The page as a person watches it: pictures come while somebody looks, show what is there, and cost nothing else."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from itertools import pairwise
from statistics import median
from typing import Any

import pytest
from PIL import Image

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.events import PointerAt, TargetMeant
from kapture_panel.core.wire.watching import LivePicture
from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import BOTH_KINDS, OpenAgent, Panel, current_tab
from tests.support.e2e.watcher import Watcher, decoded, looking
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.asyncio(loop_scope="session"), BOTH_KINDS]

PAGE = "/watch.html"
#: Resolves when the page has drawn so many, which it could have sent.
THIRTY_FRAMES = """new Promise((done) => {
  let left = 30;
  const go = () => ((left -= 1) ? requestAnimationFrame(go) : done());
  go();
})"""
EVERY_MS = 300
PRESS = "document.querySelector('button').click()"
RED, GREEN = (200, 0, 0), (0, 150, 0)


async def evaluated(agent: Agent, code: str) -> Any:
    return (await agent.call("evaluate", code=code))["value"]


async def set_window(panel: Panel, window: int, bounds: dict[str, int]) -> None:
    await panel.pipe.call("Browser.setWindowBounds", {"windowId": window, "bounds": bounds})


def size_of(picture: LivePicture) -> list[float]:
    """The page's width and height in it, in CSS pixels."""
    return [picture.width, picture.height]


def is_near(seen: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """A JPEG is not exact."""
    return all(abs(one - other) < 25 for one, other in zip(seen, wanted, strict=True))


def shows(watcher: Watcher, colour: tuple[int, int, int]) -> bool:
    """Whether the newest picture has this colour where the page has it."""
    picture, image = watcher.pictures[-1], watcher.image
    return is_near(image.getpixel((round(100 * image.width / picture.width), image.height // 10)), colour)  # type: ignore[arg-type]


async def test_a_page_of_a_given_size_is_seen_whole_in_a_smaller_window(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        with looking(panel.hub.watching, await current_tab(a)) as watcher:
            await a.call("activate_tab")  # a window's size is that of the tab it shows
            await a.call("resize", width=1200, height=900)
            await watcher.sees(lambda: size_of(watcher.pictures[-1]) == [1200, 900])
            session = await panel.witness(pages).session(PAGE)
            window = await panel.pipe.call("Browser.getWindowForTarget", session=session)
            before = {side: window["bounds"][side] for side in ("width", "height")}
            try:
                await set_window(panel, window["windowId"], {"width": 700, "height": 500})
                await watcher.sees(lambda: size_of(watcher.pictures[-1]) != [1200, 900])
                await watcher.sees(lambda: size_of(watcher.pictures[-1]) == [1200, 900])
            finally:
                await set_window(panel, window["windowId"], before)


async def test_what_the_page_shows_is_seen_as_it_changes(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE) as a:
        with looking(panel.hub.watching, await current_tab(a)) as watcher:
            await watcher.sees(lambda: shows(watcher, RED))
            await a.call("click", selector="button")
            await watcher.sees(lambda: shows(watcher, GREEN))


async def test_a_part_of_which_an_agent_takes_a_picture_is_not_shown(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        await a.call("screenshot", name="first")  # the bar of a browser that is being driven has slid in
        with looking(panel.hub.watching, await current_tab(a)) as watcher:
            await watcher.sees(lambda: shows(watcher, RED))
            await evaluated(a, "start()")
            for part in range(6):
                clip = {"x": 10 * part, "y": 300, "width": 200, "height": 100}
                await a.call("screenshot", name="part", clip=clip, scale=2)
            await watcher.more(3)
            sizes = {(*size_of(picture), *decoded(picture).size) for picture in watcher.pictures}
    assert len(sizes) == 1


async def test_pictures_fit_into_the_size_that_was_asked_for(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        with looking(panel.hub.watching, tab_id, width=320, height=200) as watcher:
            await watcher.sees(lambda: watcher.image.width <= 320 and watcher.image.height <= 200)
            panel.hub.watching.watch(tab_id, 640, 400, 0)
            await watcher.sees(lambda: 320 < watcher.image.width <= 640)
            async with asyncio.timeout(PATIENCE_S):  # the bar of a browser that is being driven slides in meanwhile
                while await evaluated(a, "[innerWidth, innerHeight]") != size_of(watcher.pictures[-1]):
                    pass


async def test_a_window_that_does_not_paint_is_not_flooded(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE) as a:
        with looking(panel.hub.watching, await current_tab(a)) as watcher:
            await watcher.sees(lambda: True)
            watcher.paints = False
            await evaluated(a, "start()")
            before = len(watcher.pictures)
            await evaluated(a, THIRTY_FRAMES)
            # A change of the page or of its size just before has the screencast begin once more, with as many again.
            assert len(watcher.pictures) - before <= 2 * 4
            full = len(watcher.pictures)
            await evaluated(a, THIRTY_FRAMES)
            assert len(watcher.pictures) == full
            watcher.paints = True
            panel.hub.watching.painted(watcher.tab_id, watcher.pictures[-1].number)
            await watcher.more(5)
            await evaluated(a, "stop()")


async def test_nothing_crosses_once_nobody_looks(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        crossed = []
        with looking(panel.hub.watching, tab_id) as watcher:
            await evaluated(a, "start()")
            await watcher.more(3)
        panel.hub.connections.pictured.connect(lambda *told: crossed.append(told))
        await evaluated(a, "1")  # answered behind what was on its way
        crossed.clear()
        await evaluated(a, THIRTY_FRAMES)
        assert crossed == []
        await evaluated(a, "stop()")


async def test_tabs_in_the_background_give_a_picture_now_and_then_and_in_the_end_what_is_there(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    def hear(tab_id: str, _picture: LivePicture) -> None:
        came.setdefault(tab_id, []).append(time.monotonic())

    async with agent(pages + PAGE) as a:
        first = await current_tab(a)
        second = (await a.call("new_tab", url=pages + PAGE))["tabId"]
        await a.call("new_tab", url=f"{pages}/blank.html")
        third = await current_tab(a)
        watching, came = panel.hub.watching, dict[str, list[float]]()
        small = {"width": 320, "height": 200, "every_ms": EVERY_MS}
        with looking(watching, first, **small) as one, looking(watching, second, **small) as other:
            watching.came.connect(hear)
            for watcher in (one, other):
                await a.call("evaluate", tabId=watcher.tab_id, code="start()")
            await one.more(4)
            await other.more(4)
            for watcher in (one, other):
                await a.call("evaluate", tabId=watcher.tab_id, code=f"stop(); {PRESS}")
                await watcher.sees(partial(shows, watcher, GREEN))
            watching.came.disconnect(hear)
        gaps = [later - sooner for times in came.values() for sooner, later in pairwise(times)]
        # A busy machine makes some longer, and one after a late picture shorter.
        assert median(gaps) > 0.8 * EVERY_MS / 1000
        for tab_id in (second, third):
            await a.call("close_tab", tabId=tab_id)


async def test_the_end_of_a_change_is_seen_that_came_while_nothing_was_painted(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        with looking(panel.hub.watching, await current_tab(a)) as watcher:
            await watcher.sees(lambda: shows(watcher, RED))
            watcher.paints = False
            await evaluated(a, f"start(); {THIRTY_FRAMES}.then(() => (stop(), {PRESS}))")
            await evaluated(a, THIRTY_FRAMES)  # by now the page is still
            watcher.paints = True
            panel.hub.watching.painted(watcher.tab_id, watcher.pictures[-1].number)
            await watcher.sees(lambda: shows(watcher, GREEN))


async def test_a_screenshot_is_taken_of_a_tab_in_the_background_while_it_is_watched(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        first = await current_tab(a)
        second = (await a.call("new_tab", url=f"{pages}/form.html"))["tabId"]
        await a.call("activate_tab", tabId=second)
        with looking(panel.hub.watching, first) as watcher:
            await watcher.sees(lambda: shows(watcher, RED))
            await a.picture(name="watched", tabId=first)
            await a.call("click", tabId=first, selector="button")
            await watcher.sees(lambda: shows(watcher, GREEN))
        await a.picture(name="watched", tabId=first)
        await a.call("close_tab", tabId=second)


async def test_another_page_a_crash_and_a_new_link_are_gone_through(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        with looking(panel.hub.watching, tab_id) as watcher:
            await watcher.sees(lambda: shows(watcher, RED))
            await a.call("navigate", url=f"{pages.replace('127.0.0.1', 'localhost')}/form.html")
            await watcher.sees(lambda: not shows(watcher, RED))
            await a.call("navigate", url=pages + PAGE)
            await watcher.sees(lambda: shows(watcher, RED))
            await a.call("go_back")
            await watcher.sees(lambda: not shows(watcher, RED))
            await a.call("go_forward")
            await watcher.sees(lambda: shows(watcher, RED))
            linked = asyncio.Event()
            panel.hub.connections.tab_linked.connect(lambda one, _link: linked.set() if one == tab_id else None)
            await panel.hub.connections.of_tabs[tab_id].close()
            async with asyncio.timeout(PATIENCE_S):
                await linked.wait()
            before = len(watcher.pictures)
            await watcher.sees(lambda: len(watcher.pictures) > before)
            await a.call("click", tabId=tab_id, selector="button")
            await watcher.sees(lambda: shows(watcher, GREEN))
            crashed = asyncio.Event()
            panel.hub.state.tabs.crashed.connect(lambda _tab: crashed.set())
            session = await panel.witness(pages).session(PAGE)
            crashing = tasks.spawn(panel.pipe.call("Page.crash", session=session), "crash")
            async with asyncio.timeout(PATIENCE_S):
                await crashed.wait()
            await a.call("navigate", tabId=tab_id, url=pages + PAGE)
            await watcher.sees(lambda: shows(watcher, RED))
            crashing.cancel()


async def test_where_an_agent_acts_is_told_while_somebody_looks(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        told: list[TargetMeant | PointerAt] = []

        def on_acted(tab: Tab, act: TargetMeant | PointerAt) -> None:
            if tab.tab_id == tab_id:
                told.append(act)

        panel.hub.state.tabs.acted.connect(on_acted)
        await a.call("click", selector="button")
        assert told == []  # nobody looks
        with looking(panel.hub.watching, tab_id) as watcher:
            await watcher.sees(lambda: True)
            await a.call("click", selector="button")
        panel.hub.state.tabs.acted.disconnect(on_acted)
        box = next(act for act in told if isinstance(act, TargetMeant))
        assert (box.role, box.name) == ("button", "Make it green")
        assert (box.x, box.y, box.width, box.height) == (400, 100, 160, 40)
        row = panel.hub.state.history.rows(limit=1)[0]
        assert row.command == "click"
        pressed = [act for act in told if isinstance(act, PointerAt) and act.pressed]
        assert [(400 < act.x < 560, 100 < act.y < 140) for act in pressed] == [(True, True)]


async def test_a_tab_that_is_closed_ends_it(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        with looking(panel.hub.watching, tab_id) as watcher:
            await watcher.sees(lambda: shows(watcher, RED))
            await a.call("close_tab")
            with pytest.raises(KaptureError):
                panel.hub.state.tabs.get(tab_id)


async def test_no_picture_is_kept_anywhere(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE) as a:
        before = set(panel.kept())
        with looking(panel.hub.watching, await current_tab(a)) as watcher:
            await watcher.sees(lambda: isinstance(watcher.image, Image.Image))
            await evaluated(a, "start()")
            await watcher.more(5)
            await evaluated(a, "stop()")
        after = set(panel.kept())
        assert {path.name for path in after - before if path.suffix in (".jpg", ".jpeg", ".png", ".webp")} == set()
