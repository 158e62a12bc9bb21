"""Carries the wire of a browser on another machine over CDP: a socket to our listener for each that it asks for.

The extension's half is `extension/wire/carrier.js`. So nothing on the other machine reaches the panel's port, and the
listener treats what is carried like any other connection.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.hub.browsers.cdp import Cdp

log = logging.getLogger(__name__)

#: What the worker calls to be heard; `carrier.js` has the same.
BINDING = "kaptureCarry"
#: What it says once its code has run.
READY = "0 ready "
#: A longer frame goes in pieces, so that a file holds up no other tab for long.
PIECE_CHARS = 256 * 1024
#: So many pieces are on the way to the browser at once: more wait here.
_ON_THE_WAY = 4
#: One for the browser and one for each tab that can be connected.
MAX_SOCKETS = 201
_TAKE = "function (number, kind, data) { this.take(number, kind, data); }"


class Carrier:
    """The sockets of one browser.

    Args:
        cdp: the way to the browser.
        port: our own listener's; the worker's word on where to go is not asked for.
        install: whose links these are: a socket that greets as somebody else is closed.
        on_first_tab: called once when a tab's link is asked for, beside the browser's own.
    """

    def __init__(self, cdp: Cdp, port: int, install: str, on_first_tab: Callable[[], None] = lambda: None) -> None:
        self._cdp = cdp
        self._on_first_tab = on_first_tab
        self._has_had_tabs = False
        self._port = port
        self._install = install
        self._room = asyncio.Semaphore(_ON_THE_WAY)
        self._session = ""
        self._object = ""
        self._code = _Code()
        self._sockets: dict[int, _Socket] = {}
        self._changing: asyncio.Task[None] | None = None

    async def attach(self, target: str) -> None:
        """Carry for the worker that this target is, in place of the one before.

        Raises:
            KaptureError: `INTERNAL`, it went meanwhile.
        """
        await self.detach()
        attached = await self._cdp.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        self._session = attached["sessionId"]
        await self._begin()

    async def detach(self) -> None:
        """The worker is gone, and its sockets with it."""
        self._session = ""
        self._code.go()
        await tasks.end(self._changing)
        await self._close_all()

    async def _begin(self) -> None:
        """Be heard by the worker, and hear it."""
        self._code.go()
        self._code = code = _Code()
        await self._cdp.call("Runtime.addBinding", {"name": BINDING}, self._session)
        # Its target is there before its code has run: code that runs from now on says so, code that has run does not.
        has_run = await self._cdp.call(
            "Runtime.evaluate", {"expression": "'kaptureCarrier' in globalThis"}, self._session
        )
        if not has_run["result"]["value"]:
            await code.run()
        found = await self.evaluate("globalThis.kaptureCarrier", by_value=False)
        self._object = found["result"]["objectId"]
        await self.evaluate("kaptureCarrier.attached()")

    async def _close_all(self) -> None:
        for socket in tuple(self._sockets.values()):
            await tasks.end(socket.running)
        self._sockets.clear()

    async def _begin_again(self) -> None:
        try:
            await self._close_all()
            await self._begin()
        except KaptureError as error:
            log.info("a remote worker went again: %s", error)

    async def evaluate(self, expression: str, *, by_value: bool = True) -> JsonObject:
        """Evaluate in the worker.

        Raises:
            KaptureError: `INTERNAL`, it went meanwhile, or the code threw.
        """
        params = {"expression": expression, "awaitPromise": True, "returnByValue": by_value}
        reply = await self._cdp.call("Runtime.evaluate", params, self._session)
        if "exceptionDetails" in reply:
            raise KaptureError("INTERNAL", f"the extension: {reply['exceptionDetails'].get('text')}")
        return reply

    def is_of(self, session: str) -> bool:
        """Whether a session of CDP is the one of the worker."""
        return bool(session) and session == self._session

    def on_event(self, method: str, params: JsonObject, session: str) -> None:
        """Take an event of the worker's session; a worker that was ended and runs again keeps that."""
        if method in ("Inspector.targetCrashed", "Inspector.targetReloadedAfterCrash") and self.is_of(session):
            before = self._changing
            again = self._close_all() if method == "Inspector.targetCrashed" else self._begin_again()
            self._changing = tasks.spawn(_after(before, again), "a remote worker")
            return
        if not self.is_of(session) or method != "Runtime.bindingCalled" or params.get("name") != BINDING:
            return
        if params.get("payload") == READY:
            self._code.has_run()
            return
        head, kind, data = (*str(params.get("payload")).split(" ", 2), "", "")[:3]
        number = int(head) if head.isdecimal() else 0
        socket = self._sockets.get(number)
        if socket is not None:
            socket.take(kind, data)
        elif kind == "open":
            self._open(number)

    async def say(self, number: int, kind: str, data: str = "") -> None:
        """Say something to a socket's other end; of several things the first arrives first.

        Raises:
            KaptureError: `INTERNAL`, the browser has ended.
        """
        params: JsonObject = {
            "objectId": self._object,
            "functionDeclaration": _TAKE,
            "arguments": [{"value": number}, {"value": kind}, {"value": data}],
            "silent": True,
        }
        await self._room.acquire()
        try:
            arrived = await self._cdp.begin("Runtime.callFunctionOn", params, self._session)
        except BaseException:
            self._room.release()
            raise
        arrived.add_done_callback(self._on_arrived)

    def _on_arrived(self, arrived: asyncio.Future[JsonObject]) -> None:
        self._room.release()
        if not arrived.cancelled() and (error := arrived.exception()) is not None:
            log.info("a piece for a remote browser did not arrive: %s", error)

    def _open(self, number: int) -> None:
        if len(self._sockets) >= MAX_SOCKETS:
            log.warning("a remote browser asks for more than %s sockets", MAX_SOCKETS)
            return
        socket = self._sockets[number] = _Socket(self, number, self._port, self._install)
        socket.running.add_done_callback(lambda _: self._forget(number, socket))
        if len(self._sockets) > 1 and not self._has_had_tabs:
            self._has_had_tabs = True
            self._on_first_tab()

    def _forget(self, number: int, socket: _Socket) -> None:
        if self._sockets.get(number) is socket:
            del self._sockets[number]


async def _after(before: asyncio.Task[None] | None, then: Coroutine[object, object, None]) -> None:
    if before is not None:
        await asyncio.wait([before])
    await then


class _Code:
    """Whether the worker's code has run."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()
        self._is_gone = False

    def has_run(self) -> None:
        """It says so itself."""
        self._changed.set()

    def go(self) -> None:
        """Nobody asks for this worker any more: who waits for its code is let go."""
        self._is_gone = True
        self._changed.set()

    async def run(self) -> None:
        """Wait until it has run.

        Raises:
            KaptureError: `INTERNAL`, the worker went meanwhile.
        """
        await self._changed.wait()
        if self._is_gone:
            raise KaptureError("INTERNAL", "the extension's worker went before its code had run")


class _Socket:
    """One socket of the extension and the one to our listener that stands for it."""

    def __init__(self, carrier: Carrier, number: int, port: int, install: str) -> None:
        self._carrier = carrier
        self._number = number
        self._port = port
        self._install = install
        self._parts: list[str] = []
        self._chars = 0
        self._is_greeted = False
        #: What the extension said; None is its end.
        self._said: asyncio.Queue[str | None] = asyncio.Queue()
        self.running = tasks.spawn(self._run(), "carry a link")

    def take(self, kind: str, data: str) -> None:
        """Take what the extension's end says."""
        self._chars += len(data)
        if kind == "close" or self._chars > protocol.MAX_FRAME_BYTES:
            self._said.put_nowait(None)
        elif kind == "part":
            self._parts.append(data)
        elif kind == "text":
            self._said.put_nowait("".join(self._parts) + data)
            self._parts, self._chars = [], 0

    async def _run(self) -> None:
        reason = "the panel does not listen"
        try:
            async with connect(
                f"ws://127.0.0.1:{self._port}",
                origin=f"chrome-extension://{EXTENSION_ID}",  # type: ignore[arg-type] # a NewType of str
                compression=None,
                max_size=2 * protocol.MAX_FRAME_BYTES,
                ping_interval=None,
                proxy=None,
            ) as local:
                await self._carrier.say(self._number, "open")
                reason = await self._carry(local)
        except (OSError, WebSocketException, TimeoutError):
            log.info("a remote browser's link was not taken")
        except KaptureError:
            return  # the browser has ended: nobody is there to be told
        await self._tell_end(reason)

    async def _carry(self, local: ClientConnection) -> str:
        """Carry both ways until one end closes; why it did."""
        inward = tasks.spawn(self._send_all(local), "carry to the panel")
        try:
            async for frame in local:
                await self._carry_out(str(frame))
        except ConnectionClosed:
            pass  # the same as the loop's end
        finally:
            await tasks.end(inward)
        return local.close_reason or ""

    async def _carry_out(self, frame: str) -> None:
        for start in range(0, len(frame) - PIECE_CHARS, PIECE_CHARS):
            await self._carrier.say(self._number, "part", frame[start : start + PIECE_CHARS])
        rest = (len(frame) - 1) // PIECE_CHARS * PIECE_CHARS if frame else 0
        await self._carrier.say(self._number, "text", frame[rest:])

    async def _send_all(self, local: ClientConnection) -> None:
        try:
            while (text := await self._said.get()) is not None and self._is_ours(text):
                await local.send(text)
            await local.close()
        except ConnectionClosed:
            return

    def _is_ours(self, text: str) -> bool:
        """Whether a link greets as this very browser: else a machine elsewhere could knock as one of the person's."""
        if not self._is_greeted:
            try:
                said = json.loads(text)
                self._is_greeted = said["type"] == "hello" and said["install"] == self._install
            except (ValueError, TypeError, KeyError, RecursionError):
                self._is_greeted = False
            if not self._is_greeted:
                log.warning("a remote browser greets as another one")
        return self._is_greeted

    async def _tell_end(self, reason: str) -> None:
        try:
            await self._carrier.say(self._number, "close", reason)
        except KaptureError:
            log.info("a remote browser went before its link's end was told")
