"""`list_tabs`: what is connected and who drives it."""

from __future__ import annotations

from typing import Any

from kapture_panel.core.catalogue import redaction
from kapture_panel.core.registry.clients import Client
from kapture_panel.hub.panel_commands.context import Context


async def list_tabs(context: Context, client: Client, _params: dict[str, Any]) -> dict[str, Any]:
    """The connected tabs `client` may use, in the order they connected; `current` marks the one it used last."""
    rows = []
    for tab in context.tabs.seen_by(client):
        row: dict[str, Any] = {
            "tabId": tab.tab_id,
            # Whoever may see a tab need not be who was given its address, which a page without a title is called by.
            "url": redaction.url(tab.url),
            "title": redaction.masked_text(tab.title),
            "state": tab.state,
        }
        if tab.driver:
            row["driver"] = tab.driver
        if tab.tab_id == client.current_tab:
            row["current"] = True
        rows.append(row)
    return {"tabs": rows}


COMMANDS = {"kapturemcp_list_tabs": list_tabs}
