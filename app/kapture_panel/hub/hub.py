"""One running instance: stores, router, doors and the managed browser, started and ended together."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from kapture_panel import __version__, door, paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.basics.settings import NATURAL_MOUSE, SHOW_CURSOR, SHOW_FRAME, Settings
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.core import Core
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rules import Preset, Rules
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.router import Handlers
from kapture_panel.core.state import State
from kapture_panel.core.wire import protocol
from kapture_panel.hub.agent_door.agents import AgentsDoor
from kapture_panel.hub.agent_door.child import mcp_config
from kapture_panel.hub.agent_door.mcp.sources import Sources
from kapture_panel.hub.browsers import installed_browsers
from kapture_panel.hub.browsers.origins import Origins
from kapture_panel.hub.browsers.sessions import Sessions
from kapture_panel.hub.extension_door import ports
from kapture_panel.hub.extension_door.connections import Connections
from kapture_panel.hub.extension_door.executor import ExtensionExecutor
from kapture_panel.hub.extension_door.from_browser import FromBrowser
from kapture_panel.hub.extension_door.hands import Hands
from kapture_panel.hub.extension_door.keyboard_guards import KeyboardGuards
from kapture_panel.hub.extension_door.open_frames import MAX_REMEMBERED
from kapture_panel.hub.extension_door.pairing import Pairer
from kapture_panel.hub.extension_door.panel_browsers import PanelBrowsers
from kapture_panel.hub.extension_door.pointing import Pointing
from kapture_panel.hub.extension_door.tab_events import TabEvents
from kapture_panel.hub.extension_door.watching import Watching
from kapture_panel.hub.host.doctor import Doctor
from kapture_panel.hub.host.formatters import Formatters
from kapture_panel.hub.host.freed_memory import FreedMemory
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.panel_commands import PANEL_COMMANDS, uploads
from kapture_panel.hub.panel_commands.context import Context
from kapture_panel.hub.panel_commands.fetch import Fetcher
from kapture_panel.hub.videos.video_recorder import WRAPPER as VIDEO
from kapture_panel.hub.videos.video_recorder import VideoRecorder

log = logging.getLogger(__name__)

#: How often what is kept is looked through for what is too old.
RETENTION_S = 3600.0


@dataclass(frozen=True)
class Options:
    """What a person chose on the command line; `port` None is the instance's own (`hub.extension_door.ports`);
    `headless` None means: a window where there is a display; `policy` and `own_policy` are presets for its browser and
    for the person's own, empty: as the person kept them; `allow_dirs` are the folders whose files agents may open;
    `throw_away` has the data directory removed at the end."""

    port: int | None = None
    policy: Preset | Literal[""] = ""
    own_policy: Preset | Literal[""] = ""
    headless: bool | None = None
    allow_dirs: tuple[Path, ...] = ()
    throw_away: bool = False


class Hub:
    """An instance over one data directory.

    Args:
        data: its places.
        instance: the lock, held by this process.
        options: see `Options`.
        on_control: what the program does when another `kapture` asks for "raise" or "hand-over".
    """

    def __init__(
        self, data: paths.DataDir, instance: Instance, options: Options, on_control: Callable[[str], bool]
    ) -> None:
        self._data = data
        self._instance = instance
        self._options = options
        self._on_control = on_control
        person = Client("you", "person", pid=os.getpid())
        state = self.state = State(Catalogue(paths.catalogue()), data, person)
        reads = frozenset(command.name for command in state.catalogue if command.klass == "read")
        told = TabEvents(state.tabs, state.console, state.requests, state.pause)
        pairer = Pairer(state.pairing, state.paired)
        lost = state.history.open_frames(MAX_REMEMBERED)
        self.connections = Connections(state.tabs, told, state.paired, pairer, state.pause, lost)
        self.watching = Watching(self.connections)
        self.videos = VideoRecorder(state, self.watching)
        self.sessions = Sessions(data.sessions, state.clients, lambda session: self.browsers.end(session))
        origins = Origins(data, state.clients, self.sessions, options.headless, lambda: instance.held_open)
        self.browsers = PanelBrowsers(state.tabs, self.connections, origins.make)
        self.guards = KeyboardGuards(self.connections, self.browsers)
        self.executor = ExtensionExecutor(state.tabs, self.connections, self.browsers, self.guards, state.pause, reads)
        state.settings.changed.connect(lambda _name: self._apply(state.settings))
        self._apply(state.settings)
        self.formatters = Formatters([paths.resources() / "formatters", data.root / "formatters"])
        self.core = Core(state, self.executor, self._policy(), self._handlers())
        self.videos.watch_over(self.core.gates)
        leases = self.core.gates.leases
        self.hands = Hands(state.tabs, self.connections, self.guards, leases, person)
        self.pointing = Pointing(state.tabs, self.executor, state.shots, state.notes)
        leases.changed.connect(self.connections.let_go)
        self.connections.settled.connect(self.core.settling.take)
        self.freed = FreedMemory()
        self.connections.left.connect(lambda _link: self.freed.soon())
        state.clients.removed.connect(lambda _client: self.freed.soon())
        self._retention: asyncio.TimerHandle | None = None
        self._from_browser = FromBrowser(self.connections, self.core.router, state.tabs)
        self.mcp_config = mcp_config(data.root)
        child = json.loads(self.mcp_config)["mcpServers"]["kapture"]
        self.doctor = Doctor(
            data.root,
            state.clients,
            state.pause,
            self.connections,
            self.formatters,
            [child["command"], *child["args"]],
        )
        sources = Sources(state.tabs, state.console, state.shots, state.notes)
        self.door = AgentsDoor(
            data.root, self.core.router, state.clients, self._control, sources, self.doctor.examine, state.outputs
        )

    @property
    def port(self) -> int:
        """Where the extension connects."""
        return self.connections.listener.port

    @property
    def address(self) -> str:
        """The same in words, as `ws://127.0.0.1:61822`."""
        return f"ws://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Open both doors, the extension's first.

        Raises:
            KaptureError: the port is taken, or the run-time folder is not ours.
        """
        await ports.listen(self.connections.listener, self._data, self._options.port)
        if not self._options.throw_away:
            ports.keep(self._data, self.port)
        if self._data.extension.exists():
            try:
                self.place_extension()
            except KaptureError as error:
                log.warning("the extension of your own browsers is as it was: %s", error.message)
        leftovers = [self._data.root] if self._options.throw_away else []
        self._instance.sweep_at_end(Path(door.address(str(self._data.root))), *leftovers)
        await self.door.open()
        self._retention = asyncio.get_running_loop().call_later(RETENTION_S, self._trim)

    async def stop(self) -> None:
        """Stop intake, end the browser, settle and close the history; the lock is the caller's to release."""
        if self._retention is not None:
            self._retention.cancel()
        self._cut_off()
        await self.door.close()
        await self._from_browser.close()
        await self.videos.close()
        await self.core.recorder.close()
        await self.hands.close()
        await self.browsers.close()
        await self.guards.close()
        await self.connections.close()
        await self.sessions.close()
        await self.formatters.close()
        await self.freed.close()
        self.state.history.close()

    def _cut_off(self) -> None:
        """What runs in a tab is not cancelled with its caller: it comes to its own end there, of which the next panel
        asks and tells."""
        self.core.settling.end()
        for tab in self.state.tabs:
            if tab.running and (link := self.connections.of_tabs.get(tab.tab_id)) is not None:
                link.replace()

    def _handlers(self) -> Handlers:
        context = Context(
            self.state.tabs,
            lambda client, name, params: self.core.router.run(client, name, params),
            lambda tab_id: self.core.router.gates.leases.holder(tab_id),
        )
        return Handlers(
            {name: partial(function, context) for name, function in PANEL_COMMANDS.items()},
            {
                "formatter": self.formatters.snapshot,
                "files": partial(uploads.upload, self.connections.offers, self.state.upload_copies),
                "fetch": Fetcher().inject,
                VIDEO: self.videos.record,
            },
        )

    def _policy(self) -> Policy:
        rules, chosen = Rules(self._data.policy), self._options
        return Policy(
            chosen.policy or rules.default("managed") or "trusting",
            chosen.allow_dirs,
            instance_dirs=_told_of(self._data),
            own_preset=chosen.own_policy or rules.default("own") or "careful",
            rules=rules,
        )

    def place_extension(self) -> Path:
        """Have the extension where the person's own browsers load it, and return that folder.

        Raises:
            KaptureError: it could not be written.
        """
        return installed_browsers.place_extension(paths.extension(), self._data.extension, self.port)

    def _trim(self) -> None:
        """Let go of what is too old, now and once an hour, and of memory that was freed but kept."""
        self._retention = asyncio.get_running_loop().call_later(RETENTION_S, self._trim)
        self.state.trim()
        self.freed.soon()

    def _apply(self, settings: Settings) -> None:
        self.connections.apply(
            protocol.Settings(
                naturalMouse=settings.choice(NATURAL_MOUSE),
                showCursor=settings.choice(SHOW_CURSOR),
                showFrame=settings.choice(SHOW_FRAME),
            )
        )

    def _control(self, ask: str) -> JsonObject:
        if ask == "ping":
            return {"ok": True, "version": __version__, "pid": os.getpid()}
        if not self._on_control(ask):
            error = KaptureError("INVALID_PARAMS", f"this program does not know how to {ask!r}")
            return {"error": error.as_wire()}
        return {"ok": True}


def _told_of(data: paths.DataDir) -> tuple[Path, ...]:
    """The folders whose files answers name: an agent may read them."""
    return tuple(folder.resolve() for folder in (data.screenshots, data.videos, data.downloads, data.output))
