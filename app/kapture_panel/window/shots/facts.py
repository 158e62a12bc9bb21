"""Facts about a picture in the room there is: whole ones, the most important first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent

from kapture_panel.window.widgets.label import ElidedLabel

#: What is cut shorter says nothing.
_LEAST_CHARS = 8


def fitting(facts: Sequence[str], metrics: QFontMetrics, room_px: int) -> str:
    """The facts that have room, one after the other; the last of them may be cut, if enough of it is left."""
    shown = ""
    for fact in facts:
        joined = f"{shown} · {fact}" if shown else fact
        if metrics.horizontalAdvance(joined) <= room_px:
            shown = joined
            continue
        cut = metrics.elidedText(joined, Qt.TextElideMode.ElideRight, room_px)
        return cut if not shown or len(cut) - len(f"{shown} · ") > _LEAST_CHARS else shown
    return shown


class FactsLabel(ElidedLabel):
    """The first fact is always whole; all of them are in the tooltip where they do not fit."""

    def __init__(self, facts: Sequence[str]) -> None:
        super().__init__(kind="small")
        self._facts = facts
        self.show_line(" · ".join(facts))

    def minimumSizeHint(self) -> QSize:
        least = self.fontMetrics().horizontalAdvance(self._facts[0])
        return QSize(least, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        shown = fitting(self._facts, painter.fontMetrics(), self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
