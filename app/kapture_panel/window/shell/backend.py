"""What the window can ask for besides commands, of whoever runs the browsers, the doors and the doctor."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from kapture_panel.core.doctor import Check
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.results import Picked
from kapture_panel.window.browsers.browser_setup import BrowserSetup
from kapture_panel.window.browsers.remote_places import RemotePlaces
from kapture_panel.window.watch.looking import PersonsHands, Pointing, Videos, Watching


@dataclass(frozen=True)
class Backend:
    """Handed on to the rooms that need it, piece by piece.

    Args:
        address: the extension's socket in words (`ws://127.0.0.1:61822`).
        mcp_config: the JSON a person pastes into an MCP client.
        open_browser: opens the managed browser before the person, or returns a tab of the one that runs.
        end_browser: closes it.
        browser_setup: what is done with the person's own.
        places: what is done with the places on other machines.
        pick: see `Ways`.
        count: see `Ways`.
        watching: asks tabs for pictures of them as they are now.
        pointing: takes the person's notes about places in tabs.
        videos: knows which tabs are recorded.
        hands: the person's mouse and keys in a tab they have stepped into.
        disconnect: has a tab of the person's browser shared no more, by its tabId.
        examine: tries every link of the chain again and gives each check as soon as it is made.
        install_desktop: puts the panel into the desktop's launcher, with True into its autostart, too, and says what
            it did, or raises KaptureError.
        run_demo: shows the demo in a window of its own until that is closed, and says what went wrong, or "".
    """

    address: str
    mcp_config: str
    open_browser: Callable[[], Awaitable[Tab]]
    end_browser: Callable[[], Coroutine[Any, Any, None]]
    browser_setup: BrowserSetup
    places: RemotePlaces
    pick: Callable[[Tab], Coroutine[Any, Any, Picked]]
    count: Callable[[Tab, str], Coroutine[Any, Any, int]]
    watching: Watching
    hands: PersonsHands
    pointing: Pointing
    videos: Videos
    show: Callable[[Tab], None]
    disconnect: Callable[[str], None]
    examine: Callable[[], AsyncGenerator[Check, None]]
    install_desktop: Callable[[bool], str]
    run_demo: Callable[[], Coroutine[Any, Any, str]]
