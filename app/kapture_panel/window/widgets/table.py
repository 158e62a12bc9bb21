"""A dense table of fixed rows, for console, history and records."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QAbstractTableModel, QItemSelectionModel, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from kapture_panel.window.widgets.cell_delegate import TextCellDelegate
from kapture_panel.window.widgets.theme import Theme
from kapture_panel.window.widgets.throttle import Throttle

_CELL_PADDING_PX = 16
_LEAST_STRETCH_PX = 84


class Table(QTableView):
    """Whole rows are selected, Tab leaves, the header stays away unless asked for."""

    def __init__(self, model: QAbstractTableModel, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._spare: tuple[int, ...] = ()
        self._least_px = _LEAST_STRETCH_PX
        #: Least and most characters of the columns that are as wide as what stands in them.
        self._fitted: dict[int, tuple[int, int]] = {}
        self._empty_text = ""
        self.setModel(model)
        self.setAccessibleName(name)
        self.setProperty("mono", True)
        self.setItemDelegate(TextCellDelegate(theme, self))
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().hide()
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(20)
        rows = self.verticalHeader()
        rows.hide()
        rows.setMinimumSectionSize(theme.px("row"))
        rows.setDefaultSectionSize(theme.px("row"))
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def set_columns(
        self,
        theme: Theme,
        chars: tuple[int, ...],
        spare: tuple[int, ...] = (),
        most: Mapping[int, int] = MappingProxyType({}),
        least_px: int = _LEAST_STRETCH_PX,
    ) -> None:
        """Fix the width of each column to a number of characters; 0 takes what is left.

        Args:
            theme: knows how wide a character is.
            chars: one number per column.
            spare: columns that go, in this order, when there is too little left.
            most: columns that grow to the longest text that was in sight, and to so many characters.
            least_px: what is too little.
        """
        self._spare, self._least_px = spare, least_px
        self._fitted = {column: (chars[column], most[column]) for column in most}
        if most:
            self._fitting = Throttle(self, self._fit_columns)
            for told in (self.model().rowsInserted, self.model().modelReset, self.verticalScrollBar().valueChanged):
                told.connect(self._fitting.ask)
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        for column, number in enumerate(chars):
            if number:
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
                self.setColumnWidth(column, self._chars_px(number))
            else:
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)

    def selected_rows(self) -> list[int]:
        """The numbers of the selected rows, in order."""
        # Whole rows are selected, in as many stretches as there are gaps, though there may be 50,000 of them.
        selection = self.selectionModel().selection()
        stretches = map(selection.at, range(selection.count()))
        return sorted(row for one in stretches for row in range(one.top(), one.bottom() + 1))

    def say_when_empty(self, text: str) -> None:
        """What is written where rows would be."""
        self._empty_text = text
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._empty_text and self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setFont(self._theme.font())
            painter.setPen(self._theme.color("text_secondary"))
            room, text = self.viewport().rect().adjusted(12, 10, -12, -4), self._empty_text
            flags = Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
            if painter.boundingRect(room, flags, text).height() > room.height():  # no line is sliced
                text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, flags, text)
            painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _fit_columns(self) -> None:
        """Widen what is too narrow for the rows in sight; it never narrows again, which would not be calm."""
        model, first = self.model(), max(self.rowAt(0), 0)
        last = self.rowAt(self.viewport().height() - 1)
        rows = range(first, (last if last >= 0 else model.rowCount() - 1) + 1)
        grown = False
        for column, (least, most) in self._fitted.items():
            longest = max((len(str(model.index(row, column).data() or "")) for row in rows), default=0)
            if min(longest, most) > least:
                grown = True
                self._fitted[column] = (min(longest, most), most)
                if not self.isColumnHidden(column):
                    self.setColumnWidth(column, self._fitted_px(column))
        if grown:
            self._share_room()

    def _share_room(self) -> None:
        if not self._spare:
            return
        header = self.horizontalHeader()
        columns = range(self.model().columnCount())
        # A hidden column forgets its width as sectionSize, so all are shown while the room is shared out.
        for column in self._spare:
            self.setColumnHidden(column, False)
            if column in self._fitted:
                self.setColumnWidth(column, self._fitted_px(column))
        fixed = {
            column: header.sectionSize(column)
            for column in columns
            if header.sectionResizeMode(column) == QHeaderView.ResizeMode.Fixed
        }
        left = self.viewport().width() - sum(fixed.values())
        for column in self._spare:
            if left >= self._least_px:
                break
            self.setColumnHidden(column, True)
            left += fixed[column]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Qt would go along the row, which is selected whole anyway.
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.model().rowCount() - 1}
        row = ends.get(Qt.Key(event.key()))
        if row is not None and row >= 0 and not event.modifiers():
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(self.model().index(row, 0), flags)
            return
        super().keyPressEvent(event)

    def _fitted_px(self, column: int) -> int:
        """How wide a column is that grows with what stands in it."""
        return self._chars_px(self._fitted[column][0])

    def _chars_px(self, chars: int) -> int:
        return int(chars * self._char_px(self._theme)) + _CELL_PADDING_PX

    def _char_px(self, theme: Theme) -> float:
        return QFontMetricsF(theme.mono()).horizontalAdvance("0")
