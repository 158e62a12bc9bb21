"""Rows of the palette: icon, words with the matched letters strong, group and shortcut at the right."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from kapture_panel.window.finder.finds import Hit
from kapture_panel.window.widgets import paint
from kapture_panel.window.widgets.roles import ITEM, Index
from kapture_panel.window.widgets.theme import Theme

ROW_PX = 30
_ICON_PX = 16
_MARGIN_PX = 12
_GAP_PX = 10


class PaletteDelegate(QStyledItemDelegate):
    """Draws a `Hit`."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._keys_px = 0

    def measure(self, hits: Iterable[Hit]) -> None:
        """Give all shortcuts one column, so that the groups beside it stand under each other."""
        metrics = QFontMetrics(self._theme.font(small=True))
        widest_px = max((metrics.horizontalAdvance(hit.find.keys) for hit in hits), default=0)
        self._keys_px = widest_px + _GAP_PX if widest_px else 0

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, hit = self._theme, index.data(ITEM)
        row: QRect = option.rect
        painter.save()
        paint.background(painter, option, theme)
        selected = option.state & QStyle.StateFlag.State_Selected
        icon = theme.icon(hit.find.icon, "text" if selected else "text_secondary")
        icon.paint(painter, QRect(row.left() + _MARGIN_PX, row.center().y() - 7, _ICON_PX, _ICON_PX))
        right = row.right() - _MARGIN_PX
        painter.setFont(theme.font(small=True))
        painter.setPen(theme.color("text_secondary"))
        keys = QRect(right - self._keys_px, row.top(), self._keys_px, row.height())
        painter.drawText(keys, _RIGHT, hit.find.keys)
        right -= self._keys_px
        group = f"{hit.find.group}{' · on' if hit.find.is_on else ''}"
        width = painter.fontMetrics().horizontalAdvance(group)
        painter.drawText(QRect(right - width, row.top(), width, row.height()), _RIGHT, group)
        right -= width + _GAP_PX
        left = row.left() + _MARGIN_PX + _ICON_PX + _GAP_PX
        self._words(painter, QRect(left, row.top(), right - left, row.height()), hit)
        painter.restore()

    def _words(self, painter: QPainter, room: QRect, hit: Hit) -> None:
        theme = self._theme
        painter.setPen(theme.color("text"))
        strong = frozenset(hit.positions)
        text = QFontMetrics(theme.font(bold=True)).elidedText(hit.find.words, Qt.TextElideMode.ElideRight, room.width())
        x, at = room.left(), 0
        while at < len(text):
            end = at + 1
            while end < len(text) and (end in strong) == (at in strong):
                end += 1
            painter.setFont(theme.font(bold=at in strong))
            part = text[at:end]
            painter.drawText(QRect(x, room.top(), room.right() - x + 1, room.height()), _LEFT, part)
            x += painter.fontMetrics().horizontalAdvance(part)
            at = end


_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
