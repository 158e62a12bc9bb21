"""The connected tabs as rows."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, QTimer

from kapture_panel.core.gates.leases import Leases
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.widgets import figures, safe_text, tab_names
from kapture_panel.window.widgets.browser_names import BrowserNames
from kapture_panel.window.widgets.roles import ASIDE, DETAIL, HEADING, ITEM, PILL, TONE, UNCUT, Index
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.throttle import Throttle

_STATE_TONES = {"connected": "ok", "executing": "driving", "dialog": "warn"}
_AGES_INTERVAL_MS = 30_000


class TabsModel(QAbstractListModel):
    """Tabs by their browsers, in the order they connected; changes are told row by row, at most 20 times a second."""

    def __init__(
        self,
        tabs: Tabs,
        leases: Leases,
        person: Client,
        names: BrowserNames,
        subscriptions: Subscriptions,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._person = person
        self._leases = leases
        self._names = names
        self._tabs: list[Tab] = []
        for tab in tabs:
            self._tabs.insert(self._place(tab), tab)
        self._dirty: set[str] = set()
        self._throttle = Throttle(self, self._tell)
        ages = QTimer(self)
        ages.timeout.connect(lambda: self._tell_all())
        ages.start(_AGES_INTERVAL_MS)
        subscriptions.connect(tabs.added, self._on_added)
        subscriptions.connect(tabs.changed, self._on_changed)
        subscriptions.connect(tabs.removed, self._on_removed)
        subscriptions.connect(leases.changed, self._on_held)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._tabs)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        tab = self._tabs[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return tab_names.name(tab)
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = (
                tab_names.name(tab, 300),
                "" if tab_names.is_blank(tab) else safe_text.line(tab.url, 600), self._held(tab),
                f"{self._names.name(tab)} · {self._connected(tab)}", self._took(tab), f"tabId {tab.tab_id}",
            )  # fmt: skip
            return safe_text.tooltip("\n".join(filter(None, lines)))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            pill = self._pill(tab)
            said = [tab_names.name(tab), *([pill[0]] if pill else []), tab.state, *self._facts(tab)]
            return ", ".join(filter(None, [*said, self._took(tab), self._connected(tab), self._names.name(tab)]))
        if role == DETAIL:
            return " · ".join(self._facts(tab))
        if role == ASIDE:
            return figures.age(time.time() - tab.connected_at)
        if role == UNCUT:
            return self._held(tab)
        if role == HEADING:
            return self._heading(index.row())
        if role == PILL:
            return self._pill(tab)
        if role == TONE:
            return _STATE_TONES.get(tab.state, "text_secondary")
        return tab if role == ITEM else None

    def refresh_names(self) -> None:
        """Another name may stand above the tabs of a browser."""
        self._tell_all(HEADING)

    def row_of(self, tab_id: str) -> int:
        """The row of a tab, or -1."""
        return next((row for row, tab in enumerate(self._tabs) if tab.tab_id == tab_id), -1)

    def _facts(self, tab: Tab) -> list[str]:
        """Who holds it and where it is: a narrow dock cuts the end off."""
        site = "" if tab_names.is_blank(tab) else safe_text.line(tab.site, 200)
        return [*filter(None, [self._held(tab)]), site or "blank page"]

    @staticmethod
    def _took(tab: Tab) -> str:
        return "" if tab.last_ms is None else f"last command took {figures.duration(tab.last_ms)}"

    def _holder(self, tab: Tab) -> str:
        holder = self._leases.holder(tab.tab_id)
        return holder.name if holder else ""

    def _held(self, tab: Tab) -> str:
        holder = self._holder(tab)
        return f"held by {safe_text.line(holder, 40)}" if holder else ""

    @staticmethod
    def _connected(tab: Tab) -> str:
        age = figures.age(time.time() - tab.connected_at)
        return "connected now" if age == "now" else f"connected for {age}"

    def _heading(self, row: int) -> str | None:
        """The browser above its first tab; a list of nothing but the panel's own needs no heading."""
        key = self._names.key(self._tabs[row])
        is_first = row == 0 or self._names.key(self._tabs[row - 1]) != key
        is_alone = key == "panel" == self._names.key(self._tabs[0]) == self._names.key(self._tabs[-1])
        return self._names.name(self._tabs[row]) if is_first and not is_alone else None

    def _place(self, tab: Tab) -> int:
        """Behind the last tab of its browser."""
        key = self._names.key(tab)
        rows = [row for row, known in enumerate(self._tabs) if self._names.key(known) == key]
        return rows[-1] + 1 if rows else len(self._tabs)

    def _pill(self, tab: Tab) -> tuple[str, str] | None:
        if tab.state == "dialog":
            return "dialog open", "warn"
        if tab.state == "paused":
            return "paused", "neutral"
        if not tab.driver:
            return None
        if tab.state != "executing" and self._person.name in (tab.driver, self._holder(tab)):
            return None  # who drove it before the person took it has no part in it now
        name = "you" if tab.driver == self._person.name else safe_text.line(tab.driver, 40)
        return name, "driving" if tab.state == "executing" else "neutral"

    def _on_added(self, tab: Tab) -> None:
        place = self._place(tab)
        self.beginInsertRows(QModelIndex(), place, place)
        self._tabs.insert(place, tab)
        self.endInsertRows()

    def _on_changed(self, tab: Tab) -> None:
        row = self.row_of(tab.tab_id)
        if row >= 0:
            self._tabs[row] = tab  # a tab that came back is a new object
            self._dirty.add(tab.tab_id)
            self._throttle.ask()

    def _on_held(self, tab_id: str) -> None:
        if self.row_of(tab_id) >= 0:
            self._dirty.add(tab_id)
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

    def _tell_all(self, role: int = ASIDE) -> None:
        if self._tabs:
            self.dataChanged.emit(self.index(0), self.index(len(self._tabs) - 1), [role])
