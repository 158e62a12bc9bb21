"""The wheel as pipx and uvx install it, and the sdist."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.dist.newcomer import Newcomer, as_built, built


@pytest.fixture(scope="session")
def installers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of pipx, uv and uvx, as a person has them."""
    folder = tmp_path_factory.mktemp("installers")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([folder / "bin" / "pip", "install", "--quiet", "pipx", "uv"], check=True)
    return folder / "bin"


@pytest.fixture
def newcomer(tmp_path: Path, installers: Path) -> Newcomer:
    return Newcomer(tmp_path, f"{tmp_path}/.local/bin:{installers}:/usr/bin:/bin")


def test_pipx_installs_it_and_takes_it_away(newcomer: Newcomer) -> None:
    newcomer.run("pipx", "install", built("*.whl"))
    programs = newcomer.home / ".local" / "bin"
    assert sorted(path.name for path in programs.iterdir()) == ["kapture", "kapture-panel"]
    newcomer.uses_it("kapture")
    newcomer.run("pipx", "uninstall", "kapture-panel")
    assert list(programs.iterdir()) == []


async def test_uvx_runs_it_for_an_agent(newcomer: Newcomer) -> None:
    tools = await newcomer.asks_as_an_agent("uvx", "--from", built("*.whl"), "kapture-panel", "mcp")
    assert "kapturemcp_navigate" in tools


def test_the_sdist_makes_the_same_wheel(tmp_path: Path) -> None:
    with tarfile.open(built("kapture_panel-*.tar.gz")) as packed:
        packed.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(command, cwd=unpacked, check=True, env=as_built())
    (wheel,) = (unpacked / "dist").iterdir()
    assert wheel.read_bytes() == built("*.whl").read_bytes()
