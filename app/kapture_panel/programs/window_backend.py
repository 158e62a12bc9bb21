"""What the window can ask for besides commands, done by the hub."""

from __future__ import annotations

from functools import partial

from kapture_panel.hub.browsers import installed_browsers
from kapture_panel.hub.host import desktop
from kapture_panel.hub.hub import Hub
from kapture_panel.paths import DataDir
from kapture_panel.window.browsers.browser_setup import BrowserSetup
from kapture_panel.window.shell.backend import Backend


def backend_of(hub: Hub, data: DataDir) -> Backend:
    """Of a hub that has started, over the data folder it has."""
    return Backend(
        address=hub.address,
        mcp_config=hub.mcp_config,
        open_browser=partial(hub.browsers.open, in_front=True),
        end_browser=partial(hub.browsers.end, ""),
        browser_setup=BrowserSetup(installed_browsers.installed, hub.place_extension, installed_browsers.open_window),
        pick=hub.executor.pick,
        count=hub.executor.count,
        watching=hub.watching,
        hands=hub.hands,
        pointing=hub.pointing,
        disconnect=hub.connections.disconnect,
        examine=hub.doctor.examine,
        install_desktop=lambda autostart: desktop.said(data.root, autostart=autostart),
    )
