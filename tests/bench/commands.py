"""What commands cost over raw CDP: the panel, its child and a client each in a process of its own, as they are used."""

from __future__ import annotations

import asyncio
import io
import re
import tempfile
from collections.abc import Awaitable
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image

from kapture_panel.demo.site import DemoSite
from tests.bench.floor import WALKER, Floor, floor
from tests.bench.goals import Table
from tests.bench.harness import AT_ONCE, FEW, PAGES, SLOW, Bench, Work, at_once, panel, same
from tests.bench.line_client import LineClient
from tests.bench.starts import starts, terminal

#: The first calls of a panel and its tab, of so many panels.
FIRST, FRESH = 56, 5
CHATTY = 5000
#: Of a browser that draws sixty a second.
FRAME_MS = 1000 / 60
NEWEST = 100
VIEW = (1280, 720)


def two(raw: Floor) -> Work:
    """The floor's evaluate."""
    return lambda: same(lambda: raw.evaluate("1+1"), 2)


def evaluating(client: LineClient, **given: Any) -> Work:
    """Ours, with its result checked."""

    async def evaluated() -> None:
        told = (await client.call("evaluate", **given))["value"]
        assert told == 2, f"{given} is {told!r}"

    return evaluated


async def evaluates(bench: Bench) -> None:
    """One call after the other, and eight at once."""
    raw, client = bench.raw, bench.client
    await bench.go("afterwards.html")
    await bench.shows("[innerWidth, innerHeight].join()", ",".join(map(str, VIEW)))

    async def read() -> None:
        told = (await client.call("count_elements", selector="button"))["count"]
        assert told == 9, f"{told} buttons"

    ones = evaluating(client, code="1+1")
    await bench.compare("evaluate 1+1", two(raw), ones)
    await bench.compare("evaluate, statements", two(raw), evaluating(client, code="const one = 1; one + 1"))
    await bench.compare("read (count_elements)", two(raw), read)
    await bench.compare_at_once("8 reads at once, one tab", two(raw), [read] * AT_ONCE)
    await bench.compare_at_once("8 evaluates at once, one tab", two(raw), [ones] * AT_ONCE)


async def many_tabs(bench: Bench) -> None:
    """An evaluate in each of eight tabs at once."""
    call = bench.client.call
    opened = [await call("new_tab", url=f"{bench.site}/afterwards.html?{one}") for one in range(AT_ONCE)]
    works = [evaluating(bench.client, code="1+1", tabId=tab["tabId"]) for tab in opened]
    await bench.compare_at_once("8 evaluates at once, eight tabs", two(bench.raw), works)
    for number, tab in enumerate(opened):
        told = (await call("evaluate", code="location.search", tabId=tab["tabId"]))["value"]
        assert told == f"?{number}", f"tab {number} is at {told}"
        await call("close_tab", tabId=tab["tabId"])


async def first_calls(folder: Path, raw: Floor, site: str, table: Table) -> None:
    """The first calls of a panel, eight at once, without a warm-up."""
    floor_ms, ours_ms = [], []
    await raw.navigate(f"{site}/afterwards.html")
    for number in range(FRESH):
        async with panel(folder / f"fresh{number}") as client:
            await client.call("navigate", url=f"{site}/afterwards.html")
            floor_ms.append(await at_once([two(raw)] * AT_ONCE, FIRST // AT_ONCE))
            ours_ms.append(await at_once([evaluating(client, code="1+1")] * AT_ONCE, FIRST // AT_ONCE))
    table.compare("8 evaluates at once, one tab, first 56", floor_ms, ours_ms)


async def clicks_and_fills(bench: Bench) -> None:
    """Input."""
    raw, call = bench.raw, bench.client.call
    await bench.go("afterwards.html")
    at = await call("hover", selector="#now")
    await bench.count("click")

    async def click() -> None:
        assert (await call("click", selector="#now"))["effects"]["changed"] is True

    clicked = await bench.compare("click, effect in the first frame", lambda: raw.click(at["x"], at["y"]), click)
    clicked += await bench.compare(
        "click, the floor waits for the frame, too", lambda: raw.click_and_frame(at["x"], at["y"]), click
    )
    await bench.shows("`${counted} ${out.textContent}`", f"{clicked} now")
    await bench.go("form50.html")
    fields = [0, 0]

    def field(side: int) -> str:
        fields[side] += 1
        return f"#i{1 + fields[side] % 2}"

    async def fill() -> None:
        assert (await call("fill", selector=field(1), value=f"text {fields[1]}"))["value"] == f"text {fields[1]}"

    def raw_fill() -> Awaitable[None]:
        selector = field(0)
        return same(lambda: raw.fill(selector, f"text {fields[0]}"), f"text {fields[0]}")

    filled = await bench.compare("fill", raw_fill, fill)
    last = sorted((f"text {filled}", f"text {filled - 1}"))
    await bench.shows("[i1.value, i2.value].sort().join()", ",".join(last))


async def looks(bench: Bench) -> None:
    """Snapshots, a click on a large page, and a picture."""
    raw, call = bench.raw, bench.client.call

    def walk() -> Awaitable[object]:
        return raw.evaluate(WALKER)

    def snapshot(has: str) -> Work:
        async def taken() -> None:
            text = (await call("snapshot"))["text"]
            assert re.search(has, text, re.MULTILINE), f"no line {has} in {text[:500]}"

        return taken

    await bench.go("form50.html")
    await bench.compare("snapshot, form of 50 fields", walk, snapshot(r'^ *- textbox "Field 50" \[ref=e\d+\]'))

    def size(data: bytes) -> None:
        taken = Image.open(io.BytesIO(data))
        assert (taken.size, taken.format) == (VIEW, "PNG"), taken

    async def raw_picture() -> None:
        size(await raw.picture())

    async def picture() -> None:
        size(await bench.client.picture("bench"))

    await bench.compare("screenshot, default format", raw_picture, picture, spread_ms=FRAME_MS)
    await bench.go("large.html")
    await bench.compare("snapshot, 5,000 elements", walk, snapshot(r'^ *- link "Link 0" \[ref=e\d+\]'), FEW)
    at = await call("hover", selector="a")
    await bench.count("click")
    press, click = partial(raw.click, at["x"], at["y"]), partial(call, "click", selector="a")
    clicked = await bench.compare("click among 5,000 elements", press, click, spread_ms=FRAME_MS)
    await bench.shows("`${counted} ${location.hash}`", f"{clicked} #0")


async def visits(bench: Bench) -> None:
    """Going somewhere, and what a page wrote into its console meanwhile."""
    raw, call = bench.raw, bench.client.call
    numbers = [0, 0]

    def address(side: int, page: str) -> str:
        numbers[side] += 1
        return f"{bench.site}/{page}?{numbers[side]}"

    async def visit(page: str) -> None:
        url = address(1, page)
        assert (await call("navigate", url=url))["url"] == url

    form, chatty = "form50.html", "chatty.html"
    await bench.compare("navigate, local page", lambda: raw.navigate(address(0, form)), lambda: visit(form), FEW)
    await bench.shows("`${location.search} ${document.querySelectorAll('input').length}`", f"?{numbers[1]} 50")
    await raw.call("Runtime.enable")  # it gets the lines as we do
    await bench.compare(
        "navigate, page logs 5,000 lines", lambda: raw.navigate(address(0, chatty)), lambda: visit(chatty), SLOW
    )
    await raw.call("Runtime.disable")
    await call("clear_logs")
    await visit(chatty)
    lines, kept, dropped = await newest(bench.client, 2 * CHATTY)
    assert kept + dropped == CHATTY, f"{kept} lines are kept, {dropped} dropped"
    assert lines == list(range(CHATTY, CHATTY - kept, -1)), f"{len(lines)} of {kept} lines are told, {lines[:9]}"
    told = f"Array.from({{ length: {NEWEST} }}, (_, number) => `line ${{{CHATTY} - number}}`).join('\\n')"

    async def raw_newest() -> None:
        assert len((await raw.evaluate(told)).splitlines()) == NEWEST

    async def our_newest() -> None:
        found, _, _ = await newest(bench.client, NEWEST)
        assert found == list(range(CHATTY, CHATTY - len(found), -1)), found
        assert len(found) > NEWEST - 5, found  # between them the browser's own notes may stand

    await bench.compare("console, newest 100 lines", raw_newest, our_newest)


async def newest(client: LineClient, most: int) -> tuple[list[int], int, int]:
    """The page's newest lines by number, how many are kept, and how many were dropped; without Kapture's own notes."""
    text = (await client.call("logs", max=most))["text"]
    if cut := re.search(r"All of it is in (\S+): read it", text):
        text = Path(cut[1]).read_text()
    found = re.search(r"\((\d+) of (\d+) lines, newest first(?:; (\d+) older ones dropped)?\)$", text)
    assert found is not None, text[-500:]
    notes = len(re.findall(r"^\d+ warn Kapture (?:slows|no longer slows) this page", text, re.MULTILINE))
    return list(map(int, re.findall(r"\bline (\d+)", text))), int(found[2]) - notes, int(found[3] or 0)


async def measured(folder: Path, table: Table) -> None:
    """All of it, in a folder that is thrown away."""
    root = folder / "panel"
    with DemoSite(PAGES) as site:
        async with floor(folder / "floor") as raw:
            async with panel(root) as client:
                bench = Bench(raw, client, site.url, table)
                for part in (evaluates, many_tabs, clicks_and_fills, looks, visits):
                    await part(bench)
                await starts(bench, root)
                await terminal(bench, root)
            await first_calls(folder, raw, site.url, table)


def measure(table: Table) -> None:
    """Every command, and the starts."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(Path(folder), table))
