"""Rows of two lines with a state dot and a pill: tabs and agents."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from kapture_panel.window.widgets import paint
from kapture_panel.window.widgets.roles import ASIDE, DETAIL, HEADING, PILL, TONE, UNCUT, Index
from kapture_panel.window.widgets.theme import Theme

_HEIGHT_PX = 49
_HEADING_PX = 24
_MARGIN_PX = 10
_DOT_ROOM_PX = 24
_GAP_PX = 8
#: So much of a title tells rows apart.
_TITLE_PX = 96
#: In less there is no room for such a title beside most pills.
_BESIDE_PX = 190


class RowDelegate(QStyledItemDelegate):
    """Draws DisplayRole above DETAIL, a dot in the colour TONE names, HEADING over all of it, PILL beside the first,
    or beside the second in rows so narrow that it would leave the titles no room, and ASIDE where it leaves room for
    UNCUT, the beginning of DETAIL."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, _HEIGHT_PX + (_HEADING_PX if index.data(HEADING) else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = self._theme
        painter.save()
        row = self._below_heading(painter, option, index)
        ground = QStyleOptionViewItem(option)
        ground.rect = row
        paint.background(painter, ground, theme)
        painter.fillRect(QRect(row.left(), row.bottom(), row.width(), 1), theme.color("border"))
        first_y, second_y = row.top() + 16, row.top() + 34
        left, right = row.left() + _MARGIN_PX, row.right() - _MARGIN_PX
        if tone := index.data(TONE):
            paint.dot(painter, theme, QPoint(left + 7, first_y), tone)
            left += _DOT_ROOM_PX
        title, title_right, aside = str(index.data(Qt.ItemDataRole.DisplayRole)), right, str(index.data(ASIDE) or "")
        painter.setFont(theme.font())
        if pill := index.data(PILL):
            # By the width alone, so that the pills of a list stand all on the same line.
            is_beside = right - left >= _BESIDE_PX
            y, most_px = (first_y, right - left - _TITLE_PX - _GAP_PX) if is_beside else (second_y, row.width() // 2)
            pill_px = paint.pill(painter, theme, right, y, pill[0], pill[1], most_px) + _GAP_PX
            if is_beside:
                title_right -= pill_px
            else:
                right, aside = right - pill_px, ""
        painter.setPen(theme.color("text"))
        paint.line(painter, QRect(left, first_y - 10, title_right - left, 20), title)
        painter.setFont(theme.font(small=True))
        painter.setPen(theme.color("text_secondary"))
        metrics = painter.fontMetrics()
        width = metrics.horizontalAdvance(aside)
        if aside and metrics.horizontalAdvance(str(index.data(UNCUT) or "")) + _GAP_PX + width <= right - left:
            paint.line(painter, QRect(right - width, second_y - 9, width + 1, 18), aside)
            right -= width + _GAP_PX
        paint.line(painter, QRect(left, second_y - 9, right - left, 18), str(index.data(DETAIL)))
        painter.restore()

    def _below_heading(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> QRect:
        """Draw what stands above a group.

        Returns:
            The room that is left for the row.
        """
        row: QRect = option.rect
        heading = index.data(HEADING)
        if not heading:
            return row
        theme, room = self._theme, QRect(row.left(), row.top(), row.width(), _HEADING_PX)
        painter.fillRect(room, theme.color("bg"))
        painter.fillRect(QRect(room.left(), room.bottom(), room.width(), 1), theme.color("border"))
        painter.setFont(theme.font(small=True, bold=True))
        painter.setPen(theme.color("text_secondary"))
        paint.line(painter, room.adjusted(_MARGIN_PX, 0, -_MARGIN_PX, 0), heading)
        return row.adjusted(0, _HEADING_PX, 0, 0)
