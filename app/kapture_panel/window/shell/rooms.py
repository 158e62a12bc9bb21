"""The rooms of the window, each made with what it uses: a new one is a line here."""

from __future__ import annotations

from functools import partial

from kapture_panel.core.core import Core
from kapture_panel.window.agents.room import AgentsRoom
from kapture_panel.window.browsers.managed_browser import ManagedBrowser
from kapture_panel.window.browsers.room import BrowsersRoom
from kapture_panel.window.command.room import CommandRoom
from kapture_panel.window.command.ways import Ways
from kapture_panel.window.doctor.room import DoctorRoom
from kapture_panel.window.finder.room import FinderRoom
from kapture_panel.window.history.room import HistoryRoom
from kapture_panel.window.page.room import PageRoom
from kapture_panel.window.shell.backend import Backend
from kapture_panel.window.shots.room import ShotsRoom
from kapture_panel.window.tabs.room import TabsRoom
from kapture_panel.window.watch.room import WatchRoom
from kapture_panel.window.welcome.room import WelcomeRoom
from kapture_panel.window.widgets.browser_names import BrowserNames
from kapture_panel.window.widgets.shell import Shell


class Rooms:
    """In an order in which each is handed only rooms that are there."""

    def __init__(self, shell: Shell, core: Core, backend: Backend) -> None:
        state, gates, run = core.state, core.gates, partial(core.router.run, core.state.person)
        look = partial(core.router.look, state.person)
        catalogue, settings, config = state.catalogue, state.settings, backend.mcp_config
        tabs, clients, history, shots = state.tabs, state.clients, state.history, state.shots
        names = BrowserNames(state.paired.given_name)
        managed = ManagedBrowser(tabs, backend.open_browser, backend.end_browser, shell.background, shell.host)
        ways = Ways(run, backend.pick, backend.count)
        self.agents = AgentsRoom(shell, clients, tabs, gates, catalogue, names, config)
        self.browsers = BrowsersRoom(
            shell, managed, backend.browser_setup, backend.places, state.paired, state.pairing, tabs, self.agents
        )
        self.tabs = TabsRoom(
            shell,
            tabs,
            clients,
            state.person,
            state.paired,
            names,
            gates.leases,
            catalogue,
            run,
            look,
            managed,
            backend.show,
            backend.disconnect,
        )
        self.shots = ShotsRoom(shell, shots, tabs, history, run, look, self.tabs)
        self.command = CommandRoom(shell, catalogue, settings, config, ways, tabs, history, self.tabs, self.shots)
        self.page = PageRoom(shell, state.console, state.requests, tabs, look)
        self.history = HistoryRoom(
            shell, history, catalogue, settings, shots.folder, tabs, core.forgetting,
            self.tabs, self.command, self.shots,
        )  # fmt: skip
        self.watch = WatchRoom(
            shell, catalogue, settings, tabs, history, run,
            backend.watching, backend.hands, backend.pointing, backend.videos, gates, shots.folder,
            self.tabs, self.history, managed,
        )  # fmt: skip
        self.doctor = DoctorRoom(shell, backend.examine)
        self.finder = FinderRoom(shell, catalogue, tabs, settings, self.tabs, self.command)
        self.welcome = WelcomeRoom(shell, tabs, clients, history, managed, self.browsers, self.agents, backend.run_demo)
