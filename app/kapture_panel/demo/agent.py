"""The demo's agent: the official MCP client, with `kapture mcp` as its child."""

from __future__ import annotations

import base64
import io
import re
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, ImageContent, Implementation, TextContent
from PIL import Image

from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.hub.agent_door.untrusted import KEY, META, line

PREFIX = "kapturemcp_"


class ToolError(Exception):
    """A tool answered with an error."""


class Agent:
    """One conversation; `times_ms` collects how long each command took, by name.

    Answers come without their marks: `untrusted` is that of the last one, and `raw` all its text.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self.times_ms: dict[str, list[float]] = defaultdict(list)
        self.untrusted = ""
        self.raw = ""

    async def call(self, command: str, **params: Any) -> JsonObject:
        """Call a command and return its structured answer, or {} when it answers text.

        Raises:
            ToolError: the command failed.
        """
        result = await self._call(command, params)
        return {name: value for name, value in (result.structured_content or {}).items() if name != KEY}

    async def text(self, command: str, **params: Any) -> str:
        """Call a command that answers text."""
        result = await self._call(command, params)
        self.raw = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
        if self.raw.startswith("{"):
            return re.sub(rf'^{{"{KEY}":"[^"]*",', "{", self.raw)
        return self.raw.removeprefix(f"{line(self.untrusted)}\n")

    async def picture(self, **params: Any) -> Image.Image:
        """Take a screenshot and decode it."""
        result = await self._call("screenshot", params)
        data = next(block.data for block in result.content if isinstance(block, ImageContent))
        return Image.open(io.BytesIO(base64.b64decode(data)))

    async def fails(self, command: str, **params: Any) -> str:
        """Call a command that is expected to fail and return its error text."""
        try:
            await self._call(command, params)
        except ToolError as error:
            return str(error)
        raise ToolError(f"{command} was expected to fail and did not")

    async def _call(self, command: str, params: Params) -> CallToolResult:
        started = time.perf_counter()
        result = await self._client.call_tool(PREFIX + command, params)
        self.times_ms[command].append((time.perf_counter() - started) * 1000)
        self.untrusted = (result.meta or {}).get(META, "")
        if result.is_error:
            said = "; ".join(block.text for block in result.content if isinstance(block, TextContent))
            raise ToolError(said.removesuffix(f"\n{line(self.untrusted)}"))
        return result


def connect(data_dir: Path, name: str, tools: str = "all", *options: str) -> Client:
    """A client whose server is `kapture mcp` on the given data directory, with the given choice of tools and more
    options of that program."""
    arguments = ["-m", "kapture_panel", "mcp", "--data-dir", str(data_dir), "--tools", tools, *options]
    server = StdioServerParameters(command=sys.executable, args=arguments)
    return Client(server, client_info=Implementation(name=name, version="1"))


def ref_of(snapshot: str, role: str, name: str) -> str:
    """The ref of the first node of a snapshot with this role and name."""
    found = re.search(rf'- {re.escape(role)} "{re.escape(name)}[^"]*" \[ref=(e\d+)\]', snapshot)
    if found is None:
        raise ToolError(f"the snapshot shows no {role} {name!r}")
    return found.group(1)
