"""The listener's half of pairing: greets a pair page, and gives it a key once the person has said yes on both sides."""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.registry.pairing import PairingDesk, PairingRequest, code_of
from kapture_panel.core.wire import handshake, protocol

log = logging.getLogger(__name__)

_INSTALL = re.compile(r"[0-9a-f]{16,64}")
#: Programs as their User-Agent names them, the special ones before what they are made of.
_PROGRAMS = {"Edg": "Microsoft Edge", "OPR": "Opera", "HeadlessChrome": "Chromium", "Chrome": "Chrome"}


class Pairer:
    """Carries a request of `desk` over its connection; what comes of it is in `paired`."""

    def __init__(self, desk: PairingDesk, paired: PairedBrowsers) -> None:
        self._desk = desk
        self._paired = paired

    async def greet(self, connection: ServerConnection, first: protocol.Pair) -> PairingRequest:
        """Exchange the nonces and show the code. Nothing else of the browser is asked for.

        Raises:
            KaptureError: the page speaks another protocol or does not keep its promise, or the desk takes nobody.
        """
        demand_protocol(first.protocol)
        if not _INSTALL.fullmatch(first.install):
            raise KaptureError("INVALID_PARAMS", "the pair page gave no name for its browser")
        request = self._desk.begin(first.install, program_of(connection))
        try:
            nonce = handshake.new_secret()
            await connection.send(protocol.encode(protocol.PairingNonce(nonce=nonce)))
            revealed = await receive(connection, protocol.Reveal)
            promised = hashlib.sha256(revealed.nonce.encode()).hexdigest()
            if not hmac.compare_digest(promised.encode(), first.commitment.encode()):
                raise KaptureError("INVALID_PARAMS", "the pair page did not reveal what it had promised")
        except BaseException:
            self._desk.withdraw(request)
            raise
        self._desk.show(request, code_of(first.install, address_of(connection), revealed.nonce, nonce))
        return request

    async def serve(self, connection: ServerConnection, request: PairingRequest) -> None:
        """Wait for both words and give the key; returns when the connection may be closed.

        Raises:
            KaptureError: the request was refused or has expired, or the page said what it may not.
        """
        hearing = tasks.spawn(self._hear(connection, request), "pair page")
        try:
            await request.decided.wait()
        finally:
            await tasks.end(hearing)
            if not request.decided.is_set():
                self._desk.withdraw(request)
        if not hearing.cancelled() and (wrong := hearing.result()) is not None:
            raise wrong
        if request.state == "open":
            await self._give_key(connection, request)
        elif request.state == "refused":
            raise KaptureError("DENIED", "the person refused it in the panel")
        elif request.state == "expired":
            raise KaptureError("APPROVAL_EXPIRED", "nobody compared the codes in time", "begin again")

    async def _hear(self, connection: ServerConnection, request: PairingRequest) -> KaptureError | None:
        """Until the page has gone: all it may say is that the person confirmed. Else returns what was wrong."""
        try:
            while True:
                await receive(connection, protocol.Confirm)
                self._desk.confirm(request)
        except ConnectionClosed:
            self._desk.withdraw(request)
            return None
        except KaptureError as error:
            self._desk.withdraw(request)
            return error

    async def _give_key(self, connection: ServerConnection, request: PairingRequest) -> None:
        key = handshake.new_secret()
        try:
            self._paired.add(request.install, key, request.browser)
        except OSError as error:
            self._desk.refuse(request)
            raise KaptureError("INTERNAL", f"the panel could not write the pairing down: {error.strerror}") from None
        self._desk.finish(request)
        log.info("%s was paired", request.browser)
        await connection.send(protocol.encode(protocol.Paired(key=key)))


def demand_protocol(theirs: int) -> None:
    """See that an extension speaks the panel's protocol.

    Raises:
        KaptureError: `OLD_EXTENSION` or `OLD_PANEL`: from the code the extension knows what its person can do.
    """
    versions = f"the extension speaks protocol {theirs}, the panel {protocol.VERSION}"
    if theirs < protocol.VERSION:
        raise KaptureError("OLD_EXTENSION", versions, "reload the extension on its browser's extensions page")
    if theirs > protocol.VERSION:
        raise KaptureError("OLD_PANEL", versions, "update Kapture Panel")


async def receive(connection: ServerConnection, *wanted: type[Any]) -> Any:
    """The next frame, which must be one of `wanted`.

    Raises:
        KaptureError: `INVALID_PARAMS`, it is another one.
        ConnectionClosed: there is none any more.
    """
    message = protocol.decode(await connection.recv())
    if not isinstance(message, wanted):
        names = " or ".join(one.__name__ for one in wanted)
        raise KaptureError("INVALID_PARAMS", f"{names} was due, not {type(message).__name__}")
    return message


def address_of(connection: ServerConnection) -> str:
    """The host:port that was dialled; the upgrade was refused unless it is ours."""
    assert connection.request is not None
    return connection.request.headers["Host"]


def program_of(connection: ServerConnection) -> str:
    """Which browser it says to be, "Chrome 156"; "A browser" when it does not."""
    assert connection.request is not None
    said = connection.request.headers.get("User-Agent", "")
    for token, name in _PROGRAMS.items():
        if found := re.search(rf"\b{token}/(\d{{1,4}})", said):
            return f"{name} {found[1]}"
    return "A browser"
