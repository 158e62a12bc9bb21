"""What one client has not read yet, and which of its requests are open: both are limited, whatever it asks for."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable

from kapture_panel.core.basics.errors import KaptureError

#: So many requests of one client may be under way; of commands the router keeps the same count itself.
MAX_UNDER_WAY = 64
#: So much may wait for the client to read it; then its requests are refused.
MAX_WAITING_BYTES = 8 * 1024 * 1024
#: Refusals have so much room beyond that; then nothing more is read from it.
REFUSALS_BYTES = 1024 * 1024
#: What is told unasked waits until the client has read nearly all of the rest.
CALM_BYTES = 64 * 1024
#: Answers and rows of their own say that too many are under way: the router refuses those.
COUNTED_ELSEWHERE = "tools/call"
#: Asks only whether somebody is there.
PING = "ping"


class Outbox:
    """Lines that wait until the client has read those before them.

    Args:
        send: writes one line and returns when the connection takes more; raises ConnectionError when it is gone.
    """

    def __init__(self, send: Callable[[str], Awaitable[None]]) -> None:
        self._send = send
        self._lines: deque[str] = deque()
        self._changed = asyncio.Condition()
        self.waiting_bytes = 0

    async def put(self, line: str) -> None:
        """Have a line sent after those already waiting."""
        self._lines.append(line)
        self.waiting_bytes += len(line.encode())
        async with self._changed:
            self._changed.notify_all()

    async def carry(self) -> None:
        """Send what is put, for ever; a child that is gone hears nothing."""
        while True:
            if not self._lines:
                async with self._changed:
                    await self._changed.wait_for(lambda: self._lines)
            line = self._lines.popleft()
            with contextlib.suppress(ConnectionError):
                await self._send(line)
            self.waiting_bytes -= len(line.encode())
            async with self._changed:
                self._changed.notify_all()

    async def room(self) -> None:
        """Return when there is room for refusals at least."""
        await self._below(MAX_WAITING_BYTES + REFUSALS_BYTES)

    async def calm(self) -> None:
        """Return when there is room for what nobody asked for."""
        await self._below(CALM_BYTES)

    async def emptied(self) -> None:
        """Return when all is sent."""
        await self._below(0)

    async def _below(self, max_bytes: int) -> None:
        if self.waiting_bytes <= max_bytes:
            return
        async with self._changed:
            await self._changed.wait_for(lambda: self.waiting_bytes <= max_bytes)


class UnderWay:
    """The requests of one client that are not answered yet.

    Args:
        outbox: what the client has not read yet.
    """

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._ids: set[str] = set()

    def __len__(self) -> int:
        return len(self._ids)

    def admit(self, method: str, request: int | str) -> None:
        """Count a request that came, by its id; a ping always may.

        Raises:
            KaptureError: `BUSY` when the client has too much under way or unread, `INVALID_PARAMS` when the id is that
                of a request under way.
        """
        if method == PING:
            return
        if str(request) in self._ids:
            raise KaptureError("INVALID_PARAMS", f"a request with the id {str(request)[:80]} is under way already")
        if self._outbox.waiting_bytes >= MAX_WAITING_BYTES:
            size = f"{MAX_WAITING_BYTES // 1024 // 1024} MiB of answers wait for this client to read them"
            raise KaptureError("BUSY", size, "read them, then ask again")
        if len(self._ids) >= MAX_UNDER_WAY and method != COUNTED_ELSEWHERE:
            raise KaptureError(
                "BUSY", f"{MAX_UNDER_WAY} requests of this client are under way", "wait for one of them to answer"
            )
        self._ids.add(str(request))

    def over(self, request: object) -> None:
        """The request with this id was answered, or given up by the client."""
        self._ids.discard(str(request))
