"""Rows of two lines with a state dot and a pill: tabs and agents."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from kapture_panel.window.widgets import paint
from kapture_panel.window.widgets.roles import DETAIL, PILL, TONE, Index
from kapture_panel.window.widgets.theme import Theme

_HEIGHT_PX = 49
_MARGIN_PX = 10
_DOT_ROOM_PX = 24


class RowDelegate(QStyledItemDelegate):
    """Draws DisplayRole above DETAIL, a dot in the colour TONE names, and PILL."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, _HEIGHT_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = self._theme
        painter.save()
        paint.background(painter, option, theme)
        row: QRect = option.rect
        painter.fillRect(QRect(row.left(), row.bottom(), row.width(), 1), theme.color("border"))
        first_y, second_y = row.top() + 16, row.top() + 34
        left, right = row.left() + _MARGIN_PX, row.right() - _MARGIN_PX
        if tone := index.data(TONE):
            paint.dot(painter, theme, QPoint(left + 7, first_y), tone)
            left += _DOT_ROOM_PX
        title_right = right
        if pill := index.data(PILL):
            title_right -= paint.pill(painter, theme, right, first_y, pill[0], pill[1], row.width() // 2) + 8
        painter.setFont(theme.font())
        painter.setPen(theme.color("text"))
        title = str(index.data(Qt.ItemDataRole.DisplayRole))
        paint.line(painter, QRect(left, first_y - 10, title_right - left, 20), title)
        painter.setFont(theme.font(small=True))
        painter.setPen(theme.color("text_secondary"))
        paint.line(painter, QRect(left, second_y - 9, right - left, 18), str(index.data(DETAIL)))
        painter.restore()
