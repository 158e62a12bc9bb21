"""An array of objects as a table."""

from __future__ import annotations

from itertools import islice
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.json_model import shown, tone
from kapture_panel.window.widgets.roles import ITEM, TONE, Index

_LOOKED_AT_ROWS = 200
_MAX_COLUMNS = 60


def records_in(result: Any) -> list[JsonObject] | None:
    """The array of objects `result` is, or the only one it holds; None when there is none."""
    if isinstance(result, dict):
        found = [records for value in result.values() if (records := _records(value)) is not None]
        return found[0] if len(found) == 1 else None
    return _records(result)


def _records(value: Any) -> list[JsonObject] | None:
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return value
    return None


class RecordsModel(QAbstractTableModel):
    """One row per object, one column per key of the first rows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._records: list[JsonObject] = []
        self._keys: list[str] = []

    def show(self, records: list[JsonObject]) -> None:
        """Put other records in."""
        self.beginResetModel()
        self._records = records
        self._keys = list(dict.fromkeys(key for record in records[:_LOOKED_AT_ROWS] for key in record))[:_MAX_COLUMNS]
        self.endResetModel()

    def find(self, words: str, most: int) -> list[tuple[int, int]]:
        """The cells with `words` in what they show, whatever their case: rows and columns, row by row."""
        wanted = words.casefold()
        cells = (
            (row, column)
            for row, record in enumerate(self._records)
            for column, key in enumerate(self._keys)
            if key in record and wanted in _searched(record[key]).casefold()
        )
        return list(islice(cells, most))

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._records)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._keys)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return safe_text.line(self._keys[section], 60)
        return None

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        record, key = self._records[index.row()], self._keys[index.column()]
        value = record.get(key)
        if role == Qt.ItemDataRole.DisplayRole:
            if key not in record:
                return ""
            return safe_text.line(value) if isinstance(value, str) else shown(value)
        if role == TONE:
            return "text" if isinstance(value, str) else tone(value)
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(value, str):
            return safe_text.tooltip(value)
        return value if role == ITEM else None


def _searched(value: Any) -> str:
    return value if isinstance(value, str) else shown(value)
