"""Browsers on other machines, as far as one that is reached over CDP alone is one; a real Grid: `make test-grid`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kapture_panel.core.basics import tasks
from kapture_panel.core.registry.clients import Client
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.hub.browsers.remote.remote_browser import RemoteBrowser
from tests.support.e2e.far_browser import FarBrowser, far_browser
from tests.support.e2e.late import told
from tests.support.e2e.panel import Panel

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def away(panel: Panel, tmp_path: Path) -> AsyncIterator[FarBrowser]:
    """One that the panel knows as the place `away`, trusted, and as `strict`, of which nothing is said."""
    async with far_browser(tmp_path) as browser:
        panel.data.places.write_text(
            f'[places.strict]\ncdp = "{browser.address}"\n'
            f'[places.away]\ncdp = "{browser.address}"\npolicy = "trusting"\n'
        )
        yield browser
    panel.data.places.unlink()


def far(panel: Panel, name: str, place: str = "away", *options: str) -> Any:
    return connect(panel.data.root, name, "all", "--isolated", "--on", place, *options)


def client_of(panel: Panel, name: str) -> Client:
    return next(client for client in panel.hub.state.clients.agents() if client.name == name)


def browser_of(panel: Panel, name: str) -> RemoteBrowser:
    browser = panel.hub.browsers.of(client_of(panel, name).session)
    assert isinstance(browser, RemoteBrowser)
    return browser


async def test_the_wire_is_carried_and_the_browser_ends_with_its_conversation(
    panel: Panel, away: FarBrowser, pages: str
) -> None:
    async with far(panel, "walker") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html")
        size = "[innerWidth, innerHeight, devicePixelRatio]"
        assert (await agent.call("evaluate", code=size))["value"] == [1280, 720, 1]
        assert (await agent.picture(name="whole")).size == (1280, 720)
        long = "'\\u{1F600}'.repeat(2 ** 18) + '\\\\\"\\u00e9'"  # of several pieces, none with half a character
        code = f"(async () => {{ const text = {long}; return [text.length, text.slice(-3)]; }})()"
        assert (await agent.call("evaluate", code=code))["value"] == [2**19 + 3, '\\"é']
        echoed = await agent.call("evaluate", code=f"({json.dumps('😀é' * 2**17)}).length")
        assert echoed["value"] == 3 * 2**17
        tab = panel.hub.state.tabs.get(client_of(panel, "walker").current_tab)
        assert (tab.place, tab.browser.endswith(" · away")) == ("away", True)
        (newest,) = panel.hub.state.history.rows(limit=1)
        assert newest.place == "away"
    await away.process.wait()


async def test_without_a_word_about_the_place_it_is_careful(panel: Panel, away: FarBrowser, pages: str) -> None:
    async with far(panel, "stranger", "strict") as mcp:
        agent = Agent(mcp)
        await agent.call("list_tabs")
        said = await agent.fails("evaluate", code="1")
        assert said.startswith(("DENIED", "APPROVAL"))
        assert 'policy = "trusting"' in said
        assert "strict" in said


@pytest.mark.parametrize("how", ["kill", "freeze"])
async def test_a_browser_that_is_gone_is_told_with_its_tabs(
    panel: Panel, away: FarBrowser, pages: str, how: str
) -> None:
    async with far(panel, how) as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html")
        waits = tasks.spawn(agent.fails("wait", selector="#never"), "wait")
        await panel.executing(client_of(panel, how).current_tab)
        getattr(away, how)()
        said = await waits
        assert said.startswith("OUTCOME_UNKNOWN: the panel's browser at away was lost")
        assert "with all its tabs" in said
        if how == "freeze":
            away.kill()
        said = await agent.fails("evaluate", code="1")
        assert said.endswith("the next call starts a new browser")
        said = await agent.fails("navigate", url=f"{pages}/blank.html")
        assert said.startswith("NO_BROWSER")
        assert "lets nobody in" in said


async def test_a_worker_that_was_stopped_comes_back_with_its_tabs(panel: Panel, away: FarBrowser, pages: str) -> None:
    async with far(panel, "phoenix") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html?again")
        cdp = browser_of(panel, "phoenix").cdp
        targets = (await cdp.call("Target.getTargets", {"filter": [{"type": "service_worker"}]}))["targetInfos"]
        back = asyncio.Event()
        came = panel.hub.connections.tab_came
        came.connect(lambda _pairing: back.set())
        await cdp.call("Target.closeTarget", {"targetId": targets[0]["targetId"]})
        await back.wait()
        assert (await agent.call("evaluate", code="location.search"))["value"] == "?again"


async def test_files_go_as_bytes_and_come_back(panel: Panel, away: FarBrowser, shop: str, pages: str) -> None:
    folder = panel.data.downloads  # agents may read what is there
    async with far(panel, "porter") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{shop}/lab")
        clicked = await agent.call("click", selector="#download-csv")
        (download,) = await told(agent, clicked, "downloads")
        assert (download["fileName"], download["state"]) == ("data.csv", "completed")
        path = Path(download["path"])
        assert path.parent == folder / client_of(panel, "porter").session
        assert path.read_text().startswith("item,price\n")
        await agent.call("navigate", url=f"{pages}/uploads.html")
        answer = await agent.call("upload_file", selector="#single", paths=[str(path)])
        assert (answer["files"][0]["name"], answer["way"]) == ("data.csv", "pieces")
        text = "document.querySelector('#single').files[0].text()"
        assert (await agent.call("evaluate", code=text))["value"] == path.read_text()
        assert "cannot be sent to away" in await agent.fails(
            "upload_file", selector="#folder", paths=[str(path.parent)]
        )


async def test_nobody_there_acts_as_the_person(panel: Panel, away: FarBrowser, pages: str) -> None:
    """What our own pages may say, a machine elsewhere may not: to run a command unasked, or to lift a pause."""
    async with far(panel, "intruder") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html")
        cdp, pairing = browser_of(panel, "intruder").cdp, browser_of(panel, "intruder").pairing
        link = panel.hub.connections.of_browsers[pairing.install]
        left = asyncio.Event()
        panel.hub.connections.left.connect(lambda gone: left.set() if gone is link else None)
        targets = (await cdp.call("Target.getTargets", {"filter": [{"type": "service_worker"}]}))["targetInfos"]
        attached = await cdp.call("Target.attachToTarget", {"targetId": targets[0]["targetId"], "flatten": True})
        say = """globalThis.kaptureCarry('1 text {"type":"pause","on":false}')"""
        pause = panel.hub.core.router.gates.pause
        pause.hold()
        try:
            await cdp.call("Runtime.evaluate", {"expression": say}, attached["sessionId"])
            await left.wait()
            assert pause.is_on
        finally:
            pause.lift()
