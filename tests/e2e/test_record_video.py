"""A tab as a video: its pictures show what happened, its captions say who did it, and it ends whatever comes."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.stores.forgetting import Scope
from kapture_panel.core.wire.watching import LivePicture, MouseInput
from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e.panel import OpenAgent, Panel, current_tab
from tests.support.e2e.watcher import decoded, looking
from tests.support.hub.videos import frames, length_s
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = "/watch.html"
RED, GREEN = (200, 0, 0), (0, 150, 0)


def colour(image: Any) -> str:
    """What the box in the page's corner looks like."""
    red, green, _blue = image.getpixel((100, 100))
    return "red" if red > 140 and green < 80 else "green" if green > 100 and red < 80 else "another"


@contextmanager
def seeing(panel: Panel, tab_id: str, wanted: str) -> Iterator[asyncio.Event]:
    """Set once a picture for the recording of a tab has this colour; another may come of what it showed before."""
    seen = asyncio.Event()

    def look(of: str, picture: LivePicture) -> None:
        if of == tab_id and colour(decoded(picture)) == wanted:
            seen.set()

    panel.hub.watching.recorded.connect(look)
    yield seen
    panel.hub.watching.recorded.disconnect(look)


async def ended(panel: Panel, tab_id: str) -> None:
    """Wait until a tab is recorded no more."""
    over = asyncio.Event()

    def look(_tab_id: str) -> None:
        if panel.hub.videos.who(tab_id) is None:
            over.set()

    panel.hub.videos.changed.connect(look)
    look(tab_id)
    async with asyncio.timeout(PATIENCE_S):
        await over.wait()
    panel.hub.videos.changed.disconnect(look)


async def begun(agent: Agent, panel: Panel, **params: Any) -> dict[str, Any]:
    """Have a tab recorded, and the first picture in it."""
    told: dict[str, Any] = await agent.call("record_video", **params)
    await kept(panel, told["path"])
    return told


async def kept(panel: Panel, path: str) -> None:
    """Wait until a video has a picture."""
    recording = next(one for one in panel.hub.videos.under_way if str(one.video.path) == path)
    came = asyncio.Event()
    recording.grew.connect(came.set)
    async with asyncio.timeout(PATIENCE_S):
        while not recording.told["pictures"]:
            await came.wait()
            came.clear()
    recording.grew.disconnect(came.set)


async def test_a_video_shows_what_happened_and_says_who_did_it(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE, "film-maker") as a:
        told = await begun(a, panel)
        tab_id = await current_tab(a)
        with seeing(panel, tab_id, "green") as is_green:
            await a.call("click", selector="button")
            async with asyncio.timeout(PATIENCE_S):
                await is_green.wait()
        over = await a.call("record_video", stop=True)
        assert (over["path"], over["captions"], over["ended"]) == (told["path"], told["captions"], "stopped")
        shown = frames(over["path"])
        assert shown[0][1].size == (1280, 720)
        assert [colour(shown[0][1]), colour(shown[-1][1])] == ["red", "green"]
        assert over["bytes"] == Path(over["path"]).stat().st_size
        assert abs(length_s(over["path"]) * 1000 - over["ms"]) < 100
        captions = Path(over["captions"]).read_text()
        assert captions.startswith("WEBVTT\n\n00:00:0")
        assert "\nfilm-maker: Click “Make it green” ✓\n" in captions
        for path in (over["path"], over["captions"]):
            assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600
        assert (await a.call("record_video", stop=True))["path"] == told["path"], "how it went is told again"
        assert panel.hub.videos.who(tab_id) is None


async def test_a_video_ends_with_its_time(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE) as a:
        tab_id, seconds = await current_tab(a), 1
        over: dict[str, Any] = {"pictures": 0}
        async with asyncio.timeout(PATIENCE_S):
            while not over["pictures"]:  # a busy machine may paint nothing in so short a time
                told = await a.call("record_video", seconds=seconds)
                await ended(panel, tab_id)
                over = await a.call("record_video", stop=True)
                assert (over["path"], over["ended"]) == (told["path"], "its time was over")
                assert over["ms"] > 900
                seconds *= 2
        assert colour(frames(over["path"])[0][1]) == "red"


async def test_a_tab_is_recorded_once_and_its_recorder_or_the_person_stops_it(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE, "one") as a, agent(f"{pages}/blank.html", "two") as b:
        tab_id = await current_tab(a)
        told = await begun(a, panel)
        said = await a.fails("record_video")
        assert said.startswith(f"INVALID_PARAMS: the tab {tab_id} is being recorded already, by you; end it with stop")
        assert "by 'one'; wait until" in await b.fails("record_video", tabId=tab_id)
        assert "is recorded by 'one'" in await b.fails("record_video", tabId=tab_id, stop=True)
        run, me = panel.hub.core.router.run, panel.hub.state.person
        by_person = await run(me, "kapturemcp_record_video", {"tabId": tab_id, "stop": True})
        assert by_person.result["ended"] == "a person stopped it"
        over = await a.call("record_video", stop=True, tabId=tab_id)
        assert (over["path"], over["ended"]) == (told["path"], "a person stopped it")
        assert "is not recorded" in await b.fails("record_video", tabId=tab_id, stop=True)


async def test_a_page_that_crashes_and_a_tab_that_is_closed_end_it_with_a_video(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        crashed = await begun(a, panel)
        session = await panel.witness(pages).session(PAGE)
        crashing = tasks.spawn(panel.pipe.call("Page.crash", session=session), "crash")
        await ended(panel, tab_id)
        await a.call("navigate", tabId=tab_id, url=pages + PAGE)
        crashing.cancel()
        over = await a.call("record_video", stop=True)
        assert (over["path"], over["ended"]) == (crashed["path"], "the page crashed")
        assert colour(frames(crashed["path"])[0][1]) == "red"
        closed = await begun(a, panel)
        recording = panel.hub.videos.under_way[0]
        await a.call("close_tab")
        async with asyncio.timeout(PATIENCE_S):
            await recording.done.wait()
        assert recording.ended == "the tab was closed"
        assert colour(frames(closed["path"])[0][1]) == "red"


async def test_the_end_of_a_conversation_and_a_pause_end_what_agents_record_and_not_what_the_person_does(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    hub = panel.hub
    async with agent(pages + PAGE) as a, agent(f"{pages}/watch.html?second") as b:
        first, second = await current_tab(a), await current_tab(b)
        async with connect(panel.data.root, "leaving") as leaving:
            await begun(Agent(leaving), panel, tabId=first)
            gone = hub.videos.under_way[0]
        async with asyncio.timeout(PATIENCE_S):
            await gone.done.wait()
        assert gone.ended == "the conversation ended"
        assert colour(frames(gone.video.path)[0][1]) == "red"
        await begun(a, panel, tabId=first)
        await hub.core.router.run(hub.state.person, "kapturemcp_record_video", {"tabId": second})
        by_agent, by_person = hub.videos.under_way
        hub.core.gates.pause.hold()
        try:
            async with asyncio.timeout(PATIENCE_S):
                await by_agent.done.wait()
            assert by_agent.ended == "a person paused the agents"
            assert hub.videos.under_way == [by_person]
        finally:
            hub.core.gates.pause.lift()
        await hub.core.router.run(hub.state.person, "kapturemcp_record_video", {"tabId": second, "stop": True})


async def test_what_a_person_does_who_has_stepped_in_is_in_no_video_of_an_agent(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        await begun(a, panel)
        with looking(panel.hub.watching, tab_id) as watcher:
            panel.hub.hands.step_in(tab_id)
            acts: tuple[Literal["down", "up"], ...] = ("down", "up")
            for act in acts:
                press = MouseInput(act=act, x=480, y=120, button="left", count=1)
                panel.hub.hands.give(tab_id, press)
            await watcher.sees(lambda: colour(watcher.image) == "green")
            await panel.witness(pages).see("void (colour.style.background = 'rgb(200, 0, 0)')", PAGE)
            await watcher.sees(lambda: colour(watcher.image) == "red")
            await panel.hub.hands.step_out(tab_id)
        over = await a.call("record_video", stop=True)
        assert {colour(image) for _at, image in frames(over["path"])} == {"red"}


async def test_it_is_watched_and_recorded_at_once_and_a_page_of_another_size_fits_into_the_video(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(pages + PAGE) as a:
        tab_id = await current_tab(a)
        with looking(panel.hub.watching, tab_id, width=320, height=200) as watcher:
            told = await begun(a, panel)
            await watcher.sees(lambda: watcher.image.width > 320)
            await a.call("resize", width=600, height=720)
            await watcher.sees(lambda: watcher.pictures[-1].width == 600)
            await a.call("click", selector="button")
            await watcher.sees(lambda: colour(watcher.image) == "green")
            await a.call("record_video", stop=True)
            await watcher.sees(lambda: watcher.image.width <= 320)
        await a.call("resize", width=0, height=0)
        last = frames(told["path"])[-1][1]
        assert last.size == (1280, 720)
        # A coder may tell black as nearly black.
        assert max(last.crop((100, 360, 101, 361)).tobytes()) < 8, "a bar beside the narrow page"
        red, green, _ = last.getpixel((440, 100))  # type: ignore[misc]
        assert (red < 80, green > 100) == (True, True)


async def test_what_is_forgotten_ends_and_is_in_no_file(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(pages + PAGE, "forgotten") as a:
        tab_id = await current_tab(a)
        told = await begun(a, panel)
        panel.hub.core.forgetting.forget(Scope("agent", "forgotten"))
        assert panel.hub.videos.who(tab_id) is None
        assert not [path for path in panel.kept() if path.name.startswith(Path(told["path"]).stem)]
        assert "is not recorded" in await a.fails("record_video", stop=True)
