"""Sessions at a place: waited for, counted and given back, also if nobody wants one any more when it comes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from kapture_panel.core import progress
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.hub.browsers.cdp import Cdp, OnEvent
from kapture_panel.hub.browsers.remote.cdp_socket import CdpSocket
from kapture_panel.hub.browsers.remote.grid import Grid, GridSession
from kapture_panel.hub.browsers.remote.places import Place

log = logging.getLogger(__name__)

#: A Grid lets a request wait for 300 s: what comes of one that we gave up is known by then, and given back.
GRID_QUEUE_S = 330.0


class RemoteSession(Protocol):
    """A browser that a place gave."""

    @property
    def profile(self) -> str:
        """Its folder there, empty where nobody says."""

    async def connect(self, on_event: OnEvent, on_lost: Callable[[str], None]) -> CdpSocket:
        """Speak CDP with it.

        Raises:
            KaptureError: `NO_BROWSER`.
        """

    async def wake_extension(self, cdp: Cdp) -> None:
        """Have our extension's worker run, if it is there."""

    async def end(self, cdp: Cdp | None) -> None:
        """Give it back.

        Raises:
            KaptureError: nobody was there to take it.
        """


@dataclass
class OfGrid:
    """A session of a Selenium Grid."""

    place: Place
    grid: Grid
    session: GridSession

    @property
    def profile(self) -> str:
        """As `RemoteSession`."""
        return self.session.profile

    async def connect(self, on_event: OnEvent, on_lost: Callable[[str], None]) -> CdpSocket:
        """As `RemoteSession`."""
        address = self.grid.cdp_address(self.session)
        return await CdpSocket.open(address, self.place.trust(), self.place.headers(), on_event, on_lost)

    async def wake_extension(self, cdp: Cdp) -> None:
        """It came with the session, and runs."""

    async def end(self, _cdp: Cdp | None) -> None:
        """As `RemoteSession`."""
        await self.grid.end(self.session)


@dataclass
class AtAddress:
    """A browser that a CDP address gives to whoever connects, with our extension in it already."""

    place: Place

    @property
    def profile(self) -> str:
        """As `RemoteSession`."""
        return ""

    async def connect(self, on_event: OnEvent, on_lost: Callable[[str], None]) -> CdpSocket:
        """As `RemoteSession`."""
        return await CdpSocket.open(self.place.address, self.place.trust(), self.place.headers(), on_event, on_lost)

    async def wake_extension(self, cdp: Cdp) -> None:
        """A page of its own wakes it, should it sleep."""
        page = await cdp.call("Target.createTarget", {"url": f"chrome-extension://{EXTENSION_ID}/popup/popup.html"})
        await cdp.call("Target.closeTarget", {"targetId": page["targetId"]})

    async def end(self, cdp: Cdp | None) -> None:
        """End the browser: what one conversation did in it is not for the next."""
        if cdp is not None:
            await cdp.call("Browser.close")


class Service:
    """What gives the browsers of a place, at most `at_once` of them at a time.

    `place` is as the person wrote it last.

    Args:
        place: see `Place`.
        extension: the folder of our extension.
    """

    def __init__(self, place: Place, extension: Path) -> None:
        self.place = place
        self._extension = extension
        self._in_use = 0
        self._freed = asyncio.Event()

    async def open(self) -> RemoteSession:
        """A session, once there is one: whoever waits is told, and may give up at any time.

        Raises:
            KaptureError: `NO_BROWSER`: none was free in time, or the place gives none.
        """
        place = self.place
        ends_at = asyncio.get_running_loop().time() + place.wait_seconds
        with progress.waiting(f"a browser at {place.name}"):
            try:
                async with asyncio.timeout_at(ends_at):
                    while self._in_use >= self.place.at_once:
                        self._freed.clear()
                        await self._freed.wait()
                    self._in_use += 1
            except TimeoutError:
                raise self._full(f"all {place.at_once} that at_once allows are in use") from None
            asking = tasks.spawn(self._ask(), f"a session at {place.name}")
            try:
                async with asyncio.timeout_at(ends_at):
                    return await asyncio.shield(asking)
            except BaseException as error:
                tasks.spawn(self._give_back(asking), "give back a session that came late")
                if isinstance(error, TimeoutError):
                    raise self._full(await self._state()) from None
                raise

    def release(self, session: RemoteSession | None) -> None:
        """A session is over: another one may come."""
        if session is not None:
            self._free()

    async def _ask(self) -> RemoteSession:
        if self.place.cdp:
            return AtAddress(self.place)
        grid = Grid(self.place)
        return OfGrid(self.place, grid, await grid.new_session(self._extension, GRID_QUEUE_S))

    async def _give_back(self, asking: asyncio.Task[RemoteSession]) -> None:
        try:
            session = await asking
            await session.end(None)
        except KaptureError as error:
            log.info("a session at %s that was given up: %s", self.place.name, error)
        finally:
            self._free()

    def _free(self) -> None:
        self._in_use -= 1
        self._freed.set()

    async def _state(self) -> str:
        if not self.place.grid:
            return "it does not answer"
        try:
            return str(await Grid(self.place).slots())
        except KaptureError as error:
            return error.what

    def _full(self, why: str) -> KaptureError:
        waited = f"{self.place.name} had no browser within {self.place.wait_seconds:g} s"
        return KaptureError("NO_BROWSER", f"{waited}: {why}", "nothing was done: try again later")
