"""What an MCP client is told to start."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from kapture_panel import door
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.agent_door.child import mcp_config, wishes


def test_the_configuration_for_a_client_names_the_program_and_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = str(Path(sys.executable).parent / "kapture")
    elsewhere = json.loads(mcp_config(tmp_path))
    assert elsewhere == {"mcpServers": {"kapture": {"command": command, "args": ["mcp", "--data-dir", str(tmp_path)]}}}
    usual = Path(door.data_dir(environment={}))
    assert json.loads(mcp_config(usual))["mcpServers"]["kapture"]["args"] == ["mcp"]
    monkeypatch.setenv("KAPTURE_HOME", str(tmp_path))
    assert json.loads(mcp_config(tmp_path))["mcpServers"]["kapture"]["args"][1:] == ["--data-dir", str(tmp_path)]


def test_what_is_wished_becomes_options_of_the_child(tmp_path: Path) -> None:
    assert wishes(tmp_path) == []
    assert wishes(tmp_path, profile="phoenix", isolated=True) == ["--profile", "phoenix", "--isolated"]
    assert wishes(tmp_path, tools="navigation,looking") == ["--tools", "navigation,looking"]
    assert wishes(tmp_path, profile="kapture", tools="core") == ["--profile", "kapture", "--tools", "core"]


@pytest.mark.parametrize(
    ("wished", "said"),
    [
        ({"profile": "nosuch"}, "'nosuch' is not one of .*phoenix"),
        ({"tools": "nosuch"}, "'nosuch' is not one of all, core"),
        ({"profile": "phoenix", "tools": "core"}, "--tools works only with the profile kapture"),
    ],
)
def test_what_the_child_would_refuse_is_refused_before_it_is_written(
    tmp_path: Path, wished: dict[str, str], said: str
) -> None:
    with pytest.raises(KaptureError, match=said):
        wishes(tmp_path, profile=wished.get("profile", ""), tools=wished.get("tools", ""))


def test_a_profile_of_the_persons_own_counts(tmp_path: Path) -> None:
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "mine.json").write_text(json.dumps({"title": "Mine", "tools": "all"}))
    assert wishes(tmp_path, profile="mine") == ["--profile", "mine"]
