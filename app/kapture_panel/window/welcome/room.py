"""The first page, which fills the window until the person goes on."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

from kapture_panel.core.registry.clients import Clients
from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.core.stores.history import History
from kapture_panel.window.welcome.entries import ENTRIES
from kapture_panel.window.welcome.welcome_view import WelcomeView
from kapture_panel.window.widgets.shell import Shell


class Browsers(Protocol):
    """Where a browser comes from."""

    def show_browser_setup(self) -> None:
        """Guide the person to their own."""


class ManagedBrowser(Protocol):
    """The panel's own browser."""

    @property
    def starting(self) -> SignalInstance:
        """Whether it is being started."""

    def start(self) -> None:
        """Start it."""


class Agents(Protocol):
    """Where an agent is brought here: `setup` is shown in the page."""

    @property
    def setup(self) -> QWidget:
        """What does it."""

    @property
    def add_asked(self) -> SignalInstance:
        """The person wants to."""

    @property
    def client_added(self) -> SignalInstance:
        """The client of this name has Kapture in its file."""

    def focus_setup(self) -> None:
        """Give `setup` the focus."""


class WelcomeRoom:
    """Shown at the first start, and when it is asked for.

    Args:
        run_demo: shows the demo in a window of its own until that is closed, and says what went wrong, or "".
    """

    def __init__(
        self,
        shell: Shell,
        tabs: Tabs,
        clients: Clients,
        history: History,
        managed: ManagedBrowser,
        browsers: Browsers,
        agents: Agents,
        run_demo: Callable[[], Coroutine[Any, Any, str]],
    ) -> None:
        self._shell = shell
        self._run_demo = run_demo
        shell.actions.declare(ENTRIES)
        self._agents = agents
        keys = shell.actions.entry("pause").shown_keys
        self.view = WelcomeView(tabs, clients, history, agents.setup, shell.subscriptions, shell.theme, keys)
        shell.add_page(self.view)
        shell.actions.add("welcome", self.show)
        shell.actions.add("demo", lambda: shell.background.start(self._demo(), "The demo"))
        self.view.demo.connect(shell.actions["demo"].trigger)
        shell.actions["demo"].enabledChanged.connect(self.view.demo_button.setEnabled)
        self.view.start_browser.connect(managed.start)
        self.view.left.connect(self._leave)
        self.view.next_wanted.connect(agents.focus_setup)
        self.view.browser_setup.connect(browsers.show_browser_setup)
        managed.starting.connect(self.view.set_starting)
        agents.add_asked.connect(self._show_setup)
        agents.client_added.connect(self.view.tell_added)

    def show(self) -> None:
        """Let the first page fill the window."""
        self._shell.show_page(self.view, self.view.start_button)

    def _leave(self) -> None:
        """Go on to the commands, or to what is done already."""
        self._shell.leave_page()
        if self.view.command.is_done:
            self._shell.actions["watch"].trigger()

    async def _demo(self) -> None:
        tell, action = self._shell.toasts.tell, self._shell.actions["demo"]
        action.setEnabled(False)  # one after the other: they would have one folder
        tell("The demo begins", "It has a window and a browser of its own. Close its window to end it.", is_kept=False)
        try:
            if wrong := await self._run_demo():
                tell("The demo failed", wrong, "error")
        finally:
            action.setEnabled(True)

    def _show_setup(self) -> None:
        self.show()
        self._agents.focus_setup()
