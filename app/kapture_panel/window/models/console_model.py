"""The console of all tabs as rows: bounded, filtered as lines arrive."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, QTimer, Signal

from kapture_panel.core.console import LEVELS, Console, ConsoleLine
from kapture_panel.window import figures, plain
from kapture_panel.window.links import Links
from kapture_panel.window.models.roles import ITEM, TONE, Index
from kapture_panel.window.throttle import Throttle

COLUMNS = ("Time", "Level", "Text", "Source")
MAX_LINES = 100_000
#: Rows go in lots of this size, so that a full console does not move its list with every batch.
_TRIM_LINES = 5_000
_SLICE_S = 0.008
_TONES = {"error": "error", "warn": "warn"}


class ConsoleModel(QAbstractTableModel):
    """Lines in the order they arrived, the newest last.

    `counted` follows every change of the level counts; `trimmed(n)` tells that n rows left at the top.
    """

    counted = Signal()
    trimmed = Signal(int)

    def __init__(
        self, console: Console, links: Links, parent: QObject | None = None, max_lines: int = MAX_LINES
    ) -> None:
        super().__init__(parent)
        self._console = console
        self._max_lines = max_lines
        self._all = console.lines()[-max_lines:]
        self._shown = list(self._all)
        self._waiting: list[ConsoleLine] = []
        self._needle = ""
        self._levels = frozenset(LEVELS)
        self.counts: Counter[str] = Counter(line.level for line in self._all)
        self._throttle = Throttle(self, self._take_waiting)
        self._slices = QTimer(self)
        self._slices.timeout.connect(self._filter_slice)
        self._source: list[ConsoleLine] = []
        self._found: list[ConsoleLine] = []
        self._at = 0
        links.connect(console.appended, self._on_appended)
        links.connect(console.cleared, self._on_cleared)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        line, column = self._shown[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            if column == 0:
                return figures.clock(line.at / 1000, millis=True)
            if column == 1:
                return plain.line(line.level, 20)
            if column == 2:
                return plain.line(line.text)
            where = "" if line.context == "page" else f"{line.context} "
            return plain.line(f"{where}{line.source.rpartition('/')[2]}", 120)
        if role == TONE:
            if column in (0, 3):
                return "text_secondary"
            return _TONES.get(line.level, "text_secondary" if column == 1 or line.level == "debug" else "text")
        if role == Qt.ItemDataRole.ToolTipRole and column >= 2:
            return plain.tooltip(line.text if column == 2 else line.source)
        return line if role == ITEM else None

    @property
    def is_filtering(self) -> bool:
        """Whether a filter is still being applied."""
        return self._slices.isActive()

    def set_filter(self, text: str, levels: frozenset[str]) -> None:
        """Show lines of `levels` that contain `text`, ignoring case; long lists are filtered in slices."""
        needle = text.lower()
        if (needle, levels) == (self._needle, self._levels) and not self.is_filtering:
            return
        self._take_waiting()
        # A narrower filter only needs the lines that passed the last one.
        narrower = self._needle in needle and levels <= self._levels and not self.is_filtering
        self._needle, self._levels = needle, levels
        self._source = self._shown if narrower else self._all
        self._found, self._at = [], 0
        self._filter_slice()

    def as_text(self, rows: list[int] | None = None) -> str:
        """Shown lines, or some of them, as text to copy."""
        lines = self._shown if rows is None else [self._shown[row] for row in rows]
        return "\n".join(
            "\t".join(
                (figures.clock(line.at / 1000, millis=True), line.level, plain.text(line.text), plain.line(line.source))
            )
            for line in lines
        )

    def _passes(self, line: ConsoleLine) -> bool:
        if line.level not in self._levels and line.level in LEVELS:
            return False
        return not self._needle or self._needle in line.text.lower() or self._needle in line.source.lower()

    def _filter_slice(self) -> None:
        until = time.perf_counter() + _SLICE_S
        while self._at < len(self._source) and time.perf_counter() < until:
            part = self._source[self._at : self._at + 1000]
            self._found += [line for line in part if self._passes(line)]
            self._at += len(part)
        if self._at < len(self._source):
            self._slices.start(0)
            return
        self._slices.stop()
        self.beginResetModel()
        self._shown, self._source, self._found = self._found, [], []
        self.endResetModel()
        if self._waiting:
            self._throttle.ask()

    def _on_appended(self, lines: list[ConsoleLine]) -> None:
        self._waiting += lines
        self._throttle.ask()

    def _take_waiting(self) -> None:
        if self.is_filtering or not self._waiting:
            return  # the filter's last slice asks again
        batch, self._waiting = self._waiting[-self._max_lines :], []
        self._all += batch
        self.counts.update(line.level for line in batch)
        shown = [line for line in batch if self._passes(line)]
        if shown:
            first = len(self._shown)
            self.beginInsertRows(QModelIndex(), first, first + len(shown) - 1)
            self._shown += shown
            self.endInsertRows()
        self._trim()
        self.counted.emit()

    def _trim(self) -> None:
        if len(self._all) <= self._max_lines:
            return
        number = min(len(self._all), len(self._all) - self._max_lines + min(_TRIM_LINES, self._max_lines // 10))
        gone = self._all[:number]
        del self._all[:number]
        self.counts.subtract(line.level for line in gone)
        # Both lists are in the same order, so the gone ones that are shown are the first of them.
        shown = sum(map(self._passes, gone))
        if shown:
            self.beginRemoveRows(QModelIndex(), 0, shown - 1)
            del self._shown[:shown]
            self.endRemoveRows()
            self.trimmed.emit(shown)

    def _on_cleared(self, tab_id: str) -> None:
        self._slices.stop()
        self.beginResetModel()
        kept = [line for line in self._all + self._waiting if tab_id and line.tab_id != tab_id]
        self._all, self._waiting, self._source, self._found = kept, [], [], []
        self._shown = [line for line in kept if self._passes(line)]
        self.counts = Counter(line.level for line in kept)
        self.endResetModel()
        self.counted.emit()
