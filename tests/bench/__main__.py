"""`make bench`: what a command costs over raw CDP, the MCP child over an interpreter, the window over an empty one."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kapture_panel import paths
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.site import DemoSite
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from tests.bench import console, history, promises, window

ROUNDS = 30
STARTS = 20
PAGES = Path(__file__).parent.parent / "e2e" / "pages"


@dataclass
class Row:
    """One line of the table: the same thing done over raw CDP (the floor) and through MCP."""

    name: str
    floor: Callable[[], Awaitable[Any]]
    ours: Callable[[], Awaitable[Any]]
    floor_ms: list[float] = field(default_factory=list)
    ours_ms: list[float] = field(default_factory=list)


async def timed(work: Callable[[], Awaitable[Any]]) -> float:
    started = time.perf_counter()
    await work()
    return (time.perf_counter() - started) * 1000


def print_row(name: str, floor_ms: float, ours_ms: float) -> None:
    print(f"  {name:<34}{floor_ms:>10.2f}{ours_ms:>10.2f}{ours_ms / floor_ms:>9.1f}×")


def children(root: Path) -> None:
    """Start → `initialize` answered, beside a bare interpreter; and the child's memory."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    message["params"] = {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"},
    }  # fmt: skip
    kapture = str(Path(sys.executable).parent / "kapture")
    bare_ms, child_ms, sizes = [], [], []
    for _ in range(STARTS):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        bare_ms.append((time.perf_counter() - started) * 1000)
        started = time.perf_counter()
        with subprocess.Popen(
            [kapture, "mcp", "--data-dir", str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdin.write(json.dumps(message).encode() + b"\n")
            child.stdin.flush()
            assert b'"result"' in child.stdout.readline()
            child_ms.append((time.perf_counter() - started) * 1000)
            import psutil

            sizes.append(psutil.Process(child.pid).memory_info().rss / 1024 / 1024)
            child.stdin.close()
    print_row("start → initialize / bare python", statistics.median(bare_ms), statistics.median(child_ms))
    print(f"  {'memory of the child':<34}{max(sizes):>20.1f} MB")


async def commands(hub: Hub, root: Path, pages: str) -> None:
    """Commands through MCP beside the same over the browser's pipe, on the same page."""
    assert hub.browsers.shared is not None
    pipe = hub.browsers.shared.pipe
    async with connect(root, "bench") as client:
        agent = Agent(client)
        await agent.call("navigate", url=f"{pages}/keys.html")
        session = await Witness(pipe, pages).session()

        def raw(method: str, **params: Any) -> Callable[[], Awaitable[Any]]:
            return lambda: pipe.call(method, params, session)

        def clicks(x: float, y: float) -> Callable[[], Awaitable[Any]]:
            point = {"x": x, "y": y, "button": "left", "clickCount": 1}

            async def click() -> None:
                for kind in ("mousePressed", "mouseReleased"):
                    await pipe.call("Input.dispatchMouseEvent", {"type": kind, **point}, session)

            return click

        async def raw_fill() -> None:
            await raw("Runtime.evaluate", expression="document.querySelector('#plain').select()")()
            await raw("Input.insertText", text="filled")()

        rows = [
            Row("evaluate 1+1", raw("Runtime.evaluate", expression="1+1"), lambda: agent.call("evaluate", code="1+1")),
            Row("click without effect", clicks(40, 20), lambda: agent.call("click", selector="#area")),
            Row("fill", raw_fill, lambda: agent.call("fill", selector="#plain", value="filled")),
            Row(
                "screenshot, jpeg",
                raw("Page.captureScreenshot", format="jpeg", quality=80),
                lambda: agent.picture(name="bench", format="jpeg"),
            ),
            Row("list_tabs / evaluate", raw("Runtime.evaluate", expression="1"), lambda: agent.call("list_tabs")),
        ]
        await interleaved(rows)
        await agent.call("navigate", url=f"{pages}/afterwards.html")
        where = await agent.call("hover", selector="#now")
        await interleaved([Row("click", clicks(where["x"], where["y"]), lambda: agent.call("click", selector="#now"))])
        text = raw("Runtime.evaluate", expression="document.body.innerText")
        await agent.call("navigate", url=f"{pages}/form50.html")
        await interleaved([Row("snapshot, 50 fields", text, lambda: agent.text("snapshot"))])
        print(f"  {'tokens of the 50 fields':<34}{len((await agent.text('snapshot')).encode()) / 4:>20.0f}")
        await agent.call("navigate", url=f"{pages}/large.html")
        await interleaved([Row("snapshot, 5,000 elements", text, lambda: agent.text("snapshot"))])
        started = time.perf_counter()
        for _ in range(5):
            await asyncio.gather(*(agent.call("evaluate", code="1+1") for _ in range(8)))
        print(f"  {'8 evaluates at once':<34}{40 / (time.perf_counter() - started):>20.0f} /s")


async def interleaved(rows: list[Row]) -> None:
    for _ in range(ROUNDS):
        for row in rows:
            row.floor_ms.append(await timed(row.floor))
            row.ours_ms.append(await timed(row.ours))
    for row in rows:
        print_row(row.name, statistics.median(row.floor_ms), statistics.median(row.ours_ms))


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder, DemoSite(PAGES) as site:
        data = paths.DataDir.open(folder)
        instance = Instance(data.lock)
        assert instance.acquire(lambda: False)
        hub = Hub(data, instance, Options(port=0, headless=True), lambda _ask: False)
        try:
            await hub.start()
            await hub.browsers.open(in_front=True)
            print(f"  {'median ms of ' + str(ROUNDS):<34}{'floor':>10}{'ours':>10}{'ratio':>10}")
            await commands(hub, data.root, site.url)
            await asyncio.to_thread(children, data.root)
        finally:
            await hub.stop()
            instance.release()


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    asyncio.run(main())
    raise SystemExit(max(promises.main(), window.main(), console.main(), history.main()))
