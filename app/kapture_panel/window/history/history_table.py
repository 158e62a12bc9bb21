"""The history's table: one line a row where there is room, two where there is not, and nothing goes missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QAbstractTableModel, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyleOptionViewItem

from kapture_panel.window.history.history_model import AGENT, COLUMNS, COMMAND, DURATION, OUTCOME, SUMMARY, TAB, TIME
from kapture_panel.window.widgets.cell_delegate import MARGIN_PX, TextCellDelegate, side_of
from kapture_panel.window.widgets.roles import Index
from kapture_panel.window.widgets.table import Table
from kapture_panel.window.widgets.theme import Theme

#: Characters of each column, and how many it may grow to.
_CHARS = {
    TIME: (8, 8),
    AGENT: (3, 12),
    TAB: (5, 14),
    OUTCOME: (1, 1),
    COMMAND: (5, 14),
    SUMMARY: (0, 0),
    DURATION: (6, 8),
}
#: By how much two lines are less than two rows.
_CLOSER_PX = 8


@dataclass(frozen=True)
class Layout:
    """Which columns are seen: `below` says what stands under a column, `stretched` has what is left of the room, at
    least `least_px` of it."""

    columns: tuple[int, ...]
    stretched: int = SUMMARY
    least_px: int = 0
    below: Mapping[int, int] = field(default_factory=dict)

    @property
    def said(self) -> set[int]:
        """All that can be read in it."""
        return {*self.columns, *self.below.values()}


#: The first one that has its room is taken; the last one stands beside the details, which say the rest.
LAYOUTS = (
    Layout(tuple(range(len(COLUMNS))), least_px=150),
    Layout(
        (TIME, OUTCOME, COMMAND, SUMMARY), least_px=110, below={TIME: DURATION, COMMAND: AGENT, SUMMARY: TAB}
    ),
    Layout((OUTCOME, COMMAND), stretched=COMMAND, below={COMMAND: SUMMARY}),
)  # fmt: skip


class HistoryTable(Table):
    """Chooses how its rows are laid out by the room it has."""

    def __init__(self, model: QAbstractTableModel, theme: Theme) -> None:
        super().__init__(model, theme, "Command history")
        self.arrangement = LAYOUTS[0]
        self.setItemDelegate(_LinesDelegate(theme, self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        growing = {column: most for column, (least, most) in _CHARS.items() if most > least}
        self.set_columns(theme, tuple(least for least, _most in _CHARS.values()), most=growing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The row that is looked at stays in sight when the room gets less, or the rows higher."""
        chosen = self.currentIndex()
        was_seen = chosen.isValid() and 0 <= self.rowViewportPosition(chosen.row()) < event.oldSize().height()
        super().resizeEvent(event)
        if was_seen:
            self.updateGeometries()  # else the scroll bar does not know yet how far it can go
            self.scrollTo(chosen)

    def _share_room(self) -> None:
        layout = next(one for one in LAYOUTS if self._left(one) >= one.least_px or one is LAYOUTS[-1])
        header = self.horizontalHeader()
        for column in range(len(COLUMNS)):
            self.setColumnHidden(column, column not in layout.columns)
        for column in layout.columns:
            modes = QHeaderView.ResizeMode
            header.setSectionResizeMode(column, modes.Stretch if column == layout.stretched else modes.Fixed)
            if column != layout.stretched:
                self.setColumnWidth(column, self._px(layout, column))
        if layout is not self.arrangement:
            self.arrangement = layout
            row_px = self._theme.px("row")
            self.verticalHeader().setDefaultSectionSize(2 * row_px - _CLOSER_PX if layout.below else row_px)
            self.viewport().update()

    def _left(self, layout: Layout) -> int:
        used = sum(self._px(layout, column) for column in layout.columns if column != layout.stretched)
        return self.viewport().width() - used

    def _px(self, layout: Layout, column: int) -> int:
        return max(self._own_px(one) for one in (column, layout.below.get(column, column)))

    def _own_px(self, column: int) -> int:
        return self._fitted_px(column) if column in self._fitted else self._chars_px(_CHARS[column][0])


class _LinesDelegate(TextCellDelegate):
    """Under the words of a cell it writes those of the column that stands below it."""

    def __init__(self, theme: Theme, table: HistoryTable) -> None:
        super().__init__(theme, table)
        self._table = table

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(super().sizeHint(option, index).width(), self._table.verticalHeader().defaultSectionSize())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        below = self._table.arrangement.below
        if not below:
            super().paint(painter, option, index)
            return
        self.begin(painter, option)
        room: QRect = option.rect.adjusted(MARGIN_PX, _CLOSER_PX // 4, -MARGIN_PX, -_CLOSER_PX // 4)
        half = room.height() // 2
        side = side_of(index)  # of both: two lines that stand on one edge read as one entry
        self.write(painter, option, QRect(room.left(), room.top(), room.width(), half), index, side)
        second = below.get(index.column())
        if second is not None:
            under = QRect(room.left(), room.top() + half, room.width(), half)
            self.write(painter, option, under, index.model().index(index.row(), second), side)
