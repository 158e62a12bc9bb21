"""The extension's door on a free port, browsers that stand for real ones, and extensions that dial."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.pause import Pause
from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.registry.pairing import PairingDesk
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.console import Console
from kapture_panel.core.stores.network_log import NetworkLog
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.hub.browsers.browser import new_pairing
from kapture_panel.hub.browsers.downloads import Downloads
from kapture_panel.hub.browsers.managed import Launch, ManagedBrowser
from kapture_panel.hub.extension_door.connections import Connections
from kapture_panel.hub.extension_door.executor import ExtensionExecutor
from kapture_panel.hub.extension_door.keyboard_guards import KeyboardGuards
from kapture_panel.hub.extension_door.pairing import Pairer
from kapture_panel.hub.extension_door.panel_browsers import PanelBrowsers
from kapture_panel.hub.extension_door.tab_events import TabEvents
from tests.support.hub.fakes import Changes, FakeExtension

PAIRING = Pairing(install="browser-1", key="the shared key")
OTHER = Pairing(install="browser-2", key="another key")


class FakeBrowser:
    """Stands for the browser process; the links of its extension are dialled by the test."""

    started: asyncio.Queue[FakeBrowser]
    may_start: asyncio.Event
    error: KaptureError | None

    def __init__(self, launch: Launch, pairing: Pairing, on_ended: Callable[[], None]) -> None:
        self.launch, self.pairing, self.on_ended = launch, pairing, on_ended
        self.ended, self.died, self.gone = False, "", asyncio.Event()
        self.guard: FakeGuard | None = None
        self.downloads = Downloads(launch.downloads)
        self.asked_to_catch_up = asyncio.Event()

    async def start(self) -> None:
        self.started.put_nowait(self)
        await self.may_start.wait()
        if self.error is not None:
            raise self.error

    async def end(self) -> None:
        self.ended = True
        self.gone.set()
        self.on_ended()

    async def caught_up(self) -> None:
        self.asked_to_catch_up.set()

    def die(self) -> None:
        self.died = "ended by itself (code -5)"
        self.gone.set()
        self.on_ended()


class FakeGuard:
    """Keeps what happens between it and the commands."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    @asynccontextmanager
    async def during(self, *, acts: bool) -> AsyncIterator[None]:
        self.seen.append("an act begins" if acts else "a look begins")
        yield
        self.seen.append("it ends")

    def expect_the_person(self) -> None:
        self.seen.append("the person is expected")

    async def catch_up(self) -> None:
        self.seen.append("it has caught up")


class Setting:
    """Connections on a free port, two paired browsers, and whatever dials."""

    def __init__(self, ending: AsyncExitStack, folder: Path) -> None:
        self.tabs, self.console, self.requests = Tabs(), Console(), NetworkLog()
        self.paired, desk = PairedBrowsers(folder / "paired.json"), PairingDesk()
        for pairing in (PAIRING, OTHER):
            self.paired.add(pairing.install, pairing.key, "Fake")
        pairer = Pairer(desk, self.paired)
        self.pause = Pause()
        events = TabEvents(self.tabs, self.console, self.requests, self.pause)
        self.connections = Connections(self.tabs, events, self.paired, pairer, self.pause)
        self.browsers = PanelBrowsers(self.tabs, self.connections, self._make)
        reads = frozenset(["kapturemcp_snapshot"])
        self.guards = KeyboardGuards(self.connections, self.browsers)
        self.executor = ExtensionExecutor(self.tabs, self.connections, self.browsers, self.guards, self.pause, reads)
        self.changes = Changes(self.tabs.added, self.tabs.changed, self.tabs.removed)
        self._ending = ending

    @staticmethod
    def _make(session: str, port: int, on_ended: Callable[[], None], *, in_front: bool) -> ManagedBrowser:
        launch = Launch(Path("profile"), Path("extension"), port, True, Path("downloads"), in_front=in_front)
        return ManagedBrowser(launch, new_pairing(session), on_ended)

    async def dial(self, pairing: Pairing = PAIRING, **options: Any) -> FakeExtension:
        extension = FakeExtension(self.connections.listener.port, pairing, **options)
        assert (await extension.connect())["type"] == "registered"
        self._ending.push_async_callback(extension.close)
        return extension

    def call(self, tab: Tab, command: str = "kapturemcp_click", frame_id: str = "") -> asyncio.Task[Any]:
        return tasks.spawn(self.executor.run_in_tab(tab, command, {}, 1000, frame_id=frame_id), command)

    async def close(self) -> None:
        """As the hub does."""
        await self.browsers.close()
        await self.guards.close()
        await self.connections.close()
