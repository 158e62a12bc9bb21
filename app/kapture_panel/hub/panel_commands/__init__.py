"""Commands of panel scope: catalogue name → function(context, client, params), one module per group."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.registry.clients import Client
from kapture_panel.hub.panel_commands import batch, images, tabs
from kapture_panel.hub.panel_commands.context import Context

PanelFunction = Callable[[Context, Client, Params], Awaitable[Any]]

PANEL_COMMANDS: dict[str, PanelFunction] = {**batch.COMMANDS, **images.COMMANDS, **tabs.COMMANDS}
