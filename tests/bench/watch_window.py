"""A real window that watches a tab while two agents work: `python -m tests.bench.watch_window FOLDER` ends with a line
of JSON, see `Figures`."""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tests.bench.harness import PAGES
from tests.support import panel_program

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

    from kapture_panel.hub.hub import Hub
    from kapture_panel.window.shell.main_window import MainWindow
    from kapture_panel.window.watch.page_view import PageView

SECONDS = 4.0
PRESSES = 40
_LEVELS = (0, 255)
#: A page of 1280 × 720 with something in it that moves once `runs` is set, and turns black or white at a press.
_PAGE = """document.body.style.margin = 0;
document.body.innerHTML = "<div id=ground style='height:720px;background:#fff'></div>" +
  "<h1 id=moving style='position:absolute;left:600px;top:20px;font:60px sans-serif'>0</h1>";
let number = 0, white = true;
addEventListener("mousedown", () => { white = !white; ground.style.background = white ? "#fff" : "#000"; });
const step = () => { if (window.runs) { moving.textContent = number += 1; moving.style.top = `${number % 600}px`; }
  requestAnimationFrame(step); };
step();"""


@dataclass
class Figures:
    """Pictures painted a second while the page moves; MB a second on the socket while it is still; ms from a press on
    the window to its picture painted, each; ms the window's thread was held at a time, p99 and worst."""

    painted_per_s: float
    still_mb_per_s: float
    pressed_ms: list[float]
    held_p99_ms: float
    held_worst_ms: float


class _Eyes:
    """Counts what crosses and what is painted."""

    def __init__(self, hub: Hub, page: PageView) -> None:
        self._page = page
        self.painted = 0
        self.bytes = 0
        self.news = asyncio.Event()
        hub.watching.came.connect(lambda _tab_id, picture: self._count(len(picture.data)))
        page.painted.connect(self._on_painted)

    def _count(self, size: int) -> None:
        self.bytes += size

    def _on_painted(self) -> None:
        self.painted += 1
        self.news.set()

    async def sees(self, level: int) -> None:
        """Wait until the ground is painted this dark."""
        while self._page.image.isNull() or abs(self._page.image.pixelColor(20, 20).red() - level) > 40:
            self.news.clear()
            await self.news.wait()

    async def over(self, seconds: float) -> tuple[float, float]:
        """Pictures painted and MB that crossed, a second."""
        self.painted = self.bytes = 0
        await asyncio.sleep(seconds)
        return self.painted / seconds, self.bytes / seconds / 1e6


def _press(page: PageView, at: QPointF) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    QTest.mousePress(page, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at.toPoint())
    QTest.mouseRelease(page, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at.toPoint())


async def _watched(hub: Hub, window: MainWindow) -> _Eyes:
    """Have a tab in the window, at 1280 × 720."""
    from PySide6.QtCore import QPointF, QSize

    tab = await hub.browsers.open("")
    run, person = hub.core.router.run, hub.state.person
    await run(person, "kapturemcp_evaluate", {"tabId": tab.tab_id, "code": _PAGE})
    view = window.rooms.watch.view
    window.resize(1900, 1200)
    window.shell.show_way(view)
    window.rooms.tabs.choose(tab.tab_id)
    eyes = _Eyes(hub, view.page)
    await eyes.sees(255)
    missing = QSize(1280, 720) - view.page.room
    window.resize(window.size() + missing.expandedTo(QSize(0, 0)))
    while view.page.image.size() != QSize(1280, 720):
        eyes.news.clear()
        await eyes.news.wait()
    assert view.page.in_page(view.page.shown(QPointF(1280, 720))) == QPointF(1280, 720)
    return eyes


async def measure(hub: Hub, window: MainWindow) -> Figures:
    """All of it, one after the other, while the agents work."""
    from PySide6.QtCore import QPointF

    from kapture_panel.demo.site import DemoSite
    from tests.support.heartbeat import Heartbeat

    eyes = await _watched(hub, window)
    page, view = window.rooms.watch.view.page, window.rooms.watch.view
    assert view.tab is not None
    tab_id = view.tab.tab_id
    with DemoSite(PAGES) as site:
        agents = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench.watch_agents", str(hub.state.places.history.parent),
            f"{site.url}/form50.html", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert agents.stdout is not None
        assert agents.stdin is not None
        assert await agents.stdout.readline() == b"ready\n"
        heartbeat = Heartbeat(window)
        _, still = await eyes.over(SECONDS)
        view.toggle_step()
        pressed = []
        for number in range(PRESSES):
            started = time.perf_counter()
            _press(page, page.shown(QPointF(200, 200)))
            await eyes.sees(_LEVELS[number % 2])
            pressed.append((time.perf_counter() - started) * 1000)
        await hub.hands.step_out(tab_id)
        await hub.core.router.run(
            hub.state.person, "kapturemcp_evaluate", {"tabId": tab_id, "code": "window.runs = true; 1"}
        )
        painted, _ = await eyes.over(SECONDS)
        held = [gap.held_ms for gap in heartbeat.stop()]
        agents.stdin.close()
        assert await agents.wait() == 0
    return Figures(painted, still, pressed, statistics.quantiles(held, n=100)[98], max(held))


def main(folder: str) -> int:
    """Run a panel and print the figures."""
    told: list[Figures] = []

    async def beside(hub: Hub, window: MainWindow) -> None:
        told.append(await measure(hub, window))
        window.quit()

    code = panel_program.run(["--data-dir", folder, "--port", "0"], beside)
    if told:
        print(json.dumps(asdict(told[0])))
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
