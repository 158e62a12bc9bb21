"""A browser at a place elsewhere: its session, its extension found and given the key, the wire carried over CDP."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.wire.handshake import EXTENSION_ID, Pairing
from kapture_panel.hub.browsers.browser import handed_over
from kapture_panel.hub.browsers.downloads import Downloads
from kapture_panel.hub.browsers.keyboard_guard import KeyboardGuard
from kapture_panel.hub.browsers.remote.carrier import Carrier
from kapture_panel.hub.browsers.remote.cdp_socket import CdpSocket
from kapture_panel.hub.browsers.remote.fetched_files import FetchedFiles
from kapture_panel.hub.browsers.remote.sessions import RemoteSession, Service

log = logging.getLogger(__name__)

#: From the session to the handed-over key; the session itself may be waited for longer.
START_S = 30.0
#: The extension of a fresh browser runs at once; where none has come by then none will.
EXTENSION_S = 10.0
#: A Grid answers once its browser has quit.
END_S = 15.0


class RemoteBrowser:
    """A `browsers.browser.Browser` at a place.

    Args:
        service: gives and ends the sessions of the place.
        pairing: what its extension proves itself with.
        port: our own listener's.
        viewport: the size every tab gets, in CSS pixels.
        downloads: the folder here that gets its files.
        on_ended: called once when it is gone.
    """

    def __init__(
        self,
        service: Service,
        pairing: Pairing,
        port: int,
        viewport: tuple[int, int],
        downloads: Path,
        on_ended: Callable[[], None],
    ) -> None:
        self.pairing = pairing
        self.gone = asyncio.Event()
        self.died = ""
        self.guard: KeyboardGuard | None = None
        self._files = FetchedFiles(downloads)
        self.downloads: Downloads = self._files
        self._service = service
        self._port = port
        self._viewport = viewport
        self._on_ended = on_ended
        self._session: RemoteSession | None = None
        self._cdp: CdpSocket | None = None
        self._carrier: Carrier | None = None
        self._worker: asyncio.Future[str] | None = None
        self._ending: asyncio.Task[None] | None = None
        self._attaching: asyncio.Task[None] | None = None

    @property
    def cdp(self) -> CdpSocket:
        """Raw CDP with the running browser, beside the extension."""
        assert self._cdp is not None, "the browser has been started"
        return self._cdp

    async def start(self) -> None:
        """As `Browser.start`.

        Raises:
            KaptureError: `NO_BROWSER` in words of the place.
        """
        self.downloads.prepare()
        self._session = await self._service.open()
        try:
            async with asyncio.timeout(START_S):
                await self._start(self._session)
        except TimeoutError:
            await self.end()
            raise self._none(f"its browser did not come up within {START_S:.0f} s") from None
        except KaptureError as error:
            await self.end()
            if error.code == "NO_BROWSER":
                raise
            raise self._none(error.what) from None
        except BaseException:
            await self.end()
            raise

    async def end(self) -> None:
        """As `Browser.end`: the place hears that the session is over."""
        if self._ending is None:
            self._ending = tasks.spawn(self._end(), "end a remote browser")
        await asyncio.shield(self._ending)

    async def caught_up(self) -> None:
        """As `Browser.caught_up`."""
        await self.cdp.caught_up()

    async def _start(self, session: RemoteSession) -> None:
        self._worker = asyncio.get_running_loop().create_future()
        self._cdp = cdp = await session.connect(self._on_event, self._on_lost)
        self._carrier = carrier = Carrier(cdp, self._port, self.pairing.install, cdp.expect_work)
        await self._files.follow(cdp, session.profile)
        await cdp.call("Target.setDiscoverTargets", {"discover": True, "filter": [{"type": "service_worker"}]})
        await session.wake_extension(cdp)
        try:
            async with asyncio.timeout(EXTENSION_S):
                target = await self._worker
        except TimeoutError:
            raise self._none(
                "its browser runs without our extension", "services that let no extension in are not supported yet"
            ) from None
        await carrier.attach(target)
        await carrier.evaluate(handed_over(self.pairing, self._port, self._viewport, carried=True))

    async def _end(self) -> None:
        if self._attaching is not None:
            await tasks.end(self._attaching)
        if self._cdp is not None:
            if self._carrier is not None:
                await self._carrier.detach()
            await self._files.close()
        try:
            async with asyncio.timeout(END_S):
                if self._session is not None:
                    await self._session.end(self._cdp)
        except (TimeoutError, KaptureError) as error:
            why = str(error) or f"it was not ended within {END_S:.0f} s"
            log.warning("the session at %s is left to its own time-out: %s", self._service.place.name, why)
        if self._cdp is not None:
            await self._cdp.close()
        self._service.release(self._session)
        self.gone.set()
        self._on_ended()

    def _on_event(self, method: str, params: JsonObject, session: str) -> None:
        if self._carrier is not None and self._carrier.is_of(session):
            self._carrier.on_event(method, params, session)
        elif method.startswith("Browser.download"):
            self.downloads.on_event(method, params)
        elif method == "Target.detachedFromTarget" and self._carrier and self._carrier.is_of(params["sessionId"]):
            tasks.spawn(self._carrier.detach(), "the worker of a remote browser went")
        elif method == "Target.targetCreated":
            self._on_target(params["targetInfo"])

    def _on_target(self, target: JsonObject) -> None:
        """Our worker is there, for the first time or again after it was ended."""
        if not str(target["url"]).startswith(f"chrome-extension://{EXTENSION_ID}/"):
            return
        if self._worker is not None and not self._worker.done():
            self._worker.set_result(target["targetId"])
        elif self._carrier is not None and self._ending is None:
            self._attaching = tasks.spawn(self._attach_again(self._carrier, target["targetId"]), "carry on")

    async def _attach_again(self, carrier: Carrier, target: str) -> None:
        try:
            await carrier.attach(target)
        except KaptureError as error:
            log.info("the worker at %s went again: %s", self._service.place.name, error)

    def _on_lost(self, why: str) -> None:
        """Nobody there answers any more: what waits is told at once, and the session is given back."""
        self.died = f"at {self._service.place.name} was lost ({why})"
        log.warning("the browser %s", self.died)
        self.gone.set()
        tasks.spawn(self.end(), "end a lost browser")

    def _none(self, what: str, next_step: str = "kapture browsers tries each link") -> KaptureError:
        return KaptureError("NO_BROWSER", f"{self._service.place.name}: {what}", next_step)
