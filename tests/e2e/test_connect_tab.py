"""`connect_tab`: an agent asks for an open tab, the person decides, in a real browser."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.gates.approvals import Ask
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.paths import DataDir
from tests.support.e2e import own_browser
from tests.support.e2e.panel import OpenAgent, Panel, current_tab
from tests.support.e2e.tab_person import declined, person
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_allowed_tab_is_connected_and_becomes_the_current_one(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    approvals = panel.hub.core.router.gates.approvals
    async with agent(f"{pages}/blank.html?wanted", "owner") as owner, agent(f"{pages}/keys.html") as a:
        tab = await current_tab(owner)
        number = await declined(panel, "?wanted")
        listed = (await a.call("list_browser_tabs"))["tabs"]
        (row,) = [row for row in listed if row["browserTabId"] == number]
        assert row["connected"] is False
        async with person(panel, approvals.allow) as asks:
            answer = await a.call("connect_tab", browserTabId=number)
        assert answer == {"tabId": tab, "url": f"{pages}/blank.html?wanted", "title": "Blank"}
        assert await current_tab(a) == tab
        assert (await a.call("evaluate", code="location.search"))["value"] == "?wanted"
        (ask,) = asks
        assert (ask.client.name, ask.params) == ("test-agent", {"browserTabId": number})
        assert ask.where == f"Blank – {pages}/blank.html?wanted"
        assert ask.site == pages.removeprefix("http://")
        # It stays connected: the person took the refusal back.
        again = await a.fails("connect_tab", browserTabId=number)
        assert again.startswith("INVALID_PARAMS: ")
        assert tab in again
        await a.call("activate_tab", tabId=tab)


async def test_a_refused_tab_stays_unconnected_and_the_agent_hears_why(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    approvals = panel.hub.core.router.gates.approvals
    async with agent(f"{pages}/blank.html?refused", "owner"), agent(f"{pages}/keys.html") as a:
        number = await declined(panel, "?refused")
        before = await current_tab(a)
        async with person(panel, lambda ask: approvals.deny(ask, "that one is mine")):
            said = await a.fails("connect_tab", browserTabId=number)
        assert said.startswith("DENIED: ")
        assert said.endswith("that one is mine")
        assert await current_tab(a) == before
        assert not [tab for tab in panel.hub.state.tabs if tab.url.endswith("?refused")]
        # Nor by itself, after a navigation of its own.
        await panel.witness(pages).see("location.hash = 'on'", "?refused")
        assert not [tab for tab in panel.hub.state.tabs if "?refused" in tab.url]
        await panel.hub.core.router.run(panel.hub.state.person, "connect_tab", {"browserTabId": number})
        assert [tab for tab in panel.hub.state.tabs if "?refused" in tab.url]


async def test_without_a_window_nobody_is_asked(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/blank.html?headless", "owner"), agent(f"{pages}/keys.html") as a:
        number = await declined(panel, "?headless")
        said = await a.fails("connect_tab", browserTabId=number)
        assert said.startswith("DENIED: ")
        assert "popup" in said
        await panel.hub.core.router.run(panel.hub.state.person, "connect_tab", {"browserTabId": number})


async def test_a_question_nobody_answers_is_pending_and_joined(agent: OpenAgent, pages: str, panel: Panel) -> None:
    approvals = panel.hub.core.router.gates.approvals
    async with agent(f"{pages}/blank.html?pending", "owner"), agent(f"{pages}/keys.html") as a:
        number = await declined(panel, "?pending")
        async with person(panel, lambda _ask: None) as asks:
            said = await a.fails("connect_tab", browserTabId=number, timeout=300)
            assert said.startswith("APPROVAL_PENDING: ")
            assert approvals.allow(asks[0])
            await a.call("connect_tab", browserTabId=number)
            assert len(asks) == 1


async def test_a_caller_that_gives_up_is_not_served_later(agent: OpenAgent, pages: str, panel: Panel) -> None:
    approvals = panel.hub.core.router.gates.approvals
    async with agent(f"{pages}/blank.html?gone", "owner"), agent(f"{pages}/keys.html") as a:
        number = await declined(panel, "?gone")
        running: list[Any] = []
        async with person(panel, lambda _ask: running[0].cancel()) as asks:
            withdrawn: list[Ask] = []
            approvals.settled.connect(withdrawn.append)
            running.append(tasks.spawn(a.call("connect_tab", browserTabId=number), "connect"))
            with pytest.raises(BaseException):  # noqa: B017, PT011 – the client ends its own task
                await running[0]
            await a.call("list_tabs")
            assert [ask.state for ask in withdrawn] == ["withdrawn"]
            assert not approvals.allow(asks[0])
            approvals.settled.disconnect(withdrawn.append)
        assert not [tab for tab in panel.hub.state.tabs if tab.url.endswith("?gone")]
        await panel.hub.core.router.run(panel.hub.state.person, "connect_tab", {"browserTabId": number})


async def test_a_tab_nobody_may_enter_and_one_that_is_not_there(agent: OpenAgent, pages: str, panel: Panel) -> None:
    assert panel.hub.browsers.shared is not None
    pipe = panel.hub.browsers.shared.pipe
    async with agent(f"{pages}/blank.html?protected") as a, person(panel, lambda _ask: None) as asks:
        opened = await pipe.call("Target.createTarget", {"url": "chrome://version/"})
        numbers: list[int] = []
        async with asyncio.timeout(PATIENCE_S):
            while not numbers:  # the tab is there before its address
                listed = (await a.call("list_browser_tabs"))["tabs"]
                numbers = [row["browserTabId"] for row in listed if row.get("host") == "version"]
        (number,) = numbers
        said = await a.fails("connect_tab", browserTabId=number)
        assert said.startswith("PROTECTED_PAGE: "), said
        await pipe.call("Target.closeTarget", {"targetId": opened["targetId"]})
        said = await a.fails("connect_tab", browserTabId=999999999)
        assert said.startswith("TAB_NOT_FOUND: ")
        assert "kapturemcp_list_browser_tabs" in said
        for wrong in ({}, {"browserTabId": "7"}, {"browserTabId": -1}, {"browserTabId": 7, "grant": "*"}):
            assert (await a.fails("connect_tab", **wrong)).startswith("INVALID_PARAMS: ")
        assert asks == []


async def test_the_tabs_of_a_paired_browser_are_listed_and_connected_and_no_other_browser_is_started(
    tmp_path: Path, pages: str
) -> None:
    async with (
        own_browser.paired(tmp_path, f"{pages}/blank.html?theirs") as (hub, browser),
        connect(tmp_path / "data", "sharer") as client,
    ):
        agent = Agent(client)
        listed = (await agent.call("list_browser_tabs"))["tabs"]
        assert hub.browsers.shared is None
        numbers = [tab["browserTabId"] for tab in listed if tab["host"] == pages.removeprefix("http://")]
        async with person(Panel(hub, DataDir(tmp_path / "data")), hub.core.router.gates.approvals.allow):
            answer = await agent.call("connect_tab", browserTabId=numbers[0])
        assert (answer["url"], hub.browsers.shared) == (f"{pages}/blank.html?theirs", None)
        # A fresh tab's blank page, sent to a fragment of itself, would end the person's browser.
        for address in ("about:blank#x", "ABOUT:BLANK#x"):
            assert (await agent.call("new_tab", url=address))["url"] == "about:blank#x"
        assert (await agent.call("navigate", url="about:blank#"))["url"] == "about:blank#"
        assert len(await browser.pages()) == len(listed) + 2


async def test_tabs_of_two_paired_browsers_are_listed_connected_and_used_side_by_side(
    tmp_path: Path, pages: str
) -> None:
    async with (
        own_browser.paired(tmp_path, f"{pages}/refs.html?work") as (hub, work),
        own_browser.joined(hub, tmp_path / "home", "another-browser", f"{pages}/refs.html?home") as home,
        connect(tmp_path / "data", "between") as client,
        person(Panel(hub, DataDir(tmp_path / "data")), hub.core.router.gates.approvals.allow),
    ):
        agent = Agent(client)
        listed = (await agent.call("list_browser_tabs"))["tabs"]
        numbers = [tab["browserTabId"] for tab in listed if tab["host"] == pages.removeprefix("http://")]
        assert len(set(numbers)) == 2
        connected = [await agent.call("connect_tab", browserTabId=number) for number in numbers]
        assert {tab["url"].rpartition("?")[2] for tab in connected} == {"work", "home"}
        tabs = {tab["url"].rpartition("?")[2]: tab["tabId"] for tab in connected}
        assert {tab["tabId"] for tab in (await agent.call("list_tabs"))["tabs"]} == set(tabs.values())
        code = "document.title = location.search"
        for name, browser, other in (("work", work, home), ("home", home, work)):
            await agent.call("evaluate", code=code, tabId=tabs[name])
            assert await browser.see(await browser.page(f"refs.html?{name}"), "document.title") == f"?{name}"
            assert f"refs.html?{name}" not in str(await other.pages())
        await agent.call("close_tab", tabId=tabs["home"])
        assert "refs.html?home" not in str(await home.pages())
        assert (await agent.call("evaluate", code="document.title", tabId=tabs["work"]))["value"] == "?work"


async def test_who_goes_somewhere_first_gets_a_tab_in_the_panels_browser_and_not_in_the_persons(
    tmp_path: Path, pages: str
) -> None:
    async with (
        own_browser.paired(tmp_path, f"{pages}/blank.html?theirs") as (hub, browser),
        connect(tmp_path / "data", "first") as one,
        connect(tmp_path / "data", "second") as other,
    ):
        for _ in range(2):
            await Agent(one).call("new_tab", url="about:blank")
        open_there = len(await browser.pages())
        answer = await Agent(other).call("navigate", url=f"{pages}/refs.html")
        assert (answer["url"], answer["title"]) == (f"{pages}/refs.html", "Refs")
        assert hub.browsers.shared is not None
        assert len(await browser.pages()) == open_there
        again = Agent(one)
        await again.call("close_tab")
        assert "connected are" in await again.fails("snapshot")
