"""The demo with an eye on its window's thread: `python -m tests.support.watched_demo FOLDER` ends with a line of JSON.

It is a list of [late_ms, work_ms, held_ms], one for each beat of `tests.support.heartbeat`.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support import panel_program
from tests.support.patience import PATIENCE_S

if TYPE_CHECKING:
    from kapture_panel.hub.hub import Hub
    from kapture_panel.window.shell.main_window import MainWindow
    from tests.support.heartbeat import Gap


def gaps(folder: Path) -> list[Gap]:
    """Run the demo in a process of its own, without a display, and tell how its window's thread was held.

    Raises:
        RuntimeError: the demo failed.
    """
    from tests.support.heartbeat import Gap

    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, "-m", "tests.support.watched_demo", str(folder)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=PATIENCE_S,
        env={**environment, "QT_QPA_PLATFORM": "offscreen"}, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"the demo failed:\n{done.stdout}{done.stderr}")
    return [Gap(*beat) for beat in json.loads(done.stdout.splitlines()[-1])]


def main(folder: str) -> int:
    """Run the demo and print the beats."""
    beats: list[Gap] = []

    async def beside(_hub: Hub, window: MainWindow) -> None:
        from tests.support.heartbeat import Heartbeat

        heartbeat = Heartbeat(window)
        try:
            await asyncio.Event().wait()
        finally:
            beats.extend(heartbeat.stop())

    code = panel_program.run(["demo", "--output", folder], beside)
    print(json.dumps([[round(figure, 2) for figure in gap] for gap in beats]))
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
