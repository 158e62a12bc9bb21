"""A real window with its console and history in sight, while pages write 2,000 lines a second and agents give 200
commands a second, then while one page would write 10,000 lines a second: `python -m tests.bench.busy_window FOLDER`
ends with a line of JSON, see `Figures`."""

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
    from tests.support.heartbeat import Gap

SECONDS = 10.0
#: Two pages write half of it each, as much as a page may write for long without being slowed.
PAGES_THAT_WRITE, LINES_PER_S = 2, 2000
FLOOD_PER_S = 10_000
#: Twenty times a second, as many as are due by then: a page's timers are late when the machine is busy.
_WRITING = """let written = 0, began = performance.now();
setInterval(() => {{
  for (const due = (performance.now() - began) * {per_s} / 1000; written < due; written += 1)
    console.log(`order ${{written}} placed by customer ${{written % 977}}`);
}}, 50); 1"""


@dataclass
class Figures:
    """How long the window's thread was held at a time in ms, p99 and worst, without its waits for a processor; how late
    its beats were by the clock; how long it worked; what flowed a second; and the same of the flood, which the browser
    slows."""

    held_p99_ms: float
    held_worst_ms: float
    late_p99_ms: float
    late_worst_ms: float
    work_p99_ms: float
    lines_per_s: float
    commands_per_s: float
    flood_p99_ms: float
    flood_worst_ms: float
    flood_lines_per_s: float


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

    flow = _Flow(hub)
    writing = [await _new_tab(hub) for _ in range(PAGES_THAT_WRITE)]
    window.resize(1600, 1000)
    window.shell.docks.reveal("history")
    window.shell.docks.reveal("console")
    window.rooms.page.logs.show_page("console")
    window.rooms.tabs.choose(writing[0])
    with DemoSite(PAGES) as site:
        agents = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench.busy_agents", str(hub.state.places.history.parent),
            f"{site.url}/afterwards.html", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert agents.stdin is not None
        assert agents.stdout is not None
        assert await agents.stdout.readline() == b"ready\n"
        gaps, lines, commands = await _felt(hub, window, flow, writing, LINES_PER_S // PAGES_THAT_WRITE)
        agents.stdin.close()
        assert await agents.wait() == 0
    for tab in writing:
        await hub.core.router.run(hub.state.person, "kapturemcp_close_tab", {"tabId": tab})
    flooding = await _new_tab(hub)
    window.rooms.tabs.choose(flooding)
    flood_gaps, flood_lines, _ = await _felt(hub, window, flow, [flooding], FLOOD_PER_S)
    held, late = [gap.held_ms for gap in gaps], [gap.late_ms for gap in gaps]
    flood_held, work = [gap.held_ms for gap in flood_gaps], [gap.work_ms for gap in gaps]
    return Figures(
        held_p99_ms=_p99(held),
        held_worst_ms=max(held),
        late_p99_ms=_p99(late),
        late_worst_ms=max(late),
        work_p99_ms=_p99(work),
        lines_per_s=lines,
        commands_per_s=commands,
        flood_p99_ms=_p99(flood_held),
        flood_worst_ms=max(flood_held),
        flood_lines_per_s=flood_lines,
    )


async def _new_tab(hub: Hub) -> str:
    answer = await hub.core.router.run(hub.state.person, "kapturemcp_new_tab", {"url": "about:blank"})
    return str(answer.result["tabId"])


async def _felt(
    hub: Hub, window: MainWindow, flow: _Flow, writing: list[str], each_per_s: int
) -> tuple[list[Gap], float, float]:
    """The window's pulse while these tabs write so many lines a second each; lines and commands a second."""
    from tests.support.heartbeat import Heartbeat

    flow.lines = 0
    for tab in writing:
        given = {"tabId": tab, "code": _WRITING.format(per_s=each_per_s)}
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
    return heartbeat.stop(), flow.lines / took, flow.commands / took


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
