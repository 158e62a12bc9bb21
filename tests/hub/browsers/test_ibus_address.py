"""IBus is found where its own library finds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kapture_panel.hub.browsers import ibus_address as places
from kapture_panel.hub.browsers.ibus_address import address_of, ibus_address, socket_name

ADDRESS = "unix:path=/run/ibus,guid=1"
WRITTEN = f"# This file is created by ibus-daemon\nIBUS_ADDRESS={ADDRESS}\nIBUS_DAEMON_PID=1\n"


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "machine-id").write_text("f00d\n")
    monkeypatch.setattr(places, "_MACHINE_IDS", (str(tmp_path / "missing"), str(tmp_path / "machine-id")))


def write(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(WRITTEN)


def test_what_the_environment_says_comes_first(tmp_path: Path) -> None:
    write(tmp_path / "named")
    environment = {"IBUS_ADDRESS_FILE": str(tmp_path / "named")}
    assert ibus_address(environment) == ADDRESS
    assert ibus_address({**environment, "IBUS_ADDRESS": "unix:path=/other"}) == "unix:path=/other"


@pytest.mark.parametrize(
    ("display", "name"),
    [(":7", "f00d-unix-7"), (":7.1", "f00d-unix-7"), ("far:10.0", "f00d-far-10"), ("", "f00d-unix-0")],
)
def test_each_display_has_its_own(tmp_path: Path, display: str, name: str) -> None:
    environment = {"DISPLAY": display, "HOME": str(tmp_path)}
    assert ibus_address(environment) is None
    write(tmp_path / ".config/ibus/bus" / name)
    assert ibus_address(environment) == ADDRESS
    assert ibus_address({**environment, "DISPLAY": ":99"}) is None


@pytest.mark.parametrize("variable", ["XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"])
def test_some_versions_write_it_elsewhere(tmp_path: Path, variable: str) -> None:
    write(tmp_path / "there/ibus/bus/f00d-unix-7")
    environment = {"DISPLAY": ":7", "HOME": str(tmp_path), variable: str(tmp_path / "there")}
    assert ibus_address(environment) == ADDRESS


def test_a_machine_without_a_number_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "_MACHINE_IDS", ())
    write(tmp_path / ".config/ibus/bus/machine-id-unix-7")
    assert ibus_address({"DISPLAY": ":7", "HOME": str(tmp_path)}) == ADDRESS


def test_a_file_may_hold_none(tmp_path: Path) -> None:
    (tmp_path / "named").write_bytes(b"\xff\n")
    assert ibus_address({"IBUS_ADDRESS_FILE": str(tmp_path / "named")}) is None


@pytest.mark.parametrize(
    ("address", "name"),
    [
        (ADDRESS, "/run/ibus"),
        ("unix:guid=1,path=/a%20b", "/a b"),
        ("unix:abstract=/tmp/dbus-1,guid=1", "\0/tmp/dbus-1"),
        ("tcp:host=localhost,port=1;unix:path=/second", "/second"),
        ("tcp:host=localhost,path=/", None),
        ("unix:tmpdir=/tmp", None),
        ("", None),
    ],
)
def test_an_address_leads_to_a_socket(address: str, name: str | None) -> None:
    assert socket_name(address) == name


def test_a_socket_has_an_address() -> None:
    path = "/a b,c;d=é/bus"
    assert not set(address_of(Path(path)).removeprefix("unix:path=")) & set(" ,;=é")
    assert socket_name(address_of(Path(path))) == path
