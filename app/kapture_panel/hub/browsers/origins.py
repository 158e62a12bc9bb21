"""Where the browsers that the panel starts come from: this machine, or the place that a conversation chose.

A person's own browser is started by nobody here: it is paired, and comes by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kapture_panel import paths
from kapture_panel.core.registry.clients import Clients
from kapture_panel.hub.browsers.browser import Browser, new_pairing
from kapture_panel.hub.browsers.managed import Launch, ManagedBrowser, has_display
from kapture_panel.hub.browsers.remote.places import Places
from kapture_panel.hub.browsers.remote.remote_browser import RemoteBrowser
from kapture_panel.hub.browsers.remote.sessions import Service
from kapture_panel.hub.browsers.sessions import VIEWPORT, Sessions


class Origins:
    """Makes the browser of each session.

    Args:
        data: where browsers here keep what is theirs.
        clients: which of them chose a place for its session.
        sessions: where the throw-away profiles are.
        headless: whether the shared browser has no window; None: none where there is no display.
        held_open: as `Launch` has it, asked for each browser: there is nothing to hold before the panel listens.
    """

    def __init__(
        self,
        data: paths.DataDir,
        clients: Clients,
        sessions: Sessions,
        headless: bool | None,
        held_open: Callable[[], tuple[int, ...]],
    ) -> None:
        self._data = data
        self._clients = clients
        self._sessions = sessions
        self._headless = headless
        self._held_open = held_open
        self._places = Places(data.places)
        self._services: dict[str, Service] = {}

    def make(self, session: str, port: int, on_ended: Callable[[], None], *, in_front: bool) -> Browser:
        """As `MakeBrowser` says."""
        name = next((one.place for one in self._clients if session and one.session == session), "")
        if not name:
            launch = replace(self._launch(session, port), in_front=in_front)
            return ManagedBrowser(launch, new_pairing(session), on_ended)
        pairing = new_pairing(session, name)
        return RemoteBrowser(self._service(name), pairing, port, VIEWPORT, self._data.downloads / session, on_ended)

    def _service(self, name: str) -> Service:
        """What gives the browsers of a place: one, whatever the person changes of it, for it counts them."""
        place = self._places.get(name)
        service = self._services.setdefault(name, Service(place, paths.extension()))
        service.place = place
        return service

    def _launch(self, session: str, port: int) -> Launch:
        if session:
            return Launch(
                profile=self._sessions.profile(session),
                extension=paths.extension(),
                port=port,
                headless=True,
                downloads=self._data.downloads / session,
                viewport=VIEWPORT,
                held_open=self._held_open(),
            )
        headless = not has_display() if self._headless is None else self._headless
        return Launch(
            profile=self._data.browser,
            extension=paths.extension(),
            port=port,
            headless=headless,
            downloads=self._data.downloads,
            # The size a window is asked for counts what is around the page, too.
            viewport=VIEWPORT if headless else None,
            held_open=self._held_open(),
            start_page=paths.resources() / "start_page" / "start.html",
        )
