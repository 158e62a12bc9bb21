"""The connected agents and terminals as rows."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from kapture_panel.core.basics import addresses
from kapture_panel.core.gates.gates import Gates
from kapture_panel.core.gates.rules import Preset, preset_for
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.window.agents.activity import Activity, State
from kapture_panel.window.agents.rules_model import DECISIONS
from kapture_panel.window.widgets import figures, roles, safe_text, tab_names
from kapture_panel.window.widgets.roles import Index
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.throttle import Throttle

#: State → what is said of it, and its tone.
_PILLS: dict[State, tuple[str, str]] = {
    "paused": ("paused", "neutral"),
    "waiting": ("waits for you", "warn"),
    "driving": ("driving", "driving"),
    "idle": ("idle", "neutral"),
}


class AgentsModel(QAbstractListModel):
    """All clients but the person, in the order they connected; a terminal is one for a while after its last call."""

    def __init__(
        self,
        clients: Clients,
        activity: Activity,
        gates: Gates,
        subscriptions: Subscriptions,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._activity = activity
        self._gates = gates
        self._agents = clients.all_but_the_person()
        self._dirty: set[Client] = set()
        self._throttle = Throttle(self, self._tell)
        activity.changed.connect(self._on_all_changed)
        subscriptions.connect(gates.policy.rules.changed, self._on_all_changed)
        subscriptions.connect(clients.added, self._on_added)
        subscriptions.connect(clients.changed, self._on_changed)
        subscriptions.connect(clients.removed, self._on_removed)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._agents)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        client = self._agents[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._name(client)
            case roles.DETAIL:
                return " · ".join(self._facts(client))
            case roles.PILL:
                return self._pill(client)
            case roles.ASIDE:
                return DECISIONS[self._preset(client)][0]
            case Qt.ItemDataRole.ToolTipRole:
                may = ": ".join(DECISIONS[self._preset(client)])
                return safe_text.tooltip("\n".join((self._identity(client), may, *self._facts(client))))
            case Qt.ItemDataRole.AccessibleTextRole:
                may = DECISIONS[self._preset(client)][0]
                return ", ".join((self._identity(client), self._pill(client)[0], may, *self._facts(client)))
        return client if role == roles.ITEM else None

    @staticmethod
    def _name(client: Client) -> str:
        """Of a terminal also what was started in it: there may be several."""
        starter = f" ({client.parent})" if client.kind == "terminal" and client.parent else ""
        return safe_text.line(f"{client.name}{starter}", 200)

    def _identity(self, client: Client) -> str:
        """Who it says it is beside what the system says."""
        if client.kind == "terminal":
            return self._name(client)
        said = safe_text.line(f"{client.name} {client.version}".strip(), 260)
        parent = f", started by {safe_text.line(client.parent, 200)}" if client.parent else ""
        return f"{said} (as it calls itself){parent}"

    def _facts(self, client: Client) -> list[str]:
        """What it drives and what it has cost, the most wanted first: a narrow dock cuts the end off."""
        tab = self._activity.tab_of(client)
        facts = [tab_names.name(tab, 30)] if tab is not None else []
        facts += [figures.count(client.calls, "call"), figures.count(client.errors, "error")]
        facts.append(figures.tokens(client.result_bytes))
        if client.pid is not None:
            facts.append(f"pid {client.pid}")
        return facts

    def _preset(self, client: Client) -> Preset:
        """What holds for it where it works now."""
        tab, policy = self._activity.tab_of(client), self._gates.policy
        usual = policy.default("managed" if tab is None or tab.managed else "own")
        site = addresses.site_of(addresses.origin_of(tab.url)) if tab is not None else ""  # as rules have it
        return policy.rules.preset_of(client, site) or preset_for(client, usual)

    def _pill(self, client: Client) -> tuple[str, str]:
        return _PILLS[self._activity.state_of(client)]

    def _on_added(self, client: Client) -> None:
        if client.kind != "person":
            self.beginInsertRows(QModelIndex(), len(self._agents), len(self._agents))
            self._agents.append(client)
            self.endInsertRows()

    def _on_changed(self, client: Client) -> None:
        if client in self._agents:
            self._dirty.add(client)
            self._throttle.ask()

    def _on_all_changed(self) -> None:
        self._dirty.update(self._agents)
        self._throttle.ask()

    def _on_removed(self, client: Client) -> None:
        if client in self._agents:
            row = self._agents.index(client)
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._agents[row]
            self.endRemoveRows()

    def _tell(self) -> None:
        rows = [row for row, client in enumerate(self._agents) if client in self._dirty]
        self._dirty.clear()
        if rows:  # told at once: whoever listens measures the rows again
            self.dataChanged.emit(self.index(rows[0]), self.index(rows[-1]))
