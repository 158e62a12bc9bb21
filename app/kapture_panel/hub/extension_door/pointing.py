"""The person points at a place of a page and writes a note: what lies there, a picture with the place marked."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue import redaction
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.notes import Note, Notes
from kapture_panel.core.stores.shots import Shots
from kapture_panel.core.wire.results import PlacePointedAt

#: A tab that has not shown the place by then is given up.
LOOKING_MS = 5000
MAX_WORDS = 2000
#: The ring around the place, in CSS pixels, and what it is drawn in: seen on any ground.
_RADIUS = 18
_WIDTH = 4
_INK, _EDGE = (217, 32, 60), (255, 255, 255)


class Asked(Protocol):
    """The part of the executor a note needs."""

    async def point_at(self, tab: Tab, x: float, y: float) -> PlacePointedAt:
        """What lies at a point of a tab's viewport, and how that looks now."""


class Pointing:
    """Takes notes. Only the window leads here: no command and no door does.

    Args:
        tabs: which there are.
        executor: asks a tab what lies at a place, and how it looks.
        shots: keeps the picture, as long as any.
        notes: keeps the note for the agents.
    """

    def __init__(self, tabs: Tabs, executor: Asked, shots: Shots, notes: Notes) -> None:
        self._tabs = tabs
        self._executor = executor
        self._shots = shots
        self._notes = notes

    async def note(self, tab_id: str, x: float, y: float, words: Awaitable[str]) -> Note | None:
        """Look at a place now, and keep what the person writes about it once they have.

        Args:
            tab_id: the tab they see.
            x: CSS pixels of the viewport.
            y: the same.
            words: what they write; empty for nothing, and nothing is kept then.

        Raises:
            KaptureError: the tab is gone or let go of, or shows nothing.
            OSError: the picture could not be stored.
        """
        tab = self._tabs.get(tab_id)
        if tab.state == "paused":
            raise KaptureError("PAUSED", "your browser is let go of while the agents are paused", "resume them first")
        url, site, title = tab.url, tab.site, tab.title or tab.url
        place = await self._look(tab, x, y)
        said = (await words).strip()[:MAX_WORDS]
        if not said:
            return None
        picture = await asyncio.to_thread(_marked, base64.b64decode(place.data), x, y, place.width)
        shot = self._shots.add(
            picture.data,
            name="note",
            tab_id=tab_id,
            format="jpeg",
            width=picture.width,
            height=picture.height,
            scale=picture.scale,
            session=tab.session,
            scroll_x=place.scrollX,
            scroll_y=place.scrollY,
            view_width=place.width,
            view_height=place.height,
            title=title,
        )
        return self._notes.add(tab_id, redaction.url(url), site, said, place.about, x, y, shot)

    async def _look(self, tab: Tab, x: float, y: float) -> PlacePointedAt:
        try:
            async with asyncio.timeout(LOOKING_MS / 1000):
                return await self._executor.point_at(tab, x, y)
        except TimeoutError:
            what = f"the tab did not show the place within {LOOKING_MS // 1000} s"
            raise KaptureError("COMMAND_TIMEOUT", what, "try again") from None


@dataclass(frozen=True)
class _Picture:
    """A JPEG of so many pixels, `scale` for each CSS pixel."""

    data: bytes
    width: int
    height: int
    scale: float


def _marked(picture: bytes, x: float, y: float, view_width: float) -> _Picture:
    """The picture of a viewport with a ring around a place."""
    # Imported with the first note, as `panel_commands/images.py` does and for the same reasons.
    import PIL.Image
    import PIL.ImageDraw
    import PIL.JpegImagePlugin

    with PIL.Image.open(io.BytesIO(picture)) as image:
        drawn = image.convert("RGB")
    scale = drawn.width / max(view_width, 1)
    pen, at = PIL.ImageDraw.Draw(drawn), (x * scale, y * scale)
    for ink, width, radius in ((_EDGE, 2 * _WIDTH, _RADIUS + _WIDTH / 2), (_INK, _WIDTH, _RADIUS)):
        reach = radius * scale
        box = (at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach)
        pen.ellipse(box, outline=ink, width=max(1, round(width * scale)))
    made = io.BytesIO()
    drawn.save(made, "JPEG", quality=85)
    return _Picture(made.getvalue(), drawn.width, drawn.height, scale)
