"""A proxy between the extension and the panel that holds what crosses, and cuts, at any byte in either direction."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Literal

from kapture_panel.core.basics import tasks
from tests.support.patience import PATIENCE_S

Direction = Literal["to_panel", "to_browser"]
#: What the panel says in the clear; what the browser says is masked.
_REGISTERED = re.compile(rb'"type":"registered","tabId":"(\w+)"')


@dataclass(eq=False)
class Passing:
    """One connection that passes through; `tab_id` names the tab whose link it is, once the panel has said so."""

    browser: asyncio.StreamWriter
    panel: asyncio.StreamWriter
    registered: asyncio.Event
    #: Bytes that may still cross, by direction; what is not named crosses without end.
    left: dict[Direction, int] = field(default_factory=dict)
    #: What waits because no more may cross; it is lost with a cut.
    held: asyncio.Event = field(default_factory=asyncio.Event)
    cuts_at_end: bool = False
    tab_id: str = ""
    is_cut: bool = False
    #: When, by the monotonic clock.
    registered_at: float = 0.0
    cut_at: float = 0.0
    #: What has crossed to the browser.
    said: bytearray = field(default_factory=bytearray)
    moved: asyncio.Event = field(default_factory=asyncio.Event)

    def cut(self) -> None:
        """Break both halves at once, with all that has not crossed."""
        if not self.is_cut:
            self.is_cut, self.cut_at = True, time.monotonic()
        self.browser.transport.abort()
        self.panel.transport.abort()

    async def carried(self, text: str) -> None:
        """Wait until a text has crossed to the browser."""
        async with asyncio.timeout(PATIENCE_S):
            while text.encode() not in self.said:
                self.moved.clear()
                await self.moved.wait()

    async def pass_on(self, direction: Direction, data: bytes) -> None:
        """Let what may cross do so; the last byte that may cuts, or holds back the rest."""
        writer = self.panel if direction == "to_panel" else self.browser
        if direction == "to_browser" and (registered := _REGISTERED.search(data)):
            self.tab_id, self.registered_at = registered[1].decode(), time.monotonic()
            self.registered.set()
        if direction in self.left:
            data, rest = data[: self.left[direction]], data[self.left[direction] :]
            self.left[direction] -= len(data)
            if rest or (self.cuts_at_end and not self.left[direction]):
                self.held.set()
        writer.write(data)
        await writer.drain()
        if direction == "to_browser":
            self.said += data
            self.moved.set()
        if self.held.is_set() and self.cuts_at_end:
            self.cut()


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
