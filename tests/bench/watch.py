"""Watching a tab and stepping into it, each figure beside its goal: `python -m tests.bench.watch`."""

from __future__ import annotations

import asyncio
import base64
import statistics
import tempfile
import time
from pathlib import Path

from PySide6.QtGui import QImage

from kapture_panel import paths
from kapture_panel.core.wire.watching import LivePicture, MouseInput
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options

LEAST_PER_S = 25.0
MOST_MS = 80.0
MOST_MB_PER_S = 2.0
SECONDS = 4.0
PRESSES = 25
_COLOURS = (0, 255)
#: A page of 1280 × 720 with something in it that moves once `runs` is set, and turns black or white at a press.
_PAGE = """document.body.style.margin = 0;
document.body.innerHTML = "<div id=ground style='height:720px;background:#fff'></div>" +
  "<h1 id=moving style='position:absolute;left:600px;top:20px;font:60px sans-serif'>0</h1>";
let number = 0, white = true;
addEventListener("mousedown", () => { white = !white; ground.style.background = white ? "#fff" : "#000"; });
const step = () => { if (window.runs) { moving.textContent = number += 1; moving.style.top = `${number % 600}px`; }
  requestAnimationFrame(step); };
step();"""


class _Eyes:
    """Decodes each picture, as the window does, and says then that it was painted."""

    def __init__(self, hub: Hub, tab_id: str) -> None:
        self._hub = hub
        self._tab_id = tab_id
        self.count = 0
        self.bytes = 0
        self.image = QImage()
        self.news = asyncio.Event()
        hub.watching.came.connect(self._on_picture)
        hub.watching.watch(tab_id, 1280, 720, 0)

    def _on_picture(self, _tab_id: str, picture: LivePicture) -> None:
        self.image = QImage.fromData(base64.b64decode(picture.data))
        self.count += 1
        self.bytes += len(picture.data)
        self._hub.watching.painted(self._tab_id, picture.number)
        self.news.set()

    async def sees(self, level: int) -> None:
        """Wait until the ground is this dark."""
        while self.image.isNull() or abs(self.image.pixelColor(20, 20).red() - level) > 40:
            self.news.clear()
            await self.news.wait()

    async def over(self, seconds: float) -> tuple[float, float]:
        """Pictures and MB a second."""
        self.count = self.bytes = 0
        await asyncio.sleep(seconds)
        return self.count / seconds, self.bytes / seconds / 1e6


async def measure(folder: Path) -> tuple[float, float, float]:
    """Pictures a second of a page that moves, MB a second of one that is still, ms from a press to its picture."""
    data = paths.DataDir.open(str(folder))
    instance = Instance(data.lock)
    instance.acquire(lambda: False)
    hub = Hub(data, instance, Options(port=0, headless=True), lambda _ask: False)
    await hub.start()
    try:
        tab = await hub.browsers.open("")
        run, person = hub.core.router.run, hub.state.person
        await run(person, "kapturemcp_evaluate", {"tabId": tab.tab_id, "code": _PAGE})
        eyes = _Eyes(hub, tab.tab_id)
        await eyes.sees(255)
        await eyes.over(0.5)
        _, still = await eyes.over(SECONDS)
        hub.hands.step_in(tab.tab_id)
        times = []
        for number in range(PRESSES):
            started = time.perf_counter()
            for act in ("down", "up"):
                press = MouseInput(act="down" if act == "down" else "up", x=200, y=200, button="left", count=1)
                hub.hands.give(tab.tab_id, press)
            await eyes.sees(_COLOURS[number % 2])
            times.append((time.perf_counter() - started) * 1000)
        await hub.hands.step_out(tab.tab_id)
        await run(person, "kapturemcp_evaluate", {"tabId": tab.tab_id, "code": "window.runs = true; 1"})
        moving, _ = await eyes.over(SECONDS)
        return moving, still, statistics.median(times)
    finally:
        await hub.stop()
        instance.release()


def main() -> int:
    """0 when every goal is reached."""
    with tempfile.TemporaryDirectory() as folder:
        moving, still, pressed = asyncio.run(measure(Path(folder)))
    print(f"  {'watching at 1280 × 720':<44}{'taken':>10}{'goal':>10}")
    lines = (
        ("pictures a second, the page moves", moving, f"≥ {LEAST_PER_S:.0f}", moving >= LEAST_PER_S),
        ("MB a second, the page is still", still, f"≤ {MOST_MB_PER_S:.0f}", still <= MOST_MB_PER_S),
        ("ms from a press to its picture, median", pressed, f"≤ {MOST_MS:.0f}", pressed <= MOST_MS),
    )
    for name, figure, goal, is_kept in lines:
        print(f"  {name:<44}{figure:>10.1f}{goal:>10}{'' if is_kept else '   missed'}")
    return int(not all(is_kept for *_others, is_kept in lines))


if __name__ == "__main__":
    raise SystemExit(main())
