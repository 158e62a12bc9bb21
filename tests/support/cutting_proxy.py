"""A proxy between extension and panel that delays, cuts, repeats and garbles at any byte in either direction."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

from kapture_panel.core.basics import tasks
from tests.support.patience import PATIENCE_S

Direction = Literal["to_panel", "to_browser"]
#: What the panel says in the clear; what the browser says is masked.
_REGISTERED = re.compile(rb'"type":"registered","tabId":"(\w+)"')


class Frames:
    """Where in a stream each frame of a WebSocket ends, once its HTTP head is over."""

    def __init__(self) -> None:
        self._is_open = False
        self._frame = bytearray()

    def pieces(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """What came, in pieces, each with the whole frame that ends with it, if one does."""
        while data:
            piece, data = data[: (missing := self._missing())], data[missing:]
            self._frame += piece
            is_over = not self._missing()
            yield piece, bytes(self._frame) if is_over and self._is_open else b""
            if is_over:
                self._is_open = True
                self._frame.clear()

    def _missing(self) -> int:
        """How many bytes come at least before the frame is over."""
        frame = self._frame
        if not self._is_open:
            return 0 if frame.endswith(b"\r\n\r\n") else 1
        if len(frame) < 2:
            return 2 - len(frame)
        short = frame[1] & 0x7F
        head = 2 + {126: 2, 127: 8}.get(short, 0)
        if len(frame) < head:
            return head - len(frame)
        size = short if head == 2 else int.from_bytes(frame[2:head])
        return head + (4 if frame[1] & 0x80 else 0) + size - len(frame)


@dataclass(eq=False)
class Passing:
    """One connection that passes through; `tab_id` names the tab whose link it is, once the panel has said so."""

    browser: asyncio.StreamWriter
    panel: asyncio.StreamWriter
    registered: asyncio.Event
    #: Bytes that may still cross, by direction; what is not named crosses without end.
    left: dict[Direction, int] = field(default_factory=dict)
    #: Set when something waits because no more may cross; it is lost with a cut.
    held: asyncio.Event = field(default_factory=asyncio.Event)
    #: Once so many bytes more have come, each frame crosses twice; `repeated` counts them.
    repeat: dict[Direction, int] = field(default_factory=dict)
    repeated: int = 0
    #: After so many bytes more one is garbled: no letter of ours has the bit that is turned over.
    flip: dict[Direction, int] = field(default_factory=dict)
    cuts_at_end: bool = False
    tab_id: str = ""
    is_cut: bool = False
    #: Set when either side has ended it, or a cut.
    over: asyncio.Event = field(default_factory=asyncio.Event)
    #: When, by the monotonic clock.
    registered_at: float = 0.0
    cut_at: float = 0.0
    #: What has crossed to the browser.
    said: bytearray = field(default_factory=bytearray)
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    _waiting: dict[Direction, bytes] = field(default_factory=dict)
    _frames: dict[Direction, Frames] = field(default_factory=lambda: {"to_panel": Frames(), "to_browser": Frames()})

    def cut(self) -> None:
        """Break both halves at once, with all that has not crossed."""
        if not self.is_cut:
            self.is_cut, self.cut_at = True, time.monotonic()
            self.over.set()
        self.browser.transport.abort()
        self.panel.transport.abort()

    async def carried(self, text: str) -> None:
        """Wait until a text has crossed to the browser."""
        async with asyncio.timeout(PATIENCE_S):
            while text.encode() not in self.said:
                self.moved.clear()
                await self.moved.wait()

    def delay(self, direction: Direction, after: int = 0) -> None:
        """Let so many bytes cross, and hold what comes then until `go_on`."""
        self.left[direction] = after

    def go_on(self, direction: Direction) -> None:
        """Let all cross that waits, and what comes behind it."""
        del self.left[direction]
        self.held.clear()
        self._cross(direction, self._waiting.pop(direction, b""))

    async def pass_on(self, direction: Direction, data: bytes) -> None:
        """Let what may cross do so; the last byte that may cuts, or holds back the rest."""
        if direction == "to_browser" and (registered := _REGISTERED.search(data)):
            self.tab_id, self.registered_at = registered[1].decode(), time.monotonic()
            self.registered.set()
        data = self._garbled(direction, b"".join(self._repeating(direction, data)))
        if direction in self.left:
            data, rest = data[: self.left[direction]], data[self.left[direction] :]
            self.left[direction] -= len(data)
            self._waiting[direction] = self._waiting.get(direction, b"") + rest
            if rest or (self.cuts_at_end and not self.left[direction]):
                self.held.set()
        await self._cross(direction, data).drain()
        if self.held.is_set() and self.cuts_at_end:
            self.cut()

    def _cross(self, direction: Direction, data: bytes) -> asyncio.StreamWriter:
        writer = self.panel if direction == "to_panel" else self.browser
        writer.write(data)
        if direction == "to_browser":
            self.said += data
            self.moved.set()
        return writer

    def _repeating(self, direction: Direction, data: bytes) -> Iterator[bytes]:
        for piece, whole in self._frames[direction].pieces(data):
            yield piece
            if direction not in self.repeat:
                continue
            self.repeat[direction] -= len(piece)
            if whole and self.repeat[direction] < 0:
                self.repeated += 1
                yield whole

    def _garbled(self, direction: Direction, data: bytes) -> bytes:
        if direction not in self.flip:
            return data
        at = self.flip[direction]
        self.flip[direction] -= len(data)
        if not 0 <= at < len(data):
            return data
        return data[:at] + bytes([data[at] ^ 0x80]) + data[at + 1 :]


class CuttingProxy:
    """Listens on a port of its own and passes on to the panel's."""

    def __init__(self, panel_port: int) -> None:
        self._panel_port = panel_port
        self._server: asyncio.Server
        self.passing: list[Passing] = []
        self._registered = asyncio.Event()

    @property
    def port(self) -> int:
        """Where the extension is to dial."""
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def link_of(self, tab_id: str) -> Passing:
        """The link of a tab, once it is registered and not cut."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                self._registered.clear()
                for one in self.passing:
                    if one.tab_id == tab_id and not one.is_cut:
                        return one
                await self._registered.wait()

    def cut_all(self) -> None:
        """Break every connection there is."""
        for one in tuple(self.passing):
            one.cut()

    async def open(self) -> None:
        """Start to listen."""
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", 0)

    async def close(self) -> None:
        """Listen no more and break what passes."""
        self._server.close()
        self.cut_all()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_panel, to_panel = await asyncio.open_connection("127.0.0.1", self._panel_port)
        except ConnectionError:  # the panel is away, as without a proxy
            writer.transport.abort()
            return
        one = Passing(writer, to_panel, self._registered)
        self.passing.append(one)
        back = tasks.spawn(self._pump(one, "to_browser", from_panel), "to the browser")
        await self._pump(one, "to_panel", reader)
        await tasks.end(back)
        self.passing.remove(one)

    @staticmethod
    async def _pump(one: Passing, direction: Direction, reader: asyncio.StreamReader) -> None:
        try:
            while data := await reader.read(65536):
                await one.pass_on(direction, data)
        except ConnectionError:
            pass  # the far side has gone: so does this one
        one.cut()


@asynccontextmanager
async def cutting_proxy(panel_port: int) -> AsyncIterator[CuttingProxy]:
    """A proxy that passes on to a panel."""
    proxy = CuttingProxy(panel_port)
    await proxy.open()
    try:
        yield proxy
    finally:
        await proxy.close()
