"""The command history as rows, newest first: ids in memory, rows read from the store when they come into sight."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal

from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores import history_query
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_query import Query
from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.history import history_words
from kapture_panel.window.history.history_order import Key, Order
from kapture_panel.window.widgets import command_names, figures, outcomes, safe_text
from kapture_panel.window.widgets.roles import ITEM, TONE, Index
from kapture_panel.window.widgets.slices import Slices
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.throttle import Throttle

COLUMNS = ("Time", "Agent", "Tab", "Outcome", "Command", "Summary", "Took")
TIME, AGENT, TAB, OUTCOME, COMMAND, SUMMARY, DURATION = range(len(COLUMNS))
#: Shown as soon as so many are found; the rest follows in one piece.
FIRST_ROWS = 200
#: Rows a search looks at before others get their turn: about a millisecond.
_STEP_ROWS = 300
#: So many rows are read in a step for the order a person chose.
_READ_ROWS = 50
#: A new search does two slices and paints all its rows in one frame.
_SLICE_S = 0.002
#: So many new rows cost a view a few milliseconds.
_INSERTED_ROWS = 8000
_READ_BEFORE, _READ_AFTER = 8, 28
_MAX_CACHED = 2000
_DISPLAY, _ALIGNMENT = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.TextAlignmentRole)
_ROLES = frozenset(
    (_DISPLAY, _ALIGNMENT, TONE, ITEM, int(Qt.ItemDataRole.ToolTipRole), int(Qt.ItemDataRole.AccessibleTextRole))
)
_MIDDLE = Qt.AlignmentFlag.AlignVCenter
_LEFT, _RIGHT = (int(_MIDDLE | side) for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight))


def _text(row: Row, column: int, catalogue: Catalogue) -> str:
    if column == TIME:
        return figures.clock(row.at)
    if column == AGENT:
        return "you" if row.kind == "person" else safe_text.line(row.client, 60)
    if column == TAB:
        return safe_text.line(row.site or row.tab_id, 60)
    if column == COMMAND:
        return command_names.title(catalogue, row.command)
    if column == SUMMARY:
        return history_words.summary(row)
    if column == OUTCOME:
        return outcomes.mark(row)
    return figures.duration(row.ms)


def _key(row: Row, column: int, catalogue: Catalogue) -> Key:
    """What rows are compared by when a person sorts by a column."""
    if column == DURATION:
        return -1.0 if row.ms is None else row.ms
    return outcomes.words(row) if column == OUTCOME else _text(row, column, catalogue).casefold()


class HistoryModel(QAbstractTableModel):
    """`inserted(n)` tells that n rows came in at the top, `counted` that the numbers are others; `renewed` carries the
    rows that began or went on, listed or not, by their ids."""

    inserted = Signal(int)
    renewed = Signal(object)
    counted = Signal()

    def __init__(
        self, history: History, catalogue: Catalogue, subscriptions: Subscriptions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._history = history
        self._catalogue = catalogue
        self.query = Query()
        self.order = self._shown_in = Order(TIME, None, is_descending=True)
        self._ids: list[int] = []
        self._cached: dict[int, Row] = {}
        self._fresh: dict[int, Row] = {}
        self._scan = Slices(self, _SLICE_S)
        self.total = len(history)
        self._throttle = Throttle(self, self._take)
        subscriptions.connect(history.began, self._on_began)
        subscriptions.connect(history.settled, self._on_settled)
        subscriptions.connect(history.removed, self._on_removed)
        self._search()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return "" if section == OUTCOME else COLUMNS[section]  # a mark wide
        if role == Qt.ItemDataRole.ToolTipRole and section == OUTCOME:
            return safe_text.tooltip(f"{COLUMNS[section]}: {outcomes.legend()}")
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return COLUMNS[section]
        return _RIGHT if role == _ALIGNMENT and section == DURATION else None

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        # A view asks for many more roles than there are, for each cell of each frame.
        if role not in _ROLES or not index.isValid():
            return None
        column = index.column()
        if role == _ALIGNMENT:
            return _RIGHT if column == DURATION else _LEFT
        row = self._row(index.row())
        if row is None:
            return None
        if role == _DISPLAY:
            return _text(row, column, self._catalogue)
        if role == TONE:
            return self._tone(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_text.tooltip(self._tip(row, column))
        if role == Qt.ItemDataRole.AccessibleTextRole and column == OUTCOME:
            return outcomes.words(row)
        return row if role == ITEM else None

    def set_filter(self, text: str) -> tuple[str, ...]:
        """Show only rows the search `text` finds; what is wrong with its words."""
        query = history_query.parse(text, titles=self._catalogue.titles)
        if query != self.query:
            self.query = query
            self._search()
        return query.problems

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Show the rows in the order of a column."""
        is_descending = order == Qt.SortOrder.DescendingOrder
        if (column, is_descending) != (self.order.column, self.order.is_descending):
            key_of = None if column == TIME else partial(_key, column=column, catalogue=self._catalogue)
            self.order = Order(column, key_of, is_descending=is_descending)
            self._search()
            self.counted.emit()

    @property
    def end(self) -> int:
        """One more than the newest id that is shown; while older rows are looked through, than the newest of all."""
        return self._history.span[1] if self.is_searching else max(self._ids, default=0) + 1

    @property
    def is_searching(self) -> bool:
        """Whether older rows are still looked through."""
        return self._scan.is_working

    def row_of(self, row_id: int) -> int:
        """The number of the row with this id; -1 when it is not shown."""
        if not self._shown_in.knows(row_id):
            return -1
        at = self._place(row_id)
        return at if at < len(self._ids) and self._ids[at] == row_id else -1

    def id_of(self, number: int) -> int:
        """The id of the row with this number."""
        return self._ids[number]

    def values(self) -> dict[str, list[str]]:
        """What rows in memory hold in the fields a search can name, by its keys."""
        rows = list(self._cached.values())
        keys = {"agent": "client", "site": "site", "tab": "tab_id", "cmd": "command"}
        return {key: sorted({getattr(row, name) for row in rows} - {""}) for key, name in keys.items()}

    def _search(self) -> None:
        self._fresh.clear()
        steps = self._steps() if self.order.is_newest_first else self._steps_in_order()
        self._scan.begin(steps, self._on_searched)

    def _steps(self) -> Iterator[None]:
        """Look through the store from the newest row on; what was shown stays until there is something to show."""
        smallest, at = self._history.span
        found: list[int] = []
        is_shown = False
        while at > smallest:
            down_to = max(smallest, at - _STEP_ROWS)
            found += self._history.ids(self.query, before=at, down_to=down_to)
            at = down_to
            if not is_shown and len(found) >= FIRST_ROWS:
                is_shown = True
                self._show_only(found)
                found = []
            yield
        if not is_shown:
            self._show_only(found)
            return
        for first in range(0, len(found), _INSERTED_ROWS):
            part = found[first : first + _INSERTED_ROWS]
            self.beginInsertRows(QModelIndex(), len(self._ids), len(self._ids) + len(part) - 1)
            self._ids += part
            self.endInsertRows()
            yield

    def _steps_in_order(self) -> Iterator[None]:
        """Look through the whole store: what stands first is known at the end."""
        smallest, at = self._history.span
        found: list[int] = []
        while at > smallest:
            down_to = max(smallest, at - (_STEP_ROWS if self.order.key_of is None else _READ_ROWS))
            part = self._history.ids(self.query, before=at, down_to=down_to)
            for row in self._history.of(part) if self.order.key_of is not None else ():
                self.order.note(row)
            found += filter(self.order.knows, part)
            at = down_to
            yield
        self._show_only(self.order.sorted(found))

    def _show_only(self, ids: list[int]) -> None:
        self.beginResetModel()
        self._ids, self._shown_in = ids, self.order
        self.endResetModel()

    def _on_searched(self) -> None:
        self._take()

    def _row(self, number: int) -> Row | None:
        row_id = self._ids[number]
        row = self._cached.get(row_id)
        if row is None:
            around = self._ids[max(0, number - _READ_BEFORE) : number + _READ_AFTER]
            if len(self._cached) > _MAX_CACHED:
                self._cached.clear()
            self._cached |= {read.id: read for read in self._history.of(around)}
            row = self._cached.get(row_id)
        return row

    def _tip(self, row: Row, column: int) -> str:
        if column == TIME:
            return figures.moment(row.at)
        if column == TAB:
            return "\n".join(filter(None, (row.url or row.site, f"tabId {row.tab_id}" if row.tab_id else "")))
        if column == OUTCOME:
            return outcomes.words(row)
        if column == COMMAND:
            return f"cmd:{row.command}"  # as the filter finds it
        said = (history_words.where(row), row.code, row.said)
        return "\n".join(filter(None, said)) if column == SUMMARY else ""

    def _tone(self, row: Row, column: int) -> str:
        if column == AGENT:
            return "text_secondary" if row.kind == "person" else "driving"
        if column == OUTCOME:
            return outcomes.tone(row)
        if column == COMMAND:
            return "text"
        if column == SUMMARY and row.state in ("error", "unknown"):
            return outcomes.tone(row)
        return "text_secondary"

    def _on_began(self, row: Row) -> None:
        self.total += 1
        self._on_settled(row)

    def _on_settled(self, row: Row) -> None:
        self._fresh[row.id] = row
        self._throttle.ask()

    def _take(self) -> None:
        """Show what began and what changed since the last time."""
        if self._scan.is_working:
            return  # comes again at its end
        fresh, self._fresh = self._fresh, {}
        newest = self._ids[0] if self._ids else 0
        above = []
        for row in sorted(fresh.values(), key=lambda row: -row.id):
            number, is_found = self.row_of(row.id), self.query.passes(row)
            if is_found or number >= 0:
                self._cached[row.id] = row
            if number >= 0 and is_found and self.order.is_moved(row):
                self._remove(number, number)
                self._insert(row)
            elif number >= 0 and is_found:
                self.dataChanged.emit(self.index(number, 0), self.index(number, len(COLUMNS) - 1))
            elif number >= 0:
                self._remove(number, number)
            elif is_found and row.id > newest and self.order.is_newest_first:
                above.append(row.id)
            elif is_found:
                self._insert(row)
        if above:
            self.beginInsertRows(QModelIndex(), 0, len(above) - 1)
            self._ids[:0] = above
            self.endInsertRows()
            self.inserted.emit(len(above))
        self.renewed.emit(fresh)
        self.counted.emit()

    def _insert(self, row: Row) -> None:
        """Put a row to where it belongs."""
        self.order.note(row)
        place = self._place(row.id)
        self.beginInsertRows(QModelIndex(), place, place)
        self._ids.insert(place, row.id)
        self.endInsertRows()

    def _on_removed(self, ids: list[int], _pictures: list[str]) -> None:
        self.total -= len(ids)
        gone = set(ids)
        for known in (self._fresh, self._cached):
            for row_id in gone & known.keys():
                del known[row_id]
        if (
            not self.order.is_newest_first
            or self._scan.is_working
            or not gone.issuperset(self._ids[self._place(max(ids)) :])
        ):
            self._search()
            return
        first = self._place(max(ids))
        if first < len(self._ids):
            self._remove(first, len(self._ids) - 1)
        self.counted.emit()

    def _remove(self, first: int, last: int) -> None:
        self.beginRemoveRows(QModelIndex(), first, last)
        del self._ids[first : last + 1]
        self.endRemoveRows()

    def _place(self, row_id: int) -> int:
        """Where a row is, or would be; a new order holds for what is shown once the rows stand in it."""
        return bisect_left(self._ids, self._shown_in.rank(row_id), key=self._shown_in.rank)
