"""Starting a panel when none runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from subprocess import list2cmdline
from typing import Any

import pytest

from kapture_panel.mcp_child import launch


class Spawned:
    """What would have been started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.command: list[str] = []
        self.options: dict[str, Any] = {}
        monkeypatch.setattr("kapture_panel.mcp_child.launch.os.posix_spawn", self._spawn)
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            monkeypatch.delenv(name, raising=False)

    def _spawn(self, executable: str, command: list[str], environment: Any, **options: Any) -> int:
        assert executable == command[0] == sys.executable
        self.command, self.options = command[1:], options
        return 4711


@pytest.fixture
def spawned(monkeypatch: pytest.MonkeyPatch) -> Spawned:
    monkeypatch.setattr("kapture_panel.mcp_child.launch.sys.platform", "linux")
    return Spawned(monkeypatch)


def test_without_a_display_a_panel_without_a_window_is_started(spawned: Spawned, tmp_path: Path) -> None:
    root = tmp_path / "new" / "data"
    assert launch.start_panel(str(root)) == 4711
    assert spawned.command == ["-m", "kapture_panel", "serve", "--idle-exit", "600", "--data-dir", str(root)]
    assert root.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_with_a_display_it_starts_in_the_tray(
    spawned: Spawned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, ":0")
    launch.start_panel(str(tmp_path))
    assert spawned.command[2:] == ["--tray", "--data-dir", str(tmp_path)]


def test_it_is_a_process_of_its_own_that_keeps_off_the_clients_pipes(spawned: Spawned, tmp_path: Path) -> None:
    launch.start_panel(str(tmp_path))
    assert spawned.options["setsid"] is True
    appending = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    assert spawned.options["file_actions"] == [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(tmp_path / "panel.log"), appending, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]


def test_a_log_that_is_a_pipe_is_an_error_and_no_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "panel.log")
    with pytest.raises(OSError, match="is not a file, move away what stands there"):
        launch.start_panel(str(tmp_path))


def ended(code: int) -> int:
    """The pid of a process that has ended with `code` and was not waited for."""
    pid = os.posix_spawn(sys.executable, [sys.executable, "-S", "-c", f"raise SystemExit({code})"], os.environ)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    return pid


def test_the_last_words_of_a_panel_that_ended_are_its_reason(tmp_path: Path) -> None:
    (tmp_path / "panel.log").write_bytes(b"starting\nport 61822 is taken \xff\n\n  \n")
    assert launch.failure(ended(1), str(tmp_path)) == "port 61822 is taken \ufffd"


@pytest.mark.parametrize("content", [None, b"", b"\n\n"])
def test_a_panel_that_said_nothing_ended_at_once(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "panel.log").write_bytes(content)
    assert launch.failure(ended(3), str(tmp_path)) == "it ended at once"


def test_a_panel_that_left_the_place_to_another_did_not_fail(tmp_path: Path) -> None:
    assert launch.failure(ended(0), str(tmp_path)) == ""


def test_a_panel_that_runs_has_not_failed(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    waits = f"import os; os.read({reading}, 1)"
    actions = [(os.POSIX_SPAWN_CLOSE, writing)]
    os.set_inheritable(reading, True)
    pid = os.posix_spawn(sys.executable, [sys.executable, "-S", "-c", waits], os.environ, file_actions=actions)
    assert launch.failure(pid, str(tmp_path)) == ""
    os.close(writing)
    os.close(reading)
    os.waitpid(pid, 0)
    assert launch.failure(pid, str(tmp_path)) == ""


@pytest.mark.parametrize(
    ("argument", "on_the_line"),
    [
        ("serve", "serve"),
        ("", '""'),
        (r"D:\ada\data", r"D:\ada\data"),
        (r"C:\Program Files\Python\python.exe", r'"C:\Program Files\Python\python.exe"'),
        ("C:\\Ada Lovelace\\", r'"C:\Ada Lovelace\\"'),
        ('say "yes"', r'"say \"yes\""'),
        (r"a\"b c", r'"a\\\"b c"'),
    ],
)
def test_on_windows_a_path_with_spaces_stays_one_argument(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, argument: str, on_the_line: str
) -> None:
    lines: list[str] = []
    monkeypatch.setattr("kapture_panel.mcp_child.launch.sys.platform", "win32")
    monkeypatch.setattr(os, "P_DETACH", 4, raising=False)

    def spawnv(_how: int, _program: str, command: list[str]) -> int:
        lines.append(" ".join(command))
        return 4711

    monkeypatch.setattr(os, "spawnv", spawnv)
    monkeypatch.setattr(sys, "executable", argument)
    assert launch.start_panel(str(tmp_path)) == 4711
    assert lines == [f"{on_the_line} -m kapture_panel --tray --data-dir {tmp_path}"]
    assert list2cmdline([argument]) == on_the_line, "as Python's own module has it, which the child cannot afford"
