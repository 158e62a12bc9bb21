"""The table of clients: each row's place on every system, what it gets, and what is ours."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.installing.clients import CLIENTS, AgentClient, Server, Surroundings, by_key, is_ours

COMMAND = '/opt/my tools/"kapture"'
ARGS = ["mcp", "--data-dir", "/data/pánel \\ two"]
SERVER = Server(COMMAND, ARGS)
KEYS = ["claude-code", "cursor", "vscode", "codex", "gemini", "zed", "windsurf", "claude-desktop"]

#: (client, system, what the environment names, file). `H` is the home folder.
PLACES: list[tuple[str, str, dict[str, str], str]] = [
    ("claude-code", "linux", {}, "H/.claude.json"),
    ("claude-code", "darwin", {}, "H/.claude.json"),
    ("claude-code", "win32", {}, r"H\.claude.json"),
    ("claude-code", "linux", {"CLAUDE_CONFIG_DIR": "/c"}, "/c/.claude.json"),
    ("claude-code", "linux", {"CLAUDE_CONFIG_DIR": "relative"}, "H/.claude.json"),
    ("cursor", "linux", {"XDG_CONFIG_HOME": "/x"}, "H/.cursor/mcp.json"),
    ("cursor", "darwin", {}, "H/.cursor/mcp.json"),
    ("cursor", "win32", {}, r"H\.cursor\mcp.json"),
    ("vscode", "linux", {}, "H/.config/Code/User/mcp.json"),
    ("vscode", "linux", {"XDG_CONFIG_HOME": "/x"}, "/x/Code/User/mcp.json"),
    ("vscode", "linux", {"XDG_CONFIG_HOME": ""}, "H/.config/Code/User/mcp.json"),
    ("vscode", "darwin", {"XDG_CONFIG_HOME": "/x"}, "H/Library/Application Support/Code/User/mcp.json"),
    ("vscode", "win32", {"APPDATA": r"D:\Roaming"}, r"D:\Roaming\Code\User\mcp.json"),
    ("vscode", "win32", {}, r"H\AppData\Roaming\Code\User\mcp.json"),
    ("codex", "linux", {}, "H/.codex/config.toml"),
    ("codex", "darwin", {"CODEX_HOME": "/c"}, "/c/config.toml"),
    ("codex", "win32", {}, r"H\.codex\config.toml"),
    ("gemini", "linux", {}, "H/.gemini/settings.json"),
    ("gemini", "darwin", {"GEMINI_CLI_HOME": "/g"}, "/g/.gemini/settings.json"),
    ("gemini", "win32", {}, r"H\.gemini\settings.json"),
    ("zed", "linux", {}, "H/.config/zed/settings.json"),
    ("zed", "linux", {"XDG_CONFIG_HOME": "/x"}, "/x/zed/settings.json"),
    ("zed", "darwin", {"XDG_CONFIG_HOME": "/x"}, "H/.config/zed/settings.json"),
    ("zed", "win32", {"APPDATA": r"D:\Roaming"}, r"D:\Roaming\Zed\settings.json"),
    ("windsurf", "linux", {}, "H/.codeium/windsurf/mcp_config.json"),
    ("windsurf", "darwin", {}, "H/.codeium/windsurf/mcp_config.json"),
    ("windsurf", "win32", {}, r"H\.codeium\windsurf\mcp_config.json"),
    ("claude-desktop", "linux", {}, "H/.config/Claude/claude_desktop_config.json"),
    ("claude-desktop", "darwin", {}, "H/Library/Application Support/Claude/claude_desktop_config.json"),
    ("claude-desktop", "win32", {"APPDATA": r"D:\Roaming"}, r"D:\Roaming\Claude\claude_desktop_config.json"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "system", "environment", "place"), PLACES)
def test_each_client_has_its_file_on_each_system(
    key: str, system: str, environment: dict[str, str], place: str
) -> None:
    home = r"D:\me" if system == "win32" else "/h"
    found = by_key(key).file(Surroundings(system, environment, home))
    assert str(found) == place.replace("H", home, 1) if place.startswith("H") else str(found) == place


def test_every_row_is_in_that_table_for_every_system() -> None:
    assert [client.key for client in CLIENTS] == [*KEYS, ""]
    assert {(key, system) for key, system, _, _ in PLACES} == {
        (k, s) for k in KEYS for s in ("linux", "darwin", "win32")
    }
    for client in CLIENTS[:-1]:
        assert client.then.endswith(".")
        assert client.where.endswith(":")


def test_a_client_of_the_store_has_a_folder_of_its_own(tmp_path: Path) -> None:
    client = by_key("claude-desktop")
    local = tmp_path / "Local"
    packaged = local / "Packages" / "Claude_pzs8sxrjxfjjc" / "LocalCache" / "Roaming" / "Claude"
    patterns = client.files["win32"]
    # The table's own patterns, on the file system the test has.
    here = AgentClient("x", "Claude Desktop", "", files={"": (*patterns[:2], "~/Claude/claude_desktop_config.json")})
    surroundings = Surroundings("linux", {"LOCALAPPDATA": str(local)}, str(tmp_path))
    assert here.file(surroundings) == tmp_path / "Claude" / "claude_desktop_config.json"
    assert not here.is_here(surroundings)
    packaged.mkdir(parents=True)
    assert here.file(surroundings) == packaged / "claude_desktop_config.json"
    assert here.is_here(surroundings)
    other = local / "Packages" / "Claude_zzz" / "LocalCache" / "Roaming" / "Claude"
    other.mkdir(parents=True)
    (other / "claude_desktop_config.json").write_text("{}")
    assert here.file(surroundings) == other / "claude_desktop_config.json"
    newest = local / "Claude-Data" / "claude_1"
    newest.mkdir(parents=True)
    assert here.file(surroundings) == newest / "claude_desktop_config.json"


def test_a_row_without_a_file_says_how_to_go_on() -> None:
    with pytest.raises(KaptureError, match="name it: --file"):
        CLIENTS[-1].file(Surroundings("linux", {}, "/h"))


def test_claude_code_is_there_when_either_of_its_traces_is(tmp_path: Path) -> None:
    client, surroundings = by_key("claude-code"), Surroundings("linux", {}, str(tmp_path))
    assert not client.is_here(surroundings)
    (tmp_path / ".claude").mkdir()
    assert client.is_here(surroundings)


@pytest.mark.parametrize("client", [client for client in CLIENTS if not client.shell], ids=lambda client: client.name)
def test_what_is_pasted_starts_the_server(client: AgentClient) -> None:
    pasted = client.snippet(SERVER)
    read: dict[str, Any] = tomllib.loads(pasted) if client.is_toml else json.loads(pasted)
    server = read[client.outer]["kapture"]
    assert (server["command"], server["args"]) == (COMMAND, ARGS)
    assert server.get("type") == ("stdio" if client.key == "vscode" else None)


def test_a_line_for_the_terminal_starts_the_same_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    words = shlex.split(by_key("claude-code").snippet(SERVER))
    assert words == ["claude", "mcp", "add", "--scope", "user", "kapture", "--", COMMAND, *ARGS]


def test_windows_has_quotes_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    line = by_key("claude-code").snippet(Server(r"C:\Program Files\kapture.exe", ["mcp"]))
    assert line.endswith(r' -- "C:\Program Files\kapture.exe" mcp')


def test_the_server_is_the_one_of_the_configuration() -> None:
    assert Server.of(json.dumps({"mcpServers": {"kapture": {"command": COMMAND, "args": ARGS}}})) == SERVER


@pytest.mark.parametrize(
    ("entry", "is_it"),
    [
        ({"command": "/opt/kapture", "args": ["mcp"]}, True),
        ({"command": "kapture", "args": ["mcp", "--profile", "phoenix"], "env": {}}, True),
        ({"command": r"C:\Program Files\Kapture.EXE", "args": ["mcp"]}, True),
        ({"command": "/opt/kapture", "args": ["serve"]}, False),
        ({"command": "/opt/kapture", "args": []}, False),
        ({"command": "/opt/kapture"}, False),
        ({"command": "/opt/kapture-other", "args": ["mcp"]}, False),
        ({"command": "npx", "args": ["mcp", "kapture"]}, False),
        ({"url": "https://kapture.example/mcp"}, False),
        ({"command": ["kapture"], "args": ["mcp"]}, False),
        ("kapture mcp", False),
        (None, False),
    ],
)
def test_ours_is_what_starts_our_child(entry: Any, is_it: bool) -> None:
    assert is_ours(entry) is is_it
