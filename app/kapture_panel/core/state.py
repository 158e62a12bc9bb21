"""What one instance keeps and knows: its stores, who and what is connected, what the person has set."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from kapture_panel.core.basics.settings import Settings
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.gates.pause import Pause
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.registry.pairing import PairingDesk
from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.core.stores import recorder
from kapture_panel.core.stores.console import Console
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.network_log import NetworkLog
from kapture_panel.core.stores.notes import Notes
from kapture_panel.core.stores.outputs import Outputs
from kapture_panel.core.stores.shots import Shots
from kapture_panel.core.stores.upload_copies import UploadCopies
from kapture_panel.core.stores.videos import Videos


class Places(Protocol):
    """Where it is kept; `kapture_panel.paths.DataDir` says what each is."""

    @property
    def history(self) -> Path: ...
    @property
    def history_key(self) -> Path: ...
    @property
    def screenshots(self) -> Path: ...
    @property
    def videos(self) -> Path: ...
    @property
    def output(self) -> Path: ...
    @property
    def uploads(self) -> Path: ...
    @property
    def settings(self) -> Path: ...
    @property
    def paired(self) -> Path: ...
    @property
    def paused(self) -> Path: ...


class State:
    """Made before the executor, which is told what is connected by it.

    Args:
        catalogue: the commands.
        places: where it is kept.
        person: the client the person is.
    """

    def __init__(self, catalogue: Catalogue, places: Places, person: Client) -> None:
        self.catalogue = catalogue
        self.places = places
        self.person = person
        self.tabs = Tabs()
        self.clients = Clients()
        self.paired = PairedBrowsers(places.paired)
        self.pairing = PairingDesk()
        self.console = Console()
        self.requests = NetworkLog()
        self.history = History(places.history)
        self.shots = Shots(places.screenshots)
        self.notes = Notes(self.shots)
        self.recordings = recorder.store(places.screenshots)
        self.videos = Videos(places.videos)
        self.outputs = Outputs(places.output)
        self.upload_copies = UploadCopies(places.uploads)
        self.settings = Settings(places.settings)
        self.pause = Pause(places.paused)

    def trim(self) -> None:
        """Let go of what is too old."""
        self.shots.trim()
        self.recordings.trim()
        self.history.trim()
        self.outputs.trim()
        self.upload_copies.trim()
        self.videos.trim()
