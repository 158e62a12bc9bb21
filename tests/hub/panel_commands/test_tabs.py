"""`list_tabs`: what is connected and who drives it."""

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
    context = Context(tabs, run=no_command)
    assert await list_tabs(context, client, {}) == {"tabs": []}
    tabs.add(Tab("t1", "https://a.example/", "A", "install", driver="cursor"))
    tabs.add(Tab("t2", "about:blank", "", "install", state="dialog"))
    assert await list_tabs(context, client, {}) == {
        "tabs": [
            {"tabId": "t1", "url": "https://a.example/", "title": "A", "state": "connected", "driver": "cursor"},
            {"tabId": "t2", "url": "about:blank", "title": "", "state": "dialog", "current": True},
        ]
    }
