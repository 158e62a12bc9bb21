"""All that a front end (window, doors) needs of one running instance, in one bundle."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kapture_panel.core.basics.settings import Settings
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.doctor import Check
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.registry.pairing import PairingDesk
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.router import Router
from kapture_panel.core.stores.console import Console
from kapture_panel.core.stores.forgetting import Forgetting
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.requests import Requests
from kapture_panel.core.stores.shots import Shots


@dataclass(frozen=True)
class OwnBrowser:
    """A browser the person has installed: its name, its program, the address of its page of extensions."""

    name: str
    path: str
    extensions: str


@dataclass
class Services:
    """The stores of an instance, its router, and what can be done beside commands.

    `address` is the extension's socket in words (`ws://127.0.0.1:61822`); `start_browser` opens the managed
    browser before the person, or returns a tab of the one that runs, `end_browser` closes it; `mcp_config` is the
    JSON a person pastes into an MCP client.

    `pick` lets the person choose an element in a tab and waits for it: `{element: {role, name, tag}, reachable,
    candidates: [{way, value, kind, matches, first}]}`, the best candidate first, or `{ended: "escape" | "left"}`; it
    raises KaptureError, and cancelling it ends the choosing. It is the window's alone: no agent's command leads there.

    `count` tells how many elements of a tab a selector matches, without a row in the history: it is asked as the
    person types; it raises KaptureError.

    `examine` tries every link of the chain anew and gives each check as soon as it is made. `install_desktop` puts
    the panel into the desktop's launcher, with True into its autostart, too, and says what it did, or raises
    KaptureError.

    `forgetting` lets go of a part of the past; that, too, is decided about by the person alone.

    `paired` are the person's own browsers that may connect, `pairing` is where one asks to become one of them; both
    are decided about by the person alone. `own_browsers` lists what is installed, `place_extension` has the extension
    where they load it and returns that folder, `open_own_browser` shows a new tab of one; the last two raise
    KaptureError.
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
    requests: Requests
    pick: Callable[[Tab], Coroutine[Any, Any, dict[str, Any]]]
    end_browser: Callable[[], Coroutine[Any, Any, None]] = field(kw_only=True)
    count: Callable[[Tab, str], Coroutine[Any, Any, int]] = field(kw_only=True)
    examine: Callable[[], AsyncGenerator[Check, None]] = field(kw_only=True)
    install_desktop: Callable[[bool], str] = field(kw_only=True)
    forgetting: Forgetting = field(kw_only=True)
    paired: PairedBrowsers = field(kw_only=True)
    pairing: PairingDesk = field(kw_only=True)
    own_browsers: Callable[[], list[OwnBrowser]] = field(kw_only=True)
    place_extension: Callable[[], Path] = field(kw_only=True)
    open_own_browser: Callable[[OwnBrowser], None] = field(kw_only=True)
