"""Commands of panel scope: catalogue name → function(hub, client, params), one module per group."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from kapture_panel.core.clients import Client
from kapture_panel.core.tabs import Tabs
from kapture_panel.hub.commands import tabs

PanelFunction = Callable[[Tabs, Client, dict[str, Any]], Awaitable[Any]]

PANEL_COMMANDS: dict[str, PanelFunction] = {**tabs.COMMANDS}
