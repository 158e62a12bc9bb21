"""One recording: which pictures go into it, and when it is over."""

from __future__ import annotations

import asyncio
from pathlib import Path

from kapture_panel.core.registry.clients import Client
from kapture_panel.core.stores.videos import Videos
from kapture_panel.hub.videos.captions import Captions
from kapture_panel.hub.videos.recording import Recording, Rules
from tests.support.core.fakes import CATALOGUE
from tests.support.hub.videos import colours, picture
from tests.support.patience import PATIENCE_S


class Setting:
    """A recording whose rules a test sets; `over` has why it cannot go on."""

    def __init__(self, folder: Path, max_bytes: int = 10**9) -> None:
        self.sees = True
        self.painted: list[int] = []
        self.over: list[str] = []
        self.news = asyncio.Event()
        videos = Videos(folder)
        self.video = videos.begin("t1", "claude", "shop.example")
        rules = Rules(lambda: self.sees, self._on_painted, self._on_over)
        captions = Captions(self.video.captions, CATALOGUE)
        client = Client("claude", "agent")
        self.recording = Recording(self.video, client, (320, 200), 600, max_bytes, captions, rules)
        self.recording.grew.connect(self.news.set)

    def _on_painted(self, number: int) -> None:
        self.painted.append(number)
        self.news.set()

    def _on_over(self, why: str) -> None:
        self.over.append(why)
        self.news.set()

    async def until(self, pictures: int = 0, painted: int = 0) -> None:
        """Wait for so many pictures in the video, and acknowledged."""
        async with asyncio.timeout(PATIENCE_S):
            while self.recording.told["pictures"] < pictures or len(self.painted) < painted:
                self.news.clear()
                await self.news.wait()


async def test_the_newest_of_those_that_come_together_is_kept_and_acknowledged(tmp_path: Path) -> None:
    setting = Setting(tmp_path)
    await setting.recording.start()
    for number, colour in enumerate(("red", "green", "blue"), 1):
        setting.recording.take(picture(colour, number))
    await setting.until(pictures=1)
    assert setting.painted == [3]
    setting.recording.take(picture("red", 4))
    await setting.recording.end("stopped")
    assert colours(setting.video.path) == ["blue", "red", "red"], "what came last is in it, too"
    assert setting.recording.told["ended"] == "stopped"


async def test_what_may_not_be_seen_is_not_kept_until_it_may(tmp_path: Path) -> None:
    setting = Setting(tmp_path)
    await setting.recording.start()
    setting.sees = False
    setting.recording.take(picture("red", 1))
    await setting.until(painted=1)
    setting.recording.take(picture("green", 2))
    await setting.until(painted=2)
    setting.sees = True
    setting.recording.look_again()
    await setting.until(pictures=1)
    setting.sees = False
    setting.recording.take(picture("red", 3))
    await setting.recording.end("stopped")
    assert set(colours(setting.video.path)) == {"green"}


async def test_it_is_over_once_it_is_too_large(tmp_path: Path) -> None:
    setting = Setting(tmp_path, max_bytes=1)
    await setting.recording.start()
    setting.recording.take(picture("red"))
    await setting.until(pictures=1)
    assert setting.over == ["it was as large as a video may be"]
    await setting.recording.end(setting.over[0])
    assert colours(setting.video.path) == ["red", "red"]
