"""On which port an instance listens, and what it remembers of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kapture_panel.hub.extension_door import ports
from kapture_panel.hub.extension_door.listener import DEFAULT_PORT
from kapture_panel.paths import DataDir


@pytest.fixture
def usual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system's place for user data."""
    monkeypatch.delenv("KAPTURE_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setattr("kapture_panel.door.sys.platform", "linux")
    return DataDir.open().root


def test_the_usual_instance_has_the_fixed_port_by_whatever_name(usual: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ports.wanted(DataDir.open(), None) == (DEFAULT_PORT,)
    assert ports.wanted(DataDir.open(f"{usual}/../{usual.name}"), None) == (DEFAULT_PORT,)
    monkeypatch.setenv("KAPTURE_HOME", str(usual))
    assert ports.wanted(DataDir.open(), None) == (DEFAULT_PORT,)


def test_an_instance_of_another_folder_takes_any_free_port(
    usual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ports.wanted(DataDir.open(str(tmp_path / "other")), None) == (0,)
    monkeypatch.setenv("KAPTURE_HOME", str(tmp_path / "home"))
    assert ports.wanted(DataDir.open(), None) == (0,)


def test_it_keeps_the_port_it_had(usual: Path, tmp_path: Path) -> None:
    data = DataDir.open(str(tmp_path / "other"))
    ports.keep(data, 5000)
    assert ports.wanted(data, None) == (5000, 0)
    assert data.port.stat().st_mode & 0o777 == 0o600
    ports.keep(data, 5001)
    assert ports.wanted(data, None) == (5001, 0)


@pytest.mark.parametrize("chosen", [0, 5002])
def test_a_port_the_person_chose_is_taken_or_none(usual: Path, tmp_path: Path, chosen: int) -> None:
    data = DataDir.open(str(tmp_path / "other"))
    ports.keep(data, 5000)
    assert ports.wanted(data, chosen) == (chosen,)
    assert ports.wanted(DataDir(usual), chosen) == (chosen,)


@pytest.mark.parametrize("kept", ["", "[]", '{"port": 0}', '{"port": 65536}', '{"port": true}', '{"port": "1"}'])
def test_a_damaged_memory_is_none(usual: Path, tmp_path: Path, kept: str) -> None:
    data = DataDir.open(str(tmp_path / "other"))
    data.port.write_text(kept)
    assert ports.wanted(data, None) == (0,)


def test_a_folder_that_kept_none_has_the_one_its_copy_of_the_extension_looks_at(usual: Path, tmp_path: Path) -> None:
    data = DataDir.open(str(tmp_path / "other"))
    data.extension.mkdir()
    mark = data.extension / "panel.json"
    mark.write_text('{"port": 5000}')
    assert ports.wanted(data, None) == (5000, 0)
    ports.keep(data, 5001)
    assert ports.wanted(data, None) == (5001, 0)
