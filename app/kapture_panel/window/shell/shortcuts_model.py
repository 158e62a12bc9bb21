"""The shortcuts under the headings of their groups, filtered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from kapture_panel.window.widgets.entries import Entry
from kapture_panel.window.widgets.roles import ITEM, Index


class ShortcutsModel(QAbstractListModel):
    """Rows are headings (str) and entries that have keys, in the order of the table."""

    def __init__(self, entries: Sequence[Entry], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries = entries
        self._rows: list[str | Entry] = []
        self.set_filter("")

    def set_filter(self, text: str) -> None:
        """Show only entries that have every word of `text` in words, group or keys."""
        words = text.lower().split()
        found = [one for one in self._entries if one.keys and all(word in _searched(one) for word in words)]
        self.beginResetModel()
        self._rows = []
        for group in dict.fromkeys(one.group for one in found):
            self._rows += [group, *(one for one in found if one.group == group)]
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if isinstance(row, str):
            return row if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}: {row.shown_keys}"
        return row if role == ITEM else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self._rows[index.row()], str):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)


def _searched(one: Entry) -> str:
    return f"{one.title} {one.group} {' '.join(one.keys)}".lower()
