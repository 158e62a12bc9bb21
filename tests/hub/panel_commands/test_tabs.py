"""`list_tabs`: what is connected, since when, and who drives and holds it."""

from __future__ import annotations

from kapture_panel.core.answer import Answer
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.hub.panel_commands.context import Context
from kapture_panel.hub.panel_commands.tabs import list_tabs


async def no_command(*_: object) -> Answer:
    raise AssertionError("listing tabs runs no command")


async def test_every_connected_tab_is_listed_in_order() -> None:
    tabs, client = Tabs(), Client("claude", "agent", current_tab="t2")
    holder = Client("codex", "agent")
    context = Context(tabs, no_command, lambda tab_id: holder if tab_id == "t1" else None)
    assert await list_tabs(context, client, {}) == {"tabs": []}
    tabs.add(Tab("t1", "https://a.example/", "A", "install", driver="cursor", connected_at=0.9))
    tabs.add(Tab("t2", "about:blank", "", "install", state="dialog", connected_at=1e9))
    assert await list_tabs(context, client, {}) == {
        "tabs": [
            {
                "tabId": "t1", "url": "https://a.example/", "title": "A", "state": "connected",
                "connectedAt": "1970-01-01T00:00:00Z", "driver": "cursor", "holder": "codex",
            },
            {
                "tabId": "t2", "url": "about:blank", "title": "", "state": "dialog",
                "connectedAt": "2001-09-09T01:46:40Z", "current": True,
            },
        ]
    }  # fmt: skip
