"""The MCP clients Kapture Panel is added to: one table of their files and forms."""

from __future__ import annotations

import json
import ntpath
import os
import posixpath
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from kapture_panel.core.basics import toml_entry
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.installing import json_entry

#: What our entry is called unless the person says otherwise.
NAME = "kapture"
_PROGRAMS = ("kapture", "kapture.exe", "kapture-panel", "kapture-panel.exe")


@dataclass(frozen=True)
class Server:
    """What a client starts."""

    command: str
    args: list[str]

    @classmethod
    def of(cls, mcp_config: str) -> Server:
        """The server that `hub.agent_door.child.mcp_config` names."""
        known = json.loads(mcp_config)["mcpServers"][NAME]
        return cls(known["command"], list(known["args"]))


@dataclass(frozen=True)
class Surroundings:
    """What decides where a client keeps its file: the system (`sys.platform`), the environment, the home folder."""

    system: str
    environment: Mapping[str, str]
    home: str

    @classmethod
    def of_user(cls) -> Surroundings:
        """Those of the person who runs this."""
        return cls(sys.platform, os.environ, str(Path.home()))

    def expanded(self, pattern: str) -> str | None:
        """A pattern of the table as a path of this system; None when a variable in it is not set to a folder."""
        first, *rest = pattern.split("/")
        flavour: ModuleType = ntpath if self.system == "win32" else posixpath
        start = self.home
        if first != "~":
            start = self.environment.get(first.removeprefix("$"), "")
            if not flavour.isabs(start):
                return None
        return str(flavour.join(start, *rest))


@dataclass(frozen=True)
class AgentClient:
    """One row of the table.

    Args:
        key: what it is called on the command line; empty: it has no file we know.
        where: in words, what to do with the snippet.
        outer: the object of the file that the servers are in.
        files: by system, patterns of its file: the first one that holds counts. `~` is the home folder and `$NAME`
            a variable, which holds when it is set; `*` holds when a folder matches. "" stands for every other system.
        signs: patterns of what is there when the client is, where its file's folder would say nothing.
        more: keys of an entry beside command and args.
        then: what the person does so that the client sees it.
        shell: what stands before the server where a line for a terminal is the better thing to copy.
    """

    key: str
    name: str
    where: str
    outer: str = "mcpServers"
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    signs: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    then: str = ""
    is_toml: bool = False
    shell: tuple[str, ...] = ()

    def entry(self, server: Server) -> JsonObject:
        """The value our name gets."""
        return {**self.more, "command": server.command, "args": server.args}

    def snippet(self, server: Server, name: str = NAME) -> str:
        """What a person pastes."""
        if self.shell:
            return " ".join(map(quoted, [*self.shell, name, "--", server.command, *server.args]))
        if self.is_toml:
            return toml_entry.dumped(self.outer, name, self.entry(server)).rstrip("\n")
        return json_entry.dumped({self.outer: {name: self.entry(server)}})

    def file(self, surroundings: Surroundings) -> Path:
        """Where its file is, or would be.

        Raises:
            KaptureError: `FILE_NOT_FOUND` when it has none on this system.
        """
        patterns = self.files.get(surroundings.system, self.files.get("", ()))
        for place in filter(None, map(surroundings.expanded, patterns)):
            if "*" not in place:
                return Path(place)
            folders = sorted(Path(Path(place).anchor).glob(str(Path(place).parent.relative_to(Path(place).anchor))))
            with_file = [folder for folder in folders if (folder / Path(place).name).exists()]
            if folders:
                return (with_file or folders)[0] / Path(place).name
        raise KaptureError(
            "FILE_NOT_FOUND", f"where {self.name} keeps its servers here is not known", "name it: --file"
        )

    def signs_here(self, surroundings: Surroundings) -> list[Path]:
        """What would be there if the client had been on this machine: any one of these."""
        signs = [Path(sign) for sign in filter(None, map(surroundings.expanded, self.signs))]
        return signs or [self.file(surroundings).parent]

    def is_here(self, surroundings: Surroundings) -> bool:
        """Whether the client has been on this machine."""
        return any(sign.exists() for sign in self.signs_here(surroundings))


def is_ours(entry: Any) -> bool:
    """Whether an entry starts `kapture mcp`, from wherever it was installed."""
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return False
    args = entry.get("args")
    program = entry["command"].replace("\\", "/").rpartition("/")[2].lower()
    return program in _PROGRAMS and isinstance(args, list) and args[:1] == ["mcp"]


def quoted(word: str) -> str:
    """A word of a command line as this system's shells take it."""
    if sys.platform == "win32":
        # No path has a quote in it there.
        return f'"{word}"' if " " in word else word
    return shlex.quote(word)


#: Sources: each client's documentation of its configuration.
CLIENTS: tuple[AgentClient, ...] = (
    AgentClient(
        "claude-code",
        "Claude Code",
        "Run this in a terminal:",
        files={"": ("$CLAUDE_CONFIG_DIR/.claude.json", "~/.claude.json")},
        signs=("$CLAUDE_CONFIG_DIR", "~/.claude.json", "~/.claude"),
        more={"type": "stdio"},
        then="Restart Claude Code; /mcp lists it.",
        shell=("claude", "mcp", "add", "--scope", "user"),
    ),
    AgentClient(
        "cursor",
        "Cursor",
        "Put this into ~/.cursor/mcp.json:",
        files={"": ("~/.cursor/mcp.json",)},
        then="Cursor lists it in its settings under MCP; switch it on there if it is off.",
    ),
    AgentClient(
        "vscode",
        "VS Code",
        "Run “MCP: Open User Configuration” and put this in:",
        outer="servers",
        files={
            "win32": ("$APPDATA/Code/User/mcp.json", "~/AppData/Roaming/Code/User/mcp.json"),
            "darwin": ("~/Library/Application Support/Code/User/mcp.json",),
            "": ("$XDG_CONFIG_HOME/Code/User/mcp.json", "~/.config/Code/User/mcp.json"),
        },
        more={"type": "stdio"},
        then="In VS Code run “MCP: List Servers” and start it.",
    ),
    AgentClient(
        "codex",
        "Codex",
        "Add this to ~/.codex/config.toml:",
        outer="mcp_servers",
        files={"": ("$CODEX_HOME/config.toml", "~/.codex/config.toml")},
        then="Restart Codex; /mcp lists it.",
        is_toml=True,
    ),
    AgentClient(
        "gemini",
        "Gemini CLI",
        "Put this into ~/.gemini/settings.json:",
        files={"": ("$GEMINI_CLI_HOME/.gemini/settings.json", "~/.gemini/settings.json")},
        then="Restart Gemini CLI; /mcp lists it.",
    ),
    AgentClient(
        "zed",
        "Zed",
        "Put this into Zed’s settings.json:",
        outer="context_servers",
        files={
            "win32": ("$APPDATA/Zed/settings.json", "~/AppData/Roaming/Zed/settings.json"),
            "darwin": ("~/.config/zed/settings.json",),
            "": ("$XDG_CONFIG_HOME/zed/settings.json", "~/.config/zed/settings.json"),
        },
        then="Zed starts it by itself; the agent panel’s settings show whether it runs.",
    ),
    AgentClient(
        "windsurf",
        "Windsurf",
        "Put this into ~/.codeium/windsurf/mcp_config.json:",
        files={"": ("~/.codeium/windsurf/mcp_config.json",)},
        then="In Windsurf press Refresh above the list of MCP servers.",
    ),
    AgentClient(
        "claude-desktop",
        "Claude Desktop",
        "Settings → Developer → Edit Config, then put this in:",
        files={
            # The Store's package has a folder of its own and reads no other.
            "win32": (
                "$LOCALAPPDATA/Claude-Data/claude_*/claude_desktop_config.json",
                "$LOCALAPPDATA/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json",
                "$APPDATA/Claude/claude_desktop_config.json",
                "~/AppData/Roaming/Claude/claude_desktop_config.json",
            ),
            "darwin": ("~/Library/Application Support/Claude/claude_desktop_config.json",),
            "": ("$XDG_CONFIG_HOME/Claude/claude_desktop_config.json", "~/.config/Claude/claude_desktop_config.json"),
        },
        then="Quit Claude Desktop, from its tray menu too, and start it again.",
    ),
    AgentClient("", "Other program", "Most programs take this as their MCP configuration:"),
)


def by_key(key: str) -> AgentClient:
    """The row that the command line calls `key`."""
    return next(client for client in CLIENTS if client.key == key)
