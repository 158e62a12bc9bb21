"""Where the door is: the child finds it without the packages the panel may use."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import platformdirs
import pytest

from kapture_panel import door


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("KAPTURE_HOME", "XDG_DATA_HOME", "KAPTURE_DOOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"XDG_DATA_HOME": ""},
        {"XDG_DATA_HOME": "   "},
        {"XDG_DATA_HOME": "/srv/data"},
        {"XDG_DATA_HOME": "/srv/data/"},
        {"XDG_DATA_HOME": "/srv/with space/ü"},
        {"HOME": "/srv/somebody"},
        {"HOME": "/srv/somebody/"},
        {"HOME": "/srv/somebody", "XDG_DATA_HOME": "/srv/data"},
    ],
    ids=str,
)
def test_the_data_directory_is_the_one_platformdirs_names(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    expected = platformdirs.user_data_dir("kapture-panel", appauthor=False)
    assert os.path.normpath(door.data_dir()) == os.path.normpath(expected)


def test_a_folder_named_by_hand_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KAPTURE_HOME", str(tmp_path / "home"))
    assert door.data_dir() == str(tmp_path / "home")
    assert door.data_dir(str(tmp_path / "other")) == str(tmp_path / "other")
    assert door.data_dir("~/mine") == str(tmp_path / "mine")


def test_another_environment_than_ours_can_be_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KAPTURE_HOME", str(tmp_path / "home"))
    assert door.data_dir(environment={}) == str(tmp_path / ".local/share/kapture-panel")


def test_all_ways_to_one_folder_meet_at_one_door(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.chdir(tmp_path)
    ways = [str(tmp_path / "real"), str(tmp_path / "link"), "real", "./link/", "~/real", "real/../link"]
    assert len({door.address(door.data_dir(way)) for way in ways}) == 1


def test_each_folder_has_a_door_of_its_own(tmp_path: Path) -> None:
    assert len({door.address(str(tmp_path / str(number))) for number in range(1000)}) == 1000


def test_the_longest_folder_has_a_door_with_a_short_name(tmp_path: Path) -> None:
    address = door.address("/" + "x" * 4000)
    assert len(os.fsencode(address)) < 104


def test_the_door_does_not_follow_the_clients_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    known = door.address("/data")
    for name in ("XDG_RUNTIME_DIR", "TMPDIR", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    assert door.address("/data") == known


def test_a_tcp_door_is_a_file_in_the_data_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAPTURE_DOOR", "tcp")
    assert door.uses_tcp()
    assert door.address("/data") == "/data/door.json"


def test_the_system_tells_who_is_at_the_other_end() -> None:
    near, far = socket.socketpair()
    with near, far:
        assert (door.peer_uid(near), door.peer_pid(near)) == (os.getuid(), os.getpid())
