"""Counting what a selector matches while it is typed: the page is asked, the history is not told."""

from __future__ import annotations

import pytest

from kapture_panel.core.basics.errors import KaptureError
from tests.support.e2e.panel import OpenAgent, Panel, current_tab

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_page_is_counted_and_no_row_is_written(panel: Panel, agent: OpenAgent) -> None:
    hub = panel.hub
    async with agent() as driver:
        body = "document.body.innerHTML = '<b id=a></b><i></i><i></i>'"
        await driver.call("evaluate", code=body)
        tab = hub.state.tabs.get(await current_tab(driver))
        before, calls = len(hub.state.history), hub.state.person.calls
        assert [await hub.executor.count(tab, selector) for selector in ("#a", "i", "#none")] == [1, 2, 0]
        with pytest.raises(KaptureError) as raised:
            await hub.executor.count(tab, "#[")
        assert raised.value.code == "INVALID_SELECTOR"
        assert (len(hub.state.history), hub.state.person.calls) == (before, calls)
