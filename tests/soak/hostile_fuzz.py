"""Frames that are others in each run, in bursts, over a link of each role."""

from __future__ import annotations

import logging
import secrets
import time
from pathlib import Path

from tests.soak.check import Amount, Check, Figure
from tests.soak.hostile_frames import Reported
from tests.support.hub.hostile import Malice, Stage, say_each

SECONDS = 20
BURST = 50


async def measure(folder: Path, count: int) -> Figure:
    reported = Reported()
    logging.getLogger().addHandler(reported)
    seed = secrets.randbits(32)
    stage, malice, sent = Stage(folder / "data"), Malice(seed), 0
    await stage.start()
    for role in ("tab", "browser"):
        ends_at = time.monotonic() + count
        while time.monotonic() < ends_at:
            await say_each(stage, [malice.frame() for _ in range(10 * BURST)], role, BURST)
            sent += 10 * BURST
            stage.hub.core.router.gates.pause.lift()  # a browser's link may ask for it
            await stage.ask_the_good_tab()
    is_unharmed = stage.hub.state.tabs.get("good1").url == "https://shop.example/"
    await stage.end()
    return Figure(f"{sent:,} frames of seed {seed}, {reported.count} crashes", is_unharmed and not reported.count)


CHECK = Check(
    "hostile-fuzz",
    "new frames over each role of link: 0 crashes, the good tab is served",
    measure,
    longest_s=300,
    amount=Amount(SECONDS, SECONDS, "s"),
)
