"""A part of the bench that needs a whole panel for itself, in a process of its own and without a display."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.support.patience import PATIENCE_S


def figures(module: str) -> dict[str, Any]:
    """What a module says in its last line, a JSON object; it gets a folder for its data.

    Raises:
        RuntimeError: it failed.
    """
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", module, folder],
            capture_output=True, text=True, check=False, timeout=PATIENCE_S,
            env={**environment, "QT_QPA_PLATFORM": "offscreen"}, cwd=Path(__file__).parents[2],
        )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{module} measured nothing:\n{done.stdout}{done.stderr}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told
