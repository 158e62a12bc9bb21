"""When each request of a page began and ended, as bars below one another."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QTableView

from kapture_panel.core.stores.network_log import Request
from kapture_panel.window.widgets.cell_delegate import MARGIN_PX, TextCellDelegate
from kapture_panel.window.widgets.roles import ITEM, Index
from kapture_panel.window.widgets.theme import Theme

_BAR_PX = 7
_LEAST_PX = 3
#: Of one that just began and goes on.
_PENDING_PX = 12
#: A tab that asked for nothing for so long begins a new scale.
_PAUSE_MS = 2000.0


class TimelineDelegate(TextCellDelegate):
    """The scale goes from the first to the last of the requests in sight that a tab made without a long pause."""

    def __init__(self, theme: Theme, table: QTableView) -> None:
        super().__init__(theme, table)
        self._table = table

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.begin(painter, option)
        request: Request = index.data(ITEM)
        first, last = self.scale_of(index.row())
        room = option.rect.adjusted(MARGIN_PX, 0, -MARGIN_PX, 0)
        bar = bar_of(request, first, last, room.width())
        top = room.top() + (room.height() - _BAR_PX) / 2
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("border"))
        painter.drawLine(room.left(), room.center().y(), room.right(), room.center().y())
        painter.setPen(self._theme.color("surface"))
        painter.setBrush(self._theme.color(_role(request)))
        painter.drawRoundedRect(QRectF(room.left() + bar[0], top, bar[1], _BAR_PX), 2, 2)
        painter.restore()

    def scale_of(self, row: int) -> tuple[float, float]:
        """Begin and end, in ms since 1970, of the scale of a row that is in sight."""
        model = self._table.model()
        above = max(self._table.rowAt(0), 0)
        below = self._table.rowAt(self._table.viewport().height() - 1)
        rows = range(above, (below if below >= 0 else model.rowCount() - 1) + 1)
        requests = [model.index(at, 0).data(ITEM) for at in rows]
        return span_of(requests, row - above) if row in rows else (0.0, 1.0)


def span_of(requests: list[Request], at: int) -> tuple[float, float]:
    """Begin and end in ms of the requests of one tab around the one at `at`, as far as no long pause parts them."""
    mine = sorted((one for one in requests if one.tab_id == requests[at].tab_id), key=lambda one: one.at)
    first, last = mine[0].at, _end_of(mine[0])
    for request in mine[1:]:
        if request.at > last + _PAUSE_MS:
            if requests[at].at < request.at:
                break
            first = request.at
        last = max(last, _end_of(request))
    return first, last


def bar_of(request: Request, first: float, last: float, width_px: float) -> tuple[float, float]:
    """Where in `width_px` the bar begins, and how long it is; of one that is on its way it goes on to the end."""
    scale = width_px / max(last - first, 1.0)
    least = _PENDING_PX if _is_pending(request) else _LEAST_PX
    begin = min(max(request.at - first, 0.0) * scale, width_px - least)
    length = width_px if _is_pending(request) else (_end_of(request) - request.at) * scale
    return begin, min(max(length, least), width_px - begin)


def _is_pending(request: Request) -> bool:
    return request.ms is None and not request.is_finished and not request.failure


def _end_of(request: Request) -> float:
    """When it ended, as far as that is known."""
    return request.at + (request.ms or 0.0)


def _role(request: Request) -> str:
    if request.is_failed:
        return "error"
    if _is_pending(request):
        return "text_muted"
    return "accent" if request.source == "network" else "ok"
