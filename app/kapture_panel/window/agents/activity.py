"""Who is driving right now: one answer for toolbar, docks and tray."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal

from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.throttle import Throttle

#: A command takes milliseconds; who gave it counts as driving this much longer, so that eyes can follow.
LINGER_S = 4.0


class Activity(QObject):
    """Watches clients and tabs; `changed` when somebody begins or ends driving."""

    changed = Signal()

    def __init__(self, clients: Clients, tabs: Tabs, subscriptions: Subscriptions, parent: QObject) -> None:
        super().__init__(parent)
        self._tabs = tabs
        self._last: dict[Client, float] = {}
        self._told = Throttle(self, self._tell)
        self._calm = QTimer(self)
        self._calm.setInterval(500)
        self._calm.timeout.connect(self._forget)
        subscriptions.connect(clients.changed, self._on_client)
        subscriptions.connect(clients.removed, self._on_removed)

    def is_active(self, client: Client) -> bool:
        """Whether `client` runs a command or did a moment ago."""
        return client.running > 0 or client in self._last

    def drivers(self) -> list[tuple[Client, Tab | None]]:
        """The agents at work and the tab each of them uses, the latest first."""
        active = [client for client in self._last if client.kind != "person"]
        active.sort(key=lambda client: (client.running > 0, self._last[client]), reverse=True)
        return [(client, self.tab_of(client)) for client in active]

    def at_work(self) -> list[tuple[Client, Tab | None]]:
        """The agents with a command under way, or that drove a tab a moment ago, and that tab."""
        return [(client, tab) for client, tab in self.drivers() if client.running > 0 or tab is not None]

    def tab_of(self, client: Client) -> Tab | None:
        """The tab `client` works in, or used last; None when that is gone."""
        for tab in self._tabs:
            if tab.state == "executing" and tab.driver == client.name:
                return tab
        return self._tabs.find(client.current_tab)

    def _on_client(self, client: Client) -> None:
        if client.running > 0 or client in self._last:
            self._last[client] = time.monotonic()
            self._told.ask()
            self._calm.start()

    def _on_removed(self, client: Client) -> None:
        if self._last.pop(client, None) is not None:
            self._told.ask()

    def _tell(self) -> None:
        self.changed.emit()

    def _forget(self) -> None:
        oldest = time.monotonic() - LINGER_S
        for client, at in list(self._last.items()):
            if client.running == 0 and at < oldest:
                del self._last[client]
                self._told.ask()
        if not self._last:
            self._calm.stop()
