"""The link between extension and panel is cut: what was under way is told afterwards, and nothing happens twice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kapture_panel.core.basics import tasks
from kapture_panel.core.stores import history_file
from kapture_panel.demo.agent import Agent, ToolError, connect
from tests.support.cutting_proxy import Direction
from tests.support.e2e.apart import apart, connected_tab
from tests.support.e2e.cutting import PRESSES, Opens, behind_a_proxy

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def unknown(call: Awaitable[Any]) -> None:
    with pytest.raises(ToolError, match="OUTCOME_UNKNOWN"):
        await call


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def opened(tmp_path_factory: pytest.TempPathFactory, pages: str) -> AsyncIterator[Opens]:
    """A panel whose browser reaches it through a proxy: `async with opened() as cut` an agent with a tab of its own."""
    async with behind_a_proxy(tmp_path_factory.mktemp("cuts"), pages) as opens:
        yield opens


async def test_a_press_whose_answer_was_lost_is_told_afterwards_and_made_once(opened: Opens) -> None:
    async with opened() as cut:
        link = await cut.link()
        link.left["to_panel"] = 0
        call = tasks.spawn(unknown(cut.agent.call("click", selector="#count")), "click")
        await cut.pressed(1)
        await link.held.wait()
        link.cut()
        await call
        row = await cut.settled("click")
        assert (row.state, row.code, row.outcome) == ("ok", "", "done")
        assert row.effects["changed"] is True
        assert "told after the connection came back" in row.summary
        (told,) = await cut.news()
        assert (told["command"], told["outcome"]) == ("click #count", "done")
        assert told["said"] == row.said
        assert await cut.news() == []
        await cut.pressed(1)


async def test_an_action_that_runs_when_the_link_breaks_comes_to_its_end_and_is_told_then(opened: Opens) -> None:
    async with opened() as cut:
        code = "new Promise((done) => { globalThis.go = () => done(globalThis.presses = 7); })"
        call = tasks.spawn(unknown(cut.agent.call("evaluate", code=code)), "evaluate")
        await cut.seen("globalThis.go")
        (await cut.link()).cut()
        await cut.witness.see("go()")
        await call
        row = await cut.settled("evaluate")
        assert (row.state, row.code) == ("ok", "")
        assert [told["command"] for told in await cut.news()] == ["evaluate"]


async def test_what_waited_or_never_arrived_was_not_done_and_is_told_so(opened: Opens) -> None:
    async with opened() as cut:
        running = "new Promise((done) => { globalThis.go = done; })"
        calls = [tasks.spawn(unknown(cut.agent.call("evaluate", code=running)), "evaluate")]
        await cut.seen("globalThis.go")
        link = await cut.link()
        waits = tasks.spawn(unknown(cut.agent.call("click", selector="#count")), "waits")
        await link.carried("kapturemcp_click")
        link.left["to_browser"] = 0
        lost = tasks.spawn(unknown(cut.agent.call("fill", selector="#name", value="a secret name")), "lost")
        await link.held.wait()
        link.cut()
        await asyncio.gather(*calls, waits, lost)
        for command in ("click", "fill"):
            row = await cut.settled(command)
            assert (row.state, row.code, row.said) == (
                "error", "NOT_SENT", "the connection broke before the command had begun; nothing was done",
            )  # fmt: skip
        await cut.witness.see("go()")
        told = await cut.news()
        assert {one["command"]: one["outcome"] for one in told if one["command"] != "evaluate"} == {
            "click #count": "NOT_SENT",
            "fill #name": "NOT_SENT",
        }
        assert "a secret name" not in json.dumps(told)
        await cut.pressed(0)


@pytest.mark.parametrize("direction", ["to_panel", "to_browser"])
async def test_cuts_at_any_byte_lose_no_action_and_double_none(opened: Opens, direction: Direction) -> None:
    async with opened() as cut:
        known, seen = 0, 0
        for byte in range(0, 1400, 100):
            await cut.is_back()
            link = await cut.link()
            link.left[direction], link.cuts_at_end = byte, True
            with suppress(ToolError):
                await cut.agent.call("click", selector="#count")
            link.cut()
            await cut.is_back()
            row = await cut.settled("click")
            assert row.state == "ok" or row.code in ("NOT_SENT", "TAB_DISCONNECTED", "TAB_NOT_FOUND"), row
            known += row.state == "ok" and row.id != seen
            seen = row.id
            pressed = await cut.witness.see(PRESSES)
            assert pressed == known, f"after a cut at byte {byte} the row says {row}"
        assert known


async def test_what_ran_when_the_panel_was_killed_is_told_by_the_next_one(tmp_path: Path, pages: str) -> None:
    async with apart(tmp_path, f"{pages}/blank.html?mine") as one, connect(one.data.root, "killed") as client:
        agent = Agent(client)
        code = "new Promise((done) => { globalThis.go = done; document.title = 'begun'; })"
        call = tasks.spawn(unknown(agent.call("evaluate", code=code)), "evaluate")
        await one.browser.until(one.page, "document.title === 'begun'")
        await one.kill()
        await one.browser.see(one.page, "go()")
        await call
        await one.start()
        told = await agent.call("count_elements", selector="body", tabId=await connected_tab(agent))
        (settled,) = told["lateEffects"]["settled"]
        assert (settled["command"], settled["outcome"]) == ("evaluate", "done")
    row = next(row for row in history_file.read(one.data.history, limit=10_000) if row.command == "evaluate")
    assert (row.state, row.code, row.frame) == ("ok", "", "")
