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
from typing import Any, Literal

from kapture_panel import __version__, door, paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.settings import NATURAL_MOUSE, RECORD_TYPED, SHOW_CURSOR, SHOW_FRAME, Settings
from kapture_panel.core.catalogue import redaction
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.gates.gates import Gates
from kapture_panel.core.gates.pause import Pause
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rules import Preset, Rules
from kapture_panel.core.records import Records
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.registry.pairing import PairingDesk
from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.core.router import Handlers, Router
from kapture_panel.core.services import Services
from kapture_panel.core.stores import recorder
from kapture_panel.core.stores.console import Console
from kapture_panel.core.stores.forgetting import Forgetting
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.recorder import Recorder
from kapture_panel.core.stores.requests import Requests
from kapture_panel.core.stores.shots import Shots
from kapture_panel.core.wire import protocol
from kapture_panel.hub.agent_door.agents import AgentsDoor
from kapture_panel.hub.agent_door.child import mcp_config
from kapture_panel.hub.agent_door.mcp.sources import Sources
from kapture_panel.hub.browsers import own_browsers
from kapture_panel.hub.browsers.managed import Launch, has_display
from kapture_panel.hub.browsers.sessions import VIEWPORT, Sessions
from kapture_panel.hub.extension_door import ports
from kapture_panel.hub.extension_door.from_browser import FromBrowser
from kapture_panel.hub.extension_door.links import Links
from kapture_panel.hub.extension_door.pairing import Pairer
from kapture_panel.hub.host import desktop
from kapture_panel.hub.host.doctor import Doctor
from kapture_panel.hub.host.formatters import Formatters
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.panel_commands import PANEL_COMMANDS, uploads
from kapture_panel.hub.panel_commands.context import Context
from kapture_panel.hub.panel_commands.fetch import Fetcher

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
        tabs, clients, console, requests = Tabs(), Clients(), Console(), Requests()
        catalogue = Catalogue(paths.catalogue())
        history, shots = History(data.history), Shots(data.screenshots)
        paired, desk = PairedBrowsers(data.paired), PairingDesk()
        pause = Pause(data.paused)
        reads = frozenset(command.name for command in catalogue if command.klass == "read")
        self.links = Links(tabs, console, requests, self._launch, paired, Pairer(desk, paired), pause, reads)
        settings = Settings(data.settings)
        settings.changed.connect(lambda _name: self._apply(settings))
        self._apply(settings)
        self.sessions = Sessions(data.sessions, clients, self.links.end_browser)
        self.formatters = Formatters([paths.resources() / "formatters", data.root / "formatters"])
        context = Context(tabs, lambda client, name, params: router.run(client, name, params))
        self._recordings = recorder.store(data.screenshots)
        self._recorder = Recorder(catalogue, tabs, history, self.links, self._recordings, settings)
        requests.changed.connect(self._recorder.on_requests)
        self._retention: asyncio.TimerHandle | None = None
        panel_commands = {name: partial(function, context) for name, function in PANEL_COMMANDS.items()}
        keeper = redaction.Keeper(
            catalogue, redaction.key(data.history_key), lambda: settings.get(RECORD_TYPED, False) is True
        )
        wrappers = {
            "kapturemcp_snapshot": self.formatters.snapshot,
            "kapturemcp_upload_file": uploads.upload,
            "kapturemcp_inject_script": Fetcher().inject,
        }
        router = Router(
            catalogue,
            tabs,
            clients,
            Gates(self._policy(), tabs, clients, self.links, pause),
            Records(history, keeper, self._recorder),
            shots,
            self.links,
            Handlers(panel_commands, wrappers),
        )
        self._from_browser = FromBrowser(self.links, router, tabs)
        person = Client("you", "person", pid=os.getpid())
        child = json.loads(mcp_config(data.root))["mcpServers"]["kapture"]
        self.doctor = Doctor(data.root, clients, self.links, [child["command"], *child["args"]])
        sources = Sources(tabs, console, shots)
        self.door = AgentsDoor(data.root, router, clients, self._control, sources, self.doctor.examine)
        self.services = Services(
            catalogue=catalogue,
            tabs=tabs,
            clients=clients,
            console=console,
            history=history,
            shots=shots,
            settings=settings,
            router=router,
            person=person,
            address="",
            start_browser=partial(self.links.open_browser, in_front=True),
            mcp_config=mcp_config(data.root),
            requests=requests,
            pick=self.links.pick,
            count=self.links.count,
            end_browser=lambda: self.links.end_browser(""),
            examine=self.doctor.examine,
            install_desktop=lambda autostart: desktop.said(data.root, autostart=autostart),
            forgetting=Forgetting(history, shots, self._recordings, self.door.outputs, console, requests),
            paired=paired,
            pairing=desk,
            own_browsers=own_browsers.installed,
            place_extension=self._place_extension,
            open_own_browser=own_browsers.open_window,
        )

    @property
    def port(self) -> int:
        """Where the extension connects."""
        return self.links.listener.port

    async def start(self) -> None:
        """Open both doors, the extension's first.

        Raises:
            KaptureError: the port is taken, or the run-time folder is not ours.
        """
        await ports.listen(self.links.listener, self._data, self._options.port)
        if not self._options.throw_away:
            ports.keep(self._data, self.port)
        if self._data.extension.exists():
            try:
                self._place_extension()
            except KaptureError as error:
                log.warning("the extension of your own browsers is as it was: %s", error.message)
        self.services.address = f"ws://127.0.0.1:{self.port}"
        leftovers = [self._data.root] if self._options.throw_away else []
        self._instance.sweep_at_end(Path(door.address(str(self._data.root))), *leftovers)
        await self.door.open()
        self._retention = asyncio.get_running_loop().call_later(RETENTION_S, self._trim)

    async def stop(self) -> None:
        """Stop intake, end the browser, settle and close the history; the lock is the caller's to release."""
        if self._retention is not None:
            self._retention.cancel()
        await self.door.close()
        await self._from_browser.close()
        await self._recorder.close()
        await self.links.close()
        await self.sessions.close()
        await self.formatters.close()
        self.services.history.close()

    def _policy(self) -> Policy:
        rules, chosen = Rules(self._data.policy), self._options
        return Policy(
            chosen.policy or rules.default("managed") or "trusting",
            chosen.allow_dirs,
            own_dirs=_told_of(self._data),
            own_preset=chosen.own_policy or rules.default("own") or "careful",
            rules=rules,
        )

    def _place_extension(self) -> Path:
        return own_browsers.place_extension(paths.extension(), self._data.extension, self.port)

    def _trim(self) -> None:
        """Let go of what is too old, now and once an hour."""
        self._retention = asyncio.get_running_loop().call_later(RETENTION_S, self._trim)
        self.services.shots.trim()
        self._recordings.trim()
        self.services.history.trim()
        self.door.outputs.trim()

    def _apply(self, settings: Settings) -> None:
        self.links.apply(
            protocol.Settings(
                naturalMouse=settings.choice(NATURAL_MOUSE),
                showCursor=settings.choice(SHOW_CURSOR),
                showFrame=settings.choice(SHOW_FRAME),
            )
        )

    def _launch(self, port: int, session: str) -> Launch:
        if session:
            return Launch(
                profile=self.sessions.profile(session),
                extension=paths.extension(),
                port=port,
                headless=True,
                downloads=self._data.downloads / session,
                viewport=VIEWPORT,
                held_open=self._instance.held_open,
            )
        headless = self._options.headless
        return Launch(
            profile=self._data.browser,
            extension=paths.extension(),
            port=port,
            headless=not has_display() if headless is None else headless,
            downloads=self._data.downloads,
            held_open=self._instance.held_open,
        )

    def _control(self, ask: str) -> dict[str, Any]:
        if ask == "ping":
            return {"ok": True, "version": __version__, "pid": os.getpid()}
        if not self._on_control(ask):
            error = KaptureError("INVALID_PARAMS", f"this program does not know how to {ask!r}")
            return {"error": error.as_wire()}
        return {"ok": True}


def _told_of(data: paths.DataDir) -> tuple[Path, ...]:
    """The folders whose files answers name: an agent may read them."""
    return tuple(folder.resolve() for folder in (data.screenshots, data.downloads, data.output))
