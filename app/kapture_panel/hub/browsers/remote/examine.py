"""Tests every link to a place on another machine, with a real session that is given back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from pathlib import Path

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.doctor import PLACE, Check, Ill, NotYet, tried
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.hub.browsers.remote.carrier import Carrier
from kapture_panel.hub.browsers.remote.cdp_socket import CdpSocket
from kapture_panel.hub.browsers.remote.grid import Grid
from kapture_panel.hub.browsers.remote.places import Place
from kapture_panel.hub.browsers.remote.sessions import RemoteSession, Service

log = logging.getLogger(__name__)

#: A full place is not broken: who examines it does not wait for long.
WAIT_S = 15.0
LINK_S = 10.0
_FIX = "docs/remote.md says what this link needs"


async def examine(place: Place, extension: Path) -> AsyncGenerator[Check, None]:
    """Try one link after the other; behind one that does not hold, none can be tried."""
    trial = _Trial(place, extension)
    work = [trial.reach, trial.session, trial.extension, trial.worker, trial.page]
    holds = True
    try:
        for link, one in zip(PLACE, work, strict=True):
            check = Check(link, "idle", f"{place.name}: was not tried")
            if holds:
                check = await tried(link, one, _FIX)
                holds = check.state == "ok"
            yield check
    finally:
        await trial.end()


class _Trial:
    """The links of one place, each of which needs the one before."""

    def __init__(self, place: Place, extension: Path) -> None:
        self._place = place
        self._service = Service(place, extension)
        self._session: RemoteSession | None = None
        self._cdp: CdpSocket | None = None
        self._carrier: Carrier | None = None
        self._worker: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def reach(self) -> str:
        """It answers."""
        if self._place.cdp:
            return f"{self._place.name}: {self._place.host} is tried with the session"
        slots = await Grid(self._place).slots()
        return f"{self._place.name}: {self._place.host} answers, {slots}"

    async def session(self) -> str:
        """It gives a browser that speaks CDP."""
        try:
            async with asyncio.timeout(WAIT_S):
                self._session = await self._service.open()
        except TimeoutError:
            # Not "none is free": a place may have free ones, and give none of this kind or none so soon.
            words = f"{self._place.name}: no browser came within {WAIT_S:g} s"
            raise NotYet(words, "try again later") from None
        async with asyncio.timeout(LINK_S):
            self._cdp = await self._session.connect(self._on_event, lambda _why: None)
            version = await self._cdp.call("Browser.getVersion")
        return f"{self._place.name}: {version['product']}"

    async def extension(self) -> str:
        """Our extension is in it."""
        assert self._cdp is not None
        assert self._session is not None
        try:
            async with asyncio.timeout(LINK_S):
                discover = {"discover": True, "filter": [{"type": "service_worker"}]}
                await self._cdp.call("Target.setDiscoverTargets", discover)
                await self._session.wake_extension(self._cdp)
                await asyncio.shield(self._worker)
        except TimeoutError:
            raise Ill(
                f"{self._place.name}: its browser runs without our extension",
                "services that let no extension in are not supported yet",
            ) from None
        return f"{self._place.name}: our extension runs there"

    async def worker(self) -> str:
        """The extension answers over the carried wire."""
        assert self._cdp is not None
        self._carrier = Carrier(self._cdp, 0, "")
        async with asyncio.timeout(LINK_S):
            await self._carrier.attach(self._worker.result())
            found = await self._carrier.evaluate("chrome.runtime.getManifest().version")
        return f"{self._place.name}: the extension {found['result']['value']} answers"

    async def page(self) -> str:
        """A page answers."""
        assert self._cdp is not None
        async with asyncio.timeout(LINK_S):
            page = await self._cdp.call("Target.createTarget", {"url": "about:blank"})
            attached = await self._cdp.call("Target.attachToTarget", {"targetId": page["targetId"], "flatten": True})
            await self._cdp.call("Runtime.evaluate", {"expression": "1"}, attached["sessionId"])
        return f"{self._place.name}: a page answers"

    async def end(self) -> None:
        """Give back what was had."""
        try:
            async with asyncio.timeout(LINK_S):
                if self._session is not None:
                    await self._session.end(self._cdp)
        except (TimeoutError, KaptureError) as error:
            log.warning("the session at %s is left to its own time-out: %s", self._place.name, error)
        finally:
            if self._carrier is not None:
                await self._carrier.detach()
            if self._cdp is not None:
                await self._cdp.close()

    def _on_event(self, method: str, params: JsonObject, session: str) -> None:
        if self._carrier is not None:
            self._carrier.on_event(method, params, session)
        if method != "Target.targetCreated" or self._worker.done():
            return
        target = params["targetInfo"]
        if str(target["url"]).startswith(f"chrome-extension://{EXTENSION_ID}/") and target["type"] == "service_worker":
            self._worker.set_result(target["targetId"])
