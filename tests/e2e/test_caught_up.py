"""What a page did is told at once, also while the extension is behind with what the browser tells it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from kapture_panel.hub.browsers.helper_processes import helpers_of
from tests.support.e2e.panel import OpenAgent, Panel, current_tab

pytestmark = pytest.mark.asyncio(loop_scope="session")


@contextmanager
def extension_stopped(panel: Panel) -> Iterator[None]:
    """The extension's process does nothing, as on a busy machine: the page and the panel go on."""
    assert panel.hub.browsers.shared is not None
    pid = panel.hub.browsers.shared.pid
    assert pid is not None
    (stopped,) = (one for one in helpers_of(pid) if "--extension-process" in one.cmdline())
    stopped.suspend()
    try:
        yield
    finally:
        stopped.resume()


async def test_what_the_page_did_before_is_told_however_busy_the_machine_is(
    agent: OpenAgent, pages: str, panel: Panel
) -> None:
    async with agent(f"{pages}/network.html?busy") as a:
        tab, witness = await current_tab(a), panel.witness(pages)
        await witness.session("?busy")
        with extension_stopped(panel):
            await witness.see("console.log('told late')", "?busy")
            await witness.see("tell('/blank.html?late')", "?busy")
            asked = [a.text("list_requests", filter="?late"), a.text("get_network_sources"), a.text("logs")]
            asking = asyncio.gather(*asked)
            await panel.executing(tab)
            for _ in range(20):  # what the panel sent has come to the browser long since
                await witness.see("tell('/keys.html')", "?busy")
        listed, sources, told = await asking
        assert "/blank.html?late" in listed
        assert "/blank.html?late" in sources
        assert "told late" in told
