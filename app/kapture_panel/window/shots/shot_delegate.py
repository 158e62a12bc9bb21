"""A screenshot's card: picture, name and age, tab and size."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView

from kapture_panel.window.shots.facts import fitting
from kapture_panel.window.shots.shots_model import PLACE
from kapture_panel.window.widgets import paint
from kapture_panel.window.widgets.card_delegate import GAP_PX, LINE_PX, CardDelegate
from kapture_panel.window.widgets.roles import DETAIL, Index
from kapture_panel.window.widgets.theme import Theme

_MIN_CARD_PX = 104


class ShotDelegate(CardDelegate):
    """Small cards, newest first."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(theme, view, _MIN_CARD_PX)

    def caption(self, painter: QPainter, room: QRect, index: Index) -> None:
        first = QRect(room.topLeft(), room.size())
        first.setHeight(LINE_PX)
        tab, sides = index.data(PLACE)
        name = str(index.data(Qt.ItemDataRole.DisplayRole))
        self._line(painter, first, name, "text", str(index.data(DETAIL)))
        below = fitting(list(filter(None, (sides, tab))), painter.fontMetrics(), room.width())
        self._line(painter, first.translated(0, LINE_PX), below, "text_secondary", "")

    def _line(self, painter: QPainter, row: QRect, words: str, role: str, right: str) -> None:
        """One line: words that give way, and at the right what does not."""
        used = painter.fontMetrics().horizontalAdvance(right) + GAP_PX if right else 0
        painter.setPen(self._theme.color("text_secondary"))
        painter.drawText(row, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), right)
        painter.setPen(self._theme.color(role))
        paint.line(painter, row.adjusted(0, 0, -used, 0), words)
