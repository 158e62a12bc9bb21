"""An MCP conversation of the fake world: the official client at one end, a session of ours at the other."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from mcp.client.client import Client as McpClient
from mcp.shared.message import SessionMessage
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from kapture_panel import paths
from kapture_panel.core.basics import tasks
from kapture_panel.core.stores.outputs import Outputs
from kapture_panel.hub.agent_door.mcp.resources import Resources
from kapture_panel.hub.agent_door.mcp.session import McpSession
from kapture_panel.hub.agent_door.mcp.tools import Tools
from kapture_panel.hub.agent_door.profiles.files import Profiles
from kapture_panel.hub.agent_door.profiles.profile import CANONICAL
from tests.support.core.fakes import CATALOGUE, World
from tests.support.hub.fakes import sources_of

MODES = ["legacy", "auto", MODERN_PROTOCOL_VERSIONS[-1]]
PROFILES = Profiles([paths.resources() / "profiles"], CATALOGUE)
ME = types.Implementation(name="test-agent", version="2.1")


class Conversation:
    """A session of the world's agent; `said` are the lines of the client, `heard` those of the session."""

    def __init__(self, world: World, tools: str = "all", profile: str = CANONICAL) -> None:
        self.world = world
        self.said: list[dict[str, Any]] = []
        self.heard: list[dict[str, Any]] = []
        chosen = PROFILES.get(profile).chosen(tools, CATALOGUE)
        self.outputs = Outputs(world.folder / "output")
        self._sources = sources_of(world)
        self._tools = Tools(world.agent, world.router, chosen, self.outputs, self._sources.notes)

    def session(self, send: Callable[[str], Awaitable[None]]) -> McpSession:
        """A session that says its lines to `send`."""
        world = self.world
        resources = Resources(world.agent, world.router, self._sources, self.outputs)
        return McpSession(world.agent, world.clients, self._tools, resources, world.router, send)

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

        session = self.session(send)
        serving = tasks.spawn(session.serve(lines()), "MCP session")
        async with to_client, client_reads, client_writes, from_client:
            yield client_reads, client_writes
            await client_writes.aclose()
            await serving

    @asynccontextmanager
    async def client(self, mode: str = "auto", **options: Any) -> AsyncIterator[McpClient]:
        async with McpClient(self.transport(), mode=mode, client_info=ME, **options) as client:
            yield client


def text_of(result: types.CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, types.TextContent))
