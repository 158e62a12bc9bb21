"""Only its owner can reach the door, or read where it is."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.agent_door.door_address import publish, unix_socket


def test_the_port_and_the_secret_stand_in_a_file_of_the_owners(tmp_path: Path) -> None:
    address = tmp_path / "door.json"
    for port in (1, 2):
        publish(address, port, "secret")
    assert json.loads(address.read_text()) == {"port": 2, "secret": "secret"}
    assert address.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [address]


def test_a_socket_is_bound_where_nobody_else_reaches_it(runtime: Path) -> None:
    address = runtime / "door.sock"
    for _ in range(2):
        with unix_socket(address):
            assert address.is_socket()
            assert address.stat().st_mode & 0o777 == 0o600
    assert runtime.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_may_enter_is_refused(runtime: Path) -> None:
    runtime.mkdir(mode=0o755)
    with pytest.raises(KaptureError, match="must belong to you alone"):
        unix_socket(runtime / "door.sock")


@pytest.mark.parametrize("moment", ["while it is looked at", "after it was made"])
def test_a_folder_that_another_instances_end_removes_is_made_again(
    runtime: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    make, ends = os.mkdir, [runtime.rmdir]

    def make_beside_an_end(path: Path, mode: int) -> None:
        try:
            make(path, mode)
        finally:
            if ends:
                ends.pop()()

    if moment == "while it is looked at":
        runtime.mkdir(mode=0o700)
    monkeypatch.setattr(os, "mkdir", make_beside_an_end)
    with unix_socket(runtime / "door.sock"):
        assert (runtime / "door.sock").is_socket()
    assert ends == []
