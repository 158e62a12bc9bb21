"""Whole processes of ours, and how a test sees that they are gone."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

import psutil

from kapture_panel import door
from kapture_panel.core.gates.rates import MAX_PER_S, Rate
from kapture_panel.core.gates.rules import Rules
from kapture_panel.hub.browsers.helper_processes import wait_ended
from kapture_panel.paths import DataDir
from tests.support.patience import PATIENCE_S

KAPTURE = [sys.executable, "-m", "kapture_panel"]


def processes_of(root: Path) -> list[psutil.Process]:
    """Every process that names the data directory in its command line."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if any(str(root) in part for part in process.cmdline()) and process.pid != os.getpid():
                found.append(process)
    return found


def socket_of(root: Path) -> Path:
    return Path(door.address(os.path.realpath(root)))


def wait_gone(root: Path) -> None:
    """Wait until nothing runs for the data directory and its socket is gone."""
    wait_ended(processes_of(root), PATIENCE_S)
    assert not processes_of(root)
    assert not socket_of(root).exists()


def wait_gone_but(root: Path, kept: Collection[int]) -> None:
    """Wait until of what runs for the data directory only the processes with these ids are left."""
    others = [process for process in processes_of(root) if process.pid not in kept]
    assert wait_ended(others, PATIENCE_S) == []


def unbounded(root: Path) -> None:
    """Let the agents of a panel that is started later call as fast as they can."""
    Rules(DataDir.open(str(root)).policy).set_rate(Rate(MAX_PER_S, MAX_PER_S))


class Serve:
    """`kapture serve` as a process; `ready` is its line."""

    def __init__(self, root: Path, *options: str, env: dict[str, str] | None = None) -> None:
        command = [*KAPTURE, "serve", "--port", "0", "--data-dir", str(root), *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **(env or {})})
        assert self.process.stdout is not None
        self.ready: dict[str, Any] = json.loads(self.process.stdout.readline())

    def end(self, number: int = signal.SIGTERM) -> int:
        """Signal it and wait for its exit code."""
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code
