"""Whoever waits for a browser's helpers waits for their end, not for a parent that never asks how they ended."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import SimpleNamespace

import psutil
import pytest

from kapture_panel.hub.browsers import helper_processes
from kapture_panel.hub.browsers.helper_processes import helpers_of, wait_ended
from tests.support.patience import PATIENCE_S

#: Starts a child that waits for the end of its input, and collects it when its own input ends.
_PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
print(child.pid, flush=True)
sys.stdin.readline()
child.stdin.close()
sys.stdin.read()
child.wait()
"""


@contextmanager
def child_of_another() -> Iterator[tuple[subprocess.Popen[str], psutil.Process]]:
    """A process and its child, which ends with a line that is written to its parent."""
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert parent.stdout is not None
    try:
        yield parent, psutil.Process(int(parent.stdout.readline()))
    finally:
        parent.communicate(timeout=PATIENCE_S)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has handles of processes")
def test_one_that_has_ended_is_not_waited_for_until_its_parent_asks() -> None:
    with ThreadPoolExecutor() as beside, child_of_another() as (parent, child):
        assert helpers_of(parent.pid) == [child]
        waiting = beside.submit(wait_ended, [child], 10 * PATIENCE_S)
        assert not waiting.done()
        assert parent.stdin is not None
        parent.stdin.write("\n")
        assert waiting.result(PATIENCE_S) == []
        assert child.status() == psutil.STATUS_ZOMBIE
        assert wait_ended([child], 10 * PATIENCE_S) == []
    assert wait_ended([child], 10 * PATIENCE_S) == [], "it is gone altogether"
    assert helpers_of(parent.pid) == []


@pytest.mark.parametrize("patience_s", [0.0, 0.01])
def test_those_that_go_on_are_told(patience_s: float) -> None:
    with child_of_another() as (_, child):
        assert wait_ended([child], patience_s) == [child]


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.EPERM])
def test_where_the_system_gives_no_handle_it_is_waited_for_all_the_same(
    code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_pid: int) -> int:
        raise OSError(code, "no handle")

    monkeypatch.setattr(helper_processes, "os", SimpleNamespace(pidfd_open=refused))  # psutil has its own ways
    with child_of_another() as (_, child):
        assert wait_ended([child], 0.01) == [child]
    assert wait_ended([child], 10 * PATIENCE_S) == []
