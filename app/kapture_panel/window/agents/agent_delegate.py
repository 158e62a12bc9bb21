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
#: A fact no longer than this has room on a line of the narrowest dock.
_SHORT_CHARS = 16
_WRAP = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)


class AgentDelegate(QStyledItemDelegate):
    """As wide as `view`, so that nothing is cut: facts wrap between the points that part them, beside ASIDE."""

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
        height = metrics.boundingRect(QRect(0, 0, width, 10_000), _WRAP, _unbroken(facts)).height()
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
        painter.drawText(place, _WRAP, _unbroken(facts))
        width = painter.fontMetrics().horizontalAdvance(aside) + 1
        line = QRect(title.right() - width + 1, place.top(), width, painter.fontMetrics().height())
        paint.line(painter, line, aside)
        painter.restore()


def _said(row: QRect, index: Index) -> tuple[str, str]:
    """The facts, and what stands beside them; a narrow row has it as the first of the facts."""
    facts, aside = str(index.data(DETAIL)), str(index.data(ASIDE))
    return (facts, aside) if row.width() >= _ROOMY_PX else (f"{aside} · {facts}", "")


def _unbroken(facts: str) -> str:
    """Facts that stay whole where a line ends; only a long one, such as a title, is broken."""
    held = (fact.replace(" ", "\u00a0") if len(fact) <= _SHORT_CHARS else fact for fact in facts.split(" · "))
    return "\u00a0· ".join(held)
