"""What a question is about, for the person's eyes: the element's role and name, and a picture of it."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass

import msgspec

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.registry.executor import Executor
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.errors import Box
from kapture_panel.core.wire.protocol import EVERYTHING, Response
from kapture_panel.core.wire.targets import Target

#: All of it may take this long; then the person is asked without.
LOOK_MS = 3000
#: How much of the page is shown around the element, in CSS pixels.
MARGIN_PX = 24
#: A target as its parameters name it, a point apart.
_WAYS = ("selector", "xpath", "ref")
#: The roles of fields; a control of HTML has a type, too.
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton"})


@dataclass(frozen=True)
class Seen:
    """An element in words, as the command names it where it was not found, a picture of it, and whether it was found
    to be a field that is not secret."""

    element: str = ""
    picture: bytes | None = None
    is_plain_field: bool = False


class CloseLook:
    """Reads of the panel's own, for the person and not the agent: without its grant, and without a row. They scroll
    nothing, wait for nothing, and take nothing that the agent is to be told."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    async def at(self, tab: Tab, params: Params, box: Box | None = None) -> Seen:
        """What the target of a command is.

        Args:
            tab: where the command goes.
            params: the command's, with any target or none.
            box: where the extension has found it in the page, if it was asked already.
        """
        target = {way: params[way] for way in _WAYS if way in params}
        element = next(iter(map(str, target.values())), "")
        in_viewport = None
        if {"x", "y"} <= params.keys():
            element = f"the place {params['x']:g}, {params['y']:g}"
            in_viewport = Box(params["x"] - MARGIN_PX, params["y"] - MARGIN_PX, 2 * MARGIN_PX, 2 * MARGIN_PX)
        picture, is_plain = None, False
        try:
            async with asyncio.timeout(LOOK_MS / 1000):
                if target:
                    meant = await self._meant(tab, target)
                    element, is_plain = _named(meant) or element, _is_plain_field(meant)
                    if box is None and in_viewport is None:
                        in_viewport = await self._box(tab, meant.selector)
                if box is None and in_viewport is not None:
                    box = await self._in_page(tab, in_viewport)
                picture = await self._picture(tab, box) if box is not None else None
        except (KaptureError, TimeoutError):
            pass  # they decide all the same, with what is known until then
        return Seen(element, picture, is_plain)

    async def _meant(self, tab: Tab, target: Params) -> Target:
        """The element that is there now; one without a role, name or selector where there is none."""
        found = await self._read(tab, "kapturemcp_wait", {**target, "state": "attached", "wait": 0})
        return found.targets[0] if found.success and found.targets else Target()

    async def _box(self, tab: Tab, selector: str | None) -> Box | None:
        """Where an element is in the viewport."""
        if not selector:
            return None
        found = await self._read(tab, "kapturemcp_check_visibility", {"selector": selector})
        return msgspec.convert(found.result["box"], Box) if found.success and found.result.get("visible") else None

    async def _in_page(self, tab: Tab, box: Box) -> Box:
        """Where a part of the viewport is in the page."""
        page = await self._read(tab, "kapturemcp_get_page_metadata", {})
        scrolled = (page.result or {}).get("scroll", {}) if page.success else {}
        return Box(box.x + scrolled.get("x", 0), box.y + scrolled.get("y", 0), box.width, box.height)

    async def _picture(self, tab: Tab, box: Box) -> bytes | None:
        """What the page shows at `box`; a clip is a part of the page, too."""
        clip = {
            "x": max(0.0, box.x - MARGIN_PX), "y": max(0.0, box.y - MARGIN_PX),
            "width": box.width + 2 * MARGIN_PX, "height": box.height + 2 * MARGIN_PX,
        }  # fmt: skip
        params = {"name": "ask", "clip": clip, "fullPage": False, "format": "jpeg", "quality": 80}
        shot = await self._read(tab, "kapturemcp_screenshot", params)
        return base64.b64decode(shot.result["data"]) if shot.success else None

    async def _read(self, tab: Tab, command: str, params: Params) -> Response:
        return await self._executor.run_in_tab(tab, command, params, LOOK_MS, "", EVERYTHING, quiet=True)


def _is_plain_field(element: Target) -> bool:
    """Whether what is put into it is no secret; what is no field may lead to one, as a label does."""
    return (bool(element.type) or element.role in _FIELDS) and not element.secret


def _named(element: Target) -> str:
    """Its role and name."""
    return " ".join([element.role, f"“{element.name}”" if element.name else ""]).strip()
