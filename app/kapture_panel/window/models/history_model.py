"""The command history as rows, newest first, read from the store page by page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal

from kapture_panel.core.history import History, Row, matches
from kapture_panel.window import figures, plain
from kapture_panel.window.links import Links
from kapture_panel.window.models.roles import ITEM, TONE, Index
from kapture_panel.window.throttle import Throttle

COLUMNS = ("Time", "Client", "State", "Command", "Summary", "Duration")
PAGE_ROWS = 200
_MARKS = {
    "ok": ("✓", "ok"),
    "error": ("✗", "error"),
    "running": ("…", "driving"),
    "cancelled": ("–", "text_secondary"),
    "unknown": ("?", "warn"),
}
_LEFT, _RIGHT = (
    int(Qt.AlignmentFlag.AlignVCenter | side) for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
)


class HistoryModel(QAbstractTableModel):
    """`inserted(n)` tells that n rows came in at the top; `counted` that `total` is another."""

    inserted = Signal(int)
    counted = Signal()

    def __init__(self, history: History, links: Links, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self._matching = ""
        self._rows: list[Row] = []
        self._is_complete = False
        self._began: list[Row] = []
        self._settled: dict[int, Row] = {}
        self.total = len(history)
        self._throttle = Throttle(self, self._take)
        links.connect(history.began, self._on_began)
        links.connect(history.settled, self._on_settled)
        self._load_first()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == TONE:
            return self._tone(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column == 5 else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole and column == 4:
            return plain.tooltip("\n".join(filter(None, (row.code, row.summary, row.site))))
        if role == Qt.ItemDataRole.AccessibleTextRole and column == 2:
            return row.state
        return row if role == ITEM else None

    def set_filter(self, text: str) -> None:
        """Show only rows that have every word of `text` in client, command, site, code or summary."""
        if text.strip() != self._matching:
            self._matching = text.strip()
            self._load_first()

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and not self._is_complete

    def fetchMore(self, parent: Index) -> None:
        if parent.isValid() or self._is_complete or not self._rows:
            return
        page = self._page(before=self._rows[-1].id)
        if page:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(page) - 1)
            self._rows += page
            self.endInsertRows()

    def _load_first(self) -> None:
        self.beginResetModel()
        # What has begun and was not taken yet is in the store too.
        self._began.clear()
        self._rows = self._page(before=None)
        self.endResetModel()

    def _page(self, before: int | None) -> list[Row]:
        page = self._history.rows(before=before, limit=PAGE_ROWS, matching=self._matching)
        self._is_complete = len(page) < PAGE_ROWS
        return page

    def _text(self, row: Row, column: int) -> str:
        if column == 0:
            return figures.clock(row.at)
        if column == 1:
            return "you" if row.kind == "person" else plain.line(row.client, 60)
        if column == 2:
            return _MARKS.get(row.state, ("?", ""))[0]
        if column == 3:
            return row.command
        if column == 4:
            return plain.line(f"{row.code} {row.summary}".strip())
        return figures.duration(row.ms)

    def _tone(self, row: Row, column: int) -> str:
        if column == 1:
            return "text_secondary" if row.kind == "person" else "driving"
        if column == 2:
            return _MARKS.get(row.state, ("", "text_secondary"))[1]
        if column == 3:
            return "text"
        if column == 4 and row.state in ("error", "unknown"):
            return _MARKS[row.state][1]
        return "text_secondary"

    def _on_began(self, row: Row) -> None:
        self.total += 1
        self._began.append(row)
        self._throttle.ask()

    def _on_settled(self, row: Row) -> None:
        self._settled[row.id] = row
        self._throttle.ask()

    def _take(self) -> None:
        fresh = [row for row in reversed(self._began) if matches(row, self._matching)]
        self._began.clear()
        if fresh:
            self.beginInsertRows(QModelIndex(), 0, len(fresh) - 1)
            self._rows[:0] = fresh
            self.endInsertRows()
            self.inserted.emit(len(fresh))
        settled, self._settled = self._settled, {}
        if settled:
            self._tell(settled)
        self.counted.emit()

    def _tell(self, settled: dict[int, Row]) -> None:
        left = set(settled)
        for number, row in enumerate(self._rows):
            if row.id in left:
                self._rows[number] = settled[row.id]
                self.dataChanged.emit(self.index(number, 0), self.index(number, len(COLUMNS) - 1))
                left.discard(row.id)
            if not left or row.id < min(left):
                return
