"""Who may record which tab, and what ends it; tests/e2e/test_record_video.py has the ways it ends with a real page."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rules import Rule
from kapture_panel.core.registry.clients import Client
from kapture_panel.hub.videos.recording import Recording
from kapture_panel.hub.videos.video_recorder import MAX_AT_ONCE, WRAPPER, VideoRecorder
from tests.support.core.fakes import World, ok
from tests.support.hub.videos import FakePictures, colours, picture
from tests.support.patience import PATIENCE_S


class Studio:
    """A recorder over a world without a browser."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.pictures = FakePictures()
        self.policy = Policy()
        self.recorder = VideoRecorder(world.state, self.pictures)
        world.executor.answers["record_video"] = ok({"width": 1600, "height": 900})
        world.router = self.core.router
        self.recorder.watch_over(self.core.gates)

    @property
    def core(self) -> Any:
        if not hasattr(self, "_core"):
            self._core = self.world.made(self.policy, self.world._list_tabs, {WRAPPER: self.recorder.record})
        return self._core

    async def begun(self, tab_id: str = "t1") -> Recording:
        """A recording of the agent's with a red picture in it."""
        await self.world.run("record_video", tabId=tab_id)
        recording = self.recorder.under_way[-1]
        grew = asyncio.Event()
        recording.grew.connect(grew.set)
        self.pictures.recorded.emit(tab_id, picture("red"))
        async with asyncio.timeout(PATIENCE_S):
            await grew.wait()
        return recording


@pytest.fixture
async def studio(world: World) -> AsyncIterator[Studio]:
    made = Studio(world)
    yield made
    await made.recorder.close()


async def test_the_video_has_the_shape_of_the_page_and_fits_into_1280_by_720(studio: Studio) -> None:
    studio.world.tab()
    studio.world.executor.answers["record_video"] = ok({"width": 1001, "height": 1500})
    await studio.world.run("record_video")
    assert studio.pictures.asked == {"t1": (480, 720)}


async def test_it_ends_where_the_policy_does_not_let_its_agent_look(studio: Studio) -> None:
    tab = studio.world.tab()
    recording = await studio.begun()
    rule = Rule("block", "", "", "bank.example", "", "record_video")
    studio.policy.rules.put(rule)
    studio.world.tabs.update(tab, url="https://shop.example/other")
    assert studio.recorder.who("t1") is studio.world.agent
    studio.pictures.recorded.emit("t1", picture("blue", 2))  # of the page to come
    studio.world.tabs.update(tab, url="https://bank.example/")
    async with asyncio.timeout(PATIENCE_S):
        await recording.done.wait()
    assert recording.ended == "the tab went where this may not be recorded"
    assert studio.pictures.asked == {}


async def test_no_more_tabs_are_recorded_than_the_machine_bears(studio: Studio) -> None:
    for number in range(MAX_AT_ONCE + 1):
        studio.world.tab(f"t{number}")
    for number in range(MAX_AT_ONCE):
        await studio.world.run("record_video", tabId=f"t{number}")
    with pytest.raises(KaptureError) as error:
        await studio.world.run("record_video", tabId=f"t{MAX_AT_ONCE}")
    assert error.value.code == "BUSY"


async def test_a_video_that_fails_says_so(studio: Studio) -> None:
    studio.world.tab()
    await studio.world.run("record_video")
    (recording,) = studio.recorder.under_way
    studio.pictures.recorded.emit("t1", picture("red"))
    broken = picture("red", 2)
    broken.data = "bm8gcGljdHVyZQ=="
    studio.pictures.recorded.emit("t1", broken)
    async with asyncio.timeout(PATIENCE_S):
        await recording.done.wait()
    told = (await studio.world.run("record_video", stop=True)).result
    assert told["ended"].startswith("UnidentifiedImageError")
    assert told["failure"] == told["ended"]


async def test_the_panels_end_leaves_a_video_and_another_agent_is_told_of_none(studio: Studio) -> None:
    studio.world.tab()
    recording = await studio.begun()
    await studio.recorder.close()
    assert recording.ended == "the panel ended"
    assert set(colours(recording.video.path)) == {"red"}
    other = Client("other", "agent")
    with pytest.raises(KaptureError, match="is not recorded"):
        await studio.world.router.run(other, "record_video", {"stop": True, "tabId": "t1"})


async def test_a_disk_that_is_full_ends_the_video_and_not_what_is_done(
    studio: Studio, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tab = studio.world.tab()
    recording = await studio.begun()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(recording._captions._file, "flush", full)
    assert (await studio.world.run("click", ref="e1")).result == {"done": True}
    async with asyncio.timeout(PATIENCE_S):
        await recording.done.wait()
    assert recording.ended == "it could not be written: No space left on device"
    assert studio.world.row().state == "ok"
    assert set(colours(recording.video.path)) == {"red"}
    again = await studio.begun()
    monkeypatch.setattr(studio.world.state.videos, "saw", full)
    studio.world.tabs.update(tab, url="https://shop.example/other")
    async with asyncio.timeout(PATIENCE_S):
        await again.done.wait()
    assert again.ended == "it could not be written: No space left on device"
