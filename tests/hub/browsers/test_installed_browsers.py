"""The person's own browsers and the copy of the extension they load."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kapture_panel import paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.paired import InstalledBrowser
from kapture_panel.hub.browsers import installed_browsers


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "shipped"
    (folder / "lib").mkdir(parents=True)
    (folder / "manifest.json").write_text("{}")
    (folder / "lib" / "link.js").write_text("1")
    (folder / "panel.json").write_text('{"port": 61822, "introduces": false}')
    return folder


def test_what_is_installed_is_found_with_its_page_of_extensions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("google-chrome", "microsoft-edge", "brave-browser", "firefox"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installed_browsers.installed() == [
        InstalledBrowser("Chrome", str(tmp_path / "google-chrome"), "chrome://extensions"),
        InstalledBrowser("Edge", str(tmp_path / "microsoft-edge"), "edge://extensions"),
        InstalledBrowser("Brave", str(tmp_path / "brave-browser"), "brave://extensions"),
    ]


def test_the_copy_knows_the_port_and_introduces_itself(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "data" / "extension"
    target.parent.mkdir()
    assert installed_browsers.place_extension(source, target, 7000) == target
    assert (target / "lib" / "link.js").read_text() == "1"
    mark = json.loads((target / "panel.json").read_text())
    assert (mark["port"], mark["introduces"]) == (7000, True)
    assert json.loads((source / "panel.json").read_text())["introduces"] is False
    assert [path.name for path in target.parent.iterdir()] == ["extension"]


def test_the_same_extension_is_left_alone_and_another_is_taken_whole(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "extension"
    installed_browsers.place_extension(source, target, 7000)
    first = target.stat().st_ino
    installed_browsers.place_extension(source, target, 7000)
    assert target.stat().st_ino == first
    (source / "lib" / "link.js").write_text("2")
    (source / "lib" / "new.js").write_text("3")
    installed_browsers.place_extension(source, target, 7000)
    assert ((target / "lib" / "link.js").read_text(), (target / "lib" / "new.js").read_text()) == ("2", "3")
    (target / "lib" / "link.js").write_text("damaged")
    installed_browsers.place_extension(source, target, 7000)
    assert (target / "lib" / "link.js").read_text() == "2"
    installed_browsers.place_extension(source, target, 7001)
    assert json.loads((target / "panel.json").read_text())["port"] == 7001


def test_what_a_copy_that_was_cut_off_left_behind_does_no_harm(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "extension"
    for left in ("extension.new", "extension.old"):
        (tmp_path / left).mkdir()
        (tmp_path / left / "half.js").write_text("")
    installed_browsers.place_extension(source, target, 7000)
    assert not (target / "half.js").exists()
    assert not (tmp_path / "extension.new").exists()
    assert not (tmp_path / "extension.old").exists()


def test_a_copy_that_cannot_be_made_says_where(source: Path, tmp_path: Path) -> None:
    with pytest.raises(KaptureError, match=r"could not be copied to .*/missing/extension"):
        installed_browsers.place_extension(tmp_path / "no source", tmp_path / "missing" / "extension", 7000)


def test_the_shipped_extension_says_nothing_by_itself() -> None:
    mark = json.loads((paths.extension() / "panel.json").read_text())
    assert mark == {"port": 61822, "introduces": False, "stamp": ""}


def test_a_browser_is_started_and_one_that_is_gone_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    started: list[list[str]] = []
    real = subprocess.Popen

    def popen(command: list[str], **more: object) -> object:
        started.append(command)
        return real(command, **more) if command[0] != "chrome" else None  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", popen)
    installed_browsers.open_window(InstalledBrowser("Chrome", "chrome", "chrome://extensions"))
    assert started == [["chrome"]]
    with pytest.raises(KaptureError, match="cannot be started") as raised:
        installed_browsers.open_window(InstalledBrowser("Chrome", str(tmp_path / "gone"), "chrome://extensions"))
    assert raised.value.code == "FILE_NOT_FOUND"


@pytest.mark.parametrize("mark", ["", "[]", "{}", *(f'{{"port": {port}}}' for port in ('"5000"', 0, 65536, "true"))])
def test_a_copy_without_a_port_looks_nowhere(tmp_path: Path, mark: str) -> None:
    assert installed_browsers.port_of(tmp_path) is None
    (tmp_path / "panel.json").write_text(mark)
    assert installed_browsers.port_of(tmp_path) is None
