"""The far ends of remote browsers: a Grid's HTTP and a browser's CDP, as far as a test tells them what to say."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.server import ServerConnection, serve

from kapture_panel.core.wire.handshake import EXTENSION_ID

WORKER = {"targetId": "W", "type": "service_worker", "url": f"chrome-extension://{EXTENSION_ID}/background.js"}
SESSION = {"sessionId": "a1", "capabilities": {"browserName": "chrome", "se:cdp": "ws://10.0.0.9:5555/elsewhere"}}


@dataclass
class Asked:
    """One request."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class FakeGrid:
    """Answers each path as it is told: (status, value); `/session` waits until `may_give` is set."""

    answers: dict[str, tuple[int, Any]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    may_give: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    address: str = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        method, path, _ = (await reader.readline()).decode().split(" ", 2)
        headers = {}
        while line := (await reader.readline()).decode().strip():
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.asked.append(Asked(method, path, headers, json.loads(body) if body else None))
        if method == "POST":
            await self.may_give.wait()
        status, value = self.answers.get(f"{method} {path}", (200, None))
        said = json.dumps({"value": value}).encode()
        head = f"HTTP/1.1 {status} Said\r\nContent-Length: {len(said)}\r\nLocation: /other\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + said)
        await writer.drain()
        writer.close()
        if method == "DELETE":
            self.ended.put_nowait(path)


@asynccontextmanager
async def fake_grid(**answers: tuple[int, Any]) -> AsyncIterator[FakeGrid]:
    """A Grid with one free slot that gives `SESSION`."""
    slots = {"ready": True, "nodes": [{"slots": [{"session": None}, {"session": {"sessionId": "x"}}]}]}
    usual = {
        "GET /status": (200, slots),
        "GET /se/grid/newsessionqueue/queue": (200, []),
        "POST /session": (200, SESSION),
    }
    grid = FakeGrid(usual | answers)
    grid.may_give.set()
    server = await asyncio.start_server(grid.serve, "127.0.0.1", 0)
    grid.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield grid


Answer = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass
class FarCdp:
    """A browser at a CDP address. `answers` are by method, in place of the usual ones; one that `is_silent` gives none;
    `heard` is set at each call."""

    answers: dict[str, Answer] = field(default_factory=dict)
    called: list[dict[str, Any]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    is_silent: bool = False
    has_extension: bool = True
    socket: ServerConnection | None = None
    address: str = ""

    async def serve(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        self.socket, self.headers = socket, dict(socket.request.headers.raw_items())
        async for text in socket:
            frame = json.loads(text)
            self.called.append(frame)
            self.heard.set()
            if self.is_silent:
                continue
            result = self.answers.get(frame["method"], _usual)(frame)
            await socket.send(json.dumps({"id": frame["id"], "result": result}))
            if frame["method"] == "Target.setDiscoverTargets" and self.has_extension:
                await self.say("Target.targetCreated", {"targetInfo": WORKER})

    async def say(self, method: str, params: dict[str, Any], session: str = "") -> None:
        """Tell an event."""
        assert self.socket is not None
        await self.socket.send(json.dumps({"method": method, "params": params, "sessionId": session}))

    async def until_called(self, method: str) -> dict[str, Any]:
        """The last call of a method, once there is one."""
        while not (found := [frame for frame in self.called if frame["method"] == method]):
            self.heard.clear()
            await self.heard.wait()
        return found[-1]

    def methods(self) -> list[str]:
        return [frame["method"] for frame in self.called]


def _usual(frame: dict[str, Any]) -> dict[str, Any]:
    method = frame["method"]
    if method == "Target.attachToTarget":
        return {"sessionId": "S"}
    if method == "Target.createTarget":
        return {"targetId": "P"}
    if method == "Browser.getVersion":
        return {"product": "Fake/1"}
    if method.startswith("Runtime."):
        return {"result": {"value": True, "objectId": "O"}}
    return {}


@asynccontextmanager
async def far_cdp(**fields: Any) -> AsyncIterator[FarCdp]:
    """A browser that answers by the book."""
    made = FarCdp(**fields)
    async with serve(made.serve, "127.0.0.1", 0, compression=None) as server:
        made.address = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
        yield made
