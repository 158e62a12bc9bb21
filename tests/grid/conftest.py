"""A real Selenium Grid with three nodes, and an instance whose isolated conversations take their browsers from it."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from kapture_panel import paths
from kapture_panel.core.gates.rates import MAX_PER_S, Rate
from kapture_panel.demo.site import DemoSite
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from tests.support.e2e.panel import PAGES, Panel
from tests.support.selenium_grid import JAR, Grid, grid, places


@pytest.fixture(scope="session", autouse=True)
def needed() -> None:
    """What is missing fails every test here, with the line that brings it."""
    for program, package in (("java", "default-jre-headless"), ("chromedriver", "chromium-driver")):
        if shutil.which(program) is None:
            pytest.fail(f"{program} is not there: apt install {package}", pytrace=False)
    if not JAR.exists():
        pytest.fail(f"{JAR} is not there: make test-grid", pytrace=False)


@pytest.fixture(scope="session")
def machines(needed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grid]:
    """A Grid with three nodes of two browsers each."""
    with grid(tmp_path_factory.mktemp("grid"), 2, 2, 2) as made:
        yield made


@pytest.fixture(scope="session")
def shop() -> Iterator[str]:
    """The demo site's address."""
    with DemoSite(paths.resources() / "demo_site") as site:
        yield site.url


@pytest.fixture(scope="session")
def pages() -> Iterator[str]:
    """The address of the pages of the end-to-end tests."""
    with DemoSite(PAGES) as site:
        yield site.url


@pytest_asyncio.fixture(loop_scope="session")
async def panel(machines: Grid, tmp_path: Path) -> AsyncIterator[Panel]:
    """An instance whose place `night` is the Grid."""
    data = paths.DataDir.open(str(tmp_path / "data"))
    data.places.write_text(places(night=machines.address))
    instance = Instance(data.lock)
    assert instance.acquire(lambda: False)
    hub = Hub(data, instance, Options(port=0, headless=True, allow_dirs=(tmp_path,)), lambda _ask: False)
    try:
        await hub.start()
        hub.core.router.gates.policy.rules.set_rate(Rate(MAX_PER_S, MAX_PER_S))
        yield Panel(hub, data)
    finally:
        await hub.stop()
        instance.release()
    machines.until("the end of all sessions", lambda: not machines.sessions())


assert os.name == "posix", "the Grid of these tests is ended by signals"
