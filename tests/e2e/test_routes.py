"""A page tries every way to the panel and the extension: no command is reached, nothing learned, nobody asked."""

from __future__ import annotations

import pytest

from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.handshake import EXTENSION_ID
from tests.support.e2e.panel import OpenAgent, Panel

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = "/routes.html"
#: Ways a page has; fewer were tried when the page's script broke off.
LEAST_ROUTES = 40


async def test_no_route_of_a_page_leads_to_a_command(agent: OpenAgent, panel: Panel, pages: str) -> None:
    hub = panel.hub
    async with agent(f"{pages}{PAGE}?version={protocol.VERSION}") as a:
        links, clients = panel.hub.connections.of_tabs, [client.name for client in hub.state.clients.agents()]
        rows = hub.state.history.rows(limit=1)
        witness = panel.witness(pages)
        tried = await witness.see(f"attempt({panel.hub.port})", PAGE)
        assert len(tried) >= LEAST_ROUTES
        assert {route: outcome for route, outcome in tried.items() if outcome not in ("refused", "nothing")} == {}
        assert await witness.see("document.title", PAGE) == "Routes"
        assert hub.state.history.rows(limit=1)[0].id == rows[0].id
        assert panel.hub.connections.of_tabs.keys() == links.keys()
        assert [client.name for client in hub.state.clients.agents()] == clients
        assert len(hub.core.router.gates.approvals) == 0
        assert panel.hub.browsers.shared is not None
        targets = await panel.hub.browsers.shared.pipe.call("Target.getTargets", {"filter": [{"type": "iframe"}]})
        assert [one["url"] for one in targets["targetInfos"] if EXTENSION_ID in one["url"]] == []
        assert (await a.call("evaluate", code="1 + 1"))["value"] == 2


async def test_a_frame_of_another_extension_is_named_as_what_keeps_the_debugger_out(
    agent: OpenAgent, panel: Panel, pages: str
) -> None:
    async with agent(f"{pages}/routes.html?frame") as a:
        witness = panel.witness(pages)
        await witness.see("framed('chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/x.html', true)", "?frame")
        assert (await a.fails("evaluate", code="1 + 1")).startswith(
            "PROTECTED_PAGE: the page holds a frame of another ext"
        )
        await witness.see("document.querySelector('iframe').remove()", "?frame")
        assert (await a.call("evaluate", code="1 + 1"))["value"] == 2
