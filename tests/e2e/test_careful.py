"""A person's own browser, under Careful: what costs the person a question, and what does not."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from kapture_panel.core.basics.settings import NATURAL_MOUSE
from kapture_panel.core.gates.approvals import Ask, Scope
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.job import STEPS, Job
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.paths import DataDir
from tests.support.e2e.own_browser import OwnBrowser, started
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

MAX_QUESTIONS = 2


@dataclass
class Setting:
    """An instance whose only browser is a person's own; `asks` are the questions, each answered with a yes that goes
    as far as the card offers for this conversation."""

    hub: Hub
    data: DataDir
    browser: OwnBrowser
    asks: list[Ask]

    async def shared(self, url: str) -> Tab:
        """The person shares the tab that shows `url`."""
        came = asyncio.Event()
        tabs = self.hub.state.tabs
        tabs.added.connect(lambda _tab: came.set())
        popup = await self.browser.popup(url)
        await self.browser.click(popup, "#toggle:not([disabled], [aria-disabled=true])")
        async with asyncio.timeout(PATIENCE_S):
            while not (found := [tab for tab in tabs if url in tab.url]):
                came.clear()
                await came.wait()
        return found[0]


@contextlib.asynccontextmanager
async def own(folder: Path, *urls: str) -> AsyncIterator[Setting]:
    """A paired browser that shows `urls`."""
    data = DataDir.open(str(folder / "data"))
    instance = Instance(data.lock)
    assert instance.acquire(lambda: False)
    hub = Hub(data, instance, Options(port=0, headless=True), lambda _ask: False)
    hub.state.settings.set(NATURAL_MOUSE, "off")  # only questions matter here
    try:
        await hub.start()
        extension = hub.place_extension()
        async with started(folder / "profile", extension, *urls) as browser:
            known = hub.state.paired.add("0" * 16, "ab" * 32, "Chromium")
            here = asyncio.Event()
            hub.state.paired.changed.connect(lambda _browser: here.set())
            page = await browser.page("pair/pair.html")
            # Without a window it pairs nobody, and says so.
            await browser.until(page, "document.body?.dataset.state === 'refused'")
            assert "no window" in await browser.see(page, "document.querySelector('#words').textContent")
            pairing = json.dumps({"install": known.install, "key": known.key, "port": hub.port, "managed": False})
            await browser.see(page, f"chrome.storage.local.set({{ pairing: {pairing} }})")
            async with asyncio.timeout(PATIENCE_S):
                while not hub.state.paired.is_here(known.install):
                    here.clear()
                    await here.wait()
            approvals, asks = hub.core.router.gates.approvals, list[Ask]()

            def on_added(ask: Ask) -> None:
                asks.append(ask)
                scope: Scope = "session" if "session" in ask.scopes else "once"
                asyncio.get_running_loop().call_soon(approvals.allow, ask, scope)

            approvals.attend()
            approvals.added.connect(on_added)
            yield Setting(hub, data, browser, asks)
            approvals.leave()
    finally:
        await hub.stop()
        instance.release()


async def test_the_demos_whole_job_costs_at_most_two_questions(shop: str, tmp_path: Path) -> None:
    async with own(tmp_path, shop) as setting, connect(setting.data.root, "shopper") as client:
        tab = await setting.shared(shop)
        assert not tab.managed
        job = Job(Agent(client), Witness(setting.browser.pipe, shop), shop)
        for _name, step in STEPS:
            await step(job)
        assert [ask.why for ask in setting.asks] == ["touches a password field"]
        assert len(setting.asks) <= MAX_QUESTIONS


async def test_a_tab_the_person_opened_is_closed_with_their_yes_and_one_of_the_agents_without(
    shop: str, tmp_path: Path
) -> None:
    async with own(tmp_path, shop) as setting, connect(setting.data.root, "closer") as client:
        agent = Agent(client)
        tab = await setting.shared(shop)
        mine = (await agent.call("new_tab", url=f"{shop}/lab"))["tabId"]
        await agent.call("close_tab", tabId=mine)
        assert setting.asks == []
        await agent.call("close_tab", tabId=tab.tab_id)
        assert [(ask.why, ask.scopes) for ask in setting.asks] == [("closes a tab that you opened", ("once",))]
        assert len(setting.hub.state.tabs) == 0
