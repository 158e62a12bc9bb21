"""One running instance: stores, router, doors and the managed browser, started and ended together."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from kapture_panel import door, paths
from kapture_panel.core.catalogue import Catalogue
from kapture_panel.core.clients import Client, Clients
from kapture_panel.core.console import Console
from kapture_panel.core.errors import KaptureError
from kapture_panel.core.history import History
from kapture_panel.core.policy import Policy
from kapture_panel.core.router import Router
from kapture_panel.core.services import Services
from kapture_panel.core.settings import Settings
from kapture_panel.core.shots import Shots
from kapture_panel.core.tabs import Tabs
from kapture_panel.hub import uploads
from kapture_panel.hub.agents import AgentsDoor
from kapture_panel.hub.browsers import Launch, has_display
from kapture_panel.hub.commands import PANEL_COMMANDS
from kapture_panel.hub.commands.context import Context
from kapture_panel.hub.formatters import Formatters
from kapture_panel.hub.instance import Instance
from kapture_panel.hub.links import Links
from kapture_panel.hub.listener import DEFAULT_PORT

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Options:
    """What a person chose on the command line; `headless` None means: a window where there is a display;
    `allow_dirs` are the folders whose files agents may open; `throw_away` has the data directory removed at the end."""

    port: int = DEFAULT_PORT
    policy: str = "trusting"
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
        tabs, clients, console = Tabs(), Clients(), Console()
        catalogue = Catalogue(paths.catalogue())
        history, shots = History(data.history), Shots(data.screenshots)
        self.links = Links(tabs, console, self._launch)
        self.formatters = Formatters([paths.resources() / "formatters", data.root / "formatters"])
        context = Context(tabs, lambda client, name, params: router.run(client, name, params))
        panel_commands = {name: partial(function, context) for name, function in PANEL_COMMANDS.items()}
        router = Router(
            catalogue,
            Policy(options.policy, options.allow_dirs),
            tabs,
            clients,
            history,
            shots,
            self.links,
            panel_commands,
            wrappers={"kapturemcp_snapshot": self.formatters.snapshot, "kapturemcp_upload_file": uploads.upload},
        )
        person = Client("you", "person", pid=os.getpid())
        self.door = AgentsDoor(data.root, router, clients, self._control)
        self.services = Services(
            catalogue=catalogue,
            tabs=tabs,
            clients=clients,
            console=console,
            history=history,
            shots=shots,
            settings=Settings(data.settings),
            router=router,
            person=person,
            address="",
            start_browser=self.links.open_browser,
            mcp_config=mcp_config(data.root),
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
        await self.links.listener.open(self._options.port)
        self.services.address = f"ws://127.0.0.1:{self.port}"
        leftovers = [self._data.root] if self._options.throw_away else []
        self._instance.sweep_at_end(Path(door.address(str(self._data.root))), *leftovers)
        await self.door.open()

    async def stop(self) -> None:
        """Stop intake, end the browser, settle and close the history; the lock is the caller's to release."""
        await self.door.close()
        await self.links.close()
        await self.formatters.close()
        self.services.history.close()

    def _launch(self, port: int) -> Launch:
        headless = self._options.headless
        return Launch(
            profile=self._data.browser,
            extension=paths.extension(),
            port=port,
            headless=not has_display() if headless is None else headless,
            downloads=self._data.root / "downloads",
            held_open=self._instance.held_open,
        )

    def _control(self, ask: str) -> dict[str, Any]:
        if not self._on_control(ask):
            error = KaptureError("INVALID_PARAMS", f"this program does not know how to {ask!r}")
            return {"error": error.as_wire()}
        return {"ok": True}


def mcp_config(root: Path) -> str:
    """The JSON that adds Kapture Panel to an MCP client.

    It names the data directory unless that is the one a child finds without our environment, as clients start it.
    """
    command = Path(sys.executable).parent / ("kapture.exe" if sys.platform == "win32" else "kapture")
    args = ["mcp"]
    if str(root) != door.data_dir(environment={}):
        args += ["--data-dir", str(root)]
    return json.dumps({"mcpServers": {"kapture": {"command": str(command), "args": args}}}, indent=2)
