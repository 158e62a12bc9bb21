"""The few shapes delegates draw."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from kapture_panel.window.widgets.theme import Theme

_PILL_HEIGHT_PX = 18
_PILL_PADDING_PX = 7
_ACCENT_BAR_PX = 2


def background(painter: QPainter, option: QStyleOptionViewItem, theme: Theme, token: str = "surface") -> None:
    """A row's ground: selected with the accent bar at its left, hovered, or `token`."""
    rect: QRect = option.rect
    state: QStyle.StateFlag = option.state
    if state & QStyle.StateFlag.State_Selected:
        painter.fillRect(rect, theme.color("selected"))
        painter.fillRect(
            QRect(rect.topLeft(), rect.bottomLeft() + QPoint(_ACCENT_BAR_PX - 1, 0)), theme.color("accent")
        )
    else:
        hovered = state & QStyle.StateFlag.State_MouseOver
        painter.fillRect(rect, theme.color("hover" if hovered else token))


def pill(painter: QPainter, theme: Theme, right: int, center_y: int, text: str, tone: str, max_width: int) -> int:
    """A pill that ends at `right`.

    Returns:
        Its width in pixels.
    """
    painter.save()
    font = theme.font(small=True)
    metrics = QFontMetrics(font)
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max_width - 2 * _PILL_PADDING_PX)
    width = metrics.horizontalAdvance(text) + 2 * _PILL_PADDING_PX
    rect = QRectF(right - width, center_y - _PILL_HEIGHT_PX / 2, width, _PILL_HEIGHT_PX)
    ground, ink = ("sunken", "text_secondary") if tone == "neutral" else (f"{tone}_bg", tone)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(ground))
    painter.drawRoundedRect(rect, _PILL_HEIGHT_PX / 2, _PILL_HEIGHT_PX / 2)
    painter.setPen(theme.color(ink))
    painter.setFont(font)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
    return width


def dot(painter: QPainter, theme: Theme, center: QPoint, tone: str, radius: float = 4) -> None:
    """A filled circle that tells a state."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(tone))
    painter.drawEllipse(QRectF(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius))
    painter.restore()


def line(painter: QPainter, rect: QRect, text: str) -> None:
    """One line of text, cut with "…" where there is no more room."""
    cut = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), cut)
