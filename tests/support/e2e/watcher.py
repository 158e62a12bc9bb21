"""Somebody who looks at tabs through the panel, as the window does: takes each picture and says that it was painted."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PIL import Image

from kapture_panel.core.wire.watching import LivePicture
from kapture_panel.hub.extension_door.watching import Watching
from tests.support.patience import PATIENCE_S


class Watcher:
    """Looks at one tab; `pictures` has what came of it, the newest last."""

    def __init__(self, watching: Watching, tab_id: str) -> None:
        self._watching = watching
        self._news = asyncio.Event()
        self.tab_id = tab_id
        self.paints = True
        self.pictures: list[LivePicture] = []

    def on_picture(self, tab_id: str, picture: LivePicture) -> None:
        if tab_id != self.tab_id:
            return
        self.pictures.append(picture)
        if self.paints:
            self._watching.painted(tab_id, picture.number)
        self._news.set()

    @property
    def image(self) -> Image.Image:
        """The newest picture."""
        return decoded(self.pictures[-1])

    async def sees(self, what: Callable[[], object]) -> None:
        """Wait until a picture has come and `what` holds, looked at with each picture."""
        async with asyncio.timeout(PATIENCE_S):
            while not (self.pictures and what()):
                self._news.clear()
                await self._news.wait()

    async def more(self, number: int) -> None:
        """Wait for so many pictures more."""
        wanted = len(self.pictures) + number
        await self.sees(lambda: len(self.pictures) >= wanted)


def decoded(picture: LivePicture) -> Image.Image:
    """The pixels of a picture."""
    return Image.open(io.BytesIO(base64.b64decode(picture.data))).convert("RGB")


@contextmanager
def looking(
    watching: Watching, tab_id: str, *, width: int = 1280, height: int = 720, every_ms: int = 0
) -> Iterator[Watcher]:
    """Look at a tab until the end of the block."""
    watcher = Watcher(watching, tab_id)
    watching.came.connect(watcher.on_picture)
    watching.watch(tab_id, width, height, every_ms)
    try:
        yield watcher
    finally:
        watching.unwatch(tab_id)
        watching.came.disconnect(watcher.on_picture)
