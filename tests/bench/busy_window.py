"""A real window with its console and history in sight, while pages write 2,000 lines a second and agents give 200
commands a second: `python -m tests.bench.busy_window FOLDER` ends with a line of JSON, see `Figures`."""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from kapture_panel import paths
from kapture_panel.core.gates.rates import Rate
from kapture_panel.core.gates.rules import Rules
from tests.bench.harness import PAGES
from tests.support import panel_program

if TYPE_CHECKING:
    from kapture_panel.core.answer import Answer
    from kapture_panel.core.registry.clients import Client
    from kapture_panel.core.stores.console import ConsoleLine
    from kapture_panel.hub.hub import Hub
    from kapture_panel.window.shell.main_window import MainWindow

SECONDS = 10.0
#: Two pages write half of it each, as much as a page may write for long without being slowed.
PAGES_THAT_WRITE, LINES_PER_S = 2, 2000
#: Twenty times a second, as many as are due by then: a page's timers are late when the machine is busy.
_FLOOD = f"""let written = 0, began = performance.now();
setInterval(() => {{
  for (const due = (performance.now() - began) * {LINES_PER_S // PAGES_THAT_WRITE} / 1000; written < due; written += 1)
    console.log(`order ${{written}} placed by customer ${{written % 977}}`);
}}, 50); 1"""


@dataclass
class Figures:
    """How long the window's thread was held at a time in ms, p99 and worst, without its waits for a processor; how late
    its beats were by the clock; how long it worked; and what flowed a second."""

    held_p99_ms: float
    held_worst_ms: float
    late_p99_ms: float
    late_worst_ms: float
    work_p99_ms: float
    lines_per_s: float
    commands_per_s: float


class _Flow:
    """Counts what the panel takes."""

    def __init__(self, hub: Hub) -> None:
        self.lines = self.commands = 0
        self.news = asyncio.Event()
        hub.state.console.appended.connect(self._on_lines)
        hub.core.router.answered.connect(self._on_answered)

    def _on_lines(self, batch: list[ConsoleLine]) -> None:
        self.lines += len(batch)
        self.news.set()

    def _on_answered(self, _client: Client, _answer: Answer) -> None:
        self.commands += 1


async def measure(hub: Hub, window: MainWindow) -> Figures:
    """Let it flow, and feel the window's pulse meanwhile."""
    from kapture_panel.demo.site import DemoSite
    from tests.support.heartbeat import Heartbeat

    flow = _Flow(hub)
    tabs = [await hub.browsers.open("") for _ in range(PAGES_THAT_WRITE)]
    window.resize(1600, 1000)
    window.shell.docks.reveal("history")
    window.shell.docks.reveal("console")
    window.rooms.page.logs.show_page("console")
    window.rooms.tabs.choose(tabs[0].tab_id)
    with DemoSite(PAGES) as site:
        agents = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench.busy_agents", str(hub.state.places.history.parent),
            f"{site.url}/afterwards.html", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert agents.stdin is not None
        assert agents.stdout is not None
        assert await agents.stdout.readline() == b"ready\n"
        for tab in tabs:
            given = {"tabId": tab.tab_id, "code": _FLOOD}
            await hub.core.router.run(hub.state.person, "kapturemcp_evaluate", given)
        while not flow.lines:
            flow.news.clear()
            await flow.news.wait()
        assert window.rooms.page.console.table.isVisible()
        flow.lines = flow.commands = 0
        heartbeat = Heartbeat(window)
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.sleep(SECONDS)  # it is measured over this time
        took = loop.time() - began
        gaps = heartbeat.stop()
        lines, commands = flow.lines / took, flow.commands / took
        agents.stdin.close()
        assert await agents.wait() == 0
    held, late = [gap.held_ms for gap in gaps], [gap.late_ms for gap in gaps]
    return Figures(_p99(held), max(held), _p99(late), max(late), _p99([gap.work_ms for gap in gaps]), lines, commands)


def _p99(taken: list[float]) -> float:
    return statistics.quantiles(taken, n=100)[98]


def main(folder: str) -> int:
    """Run a panel and print the figures."""
    told: list[Figures] = []
    Rules(paths.DataDir.open(folder).policy).set_rate(Rate(10_000, 10_000))

    async def beside(hub: Hub, window: MainWindow) -> None:
        told.append(await measure(hub, window))
        window.quit()

    code = panel_program.run(["--data-dir", folder, "--port", "0"], beside)
    if told:
        print(json.dumps(asdict(told[0])))
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
