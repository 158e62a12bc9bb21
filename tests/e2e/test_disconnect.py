"""A person has a tab shared no more from the window: it stays open, and can be shared again."""

from __future__ import annotations

import asyncio

import pytest

from kapture_panel.core.registry.tabs import Tab
from tests.support.e2e.panel import OpenAgent, Panel, current_tab
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def said_of_debugger(panel: Panel) -> str:
    """What the doctor says of it."""
    return {check.link: check.words async for check in panel.hub.doctor.examine()}["debugger"]


async def test_a_tab_that_is_disconnected_stays_open_and_can_be_connected_again(
    panel: Panel, agent: OpenAgent, pages: str
) -> None:
    hub = panel.hub
    async with agent() as driver:
        await driver.call("new_tab", url=f"{pages}/explore.html")
        tab_id = await current_tab(driver)
        gone = asyncio.Event()

        def on_removed(tab: Tab) -> None:
            if tab.tab_id == tab_id:
                gone.set()

        hub.state.tabs.removed.connect(on_removed)
        try:
            hub.connections.disconnect(tab_id)
            async with asyncio.timeout(PATIENCE_S):
                await gone.wait()
        finally:
            hub.state.tabs.removed.disconnect(on_removed)
        assert hub.state.tabs.find(tab_id) is None
        assert tab_id in await said_of_debugger(panel)
        run, person = hub.core.router.run, hub.state.person
        listed = (await run(person, "list_browser_tabs", {})).result["tabs"]
        (left,) = [one for one in listed if not one["connected"]]
        again = await run(person, "connect_tab", {"browserTabId": left["browserTabId"]})
        assert again.tab_id not in await said_of_debugger(panel)
        await run(person, "close_tab", {"tabId": again.tab_id})
