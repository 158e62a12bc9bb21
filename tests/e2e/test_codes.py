"""Errors that are rare, each brought about in a real browser."""

from __future__ import annotations

import asyncio

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.router import MAX_RUNNING
from tests.support.e2e.panel import OpenAgent, Panel, current_tab
from tests.support.e2e.tab_person import declined, person

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_client_with_too_many_commands_under_way_is_told_and_the_others_are_not(
    agent: OpenAgent, panel: Panel, pages: str
) -> None:
    clients = panel.hub.state.clients
    full = asyncio.Event()

    def look(client: Client) -> None:
        if client.name == "eager" and client.running == MAX_RUNNING:
            full.set()

    async with agent(f"{pages}/blank.html?eager", "eager") as a, agent(f"{pages}/blank.html?calm", "calm") as calm:
        clients.changed.connect(look)
        waits = [tasks.spawn(a.fails("wait", selector="#never"), f"wait {at}") for at in range(MAX_RUNNING)]
        await full.wait()
        clients.changed.disconnect(look)
        said = await a.fails("wait", time=0)
        assert said == f"BUSY: {MAX_RUNNING} commands of this client are under way; wait for one of them to answer"
        assert (await calm.call("evaluate", code="1"))["value"] == 1
        await closed(panel, f"{pages}/blank.html?eager")
        assert {(await wait).partition(":")[0] for wait in waits} == {"TAB_DISCONNECTED"}
        assert "BUSY" not in await a.text("list_tabs")


async def closed(panel: Panel, url: str) -> None:
    """Close the tab that shows `url`, past its queue."""
    assert panel.hub.browsers.shared is not None
    pipe = panel.hub.browsers.shared.pipe
    targets = (await pipe.call("Target.getTargets", {"filter": [{"type": "page"}]}))["targetInfos"]
    (target,) = [found["targetId"] for found in targets if found["url"] == url]
    await pipe.call("Target.closeTarget", {"targetId": target})


async def test_a_command_for_a_link_that_broke_is_not_sent(agent: OpenAgent, panel: Panel, pages: str) -> None:
    tabs = panel.hub.state.tabs
    gone, back = asyncio.Event(), asyncio.Event()

    def on_added(tab: Tab) -> None:
        if tab.tab_id == tab_id:
            back.set()

    async with agent(f"{pages}/blank.html?broken") as a:
        tab_id = await current_tab(a)
        link = panel.hub.connections.of_tabs[tab_id]
        tabs.removed.connect(lambda _tab: gone.set())
        tabs.added.connect(on_added)
        await link.close()
        await gone.wait()
        with pytest.raises(KaptureError) as error:
            await link.run("kapturemcp_evaluate", {"code": "document.title = 'sent'"}, 5000)
        assert error.value.code == "NOT_SENT"
        assert "nothing was done" in error.value.message
        # The extension dials again; the page has seen nothing of it.
        await back.wait()
        tabs.added.disconnect(on_added)
        assert (await a.call("evaluate", code="document.title", tabId=tab_id))["value"] == "Blank"


async def test_a_question_nobody_decides_in_time_expires_and_nothing_comes_of_a_late_yes(
    agent: OpenAgent, panel: Panel, pages: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = panel.hub
    approvals = hub.core.router.gates.approvals
    monkeypatch.setattr(approvals, "expiry_s", 0.3)
    async with agent(f"{pages}/blank.html?expires", "owner"), agent(f"{pages}/blank.html?asks") as a:
        number = await declined(panel, "?expires")
        async with person(panel, lambda _ask: None) as asks:
            said = await a.fails("connect_tab", browserTabId=number)
            assert said.startswith("APPROVAL_EXPIRED: "), said
            assert not approvals.allow(asks[0])
        assert not [tab for tab in hub.state.tabs if tab.url.endswith("?expires")]
        await hub.core.router.run(hub.state.person, "connect_tab", {"browserTabId": number})
