"""The link between extension and panel is cut: what was under way is told afterwards, and nothing happens twice."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Awaitable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kapture_panel.core import router
from kapture_panel.core.basics import tasks
from kapture_panel.core.stores import history_file
from kapture_panel.demo.agent import Agent, ToolError, connect
from tests.support.cutting_proxy import Direction
from tests.support.e2e.apart import apart, connected_tab
from tests.support.e2e.cutting import PRESSES, Opens, behind_a_proxy
from tests.support.patience import PATIENCE_S

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


async def test_a_command_that_comes_twice_presses_once(opened: Opens) -> None:
    async with opened() as cut:
        link = await cut.link()
        link.repeat["to_browser"] = 0
        for presses in range(1, 4):
            clicked = await cut.agent.call("click", selector="#count")
            assert clicked["outcome"] == "done"
            await cut.pressed(presses)
        assert link.repeated >= 3
        assert cut.row("click").state == "ok"
        assert await cut.news() == []


async def test_an_answer_that_comes_late_settles_its_row_and_is_told_once(opened: Opens) -> None:
    async with opened() as cut:
        link = await cut.link()
        link.delay("to_panel")
        call = tasks.spawn(cut.agent.call("click", selector="#count"), "click")
        await cut.pressed(1)
        await link.held.wait()
        assert cut.row("click").state == "running"
        link.go_on("to_panel")
        assert (await call)["outcome"] == "done"
        assert cut.row("click").state == "ok"
        assert await cut.news() == []
        await cut.pressed(1)


async def test_a_press_that_a_pause_cut_off_is_told_afterwards_though_its_link_stayed(opened: Opens) -> None:
    async with opened() as cut:
        link = await cut.link()
        link.delay("to_panel")
        call = tasks.spawn(unknown(cut.agent.call("click", selector="#count")), "click")
        await cut.pressed(1)
        # It begins when the press has been answered, so that the pause cuts off what is already done.
        behind = tasks.spawn(unknown(cut.agent.call("evaluate", code="globalThis.behind = 1")), "evaluate")
        await cut.seen("globalThis.behind")
        cut.hub.state.pause.hold()
        await asyncio.gather(call, behind)
        assert cut.row("click").state == "unknown"
        cut.hub.state.pause.lift()
        link.go_on("to_panel")
        row = await cut.settled("click")
        assert (row.state, row.outcome) == ("ok", "done")
        assert row.summary.endswith("told afterwards")
        assert await cut.link() is link
        assert "click #count" in [told["command"] for told in await cut.news()]
        await cut.pressed(1)


async def test_a_press_that_waits_past_its_time_was_not_made_and_is_told_so(
    opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as cut:
        running = "new Promise((done) => { globalThis.go = done; })"
        behind = tasks.spawn(cut.agent.call("evaluate", code=running), "evaluate")
        await cut.seen("globalThis.go")
        monkeypatch.setattr(router, "GRACE_S", 0.0)
        await unknown(cut.agent.call("click", selector="#count", timeout=1))
        assert cut.row("click").state == "unknown"
        await cut.witness.see("go()")
        row = await cut.settled("click")
        assert (row.code, row.said) == ("NOT_SENT", "its caller gave it up before it had begun; nothing was done")
        told = (await behind).get("lateEffects", {}).get("settled", []) or await cut.news()
        assert [(one["command"], one["outcome"]) for one in told] == [("click #count", "NOT_SENT")]
        await cut.pressed(0)


@pytest.mark.parametrize("direction", ["to_panel", "to_browser"])
async def test_a_garbled_byte_ends_the_link_which_comes_back_without_a_double(
    opened: Opens, direction: Direction
) -> None:
    async with opened() as cut:
        done, seen = 0, 0
        for byte in (20, 60, 100):
            await cut.is_back()
            link = await cut.link()
            link.flip[direction] = byte
            with suppress(ToolError):
                await cut.agent.call("click", selector="#count")
            async with asyncio.timeout(PATIENCE_S):
                await link.over.wait()
            assert link.flip[direction] < 0
            await cut.is_back()
            assert await cut.link() is not link
            row = await cut.settled("click")
            assert row.state == "ok" or row.code == "NOT_SENT", row
            done += row.state == "ok" and row.id != seen
            seen = row.id
            assert await cut.witness.see(PRESSES) == done, f"after byte {byte} was garbled the row says {row}"
        assert (await cut.agent.call("click", selector="#count"))["outcome"] == "done"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_what_ran_when_the_panel_ended_is_told_by_the_next_one(
    tmp_path: Path, pages: str, how: signal.Signals
) -> None:
    async with apart(tmp_path, f"{pages}/blank.html?mine") as one, connect(one.data.root, "killed") as client:
        agent = Agent(client)
        code = "new Promise((done) => { globalThis.go = done; document.title = 'begun'; })"
        call = tasks.spawn(unknown(agent.call("evaluate", code=code)), "evaluate")
        await one.browser.until(one.page, "document.title === 'begun'")
        one.serve.process.send_signal(how)
        await call
        await one.browser.see(one.page, "go()")
        await asyncio.to_thread(one.serve.end, how)
        popup = await one.browser.popup("?mine")  # the tab is let go of, and stays shared
        await one.browser.until(popup, "document.querySelector('#debugger')?.textContent.startsWith('not attached')")
        assert await one.browser.see(popup, "document.querySelector('#toggle').textContent") == "Disconnect this tab"
        await one.start()
        told = await agent.call("count_elements", selector="body", tabId=await connected_tab(agent))
        (settled,) = told["lateEffects"]["settled"]
        assert (settled["command"], settled["outcome"]) == ("evaluate", "done")
    row = next(row for row in history_file.read(one.data.history, limit=10_000) if row.command == "evaluate")
    assert (row.state, row.code, row.frame) == ("ok", "", "")
