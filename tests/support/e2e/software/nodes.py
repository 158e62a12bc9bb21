"""What the extension tells a formatter about a page, taken from the real page in the real Chromium."""

from __future__ import annotations

from typing import Any

from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import Panel, current_tab


async def page_of(panel: Panel, agent: Agent) -> dict[str, Any]:
    """The {head, nodes, text} of the agent's tab: what a formatter gets, and the default text beside it."""
    tab = panel.hub.state.tabs.get(await current_tab(agent))
    response = await panel.hub.executor.run_in_tab(tab, "kapturemcp_snapshot", {"nodes": True}, 10_000)
    assert response.success, response
    result: dict[str, Any] = response.result
    return result
