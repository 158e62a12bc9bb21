"""Real Chromium, the real extension, the official MCP client with `kapture mcp` as its child."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest
import pytest_asyncio

from kapture_panel import paths
from kapture_panel.core.errors import KaptureError
from kapture_panel.core.tabs import Tab
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.site import DemoSite
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.browsers import find_browser
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.hub.instance import Instance
from tests.e2e.package_site import PackageSite

PAGES = Path(__file__).parent / "pages"
PACKAGES = Path(__file__).parent / "packages/node_modules"


@pytest.fixture(scope="session", autouse=True)
def installed_browser() -> str:
    """A missing browser fails every test here, with the line that installs it."""
    try:
        return find_browser()
    except KaptureError as error:
        pytest.fail(error.message, pytrace=False)


@pytest.fixture(scope="session")
def shop() -> Iterator[str]:
    """The demo site's address."""
    with DemoSite(paths.resources() / "demo_site") as site:
        yield site.url


@pytest.fixture(scope="session")
def pages() -> Iterator[str]:
    """The address of this folder's own pages."""
    with DemoSite(PAGES) as site:
        yield site.url


@pytest.fixture(scope="session")
def libraries() -> Iterator[str]:
    """The address of pages made with other people's libraries (packages/), which it serves, too."""
    with PackageSite(PAGES, PACKAGES) as site:
        yield site.url


#: A command that was given begins far sooner; what waits for one that never does has failed.
EXECUTING_S = 30


@dataclass
class Panel:
    """A running instance in this process, with a headless managed browser."""

    hub: Hub
    data: paths.DataDir

    def witness(self, site: str) -> Witness:
        """Raw CDP eyes on the pages of `site`."""
        assert self.hub.links.browser is not None
        return Witness(self.hub.links.browser.pipe, site)

    async def executing(self, tab_id: str) -> None:
        """Wait until a command runs in the tab; one that is over before it is looked for is never seen."""
        running = asyncio.Event()

        def look(tab: Tab) -> None:
            if tab.tab_id == tab_id and tab.state == "executing":
                running.set()

        tabs = self.hub.services.tabs
        tabs.changed.connect(look)
        try:
            look(tabs.get(tab_id))
            async with asyncio.timeout(EXECUTING_S):
                await running.wait()
        finally:
            tabs.changed.disconnect(look)


def whole(text: str) -> str:
    """A text answer, from the file it names when it was cut."""
    cut = re.search(r"\(cut: \d+ of \d+ bytes\. All of it is in (\S+):", text)
    return Path(cut[1]).read_text(encoding="utf-8") if cut else text


def closed_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def current_tab(agent: Agent) -> str:
    """The tabId of the tab the agent used last."""
    tabs = (await agent.call("list_tabs"))["tabs"]
    return str(next(tab["tabId"] for tab in tabs if tab.get("current")))


async def dialog_shown(panel: Panel, url: str) -> None:
    """Wait until a tab with this address shows a dialog."""
    tabs = panel.hub.services.tabs
    shown = asyncio.Event()

    def look(tab: Tab) -> None:
        if tab.url == url and tab.state == "dialog":
            shown.set()

    tabs.changed.connect(look)
    for tab in tabs:
        look(tab)
    await shown.wait()
    tabs.changed.disconnect(look)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def panel(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Panel]:
    """One instance for all tests; each opens tabs of its own."""
    data = paths.DataDir.open(str(tmp_path_factory.mktemp("panel")))
    instance = Instance(data.lock)
    assert instance.acquire(lambda: False)
    hub = Hub(data, instance, Options(port=0, headless=True), lambda _ask: False)
    try:
        await hub.start()
        await hub.services.start_browser()
        yield Panel(hub, data)
    finally:
        await hub.stop()
        instance.release()


class OpenAgent(Protocol):
    """Connects an agent and opens a tab for it."""

    def __call__(self, url: str = "", name: str = "test-agent") -> AbstractAsyncContextManager[Agent]: ...


@pytest.fixture
def agent(panel: Panel) -> OpenAgent:
    """`async with agent(url) as a:` an MCP conversation with a tab of its own, closed at the end."""

    @asynccontextmanager
    async def open_agent(url: str = "", name: str = "test-agent") -> AsyncIterator[Agent]:
        async with connect(panel.data.root, name) as client:
            opened = Agent(client)
            tab = await opened.call("new_tab", url=url or "about:blank")
            try:
                yield opened
            finally:
                if panel.hub.services.tabs.find(tab["tabId"]) is not None:
                    await opened.call("close_tab", tabId=tab["tabId"])

    return open_agent
