"""An MCP client that says lines of its own, whatever they are, to a session of the fake world."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from kapture_panel.core.basics import tasks
from tests.support.core.fakes import World
from tests.support.hub.conversation import Conversation
from tests.support.patience import PATIENCE_S

HELLO = {"capabilities": {}, "clientInfo": {"name": "greedy", "version": "1"}}


class LineClient:
    """A client that says lines and reads answers only while it `reads`."""

    def __init__(self, world: World) -> None:
        self.reads = asyncio.Event()
        self.reads.set()
        #: The answers by their ids, and what came without one.
        self.heard: dict[Any, dict[str, Any]] = {}
        self.notified: list[dict[str, Any]] = []
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._came = asyncio.Condition()
        self.session = Conversation(world).session(self._send)

    async def _send(self, line: str) -> None:
        await self.reads.wait()
        message = json.loads(line)
        if "id" in message:
            self.heard[message["id"]] = message
        else:
            self.notified.append(message)
        async with self._came:
            self._came.notify_all()

    async def lines(self) -> AsyncIterator[bytes]:
        while (line := await self._lines.get()) is not None:
            self._lines.task_done()
            yield line

    def say_line(self, line: bytes) -> None:
        """Say a line as it stands."""
        self._lines.put_nowait(line)

    def say(self, method: str, request: Any = None, **params: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self._lines.put_nowait(json.dumps(message if request is None else {**message, "id": request}).encode())

    def hang_up(self) -> None:
        self._lines.put_nowait(None)

    async def read_by_panel(self) -> None:
        """Return when the panel has taken every line that was said."""
        async with asyncio.timeout(PATIENCE_S):
            await self._lines.join()

    @property
    def unread(self) -> int:
        """How many lines the panel has not taken."""
        return self._lines.qsize()

    async def answers(self, *requests: Any) -> list[dict[str, Any]]:
        async with asyncio.timeout(PATIENCE_S), self._came:
            await self._came.wait_for(lambda: all(request in self.heard for request in requests))
        return [self.heard[request] for request in requests]


@asynccontextmanager
async def talking(world: World, version: str = "2025-06-18") -> AsyncIterator[LineClient]:
    """A client that has shaken hands on a version of the protocol."""
    client = LineClient(world)
    serving = tasks.spawn(client.session.serve(client.lines()), "MCP session")
    client.say("initialize", "hello", **HELLO | {"protocolVersion": version})
    await client.answers("hello")
    client.say("notifications/initialized")
    try:
        yield client
    finally:
        client.reads.set()
        client.hang_up()
        await serving
