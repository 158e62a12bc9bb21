"""Thirty conversations at once, each with a browser of its own, over three nodes of a real Selenium Grid."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e.panel import Panel
from tests.support.selenium_grid import Grid, grid, note, places

pytestmark = pytest.mark.asyncio(loop_scope="session")

SESSIONS, NODES = 30, 3
#: So many start at the same moment: a Chrome that starts keeps a whole processor busy, and nodes that are swamped fall
#: silent for as long as dead ones.
STARTING = 3
#: While others start, nobody speaks to those that have begun.
TIMEOUT_S = 120


@pytest.fixture
def wide(needed: None, tmp_path: Path) -> Iterator[Grid]:
    """A Grid with room for all."""
    with grid(tmp_path, *[SESSIONS // NODES] * NODES, timeout_s=TIMEOUT_S) as made:
        yield made


def _mib(processes: list[psutil.Process]) -> float:
    """What processes take, their shared memory divided among those who share it."""
    return sum(float(process.memory_full_info().pss) for process in processes) / 2**20


async def test_thirty_sessions_at_once_work_without_an_error(panel: Panel, wide: Grid, pages: str) -> None:
    panel.data.places.write_text(f"{places(wide=wide.address)}\nwait_seconds = {TIMEOUT_S}")
    me = psutil.Process()
    before_mib = me.memory_full_info().uss / 2**20
    starting, there, measured = asyncio.Semaphore(STARTING), asyncio.Barrier(SESSIONS), asyncio.Event()
    starts_s: list[float] = []
    calls_ms: list[float] = []

    async def converse(number: int) -> None:
        async with connect(panel.data.root, f"agent{number}", "all", "--isolated", "--on", "wide") as mcp:
            agent = Agent(mcp)
            async with starting:
                began = time.monotonic()
                await agent.call("navigate", url=f"{pages}/blank.html?{number}")
                starts_s.append(time.monotonic() - began)
            if await there.wait() == 0:
                await asyncio.to_thread(measure)
                measured.set()
            await measured.wait()
            for _ in range(5):
                assert (await agent.call("evaluate", code="location.search"))["value"] == f"?{number}"
            calls_ms.extend(agent.times_ms["evaluate"])

    def measure() -> None:
        assert len(wide.sessions()) == SESSIONS
        browsers = [node.browsers() for node in wide.nodes]
        assert all(browsers)
        note(
            "thirty sessions",
            start_s={"median": statistics.median(starts_s), "first": min(starts_s), "last": max(starts_s)},
            mib_per_session=sum(map(_mib, browsers)) / SESSIONS,
            processes_per_session=sum(map(len, browsers)) / SESSIONS,
            mib_per_node=[_mib([psutil.Process(node.process.pid)]) for node in wide.nodes],
            panel_mib_per_session=(me.memory_full_info().uss / 2**20 - before_mib) / SESSIONS,
            started_at_once=STARTING,
            load=psutil.getloadavg()[0],
        )

    async with asyncio.TaskGroup() as group:
        for number in range(SESSIONS):
            group.create_task(converse(number))
    note("thirty sessions, evaluate", median_ms=statistics.median(calls_ms), worst_ms=max(calls_ms))
    rows = panel.hub.state.history.rows(limit=500)
    assert len(rows) == 6 * SESSIONS
    assert {row.state for row in rows} == {"ok"}
    await asyncio.to_thread(wide.until, "the end of all sessions", lambda: not wide.sessions())
