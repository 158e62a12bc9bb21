"""`list_tabs`: what is connected, since when, and who drives and holds it."""

from __future__ import annotations

from datetime import UTC, datetime

from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.core.catalogue import redaction
from kapture_panel.core.gates.leases import PERSON
from kapture_panel.core.registry.clients import Client
from kapture_panel.hub.panel_commands.context import Context


async def list_tabs(context: Context, client: Client, _params: Params) -> JsonObject:
    """The connected tabs `client` may use, in the order they connected; `current` marks the one it used last."""
    rows = []
    for tab in context.tabs.seen_by(client):
        row: JsonObject = {
            "tabId": tab.tab_id,
            # Whoever may see a tab need not be who was given its address, which a page without a title is called by.
            "url": redaction.url(tab.url),
            "title": redaction.masked_text(tab.title),
            "state": tab.state,
            "connectedAt": datetime.fromtimestamp(tab.connected_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        if tab.driver:
            row["driver"] = tab.driver
        if holder := context.holder(tab.tab_id):
            row["holder"] = PERSON if holder.kind == "person" else holder.name
        if tab.tab_id == client.current_tab:
            row["current"] = True
        rows.append(row)
    return {"tabs": rows}


COMMANDS = {"kapturemcp_list_tabs": list_tabs}
