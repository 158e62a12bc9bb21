"""The browsers: the panel's own, the person's, paired and let go, and the places on other machines."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from typing import Protocol

from kapture_panel.core.registry.paired import PairedBrowser, PairedBrowsers
from kapture_panel.core.registry.pairing import PairingDesk, PairingRequest
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.browsers.browser_setup import BrowserSetup
from kapture_panel.window.browsers.browser_setup_view import BrowserSetupView
from kapture_panel.window.browsers.browsers_model import BrowsersModel
from kapture_panel.window.browsers.browsers_view import BrowsersView
from kapture_panel.window.browsers.entries import ENTRIES
from kapture_panel.window.browsers.managed_browser import ManagedBrowser
from kapture_panel.window.browsers.pairing_view import PairingView
from kapture_panel.window.browsers.places_view import PlacesView
from kapture_panel.window.browsers.remote_places import RemotePlaces
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.desktop_opening import open_path
from kapture_panel.window.widgets.shell import Call, Shell


class AgentsAtWork(Protocol):
    """Who must not be interrupted without a question."""

    def ask_while_at_work(self, button: str, words: str, do: Callable[[], object]) -> None:
        """Do it, after a question where agents are at work."""


class BrowsersRoom:
    """The guide to the person's own browser fills the window; the lists of browsers and places lie over it."""

    def __init__(
        self,
        shell: Shell,
        managed: ManagedBrowser,
        own: BrowserSetup,
        places: RemotePlaces,
        paired: PairedBrowsers,
        desk: PairingDesk,
        tabs: Tabs,
        agents: AgentsAtWork,
    ) -> None:
        self._shell = shell
        shell.actions.declare(ENTRIES)
        self._paired = paired
        self._tabs = tabs
        self._agents = agents
        #: What the person was told of the browser that wants to be paired.
        self._call: Call | None = None
        self.managed = managed
        self.browser_setup = BrowserSetupView(own, desk, paired, tabs, shell.subscriptions, shell.theme)
        self._places = places
        self.places = PlacesView(shell.host, places, shell.theme)
        self.view = BrowsersView(shell.host, BrowsersModel(paired, shell.subscriptions, shell.host), shell.theme)
        self.pairing = PairingView(desk, shell.host, shell.subscriptions)
        shell.add_card(self.pairing)
        shell.toasts.keep_free(self.pairing)
        shell.add_page(self.browser_setup)
        self._add_actions()
        self.button = shell.add_status_button("browsers", "Browsers", "Your paired browsers")
        self._connect()
        shell.subscriptions.connect(desk.settled, self._on_settled)
        desk.attend()
        shell.at_end(desk.leave)

    def show_browser_setup(self) -> None:
        """Let the guide to the person's own browser fill the window."""
        self.browser_setup.begin()
        self._shell.show_page(self.browser_setup, self.browser_setup.open_button)

    def _add_actions(self) -> None:
        actions = self._shell.actions
        actions.add("start_browser", self.managed.start)
        actions.add("close_browser", self._ask_to_close)
        actions.add("own_browser", self.show_browser_setup)
        actions.add("browsers", self.view.open)
        actions.add("places", self.places.open)

    def _connect(self) -> None:
        shell = self._shell
        for signal in (self._tabs.added, self._tabs.removed):
            shell.subscriptions.connect(signal, self._on_tabs)
        self._on_tabs()
        self.managed.starting.connect(lambda is_on: shell.actions["start_browser"].setEnabled(not is_on))
        self.browser_setup.left.connect(shell.leave_page)
        self.browser_setup.copied.connect(shell.copy)
        self.browser_setup.folder_asked.connect(lambda folder: open_path(folder, shell.toasts))
        self.browser_setup.failed.connect(lambda why: shell.toasts.tell("That could not be done", why, "error"))
        self.view.add_asked.connect(self.show_browser_setup)
        self.view.places_asked.connect(self.places.open)
        self.places.test_asked.connect(lambda name: shell.background.start(self._test(name), "Testing the place"))
        self.view.unpaired.connect(self._unpair)
        self.view.renamed.connect(self._rename)
        self.pairing.asked.connect(self._on_asked)
        self.pairing.changed.connect(shell.order_tabs)

    async def _test(self, name: str) -> None:
        self.places.begin(name)
        try:
            async with aclosing(self._places.examine(name)) as checks:
                async for check in checks:
                    self.places.take(name, check)
        finally:
            self.places.end()

    def _on_tabs(self, _tab: Tab | None = None) -> None:
        actions, is_open = self._shell.actions, self.managed.is_open
        actions["close_browser"].setEnabled(is_open)
        actions["start_browser"].setText("Show browser" if is_open else actions.entry("start_browser").words)

    def _ask_to_close(self) -> None:
        words = "Closing the browser stops what agents do in it."
        self._agents.ask_while_at_work("Close browser", words, self.managed.close)

    def _on_asked(self, request: PairingRequest) -> None:
        words = f"{safe_text.line(request.browser, 60)} wants to be paired; compare the codes."
        self._call = Call("A browser wants to be paired", words)
        self._shell.draw_attention(self._call)

    def _on_settled(self, _request: PairingRequest) -> None:
        if self._call is not None:
            self._shell.drop_attention(self._call)
            self._call = None

    def _rename(self, browser: PairedBrowser, name: str) -> None:
        """Call a browser of the person's as they do."""
        try:
            self._paired.rename(browser.install, name)
        except OSError as error:
            self._shell.toasts.tell("The name could not be saved", str(error.strerror), "error")

    def _unpair(self, browser: PairedBrowser) -> None:
        """Trust a browser of the person's no more."""
        try:
            self._paired.remove(browser.install)
        except OSError as error:
            words = f"It could not be saved: {error.strerror}"
            self._shell.toasts.tell("Unpairing failed", words, "error")
