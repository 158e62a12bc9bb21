"""What `make test` tries with fewer examples, or on fewer desktops; the examples are others in each run."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.soak.check import Amount, Check, Figure

ROOT = Path(__file__).parents[2]


#: What stands in a file whose tests try more here.
TRIES_MORE = ("@given(", "@desktops(")


def _files() -> list[str]:
    paths = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(path) for path in paths if any(mark in path.read_text() for mark in TRIES_MORE)]


async def measure(folder: Path, _count: int) -> Figure:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", f"--basetemp={folder / 'tmp'}"]
    run = await asyncio.to_thread(
        subprocess.run, [*command, *_files()], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "KAPTURE_TEST_PROFILE": "soak", "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    if run.returncode != 0:
        print(run.stdout[-8000:], flush=True)
    counted = re.search(r"\d+ (?:passed|failed).*", run.stdout)
    return Figure(counted[0] if counted else run.stderr[-300:], run.returncode == 0)


CHECK = Check(
    "properties",
    "new examples of each property, and the keyboard with each window manager: all hold",
    measure,
    longest_s=1800,
    amount=Amount(250, 250, "examples of each"),
)
