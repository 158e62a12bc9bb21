"""A screenshot's card: picture, name and age, tab and size."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from kapture_panel.window.shots.shots_model import PLACE
from kapture_panel.window.widgets import paint
from kapture_panel.window.widgets.roles import DETAIL, Index
from kapture_panel.window.widgets.theme import Theme

_GAP_PX = 8
_CAPTION_PX = 40
_LINE_PX = 17
_MIN_CARD_PX = 88
_RATIO = 0.56


class ShotDelegate(QStyledItemDelegate):
    """Cards share the width of the view evenly."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        # The list keeps room for its scroll bar free whether it shows or not.
        room = self._view.contentsRect().width() - self._view.verticalScrollBar().sizeHint().width() - 2
        columns = max(1, room // (_MIN_CARD_PX + _GAP_PX))
        width = room // columns
        return QSize(width, int((width - _GAP_PX) * _RATIO) + _CAPTION_PX + _GAP_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = self._theme
        row: QRect = option.rect
        state: QStyle.StateFlag = option.state
        half = _GAP_PX // 2
        card = QRectF(row.adjusted(half, half, -half, -half)).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        path = QPainterPath()
        path.addRoundedRect(card, theme.px("radius"), theme.px("radius"))
        painter.setClipPath(path)
        painter.fillRect(card, theme.color("surface"))
        picture = QRectF(card.left(), card.top(), card.width(), card.height() - _CAPTION_PX)
        self._picture(painter, picture, index.data(Qt.ItemDataRole.DecorationRole))
        first = QRect(int(card.left()) + 7, int(picture.bottom()) + 3, int(card.width()) - 14, _LINE_PX)
        painter.setFont(theme.font(small=True))
        tab, sides = index.data(PLACE)
        name = str(index.data(Qt.ItemDataRole.DisplayRole))
        self._caption(painter, first, name, "text", str(index.data(DETAIL)))
        below = " · ".join(filter(None, (sides, tab)))
        self._caption(painter, first.translated(0, _LINE_PX), below, "text_secondary", "")
        painter.setClipping(False)
        chosen = state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver)
        painter.setPen(QPen(theme.color("accent" if chosen else "border"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.restore()

    def _caption(self, painter: QPainter, row: QRect, words: str, role: str, right: str) -> None:
        """One line: words that give way, and at the right what does not."""
        used = painter.fontMetrics().horizontalAdvance(right) + _GAP_PX if right else 0
        painter.setPen(self._theme.color("text_secondary"))
        painter.drawText(row, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), right)
        painter.setPen(self._theme.color(role))
        paint.line(painter, row.adjusted(0, 0, -used, 0), words)

    def _picture(self, painter: QPainter, room: QRectF, image: QImage | None) -> None:
        painter.fillRect(room, self._theme.color("sunken"))
        if image is None or image.isNull():
            return
        # The upper part of a page tells most, so a picture too high is cut below.
        source = QRectF(0, 0, image.width(), image.width() * room.height() / room.width())
        if source.height() > image.height():
            width = image.height() * room.width() / room.height()
            source = QRectF((image.width() - width) / 2, 0, width, image.height())
        painter.drawImage(room, image, source)
