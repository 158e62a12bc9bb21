"""SIGTERM meets a panel at any point, also while it starts: it ends in time and leaves nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from pathlib import Path

import psutil

from kapture_panel.demo.agent import Agent, ToolError, connect
from kapture_panel.demo.site import DemoSite
from tests.soak.check import Amount, Check, Figure, spread
from tests.support.e2e.panel import PAGES
from tests.support.e2e.processes import KAPTURE, processes_of, socket_of

POINTS, FULL = 12, 100
#: After its start; the browser is there after about one second.
LATEST_S = 3.0
MAX_S = 3.0
#: A browser's last processes and the helper of the lock have so long.
LEFTOVERS_S = 10.0


async def measure(folder: Path, count: int) -> Figure:
    """End panels whose agent opens tabs and clicks."""
    seed = random.SystemRandom().randrange(10**6)
    print(f"          seed {seed}", flush=True)
    lot, root = random.Random(seed), folder / "data"
    took_s, codes, left, damaged = [], Counter[int](), 0, 0
    with DemoSite(PAGES) as site:
        for _ in range(count):
            serve = await asyncio.create_subprocess_exec(
                *KAPTURE, "serve", "--port", "0", "--data-dir", str(root), "--browser", "--headless",
                stdout=subprocess.PIPE,
            )  # fmt: skip
            at = lot.uniform(0, LATEST_S)
            began = time.monotonic()
            await act_until(root, site.url, serve, began + at)
            ended = time.monotonic()
            serve.send_signal(signal.SIGTERM)
            codes[await serve.wait()] += 1
            took_s.append(time.monotonic() - ended)
            await asyncio.to_thread(psutil.wait_procs, processes_of(root), LEFTOVERS_S)
            left += len(processes_of(root)) + socket_of(root).exists()
            damaged += not is_whole(root / "history.sqlite3")
    shown = f"ended after {spread(took_s)} with {dict(codes)}; {left} leftovers, {damaged} histories not whole"
    # Before the program listens to signals the system ends it; it has nothing yet.
    is_met = codes.keys() <= {0, -signal.SIGTERM} and max(took_s) <= MAX_S
    return Figure(shown, is_met and not left and not damaged)


async def act_until(root: Path, site: str, serve: asyncio.subprocess.Process, ends_at: float) -> None:
    """Wait for the panel and act, but not for longer than until then."""
    assert serve.stdout is not None
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout_at(asyncio.get_running_loop().time() + ends_at - time.monotonic()):
            await serve.stdout.readline()  # it is ready
            async with connect(root, "sigterm") as client:
                agent = Agent(client)
                with contextlib.suppress(ToolError):
                    while True:
                        await agent.call("new_tab", url=f"{site}/keys.html")
                        await agent.call("fill", selector="#plain", value="text")


def is_whole(file: Path) -> bool:
    if not file.exists():
        return True
    with contextlib.closing(sqlite3.connect(file)) as db:
        return bool(db.execute("PRAGMA integrity_check").fetchone() == ("ok",))


CHECK = Check(
    "sigterm",
    f"a panel with a browser is sent SIGTERM up to {LATEST_S:.0f} s after its start, while an agent opens tabs: it "
    f"ends within {MAX_S:.0f} s, no process, no socket is left, the history is whole",
    measure,
    longest_s=300,
    amount=Amount(POINTS, FULL, "points"),
)
