"""The table of console lines, which says the level of each however narrow it is."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyleOptionViewItem

from kapture_panel.window.page.console_model import LEVEL, MORE, SOURCE, TIME, ConsoleModel
from kapture_panel.window.widgets.cell_delegate import TextCellDelegate
from kapture_panel.window.widgets.roles import TONE, Index
from kapture_panel.window.widgets.table import Table
from kapture_panel.window.widgets.theme import Theme

_TIME_CHARS, _LEVEL_CHARS, _SOURCE_CHARS = 12, 5, 5
#: Below that the message would be cut before its first words; where it comes from is in its tooltip then.
_LEAST_TEXT_PX = 170


class ConsoleTable(Table):
    """Where the words of the levels leave too little room for the message, their first letters stand there."""

    def __init__(self, model: ConsoleModel, theme: Theme) -> None:
        super().__init__(model, theme, "Console lines")
        chars = (_TIME_CHARS, _LEVEL_CHARS, 1, 0, _SOURCE_CHARS)
        self.set_columns(theme, chars, spare=(SOURCE,), most={SOURCE: 14}, least_px=_LEAST_TEXT_PX)
        self._level_px = self.columnWidth(LEVEL)
        self.setItemDelegateForColumn(LEVEL, _LevelDelegate(theme, self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        left = self.viewport().width() - self.columnWidth(TIME) - self._level_px - self.columnWidth(MORE)
        self.setColumnWidth(LEVEL, self._level_px if left >= _LEAST_TEXT_PX else self.columnWidth(MORE))
        super().resizeEvent(event)


class _LevelDelegate(TextCellDelegate):
    def write(
        self, painter: QPainter, option: QStyleOptionViewItem, room: QRect, index: Index, side: Qt.AlignmentFlag
    ) -> None:
        level = str(index.data() or "")
        painter.setPen(self._theme.color(index.data(TONE) or "text"))
        painter.drawText(room, side, said(level, option.fontMetrics, room.width()))


def said(level: str, metrics: QFontMetrics, room_px: int) -> str:
    """A level, or where there is too little room its first letter: "error", "E"."""
    return level if metrics.horizontalAdvance(level) <= room_px else level[:1].upper()
