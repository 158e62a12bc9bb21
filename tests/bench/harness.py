"""What the bench of commands stands on: a panel, a client and the floor side by side, and rounds that take turns."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kapture_panel import paths
from kapture_panel.core.gates.rates import Rate
from kapture_panel.core.gates.rules import Rules
from tests.bench.floor import Floor
from tests.bench.goals import Table
from tests.bench.line_client import LineClient, talking_to

PAGES = Path(__file__).parent.parent / "e2e" / "pages"
ROUNDS, FEW, SLOW = 60, 25, 10
WARM_UP = 3
#: So many at once, each so often; a figure is the time of one call among them.
AT_ONCE, EACH, BURSTS = 8, 15, 12

Work = Callable[[], Awaitable[object]]


def kapture(*arguments: str) -> list[str]:
    """The command line of the program."""
    return [sys.executable, "-m", "kapture_panel", *arguments]


@asynccontextmanager
async def panel(root: Path) -> AsyncIterator[LineClient]:
    """A panel with its browser, without a limit of calls a second, and a client of it."""
    Rules(paths.DataDir.open(str(root)).policy).set_rate(Rate(10_000, 10_000))
    serving = kapture("serve", "--headless", "--browser", "--port", "0", "--data-dir", str(root))
    process = await asyncio.create_subprocess_exec(*serving, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        await process.stdout.readline()  # it says that it is ready
        async with talking_to(*kapture("mcp", "--data-dir", str(root))) as client:
            yield client
    finally:
        process.terminate()
        await process.wait()


async def timed(work: Work) -> float:
    """How long it takes, in ms."""
    began = time.perf_counter()
    await work()
    return (time.perf_counter() - began) * 1000


async def at_once(works: list[Work], each: int = EACH) -> float:
    """What a call takes among others at the same time, in ms."""

    async def often(work: Work) -> None:
        for _ in range(each):
            await work()

    began = time.perf_counter()
    await asyncio.gather(*map(often, works))
    return (time.perf_counter() - began) * 1000 / (each * len(works))


async def same(work: Callable[[], Awaitable[Any]], wanted: object) -> None:
    """Do `work`, whose result is checked."""
    result = await work()
    assert result == wanted, f"{result!r} is not {wanted!r}"


@dataclass
class Bench:
    """The floor and the panel side by side on the pages of `site`."""

    raw: Floor
    client: LineClient
    site: str
    table: Table

    async def go(self, page: str) -> None:
        """Go to a page with both."""
        await self.raw.navigate(f"{self.site}/{page}")
        await self.client.call("navigate", url=f"{self.site}/{page}")

    async def shows(self, code: str, wanted: object) -> None:
        """See what our page and the floor's both have come to.

        Args:
            code: an expression in the page.
        """
        told = (await self.client.call("evaluate", code=code))["value"]
        assert told == wanted, f"{code} is {told!r} on our page and not {wanted!r}"
        await same(lambda: self.raw.evaluate(code), wanted)

    async def count(self, kind: str) -> None:
        """Have both pages count their events of a kind, as `counted`."""
        counting = f"window.counted = 0; addEventListener({json.dumps(kind)}, () => (counted += 1), true)"
        await self.raw.evaluate(counting)
        await self.client.call("evaluate", code=counting)

    async def compare(self, name: str, raw: Work, ours: Work, rounds: int = ROUNDS, spread_ms: float = 0) -> int:
        """Measure both in turn, and tell how often each was done.

        Args:
            spread_ms: each begins after a pause, from none up to this. What waits for the browser's next frame takes
                longer or shorter by when in a frame it is asked for.
        """
        for _ in range(WARM_UP):
            await raw()
            await ours()
        floor_ms, ours_ms = [], []
        for number in range(rounds):
            pause_s = spread_ms / 1000 * number / rounds
            await asyncio.sleep(pause_s)
            floor_ms.append(await timed(raw))
            await asyncio.sleep(pause_s)
            ours_ms.append(await timed(ours))
        self.table.compare(name, floor_ms, ours_ms)
        return WARM_UP + rounds

    async def compare_at_once(self, name: str, raw: Work, ours: list[Work]) -> None:
        """The same with several calls at once."""
        floor_ms, ours_ms = [], []
        for _ in range(BURSTS):
            floor_ms.append(await at_once([raw] * AT_ONCE))
            ours_ms.append(await at_once(ours))
        self.table.compare(name, floor_ms, ours_ms)
