"""All that a front end (window, doors) needs of one running instance, in one bundle."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from kapture_panel.core.catalogue import Catalogue
from kapture_panel.core.clients import Client, Clients
from kapture_panel.core.console import Console
from kapture_panel.core.history import History
from kapture_panel.core.router import Router
from kapture_panel.core.settings import Settings
from kapture_panel.core.shots import Shots
from kapture_panel.core.tabs import Tab, Tabs


@dataclass
class Services:
    """The stores of an instance, its router, and what can be done beside commands.

    `address` is the extension's socket in words (`ws://127.0.0.1:61822`); `start_browser` opens the managed
    browser, or returns a tab of the one that runs; `mcp_config` is the JSON a person pastes into an MCP client.
    """

    catalogue: Catalogue
    tabs: Tabs
    clients: Clients
    console: Console
    history: History
    shots: Shots
    settings: Settings
    router: Router
    person: Client
    address: str
    start_browser: Callable[[], Awaitable[Tab]]
    mcp_config: str
