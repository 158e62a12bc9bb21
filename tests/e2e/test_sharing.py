"""What an agent opens in a person's browser: under its name, framed while it is driven, and given back by a drag."""

from __future__ import annotations

import asyncio
import base64
import io
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.settings import SHOW_FRAME
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e import desktop_host, own_browser
from tests.support.e2e.own_browser import OwnBrowser
from tests.support.e2e.typist import Typist
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def is_framed(browser: OwnBrowser, page: str) -> bool:
    """Whether the person sees the frame at all four edges of the page."""
    taken = await browser.pipe.call("Page.captureScreenshot", {"format": "png"}, session=page)
    picture = Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGB")
    return has_frame(picture)


def has_frame(picture: Image.Image) -> bool:
    width, height = picture.size
    edges = [(0, height // 2), (width - 1, height // 2), (width // 2, 0), (width // 2, height - 1)]
    return all(blue > red + 60 for red, _green, blue in (picture.convert("RGB").getpixel(at) for at in edges))  # type: ignore[misc]


def in_one_group(start: str) -> str:
    """Code that waits until both tabs whose addresses begin so are in one group; the number of the first."""
    return f"""new Promise((done) => {{
      const look = async () => {{
        const tabs = (await chrome.tabs.query({{}})).filter(({{ url }}) => url.startsWith('{start}'));
        const groups = new Set(tabs.map(({{ groupId }}) => groupId));
        if (tabs.length !== 2 || groups.size !== 1 || groups.has(-1)) return;
        done(tabs.find(({{ url }}) => url.endsWith('first')).id);
      }};
      chrome.tabs.onUpdated.addListener(look);
      look();
    }})"""


async def test_an_agents_tab_is_in_its_group_and_framed_and_leaves_with_the_group(tmp_path: Path, pages: str) -> None:
    async with (
        own_browser.paired(tmp_path, f"{pages}/keys.html?mine") as (hub, browser),
        connect(tmp_path / "data", "sharer") as client,
    ):
        hub.core.router.gates.policy.own_preset = "trusting"
        agent, tabs = Agent(client), hub.state.tabs
        helper = await browser.popup("?mine")
        await browser.until(helper, "document.querySelector('#toggle:not([disabled], [aria-disabled=true])')")
        await browser.click(helper, "#toggle")
        await browser.until(helper, "document.querySelector('#tab').textContent === 'connected'")
        first = await agent.call("new_tab", url=f"{pages}/blank.html?first")
        await agent.call("new_tab", url=f"{pages}/blank.html?second")
        async with asyncio.timeout(PATIENCE_S):
            number = await browser.see(helper, in_one_group(f"{pages}/blank"))
        look = "chrome.tabGroups.query({}).then((all) => all.map(({ title }) => title))"
        assert await browser.see(helper, look) == ["sharer"]

        page = await browser.page("?first")
        await agent.call("activate_tab", tabId=first["tabId"])
        going = tasks.spawn(agent.call("evaluate", code="new Promise((done) => { globalThis.go = done })"), "driven")
        async with asyncio.timeout(PATIENCE_S):
            while not await is_framed(browser, page):  # each look is a frame of the browser's
                pass
            for choice, is_shown in (("off", False), ("auto", True)):  # the person's word counts at once
                hub.state.settings.set(SHOW_FRAME, choice)
                while await is_framed(browser, page) != is_shown:
                    pass
        await browser.see(page, "go(1)")
        await going
        assert not has_frame(await agent.picture(name="page"))

        gone = asyncio.Event()

        def on_removed(tab: Tab) -> None:
            if tab.tab_id == first["tabId"]:
                gone.set()

        tabs.removed.connect(on_removed)
        async with asyncio.timeout(PATIENCE_S):
            await browser.see(helper, f"chrome.tabs.ungroup([{number}]).then(() => 0)")
            await gone.wait()
        assert "TAB_NOT_FOUND" in await agent.fails("click", selector="h1", tabId=first["tabId"])
        await browser.see(page, f"location.assign('{pages}/keys.html?third'), 0")
        await browser.page("?third")
        listed: list[dict[str, Any]] = (await agent.call("list_browser_tabs"))["tabs"]
        assert [tab["connected"] for tab in listed if tab["browserTabId"] == number] == [False]
        assert len(list(tabs)) == 2


async def test_cancel_in_the_debuggers_bar_ends_sharing_until_the_person_connects_again(
    tmp_path: Path, pages: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as ending:
        name = ending.enter_context(desktop_host.desktop_of_ours(monkeypatch))
        async with (
            own_browser.paired(tmp_path, f"{pages}/keys.html?mine", headless=False) as (hub, browser),
            connect(tmp_path / "data", "sharer") as client,
        ):
            hub.core.router.gates.policy.own_preset = "trusting"
            await browser.connect("?mine")
            agent = Agent(client)
            tab = (await agent.call("list_tabs"))["tabs"][0]["tabId"]
            typist = Typist(name)
            ending.callback(typist.close)
            gone: list[Tab] = []
            hub.state.tabs.removed.connect(gone.append)

            def press_in_the_bar() -> list[Tab]:
                typist.presses("Alt_L", "Shift_L", "a")  # Chrome's way there; as root another bar comes first
                typist.presses("space")
                return gone

            await asyncio.to_thread(desktop_host.until, press_in_the_bar, "the end of sharing")
            page = await browser.page("?mine")
            await browser.pipe.call("Page.navigate", {"url": f"{pages}/keys.html?another"}, session=page)
            assert (await agent.fails("evaluate", code="1+1", tabId=tab)).startswith("TAB_NOT_FOUND")
            assert [one["connected"] for one in (await agent.call("list_browser_tabs"))["tabs"]] == [False]
            await browser.connect("?another")
            (again,) = (await agent.call("list_tabs"))["tabs"]
            assert (await agent.call("evaluate", code="1+1", tabId=again["tabId"]))["value"] == 2
