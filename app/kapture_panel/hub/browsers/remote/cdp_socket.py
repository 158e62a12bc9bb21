"""CDP over a WebSocket, for a browser on another machine. If it falls silent it is lost, even if its socket is open."""

from __future__ import annotations

import asyncio
import logging
import ssl
import time
from collections.abc import Callable

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.browsers.cdp import Cdp, OnEvent
from kapture_panel.hub.browsers.remote.places import UNTRUSTED

log = logging.getLogger(__name__)
#: It would write down the headers, the token among them.
_quiet = log.getChild("websockets")
_quiet.setLevel(logging.INFO)

CONNECT_S = 10.0
#: A browser that has said nothing for so long is asked for a word, and has so long for it. Together with the time
#: between two looks that is less than 5 s. A Grid answers pings for a node that has died: only the browser's own word
#: counts.
BEAT_S = 1.0
ANSWER_S = 2.5
#: The same while it starts: no command waits for it then, and a machine on which many browsers start at once is slow.
STARTING_ANSWER_S = 20.0
#: The wire goes in pieces, which are far smaller; the browser's own events are not.
_MAX_FRAME_BYTES = 64 * 1024 * 1024


class CdpSocket(Cdp):
    """Calls and events of a browser elsewhere.

    Args:
        socket: the open connection.
        on_event: called with each event.
        on_lost: called once, with what happened in words, unless we closed it.
    """

    def __init__(self, socket: ClientConnection, on_event: OnEvent, on_lost: Callable[[str], None]) -> None:
        super().__init__(on_event)
        self._socket = socket
        self._on_lost = on_lost
        self._heard_at = time.monotonic()
        #: Why it is over, in words; empty while it is not.
        self.over = ""
        self._pump = tasks.spawn(self._receive_all(), "remote browser")
        self._beat = tasks.spawn(self._watch(STARTING_ANSWER_S), "heartbeat of a remote browser that starts")

    @classmethod
    async def open(
        cls,
        address: str,
        trust: ssl.SSLContext | None,
        headers: dict[str, str],
        on_event: OnEvent,
        on_lost: Callable[[str], None],
    ) -> CdpSocket:
        """Connect to a browser.

        Args:
            address: ws:// or wss://.
            trust: which certificates are believed, for wss.
            headers: what is said beside the address, such as a token.

        Raises:
            KaptureError: `NO_BROWSER`, it cannot be reached.
        """
        try:
            socket = await _Straight(
                address,
                ssl=trust,
                additional_headers=headers,
                open_timeout=CONNECT_S,
                compression=None,
                max_size=_MAX_FRAME_BYTES,
                ping_interval=None,
                proxy=None,
                logger=_quiet,
            )
        except (OSError, WebSocketException, TimeoutError) as error:
            is_untrusted = isinstance(error, ssl.SSLCertVerificationError)
            step = UNTRUSTED if is_untrusted else "look at the address and the token"
            raise KaptureError("NO_BROWSER", f"{address} lets nobody in for CDP: {error}", step) from None
        return cls(socket, on_event, on_lost)

    def expect_work(self) -> None:
        """From now on commands wait for it: a silence is a loss sooner."""
        self._beat.cancel()
        self._beat = tasks.spawn(self._watch(ANSWER_S), "heartbeat of a remote browser")

    async def close(self) -> None:
        """Hang up; nobody is told."""
        self.over = self.over or "it was closed"
        await tasks.end(self._beat)
        await self._socket.close()
        await tasks.end(self._pump)

    async def _send(self, method: str, frame: str) -> None:
        if self.over:
            raise KaptureError("INTERNAL", f"{method}: {self.over}")
        try:
            await self._socket.send(frame)
        except ConnectionClosed:
            raise KaptureError("INTERNAL", f"{method}: the connection broke") from None

    async def _receive_all(self) -> None:
        try:
            async for frame in self._socket:
                self._heard_at = time.monotonic()
                self._take_text(frame)
        except ConnectionClosed:
            pass  # the same as the loop's end
        self._lose("its connection broke")

    def _take_text(self, frame: str | bytes) -> None:
        try:
            self._take(msgspec.json.decode(frame))
        except (msgspec.DecodeError, KeyError, TypeError, AttributeError, RecursionError):
            log.exception("a remote browser said something unreadable")
            self._fail_waiting("the browser said something unreadable", "its answer may be lost")

    async def _watch(self, answer_s: float) -> None:
        while True:
            await asyncio.sleep(BEAT_S / 2)
            asked_at = time.monotonic()
            if asked_at - self._heard_at < BEAT_S:
                continue
            try:
                async with asyncio.timeout(answer_s):
                    await self.call("Browser.getVersion")
            except TimeoutError:
                if self._heard_at > asked_at:  # a large frame may stand before the answer
                    continue
                self._lose(f"it fell silent for {time.monotonic() - self._heard_at:.0f} s")
                # Not waited for: nobody answers there.
                self._socket.transport.abort()
                return
            except KaptureError:
                return  # it is over already

    def _lose(self, why: str) -> None:
        if self.over:
            self._fail_waiting(f"the browser has ended: {self.over}")
            return
        self.over = why
        self._fail_waiting(f"the browser was lost: {why}")
        self._on_lost(why)


class _Straight(connect):
    """Goes where it was sent and nowhere else: a redirect would take the token along."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Follow none."""
        return exc
