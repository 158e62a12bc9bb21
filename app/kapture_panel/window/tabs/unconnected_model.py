"""The open tabs of the person's browser that are not connected, by their sites: more is not told of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.roles import ITEM, Index


class UnconnectedModel(QAbstractListModel):
    """As they were when the browser was asked; ITEM is the browser's number of a tab."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tabs: list[tuple[int, str]] = []

    def show(self, tabs: Iterable[Mapping[str, Any]]) -> None:
        """Take what the browser listed; connected tabs and pages without a site are left out."""
        self.beginResetModel()
        self._tabs = [
            (tab["browserTabId"], safe_text.line(tab["host"], 200))
            for tab in tabs
            if not tab.get("connected") and tab.get("host")
        ]
        self.endResetModel()

    def remove(self, browser_tab_id: int) -> None:
        """Leave out one that is connected now."""
        row = next((row for row, (number, _host) in enumerate(self._tabs) if number == browser_tab_id), -1)
        if row >= 0:
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._tabs[row]
            self.endRemoveRows()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._tabs)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        number, host = self._tabs[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return host
            case Qt.ItemDataRole.ToolTipRole:
                return safe_text.tooltip(f"{host}\nEnter or a double click connects it")
        return number if role == ITEM else None
