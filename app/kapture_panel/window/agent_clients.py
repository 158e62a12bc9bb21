"""What to paste into which MCP client: one table."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

NAME = "kapture"


@dataclass(frozen=True)
class AgentClient:
    """One MCP client. `where` says in words what to do with `snippet`."""

    name: str
    where: str
    snippet: str


@dataclass(frozen=True)
class _Server:
    command: str
    args: list[str]


def _json(outer: str, **more: Any) -> Callable[[_Server], str]:
    """A JSON file with the servers under `outer`."""

    def write(server: _Server) -> str:
        return _pretty({outer: {NAME: {**more, "command": server.command, "args": server.args}}})

    return write


def _shell(*before: str) -> Callable[[_Server], str]:
    """A line for a terminal."""

    def write(server: _Server) -> str:
        return " ".join(map(_quoted, [*before, server.command, *server.args]))

    return write


def _quoted(word: str) -> str:
    if sys.platform == "win32":
        # No path has a quote in it there.
        return f'"{word}"' if " " in word else word
    return shlex.quote(word)


def _toml(server: _Server) -> str:
    # A JSON string is a basic string of TOML, and an array of them an array.
    command, args = (json.dumps(value, ensure_ascii=False) for value in (server.command, server.args))
    return f"[mcp_servers.{NAME}]\ncommand = {command}\nargs = {args}"


def _pretty(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


_MCP_SERVERS = _json("mcpServers")
_CLIENTS: tuple[tuple[str, str, Callable[[_Server], str]], ...] = (
    ("Claude Code", "Run this in a terminal:", _shell("claude", "mcp", "add", "--scope", "user", NAME, "--")),
    ("Cursor", "Put this into ~/.cursor/mcp.json:", _MCP_SERVERS),
    ("VS Code", "Run “MCP: Open User Configuration” and put this in:", _json("servers", type="stdio")),
    ("Codex", "Add this to ~/.codex/config.toml:", _toml),
    ("Gemini CLI", "Put this into ~/.gemini/settings.json:", _MCP_SERVERS),
    ("Zed", "Put this into Zed’s settings.json:", _json("context_servers")),
    ("Claude Desktop", "Settings → Developer → Edit Config, then put this in:", _MCP_SERVERS),
    ("Another client", "Most clients take this as their MCP configuration:", _MCP_SERVERS),
)


def clients(mcp_config: str) -> list[AgentClient]:
    """The table, for this installation.

    Args:
        mcp_config: JSON as `Services.mcp_config` has it.
    """
    known = json.loads(mcp_config)["mcpServers"][NAME]
    server = _Server(known["command"], list(known["args"]))
    return [AgentClient(name, where, write(server)) for name, where, write in _CLIENTS]
