"""What can be looked at without a panel, each thing broken on purpose."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import socket
import sys
from pathlib import Path

import pytest

from kapture_panel import door, paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.doctor import Ill, NotYet
from kapture_panel.hub.host import installation
from tests.support.patience import PATIENCE_S
from tests.support.ports import quiet_port


def ill(link: str, *arguments: object) -> Ill:
    with pytest.raises(Ill) as found:
        getattr(installation, link)(*arguments)
    assert found.value.fix
    return found.value


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "data"
    made.mkdir(mode=0o700)
    return made


def test_a_data_folder_is_tried_and_nothing_stays_in_it(root: Path) -> None:
    assert "yours alone" in installation.data_folder(root)
    assert list(root.iterdir()) == []
    assert "will be made" in installation.data_folder(root / "deep" / "new")
    assert not (root / "deep").exists()


def test_a_data_folder_that_others_may_read_or_that_is_a_file_is_named(root: Path) -> None:
    root.chmod(0o755)
    assert "mode 755" in ill("data_folder", root).words
    (root / "file").write_text("")
    assert "not a folder" in ill("data_folder", root / "file").words


def test_a_pipe_in_a_files_place_is_named(root: Path) -> None:
    os.mkfifo(root / "panel.log")
    assert ill("data_folder", root).words == f"{root / 'panel.log'} is not a file"


def test_a_door_that_a_dead_panel_left_is_found(root: Path, runtime: Path) -> None:
    assert "no panel" in installation.stale_door(root)
    runtime.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(door.address(str(root)))
    assert "was left by" in ill("stale_door", root).words
    with socket.socket(socket.AF_UNIX) as alive:
        Path(door.address(str(root))).unlink()
        alive.bind(door.address(str(root)))
        alive.listen()
        assert installation.stale_door(root) == "a panel listens"
    runtime.chmod(0o777)
    assert "not yours alone" in ill("stale_door", root).words


def test_a_taken_port_names_who_holds_it() -> None:
    number = quiet_port()
    with socket.create_server(("127.0.0.1", number)):
        found = ill("port", number)
        assert str(os.getpid()) in found.words
        assert installation.port(number, 0) == "any free one will be taken"
    assert installation.port(number, 0) == f"{number} is free"


def browser_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    made = tmp_path / "browser"
    made.write_text(f"#!/bin/sh\n{script}\n")
    made.chmod(0o755)
    monkeypatch.setenv("KAPTURE_BROWSER", str(made))


def test_a_browser_must_start_and_be_new_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "VERSION_S", PATIENCE_S)
    assert "/" in installation.browser()
    browser_that(tmp_path, monkeypatch, "echo Chromium 156.0.1")
    assert installation.browser().startswith("Chromium 156.0.1")
    browser_that(tmp_path, monkeypatch, "echo Chromium 99.0.1")
    assert "too old" in ill("browser").words
    browser_that(tmp_path, monkeypatch, "echo libnss3.so: cannot open >&2; exit 127")
    assert "libnss3.so: cannot open" in ill("browser").words
    monkeypatch.setattr(installation, "VERSION_S", 0.1)
    browser_that(tmp_path, monkeypatch, "exec sleep 30")
    assert "within" in ill("browser").words
    monkeypatch.setenv("KAPTURE_BROWSER", str(tmp_path / "gone"))
    with pytest.raises(KaptureError, match="KAPTURE_BROWSER"):
        installation.browser()


@pytest.mark.parametrize(
    "lost", ["background.js", "wire/link.js", "page.bundle.js", "popup/popup.css", "icons/icon48.png"]
)
def test_every_file_of_the_extension_is_missed(lost: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "extension"
    shutil.copytree(paths.extension(), copy)
    monkeypatch.setattr(paths, "extension", lambda: copy)
    assert "commands" in installation.extension_files()
    (copy / lost).unlink()
    assert lost in ill("extension_files").words


def test_a_damaged_extension_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "extension", lambda: tmp_path)
    assert "damaged" in ill("extension_files").words
    (tmp_path / "manifest.json").write_text("{")
    assert "damaged" in ill("extension_files").words


def test_versions_that_crash_together_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Python" in installation.versions()
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: "6.12.0")
    monkeypatch.setattr(sys, "version_info", (3, 11, 0))
    assert "crashes on Python 3.11" in ill("versions").words


def test_a_program_that_answers_as_no_panel_does_is_told() -> None:
    import http.server
    import threading

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with http.server.HTTPServer(("127.0.0.1", 0), Page) as server:
        serving = threading.Thread(target=server.handle_request)
        serving.start()
        assert "as no panel does" in ill("listens", server.server_port).words
        serving.join()
    with pytest.raises(OSError, match="refused"):
        installation.listens(server.server_port)


def test_without_a_panel_none_is_running(root: Path) -> None:
    with pytest.raises(NotYet):
        installation.running(root)
