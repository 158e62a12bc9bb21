"""Where the browser of a session comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.hub.browsers.managed import ManagedBrowser
from kapture_panel.hub.browsers.origins import Origins
from kapture_panel.hub.browsers.remote.remote_browser import RemoteBrowser
from kapture_panel.hub.browsers.sessions import Sessions
from kapture_panel.paths import DataDir


async def _end(_session: str) -> None:
    """Nothing was started."""


class Setting:
    def __init__(self, folder: Path) -> None:
        self.data, self.clients = DataDir.open(str(folder)), Clients()
        sessions = Sessions(self.data.sessions, self.clients, _end)
        self.origins = Origins(self.data, self.clients, sessions, True, lambda: (7,))

    def made(self, place: str = "", *, is_shared: bool = False) -> object:
        client = Client("a", "agent")
        client.isolate(place=place)
        self.clients.add(client)
        return self.origins.make("" if is_shared else client.session, 1, lambda: None, in_front=True)


async def test_a_conversation_that_chose_a_place_has_its_browser_there(tmp_path: Path) -> None:
    setting = Setting(tmp_path)
    setting.data.places.write_text('[places.night]\ngrid = "https://grid.example"\n')
    far, here, shared = setting.made("night"), setting.made(), setting.made("night", is_shared=True)
    assert isinstance(far, RemoteBrowser)
    assert far.pairing.place == "night"
    assert isinstance(here, ManagedBrowser)
    assert here.pairing.place == ""
    assert here.launch.viewport == (1280, 720)
    assert isinstance(shared, ManagedBrowser)
    assert shared.launch.profile == setting.data.browser
    assert shared.launch.in_front
    assert here.launch.held_open == shared.launch.held_open == (7,)


async def test_a_place_counts_its_sessions_whatever_the_person_changes_of_it(tmp_path: Path) -> None:
    setting = Setting(tmp_path)
    setting.data.places.write_text('[places.night]\ngrid = "https://grid.example"\n')
    one = setting.made("night")
    setting.data.places.write_text('[places.night]\ngrid = "https://other.example"\nat_once = 2\n')
    other = setting.made("night")
    assert isinstance(one, RemoteBrowser)
    assert isinstance(other, RemoteBrowser)
    assert one._service is other._service
    assert other._service.place.at_once == 2


async def test_a_place_that_was_taken_away_is_named(tmp_path: Path) -> None:
    with pytest.raises(KaptureError, match="no place is called 'night'"):
        Setting(tmp_path).made("night")
