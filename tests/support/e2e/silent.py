"""A server that falls silent, and then takes every request without a word."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

#: A page that hears of its end is not kept whole for the way back.
_PAGE = b"""<!doctype html><title>Said</title><link rel=icon href="data:,">
<script>addEventListener("unload", () => {});</script>"""
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"


class Silent:
    """`url` ends in a slash; every path has the same page until `mute`, but for one that begins with "never".

    `asked` is set when a request came that is not answered.
    """

    def __init__(self) -> None:
        self.url = ""
        self.asked = asyncio.Event()
        self.mute = False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer a connection's one request, or wait until the other side gives up."""
        try:
            path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
            if self.mute or path.startswith("/never"):
                self.asked.set()
                await reader.read()
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
