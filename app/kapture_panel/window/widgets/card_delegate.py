"""Cards in a list: a picture with words under it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from kapture_panel.window.widgets.roles import Index
from kapture_panel.window.widgets.theme import Theme

GAP_PX = 8
CAPTION_PX = 40
LINE_PX = 17
PADDING_PX = 7
#: As high as wide, of a picture.
RATIO = 0.56


class CardDelegate(QStyledItemDelegate):
    """Cards share the width of the view evenly; the picture is DecorationRole.

    Args:
        min_card_px: none is narrower.
    """

    def __init__(self, theme: Theme, view: QListView, min_card_px: int) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self._min_card_px = min_card_px

    def caption(self, painter: QPainter, room: QRect, index: Index) -> None:
        """Write what stands under the picture, in the small font."""
        raise NotImplementedError

    def instead(self, index: Index) -> str:
        """What stands where there is no picture."""
        return ""

    def columns(self, room_px: int) -> int:
        """How many cards stand beside each other in so much room."""
        return max(1, room_px // (self._min_card_px + GAP_PX))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        # The list keeps room for its scroll bar free whether it shows or not.
        room = self._view.contentsRect().width() - self._view.verticalScrollBar().sizeHint().width() - 2
        return card_size(room // self.columns(room))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = self._theme
        row: QRect = option.rect
        state: QStyle.StateFlag = option.state
        half = GAP_PX // 2
        card = QRectF(row.adjusted(half, half, -half, -half)).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        path = QPainterPath()
        path.addRoundedRect(card, theme.px("radius"), theme.px("radius"))
        painter.setClipPath(path)
        painter.fillRect(card, theme.color("surface"))
        painter.setFont(theme.font(small=True))
        picture = QRectF(card.left(), card.top(), card.width(), card.height() - CAPTION_PX)
        self._picture(painter, picture, index)
        left, width = int(card.left()) + PADDING_PX, int(card.width()) - 2 * PADDING_PX
        self.caption(painter, QRect(left, int(picture.bottom()) + 3, width, 2 * LINE_PX), index)
        painter.setClipping(False)
        chosen = state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver)
        painter.setPen(QPen(theme.color("accent" if chosen else "border"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        painter.restore()

    def _picture(self, painter: QPainter, room: QRectF, index: Index) -> None:
        painter.fillRect(room, self._theme.color("sunken"))
        image: QImage | None = index.data(Qt.ItemDataRole.DecorationRole)
        if image is None or image.isNull():
            painter.setPen(self._theme.color("text_secondary"))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room.adjusted(PADDING_PX, 0, -PADDING_PX, 0), int(flags), self.instead(index))
            return
        # The upper part of a page tells most, so a picture too high is cut below.
        source = QRectF(0, 0, image.width(), image.width() * room.height() / room.width())
        if source.height() > image.height():
            width = image.height() * room.width() / room.height()
            source = QRectF((image.width() - width) / 2, 0, width, image.height())
        painter.drawImage(room, image, source)


def card_size(width_px: int) -> QSize:
    """How large a card is with the gap around it."""
    return QSize(width_px, int((width_px - GAP_PX) * RATIO) + CAPTION_PX + GAP_PX)
