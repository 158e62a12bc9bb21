"""Many panels are started at once for one data folder, first afresh and then after a kill -9: exactly one lives."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections import Counter
from pathlib import Path

import psutil

from kapture_panel.core.basics import tasks
from kapture_panel.hub.agent_door import door_client
from tests.soak.check import Amount, Check, Figure
from tests.support.e2e.processes import KAPTURE, processes_of

AT_ONCE, FULL = 12, 50
#: One of so many is `kapture serve`, which a window takes over from; the others are windows in the tray.
ONE_SERVE_IN = 3
ROUNDS = 3
LONGEST_S = 100.0

Panel = asyncio.subprocess.Process


async def measure(folder: Path, count: int) -> Figure:
    """Start all, see who lives, kill that one, and start all again: its lock and its socket are stale."""
    root = folder / "data"
    told, is_met = [], True
    for _ in range(ROUNDS):
        panels = [await start(root, is_serve=number % ONE_SERVE_IN == 0) for number in range(count)]
        living = await rest(panels)
        answers = await asyncio.to_thread(door_client.answers, Path(os.path.realpath(root)))
        codes = Counter(panel.returncode for panel in panels if panel not in living)
        told.append(
            f"{len(living)} lives, {'answers' if answers else 'DOES NOT ANSWER'}, the others ended {dict(codes)}"
        )
        is_met = is_met and len(living) == 1 and answers and set(codes) <= {0, 1}
        for panel in living:
            panel.kill()
            await panel.wait()
        # The helper that holds the lock is on its way; the next panels meet it.
    psutil.wait_procs(processes_of(root), timeout=LONGEST_S)
    left = len(processes_of(root))
    return Figure(f"{'; '.join(told)}; {left} processes left", is_met and not left)


async def start(root: Path, *, is_serve: bool) -> Panel:
    """A panel that nobody waits for."""
    what = ["serve"] if is_serve else ["--tray"]
    return await asyncio.create_subprocess_exec(
        *KAPTURE, *what, "--port", "0", "--data-dir", str(root),
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


async def rest(panels: list[Panel]) -> list[Panel]:
    """Those that live when all but one have ended, or when that takes too long."""
    waiting = {tasks.spawn(panel.wait(), "a panel's end") for panel in panels}
    try:
        async with asyncio.timeout(LONGEST_S):
            while len(waiting) > 1:
                _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    except TimeoutError:
        pass  # the figure tells how many live
    for one in waiting:
        one.cancel()
    return [panel for panel in panels if panel.returncode is None]


CHECK = Check(
    "second-panels",
    f"windows and `kapture serve` started at once for one folder, {ROUNDS} times, from the second time over what a "
    "kill -9 left: exactly one lives and answers, the others end with 0 or say that one runs",
    measure,
    longest_s=300,
    amount=Amount(AT_ONCE, FULL, "at once"),
)
