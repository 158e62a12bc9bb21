"""A proxy between the panel and a Selenium Grid: it delays, cuts, falls silent, or wants TLS and a token."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

from kapture_panel.core.basics import tasks

_AUTHORIZATION = re.compile(rb"\r\nauthorization: ([^\r]*)", re.IGNORECASE)
_REFUSED = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Relay:
    """Listens on a port of its own and passes on to a Grid.

    Args:
        grid: the Grid's address, `http://HOST:PORT`.
        delay_s: how long everything is on its way, in each direction.
        tls: what it proves itself with; None: it speaks http.
        token: the bearer token that each connection's first request must have; the Grid does not see it.
    """

    def __init__(self, grid: str, delay_s: float = 0.0, tls: ssl.SSLContext | None = None, token: str = "") -> None:
        self._grid = urlsplit(grid)
        self._delay_s = delay_s
        self._tls = tls
        self._token = token
        self._server: asyncio.Server
        self._passing: set[asyncio.Task[None]] = set()
        self._is_silent = False
        #: The first line of each connection that was let in, and of each that was not.
        self.taken: list[str] = []
        self.refused: list[str] = []

    @property
    def address(self) -> str:
        """What a place is told."""
        port = self._server.sockets[0].getsockname()[1]
        return f"http{'s' if self._tls else ''}://127.0.0.1:{port}"

    async def open(self) -> None:
        """Start to listen."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self._tls)

    async def close(self) -> None:
        """Listen no more and break what passes."""
        self._server.close()
        await self.cut()

    async def cut(self) -> None:
        """Break every connection there is; new ones are let in."""
        for passing in tuple(self._passing):
            await tasks.end(passing)

    def fall_silent(self) -> None:
        """Pass nothing on, and keep all sockets open; new ones are taken and hear nothing."""
        self._is_silent = True

    async def speak(self) -> None:
        """Serve whoever comes now; what stood in the silence is lost."""
        await self.cut()
        self._is_silent = False

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        passing = tasks.spawn(self._serve(reader, writer), "a connection through the relay")
        self._passing.add(passing)
        passing.add_done_callback(self._passing.discard)
        with suppress(asyncio.CancelledError):
            await asyncio.wait([passing])

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            line = head.partition(b"\r\n")[0].decode()
            found = _AUTHORIZATION.search(head)
            if self._token and (found is None or found[1].decode() != f"Bearer {self._token}"):
                self.refused.append(line)
                writer.write(_REFUSED)
            else:
                self.taken.append(line)
                await self._pass_on(_AUTHORIZATION.sub(b"", head), reader, writer)
            writer.close()  # once what was written is out
        except (ConnectionError, asyncio.IncompleteReadError):
            writer.transport.abort()  # one side has gone: so does the other
        except asyncio.CancelledError:
            writer.transport.abort()
            raise

    async def _pass_on(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_grid, to_grid = await asyncio.open_connection(self._grid.hostname, self._grid.port)
        back = tasks.spawn(self._pump(from_grid, writer), "from the Grid")
        there = tasks.spawn(self._pump(reader, to_grid, head), "to the Grid")
        try:
            await asyncio.wait([there, back], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await tasks.end(there)
            await tasks.end(back)
            to_grid.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: bytes = b"") -> None:
        """Pass on what comes until there is no more; what came before the end still arrives."""
        on_the_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        clock = asyncio.get_running_loop()
        arriving = tasks.spawn(self._arrive(on_the_way, writer), "on the way")
        try:
            if head:
                on_the_way.put_nowait((clock.time() + self._delay_s, head))
            while data := await reader.read(65536):
                on_the_way.put_nowait((clock.time() + self._delay_s, data))
            on_the_way.put_nowait((clock.time() + self._delay_s, b""))
            await asyncio.wait([arriving])
        except ConnectionError:
            return  # one side has gone: so does the other
        finally:
            await tasks.end(arriving)

    async def _arrive(self, on_the_way: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        clock = asyncio.get_running_loop()
        while True:
            at, data = await on_the_way.get()
            if at > clock.time():
                await asyncio.sleep(at - clock.time())  # this long is the way
            if self._is_silent:
                await asyncio.Event().wait()  # until it is cut
            if not data:
                return
            try:
                writer.write(data)
                await writer.drain()
            except ConnectionError:
                return  # one side has gone: so does the other


@asynccontextmanager
async def relay(
    grid: str, delay_s: float = 0.0, tls: ssl.SSLContext | None = None, token: str = ""
) -> AsyncIterator[Relay]:
    """A relay that listens."""
    made = Relay(grid, delay_s, tls, token)
    await made.open()
    try:
        yield made
    finally:
        await made.close()
