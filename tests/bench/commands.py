"""What commands cost over raw CDP: the panel, its child and a client each in a process of its own, as they are used."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kapture_panel import paths
from kapture_panel.core.gates.rates import Rate
from kapture_panel.core.gates.rules import Rules
from kapture_panel.demo.site import DemoSite
from tests.bench.floor import WALKER, Floor, floor
from tests.bench.goals import Measured, Table
from tests.bench.line_client import LineClient, talking_to

#: The figures, beside the table that is printed.
JSON = Path("build/bench.json")
PAGES = Path(__file__).parent.parent / "e2e" / "pages"
NULL_SERVER = Path(__file__).with_name("null_server.py")
ROUNDS, FEW = 60, 25
WARM_UP = 3
#: So many at once, each so often; a figure is the time of one call among them.
AT_ONCE, EACH, BURSTS = 8, 25, 6

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


async def at_once(works: list[Work]) -> float:
    """What a call takes among others at the same time, in ms."""

    async def often(work: Work) -> None:
        for _ in range(EACH):
            await work()

    began = time.perf_counter()
    await asyncio.gather(*map(often, works))
    return (time.perf_counter() - began) * 1000 / (EACH * len(works))


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

    async def compare(self, name: str, raw: Work, ours: Work, rounds: int = ROUNDS) -> None:
        """Measure both in turn."""
        for _ in range(WARM_UP):
            await raw()
            await ours()
        line = Measured(name, [], [])
        for _ in range(rounds):
            line.floor_ms.append(await timed(raw))
            line.ours_ms.append(await timed(ours))
        self.table.add(line)

    async def compare_at_once(self, name: str, raw: Work, ours: list[Work]) -> None:
        """The same with several calls at once."""
        line = Measured(name, [], [])
        for _ in range(BURSTS):
            line.floor_ms.append(await at_once([raw] * AT_ONCE))
            line.ours_ms.append(await at_once(ours))
        self.table.add(line)

    async def evaluates(self) -> None:
        """One call after the other, and eight at once."""
        raw, call = self.raw, self.client.call
        await self.go("afterwards.html")
        size = (await call("evaluate", code="[innerWidth, innerHeight]"))["value"]
        assert size == [1280, 720], f"the viewport is {size}"

        async def evaluated(**given: Any) -> None:
            assert (await call("evaluate", **given))["value"] == 2

        def two() -> Awaitable[None]:
            return same(lambda: raw.evaluate("1+1"), 2)

        def ones() -> Awaitable[None]:
            return evaluated(code="1+1")

        def read() -> Awaitable[object]:
            return call("count_elements", selector="p")

        await self.compare("evaluate 1+1", two, ones)
        await self.compare("evaluate, statements", two, lambda: evaluated(code="const one = 1; one + 1"))
        await self.compare("read (count_elements)", two, read)
        await self.compare_at_once("8 reads at once, one tab", two, [read] * AT_ONCE)
        await self.compare_at_once("8 evaluates at once, one tab", two, [ones] * AT_ONCE)

    async def many_tabs(self) -> None:
        """An evaluate in each of eight tabs at once."""
        call = self.client.call
        opened = [await call("new_tab", url=f"{self.site}/afterwards.html?{one}") for one in range(AT_ONCE)]

        def evaluating(tab_id: str) -> Work:
            return lambda: call("evaluate", code="1+1", tabId=tab_id)

        works = [evaluating(tab["tabId"]) for tab in opened]
        raw = self.raw
        await self.compare_at_once("8 evaluates at once, eight tabs", lambda: raw.evaluate("1+1"), works)
        for tab in opened:
            await call("close_tab", tabId=tab["tabId"])

    async def input(self) -> None:
        """Clicks and fills."""
        raw, call = self.raw, self.client.call
        await self.go("afterwards.html")
        at = await call("hover", selector="#now")

        async def click() -> None:
            assert (await call("click", selector="#now"))["effects"]["changed"] is True

        await self.compare("click, effect in the first frame", lambda: raw.click(at["x"], at["y"]), click)
        await same(lambda: raw.evaluate("document.querySelector('#out').textContent"), "now")
        await self.go("form50.html")
        fields = [0, 0]

        def field(side: int) -> str:
            fields[side] += 1
            return f"#i{1 + fields[side] % 2}"

        async def fill() -> None:
            assert (await call("fill", selector=field(1), value=f"text {fields[1]}"))["value"] == f"text {fields[1]}"

        def raw_fill() -> Awaitable[None]:
            selector = field(0)
            return same(lambda: raw.fill(selector, f"text {fields[0]}"), f"text {fields[0]}")

        await self.compare("fill", raw_fill, fill)

    async def looking(self) -> None:
        """Snapshots, a click on a large page, and going somewhere."""
        raw, call = self.raw, self.client.call

        def walk() -> Awaitable[object]:
            return raw.evaluate(WALKER)

        def snapshot() -> Awaitable[object]:
            return call("snapshot")

        await self.compare("snapshot, form of 50 fields", walk, snapshot)
        await self.go("large.html")
        await self.compare("snapshot, 5,000 elements", walk, snapshot, FEW)
        at = await call("hover", selector="a")
        link = (at["x"], at["y"])
        await self.compare(
            "click among 5,000 elements", lambda: raw.click(*link), lambda: call("click", selector="a"), FEW
        )
        visits = [0]

        def address() -> str:
            visits[0] += 1
            return f"{self.site}/form50.html?{visits[0]}"

        await self.compare(
            "navigate, local page", lambda: raw.navigate(address()), lambda: call("navigate", url=address()), FEW
        )

    async def starts(self, root: Path) -> None:
        """A child from its start until it has greeted, beside a server that does nothing."""

        def greeting(*command: str) -> Work:
            async def greet() -> None:
                async with talking_to(*command):
                    pass

            return greet

        null, child = greeting(sys.executable, str(NULL_SERVER)), greeting(*kapture("mcp", "--data-dir", str(root)))
        await self.compare("child start → initialize", null, child, FEW)

    async def terminal(self, root: Path) -> None:
        """A call from a terminal, a process of its own, beside a Python that does nothing."""

        def program(*command: str) -> Work:
            async def run() -> None:
                process = await asyncio.create_subprocess_exec(
                    *command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
                )
                assert await process.wait() == 0, command

            return run

        def call(*words: str) -> Work:
            return program(*kapture(*words, "--data-dir", str(root), "--session", "bench"))

        nothing = program(sys.executable, "-c", "pass")
        await call("new_tab", f"{self.site}/afterwards.html")()
        await self.compare("terminal: evaluate 1+1", nothing, call("evaluate", "1+1"), FEW)
        await self.compare("terminal: snapshot", nothing, call("snapshot"), FEW)
        await self.compare("terminal: click", nothing, call("click", "#now"), FEW)
        await call("close_tab")()


async def measure(folder: Path) -> Table:
    """All of it, in a folder that is thrown away."""
    table = Table()
    root = folder / "panel"
    with DemoSite(PAGES) as site:
        async with panel(root) as client, floor(folder / "floor") as raw:
            bench = Bench(raw, client, site.url, table)
            await bench.evaluates()
            await bench.input()
            await bench.looking()
            await bench.many_tabs()
            await bench.starts(root)
            await bench.terminal(root)
    return table


def main() -> int:
    """0 when every goal is reached."""
    with tempfile.TemporaryDirectory() as folder:
        table = asyncio.run(measure(Path(folder)))
    table.write(JSON)
    print(f"  (also in {JSON})")
    return 0 if table.is_kept else 1
