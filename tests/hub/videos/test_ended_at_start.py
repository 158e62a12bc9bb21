"""A recording that is ended while its encoder begins: it is told as ended, and leaves nothing on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics import tasks
from kapture_panel.core.gates.policy import Policy
from kapture_panel.hub.videos.encoder import Encoder
from kapture_panel.hub.videos.recording import Recording
from kapture_panel.hub.videos.video_recorder import WRAPPER, VideoRecorder
from tests.support.core.fakes import World, ok
from tests.support.hub.fakes import Changes
from tests.support.hub.videos import FakePictures
from tests.support.patience import PATIENCE_S


class Slow:
    """A recorder over a world without a browser, whose encoders begin when the test wants."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world, self.pictures = world, FakePictures()
        self.recorder = VideoRecorder(world.state, self.pictures)
        self.begins, self.go_on = asyncio.Event(), asyncio.Event()
        world.executor.answers["record_video"] = ok({"width": 1600, "height": 900})
        core = world.made(Policy(), world._list_tabs, {WRAPPER: self.recorder.record})
        world.router = core.router
        self.recorder.watch_over(core.gates)
        start = Encoder.start

        async def held(encoder: Encoder) -> None:
            self.begins.set()
            await self.go_on.wait()
            await start(encoder)

        monkeypatch.setattr(Encoder, "start", held)

    async def beginning(self) -> tuple[asyncio.Task[Answer], Recording]:
        """A recording whose encoder is about to begin."""
        running = tasks.spawn(self.world.run("record_video"), "record")
        await asyncio.wait_for(self.begins.wait(), PATIENCE_S)
        return running, self.recorder.under_way[-1]


@pytest.fixture
async def slow(world: World, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Slow]:
    made = Slow(world, monkeypatch)
    yield made
    await made.recorder.close()


def crashes(slow: Slow, _recording: Recording) -> None:
    slow.world.tabs.crashed.emit(slow.world.tabs.get("t1"))


def closes(slow: Slow, _recording: Recording) -> None:
    slow.world.tabs.remove(slow.world.tabs.get("t1"))


def is_forgotten(slow: Slow, recording: Recording) -> None:
    slow.world.state.videos.remove(recording.video)


@pytest.mark.parametrize(
    ("ends", "why"),
    [(crashes, "the page crashed"), (closes, "the tab was closed"), (is_forgotten, "it was forgotten")],
)
async def test_what_ends_it_is_told_instead_of_its_beginning(
    slow: Slow, ends: Callable[[Slow, Recording], None], why: str
) -> None:
    slow.world.tab()
    running, recording = await slow.beginning()
    ends(slow, recording)
    slow.go_on.set()
    told = (await asyncio.wait_for(running, PATIENCE_S)).result
    assert told["ended"] == why
    assert (slow.pictures.asked, slow.recorder.under_way) == ({}, [])
    assert recording._encoder._process is None, "its encoder has ended"
    assert recording._timer is not None
    assert recording._timer.cancelled()


async def test_who_stops_it_waits_for_its_end_and_the_next_one_there_is_not_ended_in_its_place(slow: Slow) -> None:
    slow.world.tab()
    running, first = await slow.beginning()
    over = Changes(slow.recorder.changed)
    stopping = tasks.spawn(slow.world.run("record_video", stop=True), "stop")
    await asyncio.wait_for(over.until(lambda: not slow.recorder.under_way), PATIENCE_S)
    slow.go_on.set()
    told = [(await asyncio.wait_for(one, PATIENCE_S)).result["ended"] for one in (running, stopping)]
    assert told == ["stopped", "stopped"]
    assert "seconds" in (await slow.world.run("record_video")).result
    (second,) = slow.recorder.under_way
    first._rules.over("its time was over")
    assert slow.recorder.under_way == [second]
    assert list(slow.pictures.asked) == ["t1"]
