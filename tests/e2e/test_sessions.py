"""Conversations with a browser of their own: `kapture mcp --isolated`."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError

from kapture_panel.core.registry.clients import Client
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.hub.browsers.managed import ManagedBrowser
from tests.support.e2e.late import told
from tests.support.e2e.panel import Panel
from tests.support.hub.fakes import Changes

pytestmark = pytest.mark.asyncio(loop_scope="session")


def isolated(panel: Panel, name: str, *options: str) -> Any:
    return connect(panel.data.root, name, "all", "--isolated", *options)


def client_of(panel: Panel, name: str) -> Client:
    return next(client for client in panel.hub.state.clients.agents() if client.name == name)


@pytest.fixture
def shared_tabs(panel: Panel) -> Iterator[set[str]]:
    """The tabs there were before; none of them changes hands."""
    tabs = panel.hub.state.tabs
    before = {tab.tab_id for tab in tabs if not tab.session}
    yield before
    assert {tab.tab_id for tab in tabs if not tab.session} == before


async def ended(panel: Panel, session: str) -> None:
    """Wait until nothing is left of a session."""
    tabs = panel.hub.state.tabs
    await Changes(tabs.removed).until(lambda: not any(tab.session == session for tab in tabs))
    await asyncio.gather(*panel.hub.sessions._ending)
    assert panel.hub.browsers.of(session) is None
    assert list(panel.data.sessions.glob(f"{session}*")) == []


async def test_the_first_call_starts_a_headless_browser_with_the_stated_size(
    panel: Panel, pages: str, shared_tabs: set[str]
) -> None:
    async with isolated(panel, "solo") as mcp:
        agent = Agent(mcp)
        assert (await agent.call("list_tabs"))["tabs"] == []
        size = "[innerWidth, innerHeight, devicePixelRatio]"
        assert (await agent.call("evaluate", code=size))["value"] == [1280, 720, 1]
        await agent.call("resize", width=500, height=400)
        await agent.call("resize", width=0, height=0)
        await agent.call("navigate", url=f"{pages}/blank.html")
        assert (await agent.call("evaluate", code=size))["value"] == [1280, 720, 1]
        assert (await agent.picture(name="whole")).size == (1280, 720)
        session = client_of(panel, "solo").session
        browser = panel.hub.browsers.of(session)
        assert isinstance(browser, ManagedBrowser)
        assert browser.launch.headless
        # What a person might type in its address bar makes no pages, each with a process.
        targets = (await browser.pipe.call("Target.getTargets", {"filter": [{}]}))["targetInfos"]
        assert [target["url"] for target in targets if target["url"].startswith("chrome:")] == []
    await ended(panel, session)


async def test_state_is_kept_from_call_to_call(panel: Panel, pages: str) -> None:
    async with isolated(panel, "keeper") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html")
        await agent.call("evaluate", code="localStorage.setItem('kept', 'yes'); document.cookie = 'a=1'")
        await agent.call("navigate", url=f"{pages}/keys.html")
        kept = (await agent.call("evaluate", code="[localStorage.kept, document.cookie]"))["value"]
        assert kept == ["yes", "a=1"]


async def test_conversations_cannot_see_each_other(panel: Panel, pages: str, shared_tabs: set[str]) -> None:
    person, router = panel.hub.state.person, panel.hub.core.router
    common = connect(panel.data.root, "common")
    async with isolated(panel, "left") as one, isolated(panel, "right") as two, common:
        left, right = Agent(one), Agent(two)
        await asyncio.gather(*(agent.call("navigate", url=f"{pages}/blank.html") for agent in (left, right)))
        await left.call("evaluate", code="localStorage.setItem('secret', 'left')")
        assert (await right.call("evaluate", code="localStorage.secret ?? null"))["value"] is None
        (mine,) = (await left.call("list_tabs"))["tabs"]
        (theirs,) = (await right.call("list_tabs"))["tabs"]
        assert {tab["tabId"] for tab in (await Agent(common).call("list_tabs"))["tabs"]} == shared_tabs
        for stranger, tab in ((left, theirs), (right, mine), (Agent(common), mine)):
            said = await stranger.fails("evaluate", code="1", tabId=tab["tabId"])
            begin, _, listing = said.partition(";")
            assert begin == f"TAB_NOT_FOUND: no connected tab is called '{tab['tabId']}'"
            assert tab["tabId"] not in listing
        listed = await left.call("list_browser_tabs")
        assert [tab.get("tabId") for tab in listed["tabs"]] == [mine["tabId"]]
        opened = await right.call("new_tab", url=f"{pages}/keys.html")
        assert opened["tabId"] not in str(await left.call("list_tabs"))
        answer = await router.run(person, "evaluate", {"code": "localStorage.secret", "tabId": mine["tabId"]})
        assert answer.result["value"] == "left"


async def test_pictures_and_long_answers_are_read_by_their_own_conversation_alone(panel: Panel, pages: str) -> None:
    common = connect(panel.data.root, "common reader")
    async with isolated(panel, "painter") as one, isolated(panel, "copier") as two, common:
        painter = Agent(one)
        await painter.call("navigate", url=f"{pages}/blank.html")
        await painter.picture(name="mine")
        said = (await one.call_tool("kapturemcp_evaluate", {"code": "'x'.repeat(100000)"})).content
        (link,) = [block for block in said if isinstance(block, types.ResourceLink)]
        session = client_of(panel, "painter").session
        (shot,) = (panel.data.screenshots / session).glob("*.[jpw]*g")
        (output,) = (panel.data.output / session).iterdir()
        assert (await one.read_resource(str(link.uri))).contents
        await painter.call("read_image", path=str(shot))
        for stranger in (two, common):
            assert (await Agent(stranger).fails("read_image", path=str(shot))).startswith("DENIED")
            with pytest.raises(MCPError):
                await stranger.read_resource(str(link.uri))
        assert output.name in str(link.uri)


async def test_a_download_is_reported_with_its_path(panel: Panel, shop: str) -> None:
    async with isolated(panel, "loader") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{shop}/lab")
        clicked = await agent.call("click", selector="#download-csv")
        (download,) = await told(agent, clicked, "downloads")
        assert (download["fileName"], download["state"]) == ("data.csv", "completed")
        path = Path(download["path"])
        assert path.parent == panel.data.downloads / client_of(panel, "loader").session
        assert path.stat().st_size == download["bytes"] > 0
        assert os.name == "nt" or stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
        assert "guid" not in download


async def test_idle_for_long_it_ends_and_the_next_call_starts_anew(panel: Panel, pages: str) -> None:
    async with isolated(panel, "sleeper", "--idle", "0.02") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html")
        await ended(panel, client_of(panel, "sleeper").session)
        said = await agent.fails("evaluate", code="1")
        assert said.startswith("TAB_DISCONNECTED")
        assert said.endswith("the next call starts a new browser")
        assert (await agent.call("navigate", url=f"{pages}/keys.html"))["url"].endswith("keys.html")


@pytest.mark.parametrize("idle", ["soon", "0", "-5", "nan", "1e9"])
async def test_a_time_that_is_none_is_refused_by_name(panel: Panel, idle: str) -> None:
    command = ["-m", "kapture_panel", "mcp", "--data-dir", str(panel.data.root), "--isolated", "--idle", idle]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdin=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    _, said = await process.communicate()
    assert process.returncode == 2
    assert f"--idle '{idle}' is not a time; give minutes" in said.decode()
