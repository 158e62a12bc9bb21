"""The tabs: which are connected, the one the person works in, and what is done to one without the form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Signal, SignalInstance

from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.gates.leases import Leases
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.tabs.entries import ENTRIES
from kapture_panel.window.tabs.tabs_model import TabsModel
from kapture_panel.window.tabs.tabs_view import TabsView
from kapture_panel.window.widgets.browser_names import BrowserNames
from kapture_panel.window.widgets.shell import RunCommand, Shell


class Browser(Protocol):
    """The browser a first tab comes from."""

    @property
    def starting(self) -> SignalInstance:
        """Whether it is being started."""

    @property
    def started(self) -> SignalInstance:
        """The tabId of its first tab."""

    @property
    def found(self) -> SignalInstance:
        """The tabId of one of its tabs, when it ran already."""

    def start(self) -> None:
        """Start it."""


class TabsRoom(QObject):
    """`chosen` carries the tab the person works in from now on, or None."""

    chosen = Signal(object)

    def __init__(
        self,
        shell: Shell,
        tabs: Tabs,
        clients: Clients,
        person: Client,
        paired: PairedBrowsers,
        names: BrowserNames,
        leases: Leases,
        catalogue: Catalogue,
        run: RunCommand,
        look: RunCommand,
        browser: Browser,
        show: Callable[[Tab], None],
        disconnect: Callable[[str], None],
    ) -> None:
        super().__init__(shell.host)
        self._shell = shell
        shell.actions.declare(ENTRIES)
        self._clients = clients
        self._leases = leases
        self._catalogue = catalogue
        self._run = run
        self._look = look
        self._show = show
        self._disconnect = disconnect
        #: The tabs as rows, see `widgets.roles`.
        self.rows = TabsModel(tabs, leases, person, names, shell.subscriptions, shell.host)
        for changed in (paired.added, paired.changed, paired.removed):
            shell.subscriptions.connect(changed, lambda _browser: self.rows.refresh_names())
        self.view = TabsView(self.rows, paired, shell.subscriptions, shell.theme)
        self.view.hands = self._hands
        shell.add_dock("tabs", "Tabs", self.view, self.view.title_bar)
        shell.actions.add("go_tabs", lambda: shell.go_to("tabs", self.view))
        self._connect(browser)

    @property
    def current(self) -> Tab | None:
        """The tab the person works in."""
        return self.view.current

    def row_of(self, tab_id: str) -> int:
        """The row of a tab in `rows`, or -1."""
        return self.rows.row_of(tab_id)

    def choose(self, tab_id: str) -> bool:
        """Work in a tab.

        Returns:
            Whether it is connected.
        """
        return self.view.choose(tab_id)

    def show(self, tab_id: str) -> None:
        """Choose a tab and bring the list in sight."""
        self._shell.leave_page()
        self._shell.reveal("tabs")
        self.view.choose(tab_id)

    def _connect(self, browser: Browser) -> None:
        view, unconnected = self.view, self.view.unconnected
        view.chosen.connect(self.chosen)
        view.asked.connect(self._on_asked)
        view.handed.connect(self._on_handed)
        view.start_browser.connect(browser.start)
        view.new_tab.connect(lambda: self._shell.background.start(self._open_tab(), "New tab"))
        unconnected.list_asked.connect(
            lambda: self._shell.background.start(self._list_unconnected(), "List the browser's tabs")
        )
        unconnected.connect_asked.connect(
            lambda number: self._shell.background.start(self._connect_tab(number), "Connect the tab")
        )
        browser.starting.connect(lambda is_starting: view.start_button.setEnabled(not is_starting))
        browser.started.connect(self.choose)
        browser.found.connect(self._show_browser)

    def _show_browser(self, tab_id: str) -> None:
        """Bring the panel's browser in front: with the chosen tab if that is in it."""
        current = self.current
        if current is None or not current.managed or current.session:
            self.choose(tab_id)
        if self.current is not None:
            self._show(self.current)

    def _on_asked(self, name: str, tab: Tab) -> None:
        if name == "copy_url":
            self._shell.copy(tab.url, "Address copied")
        elif name == "copy_tab_id":
            self._shell.copy(tab.tab_id, "tabId copied")
        elif name == "show":
            self._show(tab)
        elif name == "disconnect":
            self._disconnect(tab.tab_id)
        else:
            self.run_on(tab, name)

    def run_on(self, tab: Tab, name: str) -> None:
        """Run a command that takes nothing but its tab."""
        self._shell.background.start(self._run(name, {"tabId": tab.tab_id}), self._catalogue.get(name).title)

    def _hands(self, tab: Tab) -> tuple[Client | None, list[Client]]:
        """Who holds a tab, and which other agents see it."""
        holder = self._leases.holder(tab.tab_id)
        if holder is not None and holder.kind == "person":
            return None, []  # they give it back where they have stepped in
        agents = [client for client in self._clients.agents() if client.session == tab.session]
        return holder, [client for client in agents if client is not holder]

    def _on_handed(self, tab: Tab, client: Client | None) -> None:
        if client is None:
            self._leases.release(tab.tab_id)
        else:
            self._leases.hand_over(client, tab.tab_id)
            client.current_tab = tab.tab_id

    async def _open_tab(self) -> None:
        answer = await self._run("kapturemcp_new_tab", {})
        self.choose(answer.tab_id)

    async def _list_unconnected(self) -> None:
        answer = await self._look("kapturemcp_list_browser_tabs", {})
        self.view.unconnected.show_tabs(answer.result["tabs"])

    async def _connect_tab(self, browser_tab_id: int) -> None:
        answer = await self._run("kapturemcp_connect_tab", {"browserTabId": browser_tab_id})
        self.view.unconnected.connected(browser_tab_id)
        self.choose(answer.tab_id)
