"""Ten thousand frames of somebody who means harm, before and after the proof."""

from __future__ import annotations

import logging
from pathlib import Path

import psutil

from tests.soak.check import Amount, Check, Figure
from tests.support.hub.hostile import Malice, Stage, greet, say_each

FRAMES = 10_000
#: Of so many one comes before the proof.
ONE_GREETING_IN = 5
#: The good tab is asked something after so many.
EVERY = 400
MAX_GROWTH_MB = 50
SEED = 20261121


class Reported(logging.Handler):
    """Counts what the panel logs as an error: a crash that was caught is one."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1
        print(f"  {self.format(record)}")


async def measure(folder: Path, count: int) -> Figure:
    reported = Reported()
    logging.getLogger().addHandler(reported)
    stage, malice, process = Stage(folder / "data"), Malice(SEED), psutil.Process()
    await stage.start()
    greetings = count // ONE_GREETING_IN
    before = process.memory_info().rss
    for number in range(greetings):
        await greet(stage, malice.greeting())
        if number % EVERY == 0:
            await stage.ask_the_good_tab()
    shown_out = 0
    for _ in range((count - greetings) // EVERY):
        shown_out += await say_each(stage, [malice.frame() for _ in range(EVERY)])
        await stage.ask_the_good_tab()
    await stage.hub.freed.given()
    grown_mb = (process.memory_info().rss - before) / 1024 / 1024
    is_unharmed = stage.hub.state.tabs.get("good1").url == "https://shop.example/"
    await stage.end()
    asked = greetings // EVERY + (count - greetings) // EVERY
    shown = f"memory {grown_mb:+.1f} MB, {reported.count} crashes, {stage.answered} of {asked} answers of the good tab"
    is_met = grown_mb <= MAX_GROWTH_MB and not reported.count and is_unharmed and stage.answered == asked
    return Figure(f"{shown}, {shown_out} shown out", is_met and shown_out > count // 100)


CHECK = Check(
    "hostile-frames",
    f"hostile frames: memory +<= {MAX_GROWTH_MB} MB, 0 crashes, the good tab is served",
    measure,
    longest_s=600,
    amount=Amount(FRAMES, FRAMES, "frames"),
)
