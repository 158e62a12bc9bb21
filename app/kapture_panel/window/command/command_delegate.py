"""Rows of the command list: group headings and commands with their icons."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from kapture_panel.window.widgets import paint
from kapture_panel.window.widgets.roles import ITEM, Index
from kapture_panel.window.widgets.theme import Theme

_HEADING_PX = 29
_ICON_PX = 16
#: Less of the width is left free where there is little of it.
_NARROW_PX = 150


class CommandDelegate(QStyledItemDelegate):
    """A row without ITEM is a heading."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        is_heading = index.data(ITEM) is None
        return QSize(120, _HEADING_PX if is_heading else self._theme.px("list_row"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, command = self._theme, index.data(ITEM)
        title = str(index.data(Qt.ItemDataRole.DisplayRole))
        row: QRect = option.rect
        left_px, gap_px, right_px = (6, 5, 2) if row.width() < _NARROW_PX else (10, 8, 6)
        painter.save()
        if command is None:
            painter.fillRect(row, theme.color("bg"))
            font = theme.font(small=True)
            font.setCapitalization(QFont.Capitalization.AllUppercase)
            painter.setFont(font)
            painter.setPen(theme.color("text_secondary"))
            paint.line(painter, row.adjusted(left_px, 8, -right_px, 0), title)
        else:
            paint.background(painter, option, theme, "bg")
            selected = option.state & QStyle.StateFlag.State_Selected
            icon = theme.icon(command.icon, "text" if selected else "text_secondary")
            icon.paint(painter, QRect(row.left() + left_px, row.center().y() - 7, _ICON_PX, _ICON_PX))
            painter.setFont(theme.font())
            painter.setPen(theme.color("text"))
            paint.line(painter, row.adjusted(left_px + _ICON_PX + gap_px, 0, -right_px, 0), title)
        painter.restore()
