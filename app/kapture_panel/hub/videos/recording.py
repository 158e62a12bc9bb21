"""One video of a tab on its way: the pictures that are kept of those that come, the captions, the limits."""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable
from dataclasses import dataclass

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.videos import Video
from kapture_panel.core.wire.watching import LivePicture
from kapture_panel.hub.videos.captions import Captions
from kapture_panel.hub.videos.encoder import Encoder

log = logging.getLogger(__name__)

#: A picture is kept this long after it came: ten a second, and by then it is known where the tab is.
HOLD_S = 0.1


@dataclass(frozen=True)
class Rules:
    """What a recording asks before it keeps a picture, and whom it tells what: `may_see` whether this one may see the
    tab now; `painted` gets the number of a picture that was taken in, `over` why it cannot go on."""

    may_see: Callable[[], bool]
    painted: Callable[[int], object]
    over: Callable[[str], object]


class Recording:
    """Takes pictures from `take` until `end`.

    Args:
        video: where it goes.
        client: who wanted it.
        size: width and height of the video in pixels, even.
        limit_s: it lasts no longer.
        max_bytes: it is stopped before it is larger.
        captions: get the commands.
        rules: see there.
    """

    def __init__(
        self,
        video: Video,
        client: Client,
        size: tuple[int, int],
        limit_s: int,
        max_bytes: int,
        captions: Captions,
        rules: Rules,
    ) -> None:
        self.video = video
        self.client = client
        self.limit_s = limit_s
        #: The video has a picture more.
        self.grew: Signal[()] = Signal()
        #: Why it ended; empty as long as it goes on.
        self.ended = ""
        #: Set once nothing more is written.
        self.done = asyncio.Event()
        self._max_bytes = max_bytes
        self._captions = captions
        self._rules = rules
        self._loop = asyncio.get_running_loop()
        self._encoder = Encoder(video.path, *size, self._on_bytes, rules.over)
        self._began = self._loop.time()
        self._ended_ms = 0
        self._newest: tuple[int, LivePicture] | None = None
        self._holding: asyncio.TimerHandle | None = None
        self._timer: asyncio.TimerHandle | None = None
        #: Set once the encoder was started, or could not be: what ends the recording meanwhile waits for that.
        self._is_started = asyncio.Event()

    async def start(self) -> None:
        """Start the encoder, and the clock.

        Raises:
            OSError: it cannot be started.
        """
        try:
            await self._encoder.start()
            self._began = self._loop.time()
            self._timer = self._loop.call_later(self.limit_s, self._rules.over, "its time was over")
        finally:
            self._is_started.set()

    @property
    def _now_ms(self) -> int:
        return round((self._loop.time() - self._began) * 1000)

    @property
    def told(self) -> JsonObject:
        """How it went, for the answer of whoever stops it."""
        told: JsonObject = {
            "path": str(self.video.path),
            "captions": str(self.video.captions),
            "ms": self._ended_ms,
            "pictures": self._encoder.pictures,
            "bytes": self.video.size_bytes,
            "ended": self.ended,
        }
        if self._encoder.failure:
            told["failure"] = self._encoder.failure
        return told

    def take(self, picture: LivePicture) -> None:
        """A picture has come; of those that come while one is held the newest is kept."""
        self._newest = (self._now_ms, picture)
        if self._holding is None:
            self._holding = self._loop.call_later(HOLD_S, self._keep)

    def look_again(self) -> None:
        """What was not to be seen may be by now."""
        if self._newest is not None and self._holding is None:
            self._holding = self._loop.call_later(HOLD_S, self._keep)

    def began(self, row: Row) -> None:
        """A command begins in the tab."""
        self._captions.begin(row, self._now_ms)

    def settled(self, row: Row) -> None:
        """A command there is over."""
        self._captions.settle(row, self._now_ms)

    def forgotten(self, ids: list[int]) -> None:
        """These rows are told of no more."""
        self._captions.forget(ids)

    async def end(self, why: str) -> None:
        """Write the end of the file, or as much as goes; never raises."""
        self.ended, self._ended_ms = why, self._now_ms
        await self._is_started.wait()
        self._rest()
        if self._newest is not None and self._rules.may_see():
            self._put()
        self._end_captions(self._ended_ms)
        await self._encoder.end(self._ended_ms)

    async def drop(self, why: str) -> None:
        """End it without a video: that is forgotten."""
        self.ended = why
        await self._is_started.wait()
        self._rest()
        self._end_captions(self._now_ms)
        await self._encoder.kill()
        self.done.set()

    def _end_captions(self, at_ms: int) -> None:
        try:
            self._captions.end(at_ms)
        except OSError as error:  # the video is worth keeping without the last of them
            log.error("the captions of %s end early: %s", self.video.path, error)

    def _rest(self) -> None:
        for timer in (self._timer, self._holding):
            if timer is not None:
                timer.cancel()

    def _keep(self) -> None:
        self._holding = None
        if self._newest is None:
            return
        self._rules.painted(self._newest[1].number)
        if self._rules.may_see():
            self._put()

    def _put(self) -> None:
        assert self._newest is not None
        (at_ms, picture), self._newest = self._newest, None
        self._encoder.put(at_ms, base64.b64decode(picture.data))

    def _on_bytes(self, size: int) -> None:
        self.video.size_bytes = size
        self.grew.emit()
        if size >= self._max_bytes and not self.ended:
            self._rules.over("it was as large as a video may be")
