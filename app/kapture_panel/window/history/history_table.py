"""The history's table: one line a row; columns are widened, sorted by and hidden, and stay so."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QMenu

from kapture_panel.core.basics.settings import Settings
from kapture_panel.window.history.history_model import (
    AGENT,
    COLUMNS,
    COMMAND,
    DURATION,
    OUTCOME,
    SUMMARY,
    TAB,
    TIME,
    HistoryModel,
)  # fmt: skip
from kapture_panel.window.widgets.column_choices import ColumnChoices
from kapture_panel.window.widgets.resized_header import ResizedHeader
from kapture_panel.window.widgets.table import Table
from kapture_panel.window.widgets.theme import Theme

#: Characters of each column, how many it may grow to, and how many while the summary has plenty of room; the summary
#: has what is left.
_CHARS = {
    TIME: (8, 8, 8), AGENT: (11, 14, 40), TAB: (8, 21, 80), OUTCOME: (1, 1, 1), COMMAND: (10, 20, 40),
    SUMMARY: (0, 0, 60), DURATION: (6, 8, 12),
}  # fmt: skip
#: What grows first.
_GROWING = (COMMAND, AGENT, TAB, DURATION)
#: What goes first where the summary would have too little room; the details say it all.
_SPARE = (TAB, DURATION, AGENT, TIME)
_LEAST_SUMMARY_PX = 128
#: So much is there beside the tab's column, unless a person asks for it.
_GOOD_SUMMARY_PX = 160
#: What the summary keeps, if there is so much to say, while other columns grow beyond what is usual.
_PLENTY_SUMMARY_PX = 300
_LEAST_COLUMN_PX = 28


class HistoryTable(Table):
    """Its header sorts and resizes; `columns` is the menu of what is shown, of the header and of the dock's options."""

    def __init__(self, model: HistoryModel, theme: Theme, settings: Settings) -> None:
        super().__init__(model, theme, "Command history")
        self.choices = ColumnChoices(settings, "history.columns", COLUMNS, (TIME, True))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        growing = {column: most for column, (least, _usual, most) in _CHARS.items() if most > least}
        self._header = ResizedHeader(self)
        self.setHorizontalHeader(self._header)
        self.set_columns(theme, tuple(least for least, _usual, _most in _CHARS.values()), most=growing)
        self.columns = QMenu("Columns", self)
        self._begin_header()
        self._fill_menu()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The row that is looked at stays in sight when the room gets less."""
        chosen = self.currentIndex()
        was_seen = chosen.isValid() and 0 <= self.rowViewportPosition(chosen.row()) < event.oldSize().height()
        super().resizeEvent(event)
        if was_seen:
            self.updateGeometries()  # else the scroll bar does not know yet how far it can go
            self.scrollTo(chosen.siblingAtColumn(COMMAND))

    def _begin_header(self) -> None:
        header = self._header
        header.setMinimumSectionSize(_LEAST_COLUMN_PX)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._show_order()
        self.setSortingEnabled(True)
        header.sortIndicatorChanged.connect(self._on_sorted)
        header.resized.connect(self._on_resized)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._offer_columns)

    def _show_order(self) -> None:
        column, is_descending = self.choices.order
        orders = Qt.SortOrder
        self._header.setSortIndicator(column, orders.DescendingOrder if is_descending else orders.AscendingOrder)

    def _fill_menu(self) -> None:
        self.columns.setAccessibleName("Columns")
        for column, name in enumerate(COLUMNS):
            action = self.columns.addAction(name)
            action.setCheckable(True)
            action.setEnabled(column != COMMAND)  # a row says at least that
            action.setData(column)
            action.triggered.connect(lambda is_on, column=column: self._show_column(column, is_on))
        self.columns.addSeparator()
        sorting = self.columns.addMenu("Sort by")
        sorting.setAccessibleName("Sort by")
        group = QActionGroup(sorting)
        for column, name in enumerate(COLUMNS):
            action = sorting.addAction(name)
            action.setCheckable(True)
            action.setData(column)
            group.addAction(action)
            action.triggered.connect(lambda _on, column=column: self._sort_by(column))
        self.columns.addAction("Usual columns").triggered.connect(self._forget_choices)
        self.columns.aboutToShow.connect(lambda: self._show_choices(group))
        self._show_choices(group)

    def _show_choices(self, group: QActionGroup) -> None:
        for action in self.columns.actions():
            if action.isCheckable():
                action.setChecked(not self.isColumnHidden(action.data()))
        for action in group.actions():
            action.setChecked(action.data() == self.choices.order[0])

    def _offer_columns(self, at: QPoint) -> None:
        self.columns.popup(self._header.mapToGlobal(at))

    def _show_column(self, column: int, is_on: bool) -> None:
        self.choices.hide(column, not is_on)
        self._share_room()

    def _sort_by(self, column: int) -> None:
        """As a click on the header: the same column a second time turns the order round."""
        was, is_descending = self.choices.order
        self.choices.set_order(column, not is_descending if column == was else False)
        self._show_order()

    def _on_sorted(self, column: int, order: Qt.SortOrder) -> None:
        self.choices.set_order(column, order == Qt.SortOrder.DescendingOrder)

    def _forget_choices(self) -> None:
        self.choices.forget()
        self._show_order()
        self._share_room()

    def _on_resized(self, column: int, px: int) -> None:
        """A person widened a column; the one that has what is left keeps the least it needs."""
        others = sum(
            self.columnWidth(one)
            for one in range(len(COLUMNS))
            if one not in (column, self._stretched) and not self.isColumnHidden(one)
        )
        room = self.viewport().width() - others - _LEAST_SUMMARY_PX
        self.choices.set_width(column, max(_LEAST_COLUMN_PX, min(px, room)))
        self._share_room()

    @property
    def _stretched(self) -> int:
        return COMMAND if SUMMARY in self.choices.hidden else SUMMARY

    def _share_room(self) -> None:
        widths = self._widths()
        header, modes = self._header, QHeaderView.ResizeMode
        for column in range(len(COLUMNS)):
            is_stretched = column == self._stretched
            self.setColumnHidden(column, column not in widths and not is_stretched)
            header.setSectionResizeMode(column, modes.Stretch if is_stretched else modes.Interactive)
            if column in widths:
                self.setColumnWidth(column, widths[column])

    def _widths(self) -> dict[int, int]:
        """How wide each column is that is seen, but for the one that has what is left."""
        shown = self.choices.shown
        widths, usual = (self._given_widths(at) for at in range(2))
        # It is the same in most rows, so it waits until there is room for all; rows that come never hide or show it.
        if TAB not in shown and self.viewport().width() - sum(usual.values()) < _GOOD_SUMMARY_PX:
            widths.pop(TAB, None)
        left = self.viewport().width() - sum(widths.values())
        for column in sorted(_SPARE, key=lambda one: one in shown):
            if left >= _LEAST_SUMMARY_PX:
                break
            left += widths.pop(column, 0)
        left = self._grow(widths, left - _LEAST_SUMMARY_PX, self._usual_px) + _LEAST_SUMMARY_PX
        said_px = max(self._fitted_px(SUMMARY), _LEAST_SUMMARY_PX)
        self._grow(widths, left - min(said_px, _PLENTY_SUMMARY_PX), self._fitted_px)
        return widths

    def _given_widths(self, at: int) -> dict[int, int]:
        """What a person chose, or the least (at 0) or the usual (at 1) width, of each column but the stretched one."""
        return {
            column: self.choices.widths.get(column) or max(_LEAST_COLUMN_PX, self._chars_px(chars[at]))
            for column, chars in _CHARS.items()
            if column not in self.choices.hidden and column != self._stretched
        }

    def _grow(self, widths: dict[int, int], room_px: int, wanted_px: Callable[[int], int]) -> int:
        """Let columns whose width nobody chose have as much of the room as they want.

        Returns:
            The room that is left.
        """
        for column in _GROWING:
            if column in widths and column not in self.choices.widths:
                more = max(0, min(wanted_px(column) - widths[column], room_px))
                widths[column] += more
                room_px -= more
        return room_px

    def _usual_px(self, column: int) -> int:
        """How wide a column is for what stands in it, but no wider than is usual."""
        return min(self._fitted_px(column), self._chars_px(_CHARS[column][1]))
