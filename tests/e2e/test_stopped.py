"""The panel is stopped, as when a laptop sleeps, and goes on when the time of a command is over."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.deadlines import AWAKE_S
from kapture_panel.core.router import GRACE_S
from kapture_panel.core.stores import history_file
from kapture_panel.core.stores.history_row import Row
from kapture_panel.demo.agent import Agent, ToolError, connect
from tests.support.e2e.apart import Apart, apart, connected_tab

pytestmark = pytest.mark.asyncio(loop_scope="session")


@asynccontextmanager
async def stopped(one: Apart, meanwhile: str, timeout_ms: int) -> AsyncIterator[None]:
    """The page has begun what it was told: the panel sleeps until `meanwhile` was done there and all is over that it
    gives a command of this time-out."""
    await one.browser.until(one.page, "document.title === 'begun'")
    pid = one.serve.process.pid
    os.kill(pid, signal.SIGSTOP)
    try:
        await one.browser.see(one.page, meanwhile)
        slept_ms = timeout_ms + 1000 * (GRACE_S + 2 * AWAKE_S)
        await one.browser.see(one.page, f"new Promise((done) => setTimeout(done, {slept_ms}))")
    finally:
        os.kill(pid, signal.SIGCONT)
    yield


def row_of(one: Apart, command: str) -> Row:
    return next(row for row in history_file.read(one.data.history, limit=100) if row.command == command)


async def test_what_came_while_the_panel_slept_is_the_answer(tmp_path: Path, pages: str) -> None:
    code = "document.title = 'begun'; new Promise((done) => { globalThis.go = done; })"
    never = "(document.title = 'begun', false)"
    async with apart(tmp_path, f"{pages}/blank.html?mine") as one, connect(one.data.root, "sleeps") as client:
        agent = Agent(client)
        tab = await connected_tab(agent)
        timeout, answer = 1500, None
        while answer is None:  # on a busy machine the page did not get to it in that time
            timeout *= 2
            acting = tasks.spawn(agent.call("evaluate", code=code, tabId=tab, timeout=timeout), "evaluate")
            with suppress(ToolError):
                async with stopped(one, "go(7)", timeout):
                    answer = await acting
            await one.browser.see(one.page, "document.title = ''")
        assert answer["value"] == 7
        waiting = tasks.spawn(agent.call("wait", expression=never, tabId=tab, timeout=timeout), "wait")
        async with stopped(one, "1", timeout):
            with pytest.raises(ToolError, match=f"COMMAND_TIMEOUT: not done after {timeout} ms"):
                await waiting
        await agent.call("count_elements", selector="body", tabId=tab)
        await asyncio.to_thread(one.serve.end)
    assert [(row_of(one, name).state, row_of(one, name).code) for name in ("evaluate", "wait")] == [
        ("ok", ""), ("error", "COMMAND_TIMEOUT"),
    ]  # fmt: skip
