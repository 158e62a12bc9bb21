"""What a panel takes of the memory while nothing happens, with its window and without: `make bench ARGS=memory`."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path

import psutil

from tests.bench.goals import Table
from tests.bench.harness import kapture
from tests.support.patience import PATIENCE_S

#: By then the imports that a panel does while idle are done (`hub/agent_door/greeting.py`).
IDLE_S = 8.0
MB = 1024 * 1024


def idle(folder: Path, *program: str) -> tuple[float, float]:
    """Memory of the panel's process after some time without work, in MB.

    Returns:
        its resident set, shared libraries included; and what is its own alone, which its end gives back.
    """
    process = subprocess.Popen(
        kapture(*program, "--port", "0", "--data-dir", str(folder)),
        stdout=subprocess.DEVNULL, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    try:
        time.sleep(IDLE_S)  # nothing announces that nothing happens
        assert process.poll() is None, f"it ended with {process.returncode}"
        taken = psutil.Process(process.pid).memory_full_info()
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
    return taken.rss / MB, taken.uss / MB


def measure(table: Table) -> None:
    """Both programs, without a browser."""
    with tempfile.TemporaryDirectory() as folder:
        rss, uss = idle(Path(folder) / "window")
        table.add("memory, idle, with the window", rss, of_its_own=uss)
        rss, uss = idle(Path(folder) / "serve", "serve")
        table.add("memory, idle, without", rss, of_its_own=uss)
