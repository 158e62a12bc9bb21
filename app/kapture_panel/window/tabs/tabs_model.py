"""The connected tabs as rows."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, QTimer

from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.widgets import figures, plain
from kapture_panel.window.widgets.links import Links
from kapture_panel.window.widgets.roles import DETAIL, ITEM, PILL, TONE, Index
from kapture_panel.window.widgets.throttle import Throttle

_STATE_TONES = {"connected": "ok", "executing": "driving", "dialog": "warn"}
_AGES_INTERVAL_MS = 30_000


class TabsModel(QAbstractListModel):
    """Tabs in the order they connected; changes are told row by row, at most 20 times a second."""

    def __init__(self, tabs: Tabs, person: Client, links: Links, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._person = person
        self._tabs = list(tabs)
        self._dirty: set[str] = set()
        self._throttle = Throttle(self, self._tell)
        ages = QTimer(self)
        ages.timeout.connect(self._tell_all)
        ages.start(_AGES_INTERVAL_MS)
        links.connect(tabs.added, self._on_added)
        links.connect(tabs.changed, self._on_changed)
        links.connect(tabs.removed, self._on_removed)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._tabs)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        tab = self._tabs[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return plain.line(tab.title) or plain.line(tab.url) or "New tab"
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain.tooltip(f"{plain.line(tab.title, 300)}\n{plain.line(tab.url, 600)}\ntabId {tab.tab_id}")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            pill = self._pill(tab)
            return ", ".join([plain.line(tab.title), *([pill[0]] if pill else []), tab.state, *self._facts(tab)])
        if role == DETAIL:
            return " · ".join(self._facts(tab))
        if role == PILL:
            return self._pill(tab)
        if role == TONE:
            return _STATE_TONES.get(tab.state, "text_secondary")
        return tab if role == ITEM else None

    def row_of(self, tab_id: str) -> int:
        """The row of a tab, or -1."""
        return next((row for row, tab in enumerate(self._tabs) if tab.tab_id == tab_id), -1)

    def _facts(self, tab: Tab) -> list[str]:
        """Where it is and how its last command went, the most wanted first: a narrow dock cuts the end off."""
        facts = [plain.line(tab.site, 200) or "blank"]
        if tab.last_ms is not None:
            facts.append(figures.duration(tab.last_ms))
        if tab.session:
            facts.append("browser of one agent")
        return [*facts, f"connected {figures.age(time.time() - tab.connected_at)}"]

    def _pill(self, tab: Tab) -> tuple[str, str] | None:
        if tab.state == "dialog":
            return "dialog open", "warn"
        if tab.state == "paused":
            return "paused", "neutral"
        if not tab.driver or (tab.driver == self._person.name and tab.state != "executing"):
            return None
        name = "you" if tab.driver == self._person.name else plain.line(tab.driver, 40)
        return name, "driving" if tab.state == "executing" else "neutral"

    def _on_added(self, tab: Tab) -> None:
        self.beginInsertRows(QModelIndex(), len(self._tabs), len(self._tabs))
        self._tabs.append(tab)
        self.endInsertRows()

    def _on_changed(self, tab: Tab) -> None:
        row = self.row_of(tab.tab_id)
        if row >= 0:
            self._tabs[row] = tab  # a tab that came back is a new object
            self._dirty.add(tab.tab_id)
            self._throttle.ask()

    def _on_removed(self, tab: Tab) -> None:
        row = self.row_of(tab.tab_id)
        if row >= 0:
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._tabs[row]
            self.endRemoveRows()

    def _tell(self) -> None:
        for tab_id in self._dirty:
            row = self.row_of(tab_id)
            if row >= 0:
                self.dataChanged.emit(self.index(row), self.index(row))
        self._dirty.clear()

    def _tell_all(self) -> None:
        if self._tabs:
            self.dataChanged.emit(self.index(0), self.index(len(self._tabs) - 1), [DETAIL])
