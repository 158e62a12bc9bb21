"""Real Chromium, the real extension, the official MCP client with `kapture mcp` as its child."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from kapture_panel import paths
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.site import DemoSite
from kapture_panel.hub.browsers.managed import find_browser
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from tests.support.e2e.package_site import PackageSite
from tests.support.e2e.panel import PACKAGES, PAGES, OpenAgent, Panel, Visit, current_tab


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


@pytest.fixture(scope="session")
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


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def visitor(agent: OpenAgent) -> AsyncIterator[Visit]:
    """`async with visitor(url) as a:` the same, in one tab for the whole module, which goes to the page anew.

    It costs a quarter. For tests that leave nothing in the tab but a page: no size, no offline, no kept script.
    """
    opened: asyncio.Future[Agent] = asyncio.get_running_loop().create_future()
    is_over = asyncio.Event()

    async def stay() -> None:
        async with agent() as one:
            opened.set_result(one)
            await is_over.wait()

    @asynccontextmanager
    async def visit(url: str) -> AsyncIterator[Agent]:
        one = await opened
        await one.call("navigate", url=url, tabId=tab)
        try:
            yield one
        finally:
            # No witness takes it for a page of its own.
            await one.call("evaluate", code="history.replaceState(null, '', '/left')", tabId=tab)

    # The conversation ends in the task that began it, which a fixture's two halves are not.
    staying = tasks.spawn(stay(), "a visitor")
    staying.add_done_callback(lambda _: opened.done() or opened.cancel())
    tab = await current_tab(await opened)
    yield visit
    is_over.set()
    await staying


@pytest_asyncio.fixture(loop_scope="session")
async def plugins(panel: Panel) -> AsyncIterator[Path]:
    """The user's folder of site formatters, with a fresh helper before and after."""
    folder = panel.data.root / "formatters"
    folder.mkdir()
    yield folder
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    await panel.hub.formatters.close()
