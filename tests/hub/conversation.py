"""An MCP conversation of the fake world: the official client at one end, a session of ours at the other."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from mcp.client.client import Client as McpClient
from mcp.shared.message import SessionMessage
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from kapture_panel.core import tasks
from kapture_panel.hub.mcp_session import McpSession
from kapture_panel.hub.mcp_tools import Tools, chosen_tools
from tests.core.fakes import CATALOGUE, World

MODES = ["legacy", "auto", MODERN_PROTOCOL_VERSIONS[-1]]
ME = types.Implementation(name="test-agent", version="2.1")


class Conversation:
    """A session of the world's agent; `said` are the lines of the client, `heard` those of the session."""

    def __init__(self, world: World, tools: str = "all") -> None:
        self.world = world
        self.said: list[dict[str, Any]] = []
        self.heard: list[dict[str, Any]] = []
        self._tools = Tools(world.agent, world.router, chosen_tools(CATALOGUE, tools))

    @asynccontextmanager
    async def transport(self) -> AsyncIterator[Any]:
        """Streams for the client: each message crosses as the line a child would relay."""
        to_client, client_reads = anyio.create_memory_object_stream[SessionMessage | Exception](100)
        client_writes, from_client = anyio.create_memory_object_stream[SessionMessage](100)

        async def lines() -> AsyncIterator[bytes]:
            async for sent in from_client:
                line = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                self.said.append(json.loads(line))
                yield line.encode() + b"\n"

        async def send(line: str) -> None:
            assert "\n" not in line
            self.heard.append(json.loads(line))
            message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            try:
                await to_client.send(SessionMessage(message))
            except anyio.BrokenResourceError:
                raise ConnectionResetError("Connection lost") from None

        session = McpSession(self.world.agent, self.world.clients, self._tools, send)
        serving = tasks.spawn(session.serve(lines()), "MCP session")
        async with to_client, client_reads, client_writes, from_client:
            yield client_reads, client_writes
            await client_writes.aclose()
            await serving

    @asynccontextmanager
    async def client(self, mode: str = "auto") -> AsyncIterator[McpClient]:
        async with McpClient(self.transport(), mode=mode, client_info=ME) as client:
            yield client


def text_of(result: types.CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, types.TextContent))
