"""Real Chromium, the real extension, the official MCP client with `kapture mcp` as its child."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import pytest_asyncio

from kapture_panel import paths
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.settings import NATURAL_MOUSE
from kapture_panel.core.gates.rates import MAX_PER_S, Rate
from kapture_panel.demo.agent import Agent, ToolError, connect
from kapture_panel.demo.site import DemoSite
from kapture_panel.hub.browsers.managed import find_browser
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from tests.support.e2e import own_browser
from tests.support.e2e.package_site import PackageSite
from tests.support.e2e.panel import OWN, PACKAGES, PAGES, PANELS, OpenAgent, Panel, Visit, current_tab

#: The agents of all tests are started by one program, which shares its rate among them.
UNBOUNDED = Rate(MAX_PER_S, MAX_PER_S)


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
async def panels_panel(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Panel]:
    """An instance with a browser of the panel's."""
    data = paths.DataDir.open(str(tmp_path_factory.mktemp("panel")))
    instance = Instance(data.lock)
    assert instance.acquire(lambda: False)
    hub = Hub(data, instance, Options(port=0, headless=True), lambda _ask: False)
    try:
        await hub.start()
        await hub.browsers.open(in_front=True)
        hub.core.router.gates.policy.rules.set_rate(UNBOUNDED)
        yield Panel(hub, data)
    finally:
        await hub.stop()
        instance.release()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def own_panel(tmp_path_factory: pytest.TempPathFactory, pages: str) -> AsyncIterator[Panel]:
    """An instance whose one browser is a person's own, with a connected tab; the mouse jumps there, too."""
    folder = tmp_path_factory.mktemp("own")
    elsewhere = pages.replace("127.0.0.1", "localhost")  # no witness takes it for a page of a test
    async with own_browser.paired(folder, f"{elsewhere}/keys.html?mine") as (hub, browser):
        hub.core.router.gates.policy.own_preset = "trusting"
        hub.core.router.gates.policy.rules.set_rate(UNBOUNDED)
        hub.state.settings.set(NATURAL_MOUSE, "off")
        await browser.connect("?mine")
        yield Panel(hub, paths.DataDir.open(str(folder / "data")), browser)


@pytest.fixture(scope="session")
def panel(request: pytest.FixtureRequest) -> Panel:
    """One instance of a kind for all tests; each opens tabs of its own. `BOTH_KINDS` has a file's tests run twice."""
    found: Panel = request.getfixturevalue("own_panel" if getattr(request, "param", PANELS) == OWN else "panels_panel")
    return found


def _opens(panel: Panel) -> OpenAgent:
    @asynccontextmanager
    async def open_agent(url: str = "", name: str = "test-agent") -> AsyncIterator[Agent]:
        async with connect(panel.data.root, name) as client:
            opened = Agent(client)
            tab = await opened.call("new_tab", url=url or "about:blank")
            try:
                yield opened
            except BaseException:
                with suppress(KaptureError):  # a failed test may leave a dialog; its own error is told
                    router, person = panel.hub.core.router, panel.hub.state.person
                    await router.run(person, "kapturemcp_close_tab", {"tabId": tab["tabId"]})  # it may be held
                raise
            if panel.hub.state.tabs.find(tab["tabId"]) is not None:
                await opened.call("close_tab", tabId=tab["tabId"])

    return open_agent


@pytest.fixture(scope="session")
def agent(panel: Panel) -> OpenAgent:
    """`async with agent(url) as a:` an MCP conversation with a tab of its own, closed at the end."""
    return _opens(panel)


@pytest.fixture(scope="session")
def own_agent(own_panel: Panel) -> OpenAgent:
    """The same in a person's own browser, for a test that is of that kind alone."""
    return _opens(own_panel)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def visitor(agent: OpenAgent) -> AsyncIterator[Visit]:
    """`async with visitor(url) as a:` the same, in one tab for the whole module, which goes to the page again.

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
        # No witness takes it for a page of its own.
        leave = {"code": "history.replaceState(null, '', '/left')", "tabId": tab}
        try:
            yield one
        except BaseException:
            with suppress(ToolError):  # as above
                await one.call("evaluate", **leave)
            raise
        await one.call("evaluate", **leave)

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
