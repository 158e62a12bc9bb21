"""Who is driving right now: one answer for toolbar, docks and tray."""

from __future__ import annotations

import time
from typing import Literal

from PySide6.QtCore import QObject, QTimer, Signal

from kapture_panel.core.gates.approvals import Ask
from kapture_panel.core.gates.gates import Gates
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.throttle import Throttle

#: A command takes milliseconds; who gave it counts as driving this much longer, so that eyes can follow.
LINGER_S = 4.0

State = Literal["paused", "waiting", "driving", "idle"]


class Activity(QObject):
    """Watches clients and tabs; `changed` when somebody begins or ends driving or waiting, or does it elsewhere."""

    changed = Signal()

    def __init__(
        self, clients: Clients, tabs: Tabs, gates: Gates, subscriptions: Subscriptions, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._clients = clients
        self._tabs = tabs
        self._pause = gates.pause
        self._approvals = gates.approvals
        #: Who has a command under way, and since when who had one last.
        self._running: set[Client] = set()
        self._last: dict[Client, float] = {}
        #: The tabs in which a command is under way, by tabId: a look at all tabs for every agent takes long.
        self._executing: dict[str, Tab] = {}
        #: What was told last: the state of each client, and the tabId, title and address of its tab.
        self._known: dict[Client, tuple[State, str, str, str]] = {}
        self._told = Throttle(self, self._tell)
        self._calm = QTimer(self)
        self._calm.setInterval(500)
        self._calm.timeout.connect(self._forget)
        for tab in tabs:
            self._on_tab(tab)
        for signal in (tabs.added, tabs.changed):
            subscriptions.connect(signal, self._on_tab)
        subscriptions.connect(tabs.removed, lambda tab: self._executing.pop(tab.tab_id, None))
        subscriptions.connect(clients.changed, self._on_client)
        subscriptions.connect(clients.removed, self._on_removed)
        subscriptions.connect(gates.pause.changed, self._on_pause)
        subscriptions.connect(gates.approvals.waited, lambda _ask: self._told.ask())
        subscriptions.connect(gates.approvals.settled, self._on_settled)

    def state_of(self, client: Client) -> State:
        """What `client` does; one whose every command under way waits for the person's answer drives nothing."""
        if self._pause.is_on:
            return "paused"
        waiting = self._approvals.waiting_calls(client)
        if waiting and waiting >= client.running:
            return "waiting"
        return "driving" if client.running > 0 or client in self._last else "idle"

    def drivers(self) -> list[tuple[Client, Tab | None]]:
        """The agents that drive and the tab each of them uses, the latest first."""
        return [(client, self.tab_of(client)) for client in self._active() if self.state_of(client) == "driving"]

    def waiting(self) -> list[Client]:
        """The agents that wait for the person's answer."""
        askers = dict.fromkeys(ask.client for ask in self._approvals)
        return [client for client in askers if self.state_of(client) == "waiting"]

    def at_work(self) -> list[tuple[Client, Tab | None]]:
        """The agents with a command under way, or that drove a tab a moment ago, and that tab."""
        pairs = [(client, self.tab_of(client)) for client in self._active()]
        return [(client, tab) for client, tab in pairs if client.running > 0 or tab is not None]

    def connected(self) -> list[tuple[Client, Tab | None]]:
        """Every agent, also one that does nothing, and the tab it used last."""
        return [(client, self.tab_of(client)) for client in self._clients.agents()]

    def _active(self) -> list[Client]:
        active = [client for client in self._last if client.kind != "person"]
        return sorted(active, key=lambda client: (client.running > 0, self._last[client]), reverse=True)

    def tab_of(self, client: Client) -> Tab | None:
        """The tab `client` works in, or used last; None when that is gone."""
        for tab in self._executing.values():
            if tab.driver == client.name:
                return tab
        return self._tabs.find(client.current_tab)

    def _on_tab(self, tab: Tab) -> None:
        if tab.state == "executing":
            self._executing[tab.tab_id] = tab
        else:
            self._executing.pop(tab.tab_id, None)

    def _on_client(self, client: Client) -> None:
        if client.running > 0:
            self._running.add(client)
        elif client in self._running:
            self._running.discard(client)
        else:
            return  # a call that was refused drives nothing
        self._last[client] = time.monotonic()
        self._drop_paused()
        self._told.ask()
        self._calm.start()

    def _on_pause(self) -> None:
        self._drop_paused()
        self._told.ask()

    def _drop_paused(self) -> None:
        """What a pause has cut off drives no longer."""
        if self._pause.is_on:
            self._last = {client: at for client, at in self._last.items() if client in self._running}

    def _on_settled(self, ask: Ask) -> None:
        if ask.state != "allowed":
            self._running.discard(ask.client)
            self._last.pop(ask.client, None)
        self._told.ask()

    def _on_removed(self, client: Client) -> None:
        self._running.discard(client)
        if self._last.pop(client, None) is not None:
            self._told.ask()

    def _tell(self) -> None:
        known = {client: self._doing(client) for client in self._clients.all_but_the_person()}
        if known != self._known:
            self._known = known
            self.changed.emit()

    def _doing(self, client: Client) -> tuple[State, str, str, str]:
        tab = self.tab_of(client)
        return self.state_of(client), *((tab.tab_id, tab.title, tab.url) if tab is not None else ("", "", ""))

    def _forget(self) -> None:
        oldest = time.monotonic() - LINGER_S
        for client, at in list(self._last.items()):
            if client.running == 0 and at < oldest:
                del self._last[client]
                self._told.ask()
        if not self._last:
            self._calm.stop()
