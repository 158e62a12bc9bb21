"""Rows of agents: the name with its state, and below it all that is known, on as many lines as that takes."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

from kapture_panel.window.widgets import paint
from kapture_panel.window.widgets.roles import ASIDE, DETAIL, PILL, Index
from kapture_panel.window.widgets.theme import Theme

_MARGIN_PX = 10
_PADDING_PX = 6
_TITLE_PX = 20
_GAP_PX = 1
_ASIDE_GAP_PX = 8
#: In less room nothing stands beside the facts.
_ROOMY_PX = 240
_WRAP = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)


class AgentDelegate(QStyledItemDelegate):
    """As wide as `view`, so that nothing is cut: facts wrap where the points part them, beside ASIDE."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._view.viewport().width()
        height = self.facts_rect(QRect(0, 0, width, 0), index).height()
        return QSize(min(width, 120), _TITLE_PX + _GAP_PX + height + 2 * _PADDING_PX)

    def facts_rect(self, row: QRect, index: Index) -> QRect:
        """What the facts take below the name in a row as wide as this."""
        metrics = QFontMetrics(self._theme.font(small=True))
        facts, aside = _said(row, index)
        aside_px = metrics.horizontalAdvance(aside) + _ASIDE_GAP_PX if aside else 0
        left, width = row.left() + _MARGIN_PX, max(row.width() - 2 * _MARGIN_PX - aside_px, 1)
        top = row.top() + _PADDING_PX + _TITLE_PX + _GAP_PX
        height = metrics.boundingRect(QRect(0, 0, width, 10_000), _WRAP, lines_of(facts, width, metrics)).height()
        return QRect(left, top, width, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, row = self._theme, QRect(option.rect)
        painter.save()
        paint.background(painter, option, theme)
        painter.fillRect(QRect(row.left(), row.bottom(), row.width(), 1), theme.color("border"))
        title = QRect(row.topLeft() + QPoint(_MARGIN_PX, _PADDING_PX), QSize(row.width() - 2 * _MARGIN_PX, _TITLE_PX))
        words, tone = index.data(PILL)
        taken_px = paint.pill(painter, theme, title.right(), title.center().y(), words, tone, row.width() // 2) + 8
        painter.setFont(theme.font())
        painter.setPen(theme.color("text"))
        paint.line(painter, title.adjusted(0, 0, -taken_px, 0), str(index.data(Qt.ItemDataRole.DisplayRole)))
        painter.setFont(theme.font(small=True))
        painter.setPen(theme.color("text_secondary"))
        place, (facts, aside) = self.facts_rect(row, index), _said(row, index)
        painter.drawText(place, _WRAP, lines_of(facts, place.width(), painter.fontMetrics()))
        width = painter.fontMetrics().horizontalAdvance(aside) + 1
        line = QRect(title.right() - width + 1, place.top(), width, painter.fontMetrics().height())
        paint.line(painter, line, aside)
        painter.restore()


def _said(row: QRect, index: Index) -> tuple[str, str]:
    """The facts, and what stands beside them; a narrow row has it as the last of the facts."""
    facts, aside = str(index.data(DETAIL)), str(index.data(ASIDE))
    return (facts, aside) if row.width() >= _ROOMY_PX else (f"{facts} · {aside}", "")


def lines_of(facts: str, width: int, metrics: QFontMetrics) -> str:
    """Facts that stay whole, as many on a line as have room, without a point where a line ends; one that is longer
    than a line, such as a title, is broken where it is drawn."""
    lines: list[str] = []
    for fact in facts.split(" · "):
        longer = f"{lines[-1]} · {fact}" if lines else fact
        if lines and metrics.horizontalAdvance(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(fact)
    return "\n".join(lines)
