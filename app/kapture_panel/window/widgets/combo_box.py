"""A combo box with an arrow in the colour of its text."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QComboBox

_ARROW_FROM_RIGHT_PX = 12
_ARROW_PX = 4


class ComboBox(QComboBox):
    """The style sheet takes the arrow away together with the frame, so it is drawn here."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self.palette().color(QPalette.ColorRole.Text), 1.4)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        tip = QPointF(self.width() - _ARROW_FROM_RIGHT_PX, self.height() / 2 + _ARROW_PX / 2)
        painter.drawPolyline([tip + QPointF(-_ARROW_PX, -_ARROW_PX), tip, tip + QPointF(_ARROW_PX, -_ARROW_PX)])
        painter.end()
