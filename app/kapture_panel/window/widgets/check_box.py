"""A check box whose edge can be seen on a dark ground too."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox

_SIDE_PX = 16
_HEIGHT_PX = 26
_TICK = QPolygonF([QPointF(4.2, 8.4), QPointF(7.0, 11.2), QPointF(12.0, 5.4)])


class CheckBox(QCheckBox):
    """Without words: its label stands elsewhere."""

    def sizeHint(self) -> QSize:
        return QSize(_SIDE_PX + 2, _HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self.palette()
        edge = QPalette.ColorRole.Accent if self.hasFocus() or self.isChecked() else QPalette.ColorRole.PlaceholderText
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(1, (self.height() - _SIDE_PX) // 2)
        painter.setPen(QPen(colors.color(edge), 1))
        painter.setBrush(colors.color(QPalette.ColorRole.Accent if self.isChecked() else QPalette.ColorRole.Base))
        painter.drawRoundedRect(QRectF(0.5, 0.5, _SIDE_PX - 1, _SIDE_PX - 1), 4, 4)
        if self.isChecked():
            tick = QPen(colors.color(QPalette.ColorRole.Base), 1.8)
            tick.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(tick)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(_TICK)
        if self.hasFocus():
            # A second ring inside, which stands off from what is filled and from what is not.
            ring = QPalette.ColorRole.Base if self.isChecked() else QPalette.ColorRole.Accent
            painter.setPen(QPen(colors.color(ring), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(1.75, 1.75, _SIDE_PX - 3.5, _SIDE_PX - 3.5), 3, 3)
        painter.end()
