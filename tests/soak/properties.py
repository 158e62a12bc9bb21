"""The properties of `make test` with many more examples, which are others in each run."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.soak.check import Amount, Check, Figure

ROOT = Path(__file__).parents[2]


def _files() -> list[str]:
    return [str(path) for path in sorted((ROOT / "tests").rglob("test_*.py")) if "@given(" in path.read_text()]


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
    "new examples of each property: all hold",
    measure,
    longest_s=1800,
    amount=Amount(400, 400, "examples of each"),
)
