"""Cells of tables and trees, written in the colour their model names."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from kapture_panel.window.widgets.roles import TONE, Index
from kapture_panel.window.widgets.theme import Theme

_MIN_HEIGHT_PX = 19
#: Between a text and the edges of its cell.
MARGIN_PX = 7
_DISPLAY, _ALIGNMENT = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.TextAlignmentRole)
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class CellDelegate(QStyledItemDelegate):
    """Rows are selected whole, so that no single cell shows the focus."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width(), max(size.height(), _MIN_HEIGHT_PX))

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.state &= ~QStyle.StateFlag.State_HasFocus
        color = self._theme.color(index.data(TONE) or "text")
        option.palette.setColor(QPalette.ColorRole.Text, color)
        option.palette.setColor(QPalette.ColorRole.HighlightedText, color)


class TextCellDelegate(CellDelegate):
    """For tables of nothing but text: it paints past the style, whose sheet takes several times as long for a cell."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.begin(painter, option)
        self.write(painter, option, option.rect.adjusted(MARGIN_PX, 0, -MARGIN_PX, 0), index, side_of(index))

    def begin(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        """The ground of a cell, and the font of what is to be written on it."""
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, self._theme.color("selected"))
        painter.setFont(option.font)

    def write(
        self, painter: QPainter, option: QStyleOptionViewItem, room: QRect, index: Index, side: Qt.AlignmentFlag
    ) -> None:
        """The text of `index` at this side of `room`, cut where it ends."""
        model = index.model()  # asked by itself: `index.data` goes through Qt and back to it
        text = model.data(index, _DISPLAY)
        if not text:
            return
        painter.setPen(self._theme.color(model.data(index, TONE) or "text"))
        cut = option.fontMetrics.elidedText(str(text), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, side, cut)


def side_of(index: Index) -> Qt.AlignmentFlag:
    """Where the text of `index` stands in a cell of its own."""
    side: Qt.AlignmentFlag = index.model().data(index, _ALIGNMENT) or _LEFT
    return side
