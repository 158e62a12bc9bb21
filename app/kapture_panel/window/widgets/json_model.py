"""Any JSON value as a tree, its branches made when they are opened."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.roles import ITEM, TONE, Index

_KEY, _VALUE = 0, 1


class _Node:
    __slots__ = ("_children", "key", "parent", "row", "value")

    def __init__(self, key: str, value: Any, parent: _Node | None, row: int) -> None:
        self.key = key
        self.value = value
        self.parent = parent
        self.row = row
        self._children: list[_Node] | None = None

    @property
    def size(self) -> int:
        return len(self.value) if isinstance(self.value, (dict, list)) else 0

    @property
    def children(self) -> list[_Node]:
        if self._children is None:
            value = self.value
            pairs = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if self.size else []
            self._children = [_Node(str(key), item, self, row) for row, (key, item) in enumerate(pairs)]
        return self._children


class JsonModel(QAbstractItemModel):
    """Two columns: key and value; containers show how many they hold."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root = _Node("", {}, None, 0)

    def show(self, value: JsonObject) -> None:
        """Put another value in."""
        self.beginResetModel()
        self._root = _Node("", value, None, 0)
        self.endResetModel()

    def find(self, words: str, most: int) -> list[tuple[int, ...]]:
        """The places of `words` in keys and values, whatever their case, as the rows that lead there from the top."""
        wanted = words.casefold()
        found: list[tuple[int, ...]] = []
        # A stack instead of recursion: JSON may be nested deeper than Python calls.
        waiting: list[tuple[tuple[int, ...], str, Any]] = [((), "", self._root.value)]
        while waiting and len(found) < most:
            path, key, value = waiting.pop()
            inner = isinstance(value, (dict, list))
            text = "" if inner else value if isinstance(value, str) else json.dumps(value)
            if path and (wanted in key.casefold() or wanted in text.casefold()):
                found.append(path)
            pairs = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if inner else []
            waiting += [((*path, row), str(key), item) for row, (key, item) in reversed(list(enumerate(pairs)))]
        return found

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        node = self._node(parent)
        if 0 <= row < node.size and column in (_KEY, _VALUE):
            return self.createIndex(row, column, node.children[row])
        return QModelIndex()

    def parent(self, index: Index = QModelIndex()) -> Any:
        above = self._node(index).parent
        if not index.isValid() or above is None or above is self._root:
            return QModelIndex()
        return self.createIndex(above.row, _KEY, above)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return self._node(parent).size if parent.column() <= 0 else 0

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:
        return self.rowCount(parent) > 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 2

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return ("Key", "Value")[section]
        return None

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        node = self._node(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return safe_text.line(node.key, 200) if index.column() == _KEY else shown(node.value)
        if role == TONE:
            return "text" if index.column() == _KEY else tone(node.value)
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(node.value, str):
            return safe_text.tooltip(node.value)
        return node.value if role == ITEM else None

    def _node(self, index: Index) -> _Node:
        node = index.internalPointer() if index.isValid() else None
        return node if isinstance(node, _Node) else self._root


def shown(value: Any) -> str:
    """A JSON value in one line."""
    if isinstance(value, dict):
        return f"{{ {len(value)} }}" if value else "{}"
    if isinstance(value, list):
        return f"[ {len(value)} ]" if value else "[]"
    if isinstance(value, str):
        return safe_text.line(json.dumps(value[:2000], ensure_ascii=False))
    return safe_text.line(json.dumps(value))


def tone(value: Any) -> str:
    """The theme colour of a JSON value."""
    if isinstance(value, str):
        return "accent"
    if isinstance(value, bool):
        return "ok" if value else "warn"
    return "driving" if isinstance(value, (int, float)) else "text_secondary"
