"""What is pasted into a client says the same everywhere, in that client's own form."""

from __future__ import annotations

import json
import shlex
import tomllib

import pytest

from kapture_panel.window.agent_clients import AgentClient, clients

COMMAND = '/opt/my tools/"kapture"'
ARGS = ["mcp", "--data-dir", "/data/pánel \\ two"]
CONFIG = json.dumps({"mcpServers": {"kapture": {"command": COMMAND, "args": ARGS}}})
OUTER = {"VS Code": "servers", "Zed": "context_servers"}


def by_name() -> dict[str, AgentClient]:
    return {client.name: client for client in clients(CONFIG)}


def test_the_clients_we_promise_are_there() -> None:
    names = ["Claude Code", "Cursor", "VS Code", "Codex", "Gemini CLI", "Zed", "Claude Desktop", "Another client"]
    assert list(by_name()) == names
    assert all(client.where.endswith(":") for client in by_name().values())


@pytest.mark.parametrize("name", [name for name in by_name() if name not in ("Claude Code", "Codex")])
def test_a_json_file_starts_the_same_server(name: str) -> None:
    server = json.loads(by_name()[name].snippet)[OUTER.get(name, "mcpServers")]["kapture"]
    assert (server["command"], server["args"]) == (COMMAND, ARGS)
    assert server.get("type") == ("stdio" if name == "VS Code" else None)


def test_a_toml_file_starts_the_same_server() -> None:
    server = tomllib.loads(by_name()["Codex"].snippet)["mcp_servers"]["kapture"]
    assert (server["command"], server["args"]) == (COMMAND, ARGS)


def test_a_line_for_the_terminal_starts_the_same_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    words = shlex.split(by_name()["Claude Code"].snippet)
    assert words == ["claude", "mcp", "add", "--scope", "user", "kapture", "--", COMMAND, *ARGS]


def test_windows_has_quotes_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    config = {"mcpServers": {"kapture": {"command": r"C:\Program Files\kapture.exe", "args": ["mcp"]}}}
    (line,) = [client.snippet for client in clients(json.dumps(config)) if client.name == "Claude Code"]
    assert line.endswith(r' -- "C:\Program Files\kapture.exe" mcp')
