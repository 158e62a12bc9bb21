"""Who is at the other end of the door, as the system says it."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from kapture_panel.hub.agent_door import peers
from kapture_panel.hub.agent_door.peers import Program, Starter

WAITS = "import sys; print(__import__('os').getpid(), flush=True); sys.stdin.read()"


@contextlib.contextmanager
def started_by(*command: str) -> Iterator[int]:
    """The pid of a Python that `command` starts."""
    with subprocess.Popen(
        [*command, sys.executable, "-c", WAITS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline())
        assert process.stdin is not None
        process.stdin.close()


def test_a_program_is_known_by_who_started_it() -> None:
    timeout = shutil.which("timeout")
    assert timeout is not None
    with started_by(timeout, "60") as pid:
        assert peers.starter_of(pid).program == Program("timeout", str(Path(timeout).resolve()))
    with started_by() as pid:
        assert peers.starter_of(pid).program.path == os.path.realpath(sys.executable)


def test_a_shell_in_between_is_not_the_program() -> None:
    with started_by("sh", "-c", '"$@"; exit 0', "sh") as pid:
        assert peers.starter_of(pid).program.path == os.path.realpath(sys.executable)


@pytest.mark.parametrize("pid", [None, 1, 2**22 + 7])
def test_who_is_not_known_is_nobody(pid: int | None) -> None:
    assert peers.starter_of(pid) == Starter()


def test_a_process_whose_starter_has_ended_is_nobodys() -> None:
    orphan = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {WAITS!r}])"
    with subprocess.Popen(
        [sys.executable, "-c", orphan], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.wait()
        assert peers.starter_of(pid).program.path in ("", os.path.realpath(sys.executable))
        assert peers.starter_of(parent.pid) == Starter()


def test_only_the_process_that_has_the_other_end_owns_a_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        accepted, _ = server.accept()
        with accepted:
            assert peers.owner_of(accepted, os.getpid()) == os.getpid()
            with started_by() as other:
                assert peers.owner_of(accepted, other) is None
            for wrong in (None, "1", 0, -4, True, 2**40):
                assert peers.owner_of(accepted, wrong) is None
        client.close()


@contextlib.contextmanager
def typed_in(*shell: str) -> Iterator[int]:
    """The pid of a Python that a shell with a terminal of its own starts, as in a window of a terminal."""
    ours, theirs = os.openpty()
    line = f"{sys.executable} -c {shlex.quote(WAITS)}; exit\n"
    arguments = [*shell, line] if shell[-1].endswith("c") else list(shell)
    with subprocess.Popen(arguments, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as process:
        os.close(theirs)
        if not shell[-1].endswith("c"):
            os.write(ours, line.encode())
        seen = b""
        while not (found := re.search(rb"(?<!\d)(\d+)\r\n", seen)):
            seen += os.read(ours, 1000)
        yield int(found[1])
        os.write(ours, b"\x04")
        with contextlib.suppress(OSError):  # the terminal has gone with its last program
            while os.read(ours, 1000):
                pass
        process.wait()
        os.close(ours)


def test_the_window_of_a_terminal_is_known_by_its_shell() -> None:
    with typed_in("bash", "--norc", "-i") as pid:
        starter = peers.starter_of(pid)
        assert starter.shell is not None
        assert starter.shell[0] == os.getsid(pid)
        assert starter.process == (os.getpid(), psutil.Process().create_time())
        assert not starter.has_ended
    assert starter.has_ended


def test_a_shell_that_was_started_for_one_line_is_nobodys_window() -> None:
    with typed_in("bash", "-lc") as pid:
        assert peers.starter_of(pid).shell is None
