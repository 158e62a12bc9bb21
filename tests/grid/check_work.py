"""Work in browsers of a real Selenium Grid: as in one of this machine, and over when its conversation is."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.registry.clients import Client
from kapture_panel.demo import job
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.browsers.remote.remote_browser import RemoteBrowser
from tests.support.e2e.panel import Panel
from tests.support.selenium_grid import SESSION_TIMEOUT_S, Grid

pytestmark = pytest.mark.asyncio(loop_scope="session")


def far(panel: Panel, name: str, *options: str) -> Any:
    return connect(panel.data.root, name, "all", "--isolated", "--on", "night", *options)


def client_of(panel: Panel, name: str) -> Client:
    return next(client for client in panel.hub.state.clients.agents() if client.name == name)


def browser_of(panel: Panel, name: str) -> RemoteBrowser:
    browser = panel.hub.browsers.of(client_of(panel, name).session)
    assert isinstance(browser, RemoteBrowser)
    return browser


async def test_the_demo_job_is_done_there(panel: Panel, machines: Grid, shop: str) -> None:
    async with far(panel, "shopper") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=shop)
        work = job.Job(agent, Witness(browser_of(panel, "shopper").cdp, shop), shop)
        for _title, step in job.STEPS:
            await step(work)
        assert len(machines.sessions()) == 1
        rows = panel.hub.state.history.rows(limit=500)
        assert {row.client for row in rows} == {"shopper"}
        assert {row.place for row in rows} == {"night"}
    machines.until("the session's end", lambda: not machines.sessions())


async def test_two_conversations_have_nothing_in_common(panel: Panel, machines: Grid, pages: str) -> None:
    async with far(panel, "left") as one, far(panel, "right") as two:
        left, right = Agent(one), Agent(two)
        await asyncio.gather(*(agent.call("navigate", url=f"{pages}/blank.html") for agent in (left, right)))
        assert len(machines.sessions()) == 2
        await left.call("evaluate", code="localStorage.setItem('secret', 'left')")
        assert (await right.call("evaluate", code="localStorage.secret ?? null"))["value"] is None
        (mine,) = (await left.call("list_tabs"))["tabs"]
        assert (await right.fails("evaluate", code="1", tabId=mine["tabId"])).startswith("TAB_NOT_FOUND")
        size = "[innerWidth, innerHeight, devicePixelRatio]"
        assert (await left.call("evaluate", code=size))["value"] == [1280, 720, 1]


async def test_files_go_there_and_come_back(panel: Panel, shop: str, pages: str, tmp_path: Path) -> None:
    large = tmp_path / "large.bin"
    large.write_bytes(bytes(range(256)) * 12_000)  # of three pieces
    async with far(panel, "carrier") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/uploads.html")
        answer = await agent.call("upload_file", selector="#single", paths=[str(large)])
        assert (answer["files"], answer["way"]) == ([{"name": "large.bin", "size": 3_072_000}], "pieces")
        summed = (
            "document.querySelector('#single').files[0].arrayBuffer()"
            ".then((data) => new Uint8Array(data).reduce((sum, one) => sum + one, 0))"
        )
        assert (await agent.call("evaluate", code=summed))["value"] == sum(range(256)) * 12_000
        said = await agent.fails("upload_file", selector="#folder", paths=[str(tmp_path)])
        assert "cannot be sent to night" in said
        await agent.call("navigate", url=f"{shop}/lab")
        clicked = await agent.call("click", selector="#download-csv")
        late = (await agent.call("evaluate", code="1")).get("lateEffects", {})
        (download,) = clicked["effects"].get("downloads") or late["downloads"]
        assert (download["fileName"], download["state"]) == ("data.csv", "completed")
        path = Path(download["path"])
        assert path.parent == panel.data.downloads / client_of(panel, "carrier").session
        assert path.stat().st_size == download["bytes"] > 0
        assert path.read_text().startswith("item,price\n")


async def test_a_large_picture_and_a_large_answer_come_whole(panel: Panel, pages: str) -> None:
    async with far(panel, "painter") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html")
        noise = (
            "const canvas = document.body.appendChild(document.createElement('canvas'));"
            "canvas.width = 1200; canvas.height = 3000; const context = canvas.getContext('2d');"
            "const data = context.createImageData(1200, 3000); let seed = 1;"
            "for (let at = 0; at < data.data.length; at++)"
            "  data.data[at] = at % 4 === 3 ? 255 : (seed = (seed * 16807) % 2147483647) & 255;"
            "context.putImageData(data, 0, 0)"
        )
        await agent.call("evaluate", code=noise)
        picture = await agent.picture(name="noise", fullPage=True, format="png")
        assert picture.height > 1000  # some megabytes of noise
        text = "'\\u{1F600}' + 'x'.repeat(2 ** 21) + '\\u00e9'"
        length = await agent.text("evaluate", code=f"({text})")
        assert "4194" not in length  # the profile cuts it; what was cut is kept whole
        (kept,) = (panel.data.output / client_of(panel, "painter").session).iterdir()
        assert kept.stat().st_size > 2**21


async def test_a_pause_holds_what_is_done_there(panel: Panel, pages: str) -> None:
    pause = panel.hub.core.router.gates.pause
    async with far(panel, "held") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html")
        waits = tasks.spawn(agent.fails("wait", selector="#never"), "wait")
        tab = client_of(panel, "held").current_tab
        await panel.executing(tab)
        pause.hold()
        assert (await waits).startswith("PAUSED")
        assert (await agent.fails("evaluate", code="1")).startswith("PAUSED")
        pause.lift()
        assert (await agent.call("evaluate", code="1"))["value"] == 1


async def test_a_conversation_that_thinks_for_long_keeps_its_browser(panel: Panel, machines: Grid, pages: str) -> None:
    async with far(panel, "thinker") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html?mine")
        await asyncio.sleep(SESSION_TIMEOUT_S * 1.7)  # as long as it thinks
        assert (await agent.call("evaluate", code="location.search"))["value"] == "?mine"
        assert len(machines.sessions()) == 1


async def test_an_idle_browser_is_given_back_and_the_next_call_takes_another(
    panel: Panel, machines: Grid, pages: str
) -> None:
    async with far(panel, "sleeper", "--idle", "0.03") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html")
        await asyncio.to_thread(machines.until, "the session's end", lambda: not machines.sessions())
        said = await agent.fails("evaluate", code="1")
        assert said.startswith("TAB_DISCONNECTED")
        assert said.endswith("the next call starts a new browser")
        await agent.call("navigate", url=f"{pages}/keys.html")


async def test_a_worker_that_was_stopped_comes_back_with_its_tabs(panel: Panel, pages: str) -> None:
    async with far(panel, "phoenix") as mcp:
        agent = Agent(mcp)
        await agent.call("navigate", url=f"{pages}/blank.html?again")
        cdp = browser_of(panel, "phoenix").cdp
        targets = (await cdp.call("Target.getTargets", {"filter": [{"type": "service_worker"}]}))["targetInfos"]
        back = asyncio.Event()
        panel.hub.connections.tab_came.connect(lambda _pairing: back.set())
        await cdp.call("Target.closeTarget", {"targetId": targets[0]["targetId"]})
        await back.wait()
        assert (await agent.call("evaluate", code="location.search"))["value"] == "?again"
