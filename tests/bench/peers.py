"""`make bench-peers`: two well-known servers of MCP beside ours, on the same Chromium and the same pages, in turns."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import re
import statistics
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

from PIL import Image

from kapture_panel.demo.site import DemoSite
from tests.bench.goals import Line, Table
from tests.bench.harness import FEW, PAGES, WARM_UP, kapture, panel, timed
from tests.bench.line_client import talking_to
from tests.bench.peer_servers import DevTools, Kapture, Playwright, Server

JSON = Path("build/bench-peers.json")
ROUNDS, STARTS = 25, 10
CHATTY, NEWEST = 5000, 100
SNAPSHOTS = ("button", "Now"), ("textbox", "Field 7")

Do = Callable[[Server], Awaitable[object]]


class Beside(Line):
    """What each server took; the figure is ours in the best of the others."""

    def __init__(self, name: str, taken: dict[str, float]) -> None:
        others = [amount for server, amount in taken.items() if server != Kapture.name]
        super().__init__(name, taken[Kapture.name] / min(others), taken)


class Peers(Table):
    """A column for each server."""

    def _head(self) -> None:
        names = (Kapture.name, Playwright.name, DevTools.name)
        print(f"  {'median ms':<40}" + "".join(f"{name:>12}" for name in names) + f"{'ours / best':>13}  goal")

    def versus(self, name: str, taken: dict[str, float]) -> None:
        """Take what each server took."""
        line = Beside(name, taken)
        self.lines.append(line)
        cells = "".join(f"{amount:>12,.1f}" for amount in taken.values())
        verdict = "   missed" if line.is_missed else ""
        print(f"  {name:<40}{cells}{line.figure:>11.2f} ×  {line.goal}{verdict}", flush=True)


class Round:
    """All servers side by side."""

    def __init__(self, servers: list[Server], table: Peers, site: str) -> None:
        self.servers, self.table, self.site = servers, table, site

    async def go(self, page: str) -> None:
        """Go to a page with all."""
        for server in self.servers:
            await server.navigate(f"{self.site}/{page}")
            await server.learn()

    async def shows(self, code: str, wanted: object) -> None:
        """See what each page has come to."""
        for server in self.servers:
            told = await server.value(code)
            assert told == wanted, f"{code} is {told!r} and not {wanted!r} on the page of {server.name}"

    async def taken(self, do: Do, rounds: int = ROUNDS) -> dict[str, float]:
        """The median of what it takes each, in turns."""
        took: dict[str, list[float]] = {server.name: [] for server in self.servers}
        for number in range(WARM_UP + rounds):
            for server in self.servers:
                ms = await timed(lambda server=server: do(server))  # type: ignore[misc]
                if number >= WARM_UP:
                    took[server.name].append(ms)
        return {name: statistics.median(each) for name, each in took.items()}


async def evaluates(round_: Round) -> None:
    """An expression."""

    async def two(server: Server) -> None:
        assert await server.value("1+1") == 2

    await round_.go("afterwards.html")
    round_.table.versus("peers: evaluate 1+1", await round_.taken(two))


async def input_(round_: Round) -> None:
    """A click and a fill."""
    await round_.go("afterwards.html")
    for server in round_.servers:
        await server.value("void (window.counted = 0, addEventListener('click', () => (counted += 1))) ?? 0")
    taken = await round_.taken(lambda server: server.click("#now", 'button "Now"'))
    await round_.shows("`${counted} ${out.textContent}`", f"{WARM_UP + ROUNDS} now")
    round_.table.versus("peers: click, effect in the first frame", taken)
    await round_.go("form50.html")
    texts = itertools.count(1)
    taken = await round_.taken(lambda server: server.fill("#i7", 'textbox "Field 7"', f"text {next(texts)}"))
    for server in round_.servers:
        assert (await server.value("i7.value")).startswith("text "), server.name
    round_.table.versus("peers: fill", taken)


async def looks(round_: Round) -> None:
    """Snapshots of both sizes, and a picture."""

    def looking(has: str) -> Do:
        async def look(server: Server) -> None:
            text = await server.snapshot()
            assert has in text, f"no {has} in {text[:300]} of {server.name}"

        return look

    async def picture(server: Server) -> None:
        size = Image.open(io.BytesIO(await server.picture())).size
        assert size == (1280, 720), f"{size} of {server.name}"

    await round_.go("form50.html")
    round_.table.versus("peers: snapshot, form of 50 fields", await round_.taken(looking('textbox "Field 50"')))
    round_.table.versus("peers: screenshot, default format", await round_.taken(picture))
    await round_.go("large.html")
    round_.table.versus("peers: snapshot, 5,000 elements", await round_.taken(looking('link "Link 0"'), FEW // 2))


async def visits(round_: Round) -> None:
    """Going somewhere, and what a page wrote into its console."""
    numbers = itertools.count(1)

    def visit(page: str) -> Do:
        return lambda server: server.navigate(f"{round_.site}/{page}?{next(numbers)}")

    round_.table.versus("peers: navigate, local page", await round_.taken(visit("form50.html")))
    await round_.shows("document.querySelectorAll('input').length", 50)
    round_.table.versus("peers: navigate, page logs 5,000 lines", await round_.taken(visit("chatty.html"), FEW // 3))
    await round_.shows("document.title", "Chatty")

    async def newest(server: Server) -> None:
        text = await server.newest(NEWEST, CHATTY)
        # Among them notes of the browser may stand.
        missing = set(range(CHATTY - NEWEST + 5, CHATTY + 1)) - set(map(int, re.findall(r"\bline (\d+)", text)))
        assert not missing, f"{sorted(missing)} are missing from {server.name}: {text[:200]} … {text[-200:]}"

    round_.table.versus("peers: console, newest 100 lines", await round_.taken(newest))


async def starts(round_: Round, folder: Path) -> None:
    """How much each tells of its tools, and how soon it greets; ours joins a panel that runs."""
    sizes = {}
    for server in round_.servers:
        listed = await server.client.request("tools/list", {})
        sizes[server.name] = float(len(json.dumps(listed["tools"], ensure_ascii=False, separators=(",", ":")).encode()))
    round_.table.versus("peers: tools/list, bytes", sizes)
    commands = {
        Kapture.name: kapture("mcp", "--data-dir", str(folder / "panel")),
        Playwright.name: list(Playwright.command),
        DevTools.name: list(DevTools.command),
    }

    async def greet(server: Server) -> None:
        async with talking_to(*commands[server.name], folder=folder):
            pass

    round_.table.versus("peers: start → initialize", await round_.taken(greet, STARTS))


async def measured(folder: Path, table: Peers) -> None:
    """All of it, in a folder that is thrown away."""
    with DemoSite(PAGES) as site:
        async with AsyncExitStack() as stack:
            servers: list[Server] = [Kapture(await stack.enter_async_context(panel(folder / "panel")))]
            servers.append(Playwright(await stack.enter_async_context(talking_to(*Playwright.command, folder=folder))))
            servers.append(DevTools(await stack.enter_async_context(talking_to(*DevTools.command, folder=folder))))
            round_ = Round(servers, table, site.url)
            for part in (evaluates, input_, looks, visits):
                await part(round_)
            await starts(round_, folder)


def main() -> int:
    """0 when we are nowhere slower than told."""
    table = Peers()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(Path(folder), table))
    table.write(JSON)
    return 0 if table.is_kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
