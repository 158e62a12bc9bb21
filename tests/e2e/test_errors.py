"""Bad luck through MCP: each its own code, within its time, and the tab goes on."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.demo.agent import Agent, connect, ref_of
from tests.support.e2e.panel import OpenAgent, Panel, current_tab, heard
from tests.support.patience import PATIENCE_MS

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_unknown_tool_and_an_unknown_tab_name_what_there_is(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/blank.html") as a:
        assert "click" in await a.fails("clik")
        said = await a.fails("click", selector="h1", tabId="nope")
        assert said.startswith("TAB_NOT_FOUND")
        assert "connected are" in said


async def test_with_several_tabs_and_no_choice_the_error_lists_them(agent: OpenAgent, pages: str, panel: Panel) -> None:
    fresh = connect(panel.data.root, "fresh")
    async with agent(f"{pages}/blank.html"), agent(f"{pages}/keys.html"), fresh as client:
        said = await Agent(client).fails("snapshot")
        assert said.startswith("TAB_NOT_FOUND")
        for tab in panel.hub.state.tabs:
            assert tab.tab_id in said


async def test_a_tab_closed_under_a_command_is_told_at_once(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/blank.html") as a, agent(f"{pages}/blank.html?other") as other:
        tab = await current_tab(a)
        running = tasks.spawn(a.fails("wait", selector="#never", timeout=20000), "wait")
        await panel.executing(tab)
        assert panel.hub.browsers.shared is not None
        targets = (await panel.hub.browsers.shared.pipe.call("Target.getTargets", {"filter": [{"type": "page"}]}))[
            "targetInfos"
        ]
        target = next(t["targetId"] for t in targets if t["url"].endswith("blank.html"))
        await panel.hub.browsers.shared.pipe.call("Target.closeTarget", {"targetId": target})
        said = await running
        assert said.startswith("TAB_DISCONNECTED"), said
        assert (await other.call("evaluate", code="1+1"))["value"] == 2


async def test_a_crashed_tab_says_so_and_comes_back_with_a_navigation(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(f"{pages}/blank.html?crashes") as a:
        router, person = panel.hub.core.router, panel.hub.state.person
        tab = await current_tab(a)
        running = tasks.spawn(router.run(person, "wait", {"selector": "#never", "tabId": tab}), "wait")
        await panel.executing(tab)
        session = await panel.witness(pages).session("?crashes")
        assert panel.hub.browsers.shared is not None
        crashed: list[str] = []
        panel.hub.state.tabs.crashed.connect(lambda one: crashed.append(one.tab_id))
        crashing = tasks.spawn(panel.hub.browsers.shared.pipe.call("Page.crash", session=session), "crash")
        with pytest.raises(KaptureError) as crash:
            await running
        await tasks.end(crashing)  # a crashed page does not answer any more
        assert crash.value.code == "TAB_CRASHED"
        assert crashed == [tab]
        assert (await a.fails("evaluate", code="1")).startswith("TAB_CRASHED")
        found = [check async for check in panel.hub.doctor.examine() if check.link == "tab"]
        assert f"{tab}: its page crashed" in found[0].words
        await a.call("navigate", url=f"{pages}/blank.html")
        assert (await a.call("evaluate", code="1+1"))["value"] == 2


async def test_code_whose_page_is_led_away_is_told_so_at_once(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/blank.html?leaving") as a:
        session = await panel.witness(pages).session("?leaving")
        async with heard(panel, "begun"):
            code = "console.log('begun'); new Promise(() => {})"
            running = tasks.spawn(a.fails("evaluate", code=code), "evaluate")
        await panel.pipe.call("Page.navigate", {"url": f"{pages}/keys.html"}, session=session)
        assert await running == (
            "EXECUTION_ERROR: the page or frame was left or loaded again before it answered; "
            "look at a snapshot before you try again"
        )


async def test_a_page_that_hangs_in_its_own_script_can_be_left(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/popup.html") as a:
        assert (await a.fails("click", selector="#loop", timeout=400)).startswith("COMMAND_TIMEOUT")
        assert (await a.call("navigate", url=f"{pages}/blank.html", timeout=PATIENCE_MS))["title"] == "Blank"
        assert (await a.call("evaluate", code="1+1"))["value"] == 2


async def test_cancelling_a_call_frees_the_tab(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/blank.html") as a:
        running = tasks.spawn(a.call("wait", selector="#never"), "wait")
        await panel.executing(await current_tab(a))
        running.cancel()
        assert (await a.call("evaluate", code="1+1", timeout=PATIENCE_MS))["value"] == 2
        assert panel.hub.state.history.rows(limit=2)[1].state == "cancelled"


async def test_refs_never_hit_another_element(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/stale.html") as a:
        snapshot = await a.text("snapshot")
        apples, bread = ref_of(snapshot, "button", "Buy apples"), ref_of(snapshot, "button", "Buy bread")
        await a.call("click", selector="#recycle")
        said = await a.fails("click", ref=apples)
        assert said.startswith("STALE_REF")
        assert "Buy apples" in said
        assert "Delete account" in said
        await a.call("click", ref=bread)
        await a.call("click", selector="#remove")
        assert (await a.fails("click", ref=bread)).startswith("STALE_REF")
        await a.call("navigate", url=f"{pages}/stale.html")
        assert (await a.fails("click", ref=bread)).startswith("STALE_REF")
        again = await a.text("snapshot")
        assert bread not in again.replace("]", " ").split("ref=")
        assert int(ref_of(again, "button", "Buy apples")[1:]) > int(bread[1:])
