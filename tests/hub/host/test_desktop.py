"""Entries that launchers read: the right files in the right places, and an Exec line that starts what it says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.host import desktop
from kapture_panel.hub.host.desktop import Places
from tests.support.patience import PATIENCE_S

NASTY = [
    "plain",
    "with space",
    'quote"s',
    "it's",
    "100%",
    "%f%u",
    "$HOME`id`",
    "back\\slash\\",
    "ünïcödé 日本",
    "a=b",
    "#;&|~*?()<>",
]


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "data", tmp_path / "config")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    made = tmp_path / "kapture"
    made.write_text("#!/bin/sh\n")
    made.chmod(0o755)
    return made


def value_of(entry: str, key: str) -> str:
    """A string value of an entry's first group, its escapes read as the specification says."""
    raw = next(line.partition("=")[2] for line in entry.splitlines() if line.startswith(f"{key}="))
    read, escapes = "", {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
    characters = iter(raw)
    for character in characters:
        read += escapes[next(characters)] if character == "\\" else character
    return read


def arguments_of(line: str) -> list[str]:
    """The arguments of an Exec value, read as the specification says: quotes, then field codes."""
    arguments: list[str] = []
    characters = iter(line)
    for character in characters:
        if character == " ":
            continue
        argument, is_quoted = "", character == '"'
        if not is_quoted:
            argument = character
            assert character not in "\t\n\"'\\><~|&;$*?#()`"
        for inner in characters:
            if inner == ('"' if is_quoted else " "):
                break
            assert is_quoted or inner not in "\t\n\"'\\><~|&;$*?#()`"
            if inner == "\\":
                inner = next(characters)
                assert inner in '"`$\\'
            else:
                assert inner not in "`$"
            argument += inner
        assert "%" not in argument.replace("%%", "")
        arguments.append(argument.replace("%%", "%"))
    return arguments


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"])), max_size=4))
@example(NASTY)
@example([""])
@example(["new\nline", "tab\there"])
def test_any_arguments_come_back_from_an_entry(arguments: list[str]) -> None:
    command = ["/usr/bin/kapture", *arguments]
    line = desktop.exec_line(command)
    assert "\n" not in line
    assert arguments_of(value_of(f"Exec={line}", "Exec")) == command


@pytest.mark.parametrize("name", NASTY)
def test_a_desktop_starts_the_program_whatever_its_folder_is_called(name: str, tmp_path: Path) -> None:
    """By `gio launch`, what GNOME and others start programs with."""
    folder = tmp_path / name
    folder.mkdir()
    told = tmp_path / "told"
    program = folder / "kapture"
    program.write_text(f"#!{sys.executable}\nimport json, sys\njson.dump(sys.argv, open({str(told)!r}, 'w'))\n")
    program.chmod(0o755)
    os.mkfifo(told)
    places = Places(tmp_path / "data", tmp_path / "config")
    desktop.install(places, [str(program), "--data-dir", str(folder)], autostart=False)
    launched = subprocess.Popen(["gio", "launch", str(places.entry)])
    try:
        assert json.loads(told.read_text()) == [str(program), "--data-dir", str(folder)]
    finally:
        assert launched.wait(PATIENCE_S) == 0
    program.unlink()
    gone = subprocess.run(["gio", "launch", str(places.entry)], capture_output=True, text=True, timeout=PATIENCE_S)
    assert "Unable to load application information" in gone.stderr, "the entry counts as one of nothing"


@pytest.mark.parametrize("name", NASTY)
def test_both_entries_name_the_program_without_which_they_are_nothing(
    name: str, places: Places, program: Path, tmp_path: Path
) -> None:
    moved = tmp_path / name / program.name
    moved.parent.mkdir()
    program.rename(moved)
    desktop.install(places, [str(moved), "--data-dir", "x"], autostart=True)
    for entry in (places.entry, places.autostart):
        assert value_of(entry.read_text(), "TryExec") == str(moved)


def test_every_file_is_where_a_desktop_looks_and_goes_again(places: Places, program: Path) -> None:
    stranger = places.data / "applications" / "other.desktop"
    stranger.parent.mkdir(parents=True)
    stranger.write_text("")
    written = desktop.install(places, [str(program)], autostart=True)
    assert {str(path.relative_to(places.data.parent)) for path in written} == {
        "data/applications/kapture-panel.desktop",
        "data/metainfo/io.github.kapture_panel.KapturePanel.metainfo.xml",
        "data/icons/hicolor/scalable/apps/kapture-panel.svg",
        *(f"data/icons/hicolor/{size}x{size}/apps/kapture-panel.png" for size in (16, 32, 48, 128, 256)),
        "config/autostart/kapture-panel.desktop",
    }
    assert all(path.stat().st_size > 100 for path in written)
    assert value_of(places.autostart.read_text(), "Exec") == f"{program} --tray"
    before = {path: path.read_bytes() for path in written}
    assert desktop.install(places, [str(program)], autostart=True) == written  # a second time changes nothing
    assert {path: path.read_bytes() for path in written} == before
    assert set(desktop.uninstall(places)) == set(written)
    assert [path for path in places.data.parent.rglob("*") if path.is_file()] == [program, stranger]
    assert desktop.uninstall(places) == []
    assert stranger.exists()


def test_the_start_at_login_is_written_only_when_asked_for(places: Places, program: Path) -> None:
    assert places.autostart not in desktop.install(places, [str(program)], autostart=False)
    assert not places.config.exists()


def test_the_entries_are_what_the_desktops_own_validators_take(places: Places, program: Path) -> None:
    desktop.install(places, [str(program)], autostart=True)
    for command in (
        ["desktop-file-validate", "--no-hints", str(places.entry), str(places.autostart)],
        ["appstreamcli", "validate", "--no-net", str(places.metainfo)],
    ):
        said = subprocess.run(command, capture_output=True, text=True)
        assert said.returncode == 0, said.stdout + said.stderr


def test_what_the_entry_names_is_there(places: Places, program: Path) -> None:
    desktop.install(places, [str(program)], autostart=False)
    entry = places.entry.read_text()
    assert all(f"{value_of(entry, 'Icon')}{icon.suffix}" == icon.name for icon in places.icons())
    assert f"[Desktop Action {value_of(entry, 'Actions').removesuffix(';')}]" in entry
    assert "Exec=" in entry.partition("[Desktop Action start-browser]")[2]
    assert f'<launchable type="desktop-id">{places.entry.name}</launchable>' in places.metainfo.read_text()


def test_our_own_command_names_this_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAPTURE_HOME", str(tmp_path))
    command = desktop.start_command(tmp_path)
    assert Path(command[0]).parent == Path(sys.executable).parent
    assert command[1:] == ["--data-dir", str(tmp_path)]


def test_a_program_that_is_not_there_is_not_installed(places: Places, tmp_path: Path) -> None:
    with pytest.raises(KaptureError, match="there is no"):
        desktop.install(places, [str(tmp_path / "gone")], autostart=False)
    assert not places.data.exists()


def test_a_name_that_is_no_text_is_refused(places: Places) -> None:
    with pytest.raises(KaptureError, match="not Unicode"):
        desktop.install(places, [os.fsdecode(b"/tmp/\xff/kapture")], autostart=False)


def test_a_place_that_cannot_be_written_is_named(places: Places, program: Path) -> None:
    places.data.parent.joinpath("data").write_text("a file in its place")
    with pytest.raises(KaptureError, match="cannot be written"):
        desktop.install(places, [str(program)], autostart=False)


@pytest.mark.parametrize(("platform", "name"), [("darwin", "macOS"), ("win32", "Windows")])
def test_elsewhere_it_says_that_there_is_no_such_thing(
    platform: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(KaptureError, match=f"{name} has no such entries"):
        Places.of_user()


def test_the_places_follow_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "d"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "c"))
    assert Places.of_user() == Places(tmp_path / "d", tmp_path / "c")


def test_the_command_line_says_each_file(tmp_path: Path) -> None:
    kapture = shutil.which("kapture", path=str(Path(sys.executable).parent))
    assert kapture is not None
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "d"), "XDG_CONFIG_HOME": str(tmp_path / "c")}

    def said(*arguments: str) -> list[str]:
        command = [kapture, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()

    wrote = said("install", "desktop", "--autostart")
    assert f"wrote {tmp_path}/d/applications/kapture-panel.desktop" in wrote
    assert f"wrote {tmp_path}/c/autostart/kapture-panel.desktop" in wrote
    removed = said("uninstall", "desktop")
    assert [line.replace("removed", "wrote") for line in removed] == wrote
    assert said("uninstall", "desktop") == ["nothing was installed"]
