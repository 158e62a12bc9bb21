"""The requests of all tabs as rows, changed where they stand as they go on."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal

from kapture_panel.core.basics import addresses
from kapture_panel.core.stores.network_log import NetworkLog, Request
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.roles import ITEM, TONE, Index
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.text_filter import TextFilter
from kapture_panel.window.widgets.throttle import Throttle

COLUMNS = ("Status", "Method", "Address", "Site", "Type", "Source", "Size", "Time", "Timeline")
STATUS, METHOD, ADDRESS, SITE, TYPE, SOURCE, SIZE, TIME, TIMELINE = range(len(COLUMNS))
#: Of all tabs together; filtering so many takes a few milliseconds.
MAX_REQUESTS = 10_000
_TRIM_REQUESTS = 500
#: Kinds of requests people look for, and what the wire calls them.
TYPES = {
    "Pages": frozenset({"document"}),
    "Fetch": frozenset({"fetch", "xhr", "eventsource", "preflight"}),
    "Scripts": frozenset({"script"}),
    "Styles": frozenset({"stylesheet"}),
    "Images": frozenset({"image"}),
    "Fonts": frozenset({"font"}),
    "Media": frozenset({"media", "texttrack"}),
    "Sockets": frozenset({"websocket"}),
}
SOURCES = {
    "Network": frozenset({"network"}),
    "Disk cache": frozenset({"disk cache", "prefetch cache"}),
    "Memory cache": frozenset({"memory cache"}),
    "Service worker": frozenset({"service worker"}),
}
#: The wire's words where a column has little room.
_TYPE_WORDS = {
    "document": "page", "stylesheet": "style", "texttrack": "media", "eventsource": "stream", "websocket": "socket",
}  # fmt: skip
_SOURCE_WORDS = {
    "disk cache": "disk", "memory cache": "memory", "prefetch cache": "prefetch", "service worker": "worker",
}  # fmt: skip
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True)
class RequestFilter:
    """Which requests are shown; empty `types`, `sources` and `tab_id` mean any."""

    text: TextFilter = field(default_factory=TextFilter)
    types: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    tab_id: str = ""
    is_failed: bool = False

    def counts(self, request: Request) -> bool:
        """Whether a request counts at all."""
        return not self.tab_id or request.tab_id == self.tab_id

    def passes(self, request: Request) -> bool:
        """Whether a request that counts is shown."""
        return (
            (not self.is_failed or request.is_failed)
            and (not self.types or request.type in self.types)
            and (not self.sources or request.source in self.sources)
            and (not self.text.text or self.text.passes(_searched(request)))
        )


class RequestsModel(QAbstractTableModel):
    """Requests in the order they began, the newest last.

    `counted` follows every change of `total` and `failed`; `appended(n)` and `trimmed(n)` as the console's model.
    """

    counted = Signal()
    appended = Signal(int)
    trimmed = Signal(int)

    def __init__(
        self,
        requests: NetworkLog,
        subscriptions: Subscriptions,
        parent: QObject | None = None,
        max_requests: int = MAX_REQUESTS,
    ) -> None:
        super().__init__(parent)
        self._max_requests = max_requests
        self._filter = RequestFilter()
        #: By the number each got when it came; rows are in the order of these numbers.
        self._all: dict[int, Request] = {}
        self._number_of: dict[tuple[str, str, float], int] = {}
        self._next = 0
        self._shown: list[int] = []
        self._waiting: dict[tuple[str, str, float], Request] = {}
        self.total = self.failed = 0
        for request in requests.all()[-max_requests:]:
            self._enter(request)
        self._show_what_passes()
        self._throttle = Throttle(self, self._take_waiting)
        subscriptions.connect(requests.changed, self._on_changed)
        subscriptions.connect(requests.cleared, self._on_cleared)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return (
                _RIGHT if section in (SIZE, TIME) else int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            )
        return None

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        request, column = self.request(index.row()), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _words(request, column)
        if role == TONE:
            if request.is_failed and column in (STATUS, ADDRESS):
                return "error"
            return "text" if column == ADDRESS or (column == STATUS and request.status) else "text_secondary"
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (SIZE, TIME):
            return _RIGHT
        if role == Qt.ItemDataRole.AccessibleTextRole and column == TIMELINE:
            return _when(request)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == STATUS and request.is_failed:
            return safe_text.line(f"failed: {request.failure or request.status}")
        if role == Qt.ItemDataRole.ToolTipRole:
            if column == TIMELINE:
                return safe_text.tooltip(_when(request))
            whole = {STATUS: request.failure, ADDRESS: request.url, SITE: request.url, SOURCE: request.source}
            return safe_text.tooltip(whole.get(column, ""))
        return request if role == ITEM else None

    def request(self, row: int) -> Request:
        """The request of a row."""
        return self._all[self._shown[row]]

    def row_of(self, request: Request) -> int | None:
        """The row a request is shown in, if it is."""
        number = self._number_of.get(request.key)
        if number is None:
            return None
        row = bisect_left(self._shown, number)
        return row if row < len(self._shown) and self._shown[row] == number else None

    def set_filter(self, wanted: RequestFilter) -> None:
        """Show the requests that pass."""
        if wanted != self._filter:
            self._take_waiting()
            self._filter = wanted
            self.beginResetModel()
            self._show_what_passes()
            self.endResetModel()
            self.counted.emit()

    def _enter(self, request: Request) -> int:
        number = self._number_of.get(request.key)
        if number is None:
            number = self._number_of[request.key] = self._next
            self._next += 1
        self._all[number] = request
        return number

    def _show_what_passes(self) -> None:
        counted = {number: request for number, request in self._all.items() if self._filter.counts(request)}
        self._shown = [number for number, request in counted.items() if self._filter.passes(request)]
        self.total = len(counted)
        self.failed = sum(request.is_failed for request in counted.values())

    def _on_changed(self, batch: list[Request]) -> None:
        self._waiting |= {request.key: request for request in batch}
        self._throttle.ask()

    def _take_waiting(self) -> None:
        batch, self._waiting = self._waiting, {}
        if not batch:
            return
        last = self._next - 1
        new: list[int] = []
        changed: list[int] = []
        for request in batch.values():
            old = self._all.get(self._number_of.get(request.key, -1))
            number = self._enter(request)
            if self._filter.counts(request):
                self.total += old is None
                self.failed += request.is_failed - (old is not None and old.is_failed)
                (new if number > last else changed).append(number)
        for number in changed:
            self._show_again(number)
        appended = [number for number in new if self._filter.passes(self._all[number])]
        if appended:
            first = len(self._shown)
            self.beginInsertRows(QModelIndex(), first, first + len(appended) - 1)
            self._shown += appended
            self.endInsertRows()
            self.appended.emit(len(appended))
        self._trim()
        self.counted.emit()

    def _show_again(self, number: int) -> None:
        """A request went on: its row changes, or comes or goes with what is asked for."""
        row = bisect_left(self._shown, number)
        was_shown = row < len(self._shown) and self._shown[row] == number
        passes = self._filter.passes(self._all[number])
        if was_shown and passes:
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))
        elif passes:
            self.beginInsertRows(QModelIndex(), row, row)
            self._shown.insert(row, number)
            self.endInsertRows()
        elif was_shown:
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._shown[row]
            self.endRemoveRows()

    def _trim(self) -> None:
        over = len(self._all) - self._max_requests
        if over <= 0:
            return
        gone = list(self._all)[: over + min(_TRIM_REQUESTS, self._max_requests // 10)]
        rows = bisect_left(self._shown, gone[-1] + 1)
        if rows:
            self.beginRemoveRows(QModelIndex(), 0, rows - 1)
        self._forget(gone)
        if rows:
            del self._shown[:rows]
            self.endRemoveRows()
            self.trimmed.emit(rows)

    def _on_cleared(self, tab_id: str) -> None:
        self._waiting = {key: one for key, one in self._waiting.items() if tab_id and one.tab_id != tab_id}
        gone = [number for number, request in self._all.items() if not tab_id or request.tab_id == tab_id]
        lost = set(gone)
        self.beginResetModel()
        self._shown = [number for number in self._shown if number not in lost]
        self._forget(gone)
        self.endResetModel()
        self.counted.emit()

    def _forget(self, numbers: list[int]) -> None:
        for number in numbers:
            request = self._all.pop(number)
            del self._number_of[request.key]
            if self._filter.counts(request):
                self.total -= 1
                self.failed -= request.is_failed


def status_of(request: Request) -> str:
    """How a request went, in a word; one that failed is marked by more than its colour."""
    if request.failure:
        return "✗ failed"
    if request.status is None:
        return "done" if request.is_finished else "pending"
    return f"✗ {request.status}" if request.is_failed else str(request.status)


def address_of(request: Request) -> str:
    """What is asked of the site: path and query; of an address without a site all of it."""
    parts = _split(request.url)
    return safe_text.line(f"{parts[1]}" if parts[0] else request.url)


def _split(url: str) -> tuple[str, str]:
    """(site, rest) of an address."""
    site = addresses.parts_of(url).netloc
    return site, url.partition("://")[2][len(site) :] or "/" if site else url


def _words(request: Request, column: int) -> str:
    match column:
        case 0:
            return status_of(request)
        case 1:
            return safe_text.line(request.method, 20)
        case 2:
            return address_of(request)
        case 3:
            return safe_text.line(_split(request.url)[0], 100)
        case 4:
            return safe_text.line(_TYPE_WORDS.get(request.type, request.type), 20)
        case 5:
            return safe_text.line(_SOURCE_WORDS.get(request.source, request.source), 30)
        case 6:
            return figures.size(request.bytes) if request.bytes else ""
        case 7:
            return figures.duration(request.ms)
        case _:
            return ""  # a bar is drawn there


def _when(request: Request) -> str:
    """What the bar of a request says."""
    took = figures.duration(request.ms)
    return f"Began at {figures.clock(request.at / 1000, millis=True)}{f', took {took}' if took else ''}"


def _searched(request: Request) -> str:
    where = "" if request.context == "page" else request.context
    return (
        f"{request.method} {status_of(request)} {request.type} {request.source} {where} {request.url} {request.failure}"
    )
