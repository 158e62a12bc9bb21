"""A server that falls silent, and then takes every request without a word."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from kapture_panel.core.basics import tasks
from tests.support.patience import PATIENCE_S

#: A page that hears of its end is not kept whole for the way back.
_PAGE = b"""<!doctype html><title>Said</title><link rel=icon href="data:,">
<script>addEventListener("unload", () => {});</script>"""
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
_NOTHING = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"


class Silent:
    """`url` ends in a slash; every path has the same page until `mute`, but for one that begins with "never".

    `asked` is set when a request came that is not answered; so many of them are `waiting`.
    """

    def __init__(self) -> None:
        self.url = ""
        self.asked = asyncio.Event()
        self.mute = False
        self.waiting = 0
        self._given_up = asyncio.Event()

    @property
    def hang(self) -> str:
        """A statement that holds its page as a loop without end would, but takes no processor from the other tests."""
        return f"const never = new XMLHttpRequest(); never.open('GET', '{self.url}never', false); never.send();"

    async def keeps_waiting(self, count: int) -> None:
        """Wait until so many requests are not answered."""
        async with asyncio.timeout(PATIENCE_S):
            while self.waiting < count:
                self.asked.clear()
                await self.asked.wait()

    def give_up(self) -> None:
        """Answer those who wait that there is nothing for them: they stay where they are."""
        self.waiting = 0
        self._given_up.set()
        self._given_up = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer a connection's one request, or wait until the other side gives up."""
        try:
            path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
            if self.mute or path.startswith("/never"):
                self.waiting += 1
                self.asked.set()
                given_up = self._given_up
                ends = [tasks.spawn(reader.read(), "they give up"), tasks.spawn(given_up.wait(), "we give up")]
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
                for end in ends:
                    end.cancel()
                if given_up.is_set():
                    writer.write(_NOTHING)
                else:
                    self.waiting -= 1
            else:
                writer.write(_HEAD + _PAGE)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # a browser opens connections it does not use
        finally:
            writer.close()


@asynccontextmanager
async def silent_server() -> AsyncIterator[Silent]:
    """The server, while it listens."""
    silent = Silent()
    server = await asyncio.start_server(silent.serve, "127.0.0.1", 0)
    silent.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    try:
        yield silent
    finally:
        server.close()
