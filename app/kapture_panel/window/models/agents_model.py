"""The connected agents as rows."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from kapture_panel.core.clients import Client, Clients
from kapture_panel.window import figures, plain
from kapture_panel.window.activity import Activity
from kapture_panel.window.links import Links
from kapture_panel.window.models.roles import DETAIL, ITEM, PILL, Index
from kapture_panel.window.throttle import Throttle


class AgentsModel(QAbstractListModel):
    """Clients of kind agent in the order they connected."""

    def __init__(self, clients: Clients, activity: Activity, links: Links, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._activity = activity
        self._agents = clients.agents()
        self._throttle = Throttle(self, self._tell)
        activity.changed.connect(self._throttle.ask)
        links.connect(clients.added, self._on_added)
        links.connect(clients.changed, self._on_changed)
        links.connect(clients.removed, self._on_removed)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._agents)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        client = self._agents[index.row()]
        name = plain.line(client.name, 200)
        if role == Qt.ItemDataRole.DisplayRole:
            return name
        if role == DETAIL:
            pid = f"pid {client.pid} · " if client.pid is not None else ""
            return f"{pid}{figures.count(client.calls, 'call')} · {figures.count(client.errors, 'error')}"
        if role == PILL:
            return self._pill(client)
        if role == Qt.ItemDataRole.ToolTipRole:
            version = f" {plain.line(client.version, 60)}" if client.version else ""
            parent = f"\nstarted by {plain.line(client.parent, 200)}" if client.parent else ""
            return plain.tooltip(f"{name}{version} (as it calls itself){parent}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{name}, {self._pill(client)[0]}, {figures.count(client.calls, 'call')}"
        return client if role == ITEM else None

    def _pill(self, client: Client) -> tuple[str, str]:
        return ("driving", "driving") if self._activity.is_active(client) else ("idle", "neutral")

    def _on_added(self, client: Client) -> None:
        if client.kind == "agent":
            self.beginInsertRows(QModelIndex(), len(self._agents), len(self._agents))
            self._agents.append(client)
            self.endInsertRows()

    def _on_changed(self, client: Client) -> None:
        if client.kind == "agent":
            self._throttle.ask()

    def _on_removed(self, client: Client) -> None:
        if client in self._agents:
            row = self._agents.index(client)
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._agents[row]
            self.endRemoveRows()

    def _tell(self) -> None:
        if self._agents:
            self.dataChanged.emit(self.index(0), self.index(len(self._agents) - 1))
