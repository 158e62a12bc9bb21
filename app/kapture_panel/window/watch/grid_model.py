"""All tabs as cards: the rows of the list of tabs, with how each looks, what is done in it and what waits there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QIdentityProxyModel, QObject, Qt

from kapture_panel.core.gates.approvals import Approvals, Ask
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.watch.acts import Acts
from kapture_panel.window.watch.live_grid import LiveGrid
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.roles import DETAIL, ITEM, PILL, Index
from kapture_panel.window.widgets.subscriptions import Subscriptions

#: What stands where a tab has no picture.
WORDS = int(Qt.ItemDataRole.UserRole) + 20
_ASKS = ("asks you", "warn")


class GridModel(QIdentityProxyModel):
    """PILL says what waits for the person's answer, or else who drives the tab.

    Args:
        rows: the tabs, as the list of tabs has them.
        row_of: the row that a tabId has there, or -1; what is done in tabs asks for it hundreds of times a second.
        approvals: the questions that are open.
    """

    def __init__(
        self,
        rows: QAbstractItemModel,
        row_of: Callable[[str], int],
        live: LiveGrid,
        acts: Acts,
        tabs: Tabs,
        approvals: Approvals,
        subscriptions: Subscriptions,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.row_of = row_of
        self._live = live
        self._acts = acts
        self._approvals = approvals
        self._asked: Counter[str] = Counter()
        self._crashed: set[str] = set()
        self.setSourceModel(rows)
        live.came.connect(lambda tab_id: self._tell(tab_id, int(Qt.ItemDataRole.DecorationRole)))
        acts.changed.connect(lambda tab_id: self._tell(tab_id, DETAIL))
        for told in (approvals.added, approvals.settled):
            subscriptions.connect(told, self._on_asked)
        subscriptions.connect(tabs.crashed, self._on_crashed)
        subscriptions.connect(tabs.navigated, self._on_navigated)
        subscriptions.connect(tabs.removed, lambda tab: self._crashed.discard(tab.tab_id))
        for ask in approvals:
            self._on_asked(ask)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        own = (Qt.ItemDataRole.DecorationRole, PILL, DETAIL, WORDS, Qt.ItemDataRole.AccessibleTextRole)
        if role not in own or not index.isValid():
            return super().data(index, role)
        tab: Tab = super().data(index, ITEM)
        asks = self._asked[tab.tab_id] > 0
        if role == Qt.ItemDataRole.DecorationRole:
            return None if tab.tab_id in self._crashed or tab.state == "paused" else self._live.image(tab.tab_id)
        if role == WORDS:
            return self._words(tab)
        if role == PILL:
            return _ASKS if asks else super().data(index, PILL)
        if role == DETAIL:
            return self._detail(tab, str(super().data(index, DETAIL)))
        said = str(super().data(index, role))
        return f"{_ASKS[0]}, {said}" if asks else said

    def _words(self, tab: Tab) -> str:
        if tab.tab_id in self._crashed:
            return "This page has crashed."
        return "Let go of while the agents are paused." if tab.state == "paused" else "Waiting for the page …"

    def _detail(self, tab: Tab, facts: str) -> str:
        """What is done there now; else where it is, and who drives it where the pill says something else."""
        act = self._acts.last(tab.tab_id)
        what = act.what if act is not None and act.row.state == "running" else facts
        says_driver = tab.driver and (tab.state == "dialog" or self._asked[tab.tab_id] > 0)
        return f"{safe_text.line(tab.driver, 40)} · {what}" if says_driver else what

    def _on_asked(self, _ask: Ask) -> None:
        before = self._asked
        self._asked = Counter(ask.scene.tab.tab_id for ask in self._approvals if ask.scene.tab is not None)
        for tab_id in before.keys() ^ self._asked.keys():
            self._tell(tab_id, PILL)

    def _on_crashed(self, tab: Tab) -> None:
        self._crashed.add(tab.tab_id)
        self._tell(tab.tab_id, WORDS)

    def _on_navigated(self, tab: Tab) -> None:
        if tab.tab_id in self._crashed:
            self._crashed.discard(tab.tab_id)
            self._live.drop(tab.tab_id)
            self._tell(tab.tab_id, WORDS)

    def _tell(self, tab_id: str, role: int) -> None:
        row = self.row_of(tab_id)
        if row >= 0:
            self.dataChanged.emit(self.index(row, 0), self.index(row, 0), [role])
