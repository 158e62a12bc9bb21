"""The console of all tabs as rows: bounded, filtered as lines arrive."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal

from kapture_panel.core.stores.console import LEVELS, Console, ConsoleLine
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.roles import ITEM, TONE, Index
from kapture_panel.window.widgets.slices import SLICE_S, Slices
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.text_filter import TextFilter
from kapture_panel.window.widgets.throttle import Throttle

COLUMNS = ("Time", "Level", "More", "Text", "Source")
TIME, LEVEL, MORE, TEXT, SOURCE = range(len(COLUMNS))
MAX_LINES = 100_000
#: Where lines come from, as the wire names it and as people do.
CONTEXTS = {"page": "Page", "worker": "Worker", "serviceWorker": "Service worker"}
#: Rows go in lots of this size, so that a full console does not move its list with every batch.
_TRIM_LINES = 5_000
#: Lines between two looks at the clock.
_STEP_LINES = 40
_TONES = {"error": "error", "warn": "warn"}
_LONG_CHARS = 160
#: More than the widest screen shows: each character costs time in every frame.
_SHOWN_CHARS = 500
#: As numbers: a view asks for a dozen roles of each cell in every frame, and comparing Qt's own costs most of it.
_DISPLAY, _TOOLTIP, _SPOKEN = (
    int(role) for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
)
_ROLES = frozenset({_DISPLAY, _TOOLTIP, _SPOKEN, TONE, ITEM})
_MAX_PARTS = 300


@dataclass(frozen=True)
class LineFilter:
    """Which lines are shown; an empty `tab_id` or `context` means any."""

    text: TextFilter = field(default_factory=TextFilter)
    levels: frozenset[str] = frozenset(LEVELS)
    tab_id: str = ""
    context: str = ""

    def counts(self, line: ConsoleLine) -> bool:
        """Whether a line counts at all, whatever its level and text."""
        return (not self.tab_id or line.tab_id == self.tab_id) and (not self.context or line.context == self.context)

    def passes(self, line: ConsoleLine) -> bool:
        """Whether a line that counts is shown."""
        return (line.level in self.levels or line.level not in LEVELS) and self.text.passes(line.text, line.source)

    def is_within(self, other: LineFilter) -> bool:
        """Whether all that passes here is known to pass `other`, and the same lines count."""
        same = (self.tab_id, self.context) == (other.tab_id, other.context)
        return same and self.levels <= other.levels and self.text.is_within(other.text)


@dataclass(frozen=True, slots=True)
class Part:
    """A further row of a line that was opened."""

    line: ConsoleLine
    text: str


class ConsoleModel(QAbstractTableModel):
    """Lines in the order they arrived, the newest last; a line of several rows can be opened.

    `counted` follows every change of the level counts and of `dropped`; `appended(n)` tells that n lines came at the
    end, `trimmed(n)` that n rows left at the top.
    """

    counted = Signal()
    appended = Signal(int)
    trimmed = Signal(int)

    def __init__(
        self, console: Console, subscriptions: Subscriptions, parent: QObject | None = None, max_lines: int = MAX_LINES
    ) -> None:
        super().__init__(parent)
        self._max_lines = max_lines
        kept = console.lines()
        self._all = kept[-max_lines:]
        #: How many lines of each tab made room for newer ones.
        self._dropped: Counter[str] = Counter(console.dropped)
        self._drop(kept[:-max_lines])
        self._shown: list[ConsoleLine | Part] = list(self._all)
        self._waiting: list[ConsoleLine] = []
        self._filter = LineFilter()
        self.counts: Counter[str] = Counter(line.level for line in self._all)
        self._throttle = Throttle(self, self._take_waiting)
        self._slices = Slices(self)
        subscriptions.connect(console.appended, self._on_appended)
        subscriptions.connect(console.cleared, self._on_cleared)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if role not in _ROLES or not index.isValid():
            return None
        shown, column = self._shown[index.row()], index.column()
        line = _line_of(shown)
        if role == _DISPLAY:
            if isinstance(shown, Part):
                return shown.text if column == TEXT else None
            return self._words(line, index.row(), column)
        if role == TONE:
            if column in (TIME, MORE, SOURCE):
                return "text_secondary"
            return _TONES.get(line.level, "text_secondary" if column == LEVEL or line.level == "debug" else "text")
        if role == _TOOLTIP and column == LEVEL:
            return safe_text.tooltip(line.level)  # the cell has room for its first letter at least
        if role == _TOOLTIP and column >= TEXT:
            return safe_text.tooltip("\n".join(filter(None, (line.text if column == TEXT else "", _where(line)))))
        if role == _SPOKEN and column == MORE and can_open(line):
            return "" if isinstance(shown, Part) else "opened" if self.is_open(index.row()) else "closed"
        return line if role == ITEM else None

    @property
    def is_filtering(self) -> bool:
        """Whether a filter is still being applied."""
        return self._slices.is_working

    @property
    def dropped(self) -> int:
        """How many lines, of the chosen tab or of all, made room for newer ones."""
        return self._dropped[self._filter.tab_id] if self._filter.tab_id else self._dropped.total()

    def set_filter(self, wanted: LineFilter) -> None:
        """Show the lines that pass; long lists are filtered in slices, opened lines close."""
        if wanted == self._filter and not self.is_filtering:
            return
        self._take_waiting()
        # A narrower filter only needs the lines that passed the last one.
        is_narrower = wanted.is_within(self._filter) and not self.is_filtering
        self._filter = wanted
        self._apply(self._lines_shown() if is_narrower else self._all, is_counting=not is_narrower)

    def lines(self, rows: list[int] | None = None) -> list[ConsoleLine]:
        """The lines that are shown, or those that some rows belong to, each once."""
        if rows is None:
            return self._lines_shown()
        chosen = [_line_of(self._shown[row]) for row in rows]
        return list({id(line): line for line in chosen}.values())

    def is_open(self, row: int) -> bool:
        """Whether the line of a row shows all of its text."""
        line = _line_of(self._shown[row])
        return any(
            isinstance(near, Part) and near.line is line for near in (self._shown[row], *self._shown[row + 1 : row + 2])
        )

    def open(self, row: int, wrap_chars: int) -> int:
        """Show all of a line below its first row, or no more of it.

        Args:
            row: any row of the line.
            wrap_chars: longer rows of text go on in the next one.

        Returns:
            The line's first row.
        """
        while isinstance(self._shown[row], Part):
            row -= 1
        line = _line_of(self._shown[row])
        if self.is_open(row):
            end = row + 1
            while end < len(self._shown) and isinstance(self._shown[end], Part):
                end += 1
            self.beginRemoveRows(QModelIndex(), row + 1, end - 1)
            del self._shown[row + 1 : end]
            self.endRemoveRows()
        elif can_open(line):
            parts = [Part(line, text) for text in _wrapped(line.text, wrap_chars)]
            self.beginInsertRows(QModelIndex(), row + 1, row + len(parts))
            self._shown[row + 1 : row + 1] = parts
            self.endInsertRows()
        self.dataChanged.emit(self.index(row, MORE), self.index(row, TEXT))
        return row

    def wrap_again(self, wrap_chars: int) -> None:
        """Break the text of the lines that are open again, for a column of another width."""
        parts = [row for row, shown in enumerate(self._shown) if type(shown) is Part]
        for row in reversed([part - 1 for part in parts if type(self._shown[part - 1]) is not Part]):
            self.open(row, wrap_chars)
            self.open(row, wrap_chars)

    def _words(self, line: ConsoleLine, row: int, column: int) -> str:
        if column == TIME:
            return figures.clock(line.at / 1000, millis=True)
        if column == LEVEL:
            return safe_text.line(line.level, 20)
        if column == MORE:
            return ("▾" if self.is_open(row) else "▸") if can_open(line) else ""
        if column == TEXT:
            return safe_text.line(line.text.partition("\n")[0] if self.is_open(row) else line.text, _SHOWN_CHARS)
        return _where(line)

    def _lines_shown(self) -> list[ConsoleLine]:
        return [shown for shown in self._shown if not isinstance(shown, Part)]

    def _apply(self, source: list[ConsoleLine], *, is_counting: bool) -> None:
        found: list[ConsoleLine | Part] = []
        counts: Counter[str] = Counter()

        def filtering() -> Iterator[None]:
            for at in range(0, len(source), _STEP_LINES):
                part = [line for line in source[at : at + _STEP_LINES] if self._filter.counts(line)]
                counts.update([line.level for line in part])
                found.extend([line for line in part if self._filter.passes(line)])
                yield

        def done() -> None:
            self.beginResetModel()
            self._shown = found
            self.endResetModel()
            if is_counting:
                self.counts = counts
                self.counted.emit()
            if self._waiting:
                self._throttle.ask()

        self._slices.begin(filtering(), done)

    def _on_appended(self, lines: list[ConsoleLine]) -> None:
        self._waiting += lines
        self._drop(self._waiting[: -self._max_lines])
        del self._waiting[: -self._max_lines]
        self._throttle.ask()

    def _take_waiting(self) -> None:
        if self.is_filtering or not self._waiting:
            return  # the filter's end asks again
        until = time.perf_counter() + SLICE_S
        taken, shown = 0, []
        while taken < len(self._waiting) and (not taken or time.perf_counter() < until):
            part = self._waiting[taken : taken + _STEP_LINES]
            taken += len(part)
            counted = [line for line in part if self._filter.counts(line)]
            self.counts.update([line.level for line in counted])
            shown += [line for line in counted if self._filter.passes(line)]
        self._all += self._waiting[:taken]
        del self._waiting[:taken]
        if shown:
            first = len(self._shown)
            self.beginInsertRows(QModelIndex(), first, first + len(shown) - 1)
            self._shown += shown
            self.endInsertRows()
            self.appended.emit(len(shown))
        self._trim()
        self.counted.emit()
        if self._waiting:
            self._throttle.ask()

    def _trim(self) -> None:
        if len(self._all) <= self._max_lines:
            return
        number = min(len(self._all), len(self._all) - self._max_lines + min(_TRIM_LINES, self._max_lines // 10))
        gone = self._all[:number]
        self._drop(gone)
        del self._all[:number]
        self.counts.subtract([line.level for line in gone if self._filter.counts(line)])
        # Both lists are in the same order, so the gone ones that are shown are the first of them.
        gone_ids = set(map(id, gone))
        rows = 0
        while rows < len(self._shown) and id(_line_of(self._shown[rows])) in gone_ids:
            rows += 1
        if rows:
            self.beginRemoveRows(QModelIndex(), 0, rows - 1)
            del self._shown[:rows]
            self.endRemoveRows()
            self.trimmed.emit(rows)

    def _drop(self, lines: list[ConsoleLine]) -> None:
        self._dropped.update([line.tab_id for line in lines])

    def _on_cleared(self, tab_id: str) -> None:
        for known in [tab_id] if tab_id else list(self._dropped):
            del self._dropped[known]
        was_filtering = self.is_filtering
        self._slices.give_up()
        kept = [line for line in self._all if tab_id and line.tab_id != tab_id]
        self._waiting = [line for line in self._waiting if tab_id and line.tab_id != tab_id]
        if was_filtering:
            self._all = kept
            self._apply(kept, is_counting=True)
            return
        gone = self._all if not tab_id else [line for line in self._all if line.tab_id == tab_id]
        self.counts.subtract([line.level for line in gone if self._filter.counts(line)])
        self.beginResetModel()
        self._all = kept
        self._shown = [shown for shown in self._shown if tab_id and _line_of(shown).tab_id != tab_id]
        self.endResetModel()
        self.counted.emit()


def as_text(line: ConsoleLine) -> str:
    """A line as it is copied and saved: time, level, text and source, a tab between them."""
    when = figures.clock(line.at / 1000, millis=True)
    return "\t".join((when, line.level, safe_text.text(line.text), safe_text.line(line.source)))


def can_open(line: ConsoleLine) -> bool:
    """Whether a line has more than a row shows, such as a stack trace."""
    return "\n" in line.text or len(line.text) > _LONG_CHARS


def _where(line: ConsoleLine) -> str:
    """The file a line comes from, and what ran it unless it was the page."""
    context = "" if line.context == "page" else CONTEXTS.get(line.context, line.context).lower()
    return safe_text.line(" · ".join(filter(None, (line.source.rpartition("/")[2], context))), 240)


def _line_of(shown: ConsoleLine | Part) -> ConsoleLine:
    return shown.line if isinstance(shown, Part) else shown


def _wrapped(text: str, wrap_chars: int) -> list[str]:
    """All of a text of one long row; of several rows those below the first."""
    rows = safe_text.text(text).expandtabs(4).split("\n")
    if len(rows) > 1:
        first, *rest = rows
        rows = ([first] if len(first) > wrap_chars else []) + rest
    parts = [row[at : at + wrap_chars] for row in rows for at in range(0, max(len(row), 1), wrap_chars)]
    return parts if len(parts) <= _MAX_PARTS else [*parts[: _MAX_PARTS - 1], "…"]
