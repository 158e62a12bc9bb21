"""An MCP client of few lines: what is measured is the panel, not the client."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from kapture_panel.core.basics import tasks

PREFIX = "kapturemcp_"
INITIALIZE = {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"},
}  # fmt: skip


class LineClient:
    """Speaks JSON-RPC with a server's process, a line a message."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout
        self._serial = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._pump = tasks.spawn(self._receive(), "bench client")

    async def begin(self) -> None:
        """Greet the server."""
        await self.request("initialize", INITIALIZE)
        self._send({"method": "notifications/initialized"})

    async def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """What a request is answered.

        Raises:
            RuntimeError: with an error.
        """
        number = next(self._serial)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._send({"id": number, "method": method, "params": params})
        message = await answer
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        result: dict[str, Any] = message["result"]
        return result

    async def call(self, command: str, **given: Any) -> dict[str, Any]:
        """The structured answer of a command, or its text as `text`.

        Raises:
            RuntimeError: the command failed.
        """
        result = await self.tool(PREFIX + command, given)
        text = "".join(block.get("text", "") for block in result["content"])
        structured: dict[str, Any] | None = result.get("structuredContent")
        if structured is not None:
            return structured
        return dict(json.loads(text)) if text.startswith("{") else {"text": text}

    async def picture(self, name: str) -> bytes:
        """A screenshot in its default format."""
        result = await self.tool(PREFIX + "screenshot", {"name": name})
        return base64.b64decode(next(block["data"] for block in result["content"] if block["type"] == "image"))

    async def tool(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        """What a tool of any server answers, as it came.

        Raises:
            RuntimeError: it failed.
        """
        result = await self.request("tools/call", {"name": name, "arguments": given})
        if result.get("isError"):
            raise RuntimeError(f"{name}: {''.join(block.get('text', '') for block in result['content'])}")
        return result

    async def end(self) -> None:
        """Hang up."""
        self._in.close()
        await self._pump

    def _send(self, message: dict[str, Any]) -> None:
        self._in.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def _receive(self) -> None:
        async for line in self._out:
            message = json.loads(line)
            waiting = self._waiting.pop(message["id"], None) if "method" not in message else None
            if waiting is not None and not waiting.cancelled():
                waiting.set_result(message)


@asynccontextmanager
async def talking_to(*command: str, folder: Path | None = None) -> AsyncIterator[LineClient]:
    """Start a server and talk to it; its process has ended afterwards.

    Args:
        folder: where a server of others works; what it says beside its answers is not shown.
    """
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=64 * 1024 * 1024,
        cwd=folder, stderr=None if folder is None else asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    client = LineClient(process)
    await client.begin()
    try:
        yield client
    finally:
        await client.end()
        await process.wait()
