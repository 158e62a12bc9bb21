"""What the window can ask for besides commands, done by the hub."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial

from kapture_panel import paths
from kapture_panel.core.doctor import Check
from kapture_panel.hub.browsers import installed_browsers
from kapture_panel.hub.browsers.remote.examine import examine
from kapture_panel.hub.browsers.remote.places import Place, Places
from kapture_panel.hub.host import desktop
from kapture_panel.hub.hub import Hub
from kapture_panel.paths import DataDir
from kapture_panel.programs import demo_process
from kapture_panel.window.browsers.browser_setup import BrowserSetup
from kapture_panel.window.browsers.remote_places import RemotePlace, RemotePlaces
from kapture_panel.window.shell.backend import Backend


def backend_of(hub: Hub, data: DataDir) -> Backend:
    """Of a hub that has started, over the data folder it has."""
    return Backend(
        address=hub.address,
        mcp_config=hub.mcp_config,
        open_browser=partial(hub.executor.open_browser, in_front=True),
        end_browser=partial(hub.browsers.end, ""),
        browser_setup=BrowserSetup(installed_browsers.installed, hub.place_extension, installed_browsers.open_window),
        places=places_of(data),
        pick=hub.executor.pick,
        count=hub.executor.count,
        watching=hub.watching,
        hands=hub.hands,
        pointing=hub.pointing,
        videos=hub.videos,
        show=hub.executor.show,
        disconnect=hub.connections.disconnect,
        examine=hub.doctor.examine,
        install_desktop=lambda autostart: desktop.said(data.root, autostart=autostart),
        run_demo=demo_process.run,
    )


def places_of(data: DataDir) -> RemotePlaces:
    """What is done with the places that its file names."""
    places = Places(data.places)

    async def tried(name: str) -> AsyncGenerator[Check, None]:
        async with aclosing(examine(places.get(name), paths.extension())) as checks:
            async for check in checks:
                yield check

    return RemotePlaces(
        named=lambda: [RemotePlace(one.name, one.address, _about(one)) for one in places.all().values()],
        add=places.add,
        remove=places.remove,
        examine=tried,
    )


def _about(place: Place) -> str:
    return f"{place.policy or 'careful'}, at most {place.at_once} at once"
