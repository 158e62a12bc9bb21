"""The commands of a tab as a strip of small pictures, newest at the right, behind which it is live."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.watch.entries import ENTRIES
from kapture_panel.window.watch.timeline_model import GAP, IS_BARE, TimelineModel
from kapture_panel.window.widgets import paint
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.roles import ITEM, TONE, Index
from kapture_panel.window.widgets.theme import Theme

_CARD = QSize(88, 50)
_CAPTION_PX = 17
_GAP_PX = 4
_EDGE_PX = 5
_GAP_ROOM_PX = 6
_HEIGHT_PX = _CARD.height() + _CAPTION_PX + 2 * _GAP_PX


class _CardDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(_CARD.width() + 2 * _GAP_PX + self._gap_px(index.data(GAP)), _HEIGHT_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, row = self._theme, QRect(option.rect)
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setFont(theme.font(small=True))
        if gap := index.data(GAP):
            used = self._gap_px(gap)
            painter.setPen(theme.color("text_secondary"))
            middle = QRect(row.left(), row.top() + _GAP_PX, used, _CARD.height())
            painter.drawText(middle, int(Qt.AlignmentFlag.AlignCenter), gap)
            row.setLeft(row.left() + used)
        card = QRectF(row.left() + _GAP_PX, row.top() + _GAP_PX, _CARD.width(), _CARD.height())
        tone = index.data(TONE)
        self._card(painter, card, index)
        is_chosen, is_wrong = bool(state & QStyle.StateFlag.State_Selected), tone in ("error", "warn")
        edge = "accent" if is_chosen else tone if is_wrong else "border"
        painter.setPen(QPen(theme.color(edge), 2 if is_chosen or is_wrong else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(card, 3, 3)
        if index.data(ITEM) is not None:
            painter.setPen(theme.color(tone if is_wrong or tone == "driving" else "text_secondary"))
            below = QRect(int(card.left()), int(card.bottom()) + 1, int(card.width()), _CAPTION_PX)
            paint.line(painter, below, str(index.data(Qt.ItemDataRole.DisplayRole)))
        painter.restore()

    def _card(self, painter: QPainter, card: QRectF, index: Index) -> None:
        theme = self._theme
        painter.fillRect(card, theme.color("sunken"))
        image = index.data(Qt.ItemDataRole.DecorationRole)
        if image is not None and not image.isNull():
            source = QRectF(0, 0, image.width(), min(image.height(), image.width() * card.height() / card.width()))
            painter.drawImage(card, image, source)
        elif index.data(ITEM) is None:
            painter.setPen(theme.color("text"))
            painter.drawText(card, int(Qt.AlignmentFlag.AlignCenter), str(index.data()))
        elif index.data(IS_BARE):
            painter.setPen(theme.color("text_secondary"))
            painter.drawText(card, int(Qt.AlignmentFlag.AlignCenter), "no picture")

    def _gap_px(self, gap: str | None) -> int:
        metrics = QFontMetrics(self._theme.font(small=True))
        return metrics.horizontalAdvance(gap) + 2 * _GAP_ROOM_PX if gap else 0


class TimelineStrip(QListView):
    """`chosen` carries the row that is looked at, or None for now; `asked` a row the person wants to see in full.

    Dragging, the wheel, and the arrow keys go through it.
    """

    chosen = Signal(object)
    asked = Signal(object)

    def __init__(self, model: TimelineModel, theme: Theme) -> None:
        super().__init__()
        self._model = model
        #: What the model does is not the person's choice.
        self._is_changing = False
        for changing in (model.modelAboutToBeReset, model.rowsAboutToBeInserted, model.rowsAboutToBeRemoved):
            changing.connect(self._hold)
        self.setModel(model)
        self.setItemDelegate(_CardDelegate(theme, self))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(False)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setFixedHeight(_HEIGHT_PX + _EDGE_PX)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setAccessibleName("What was done in this tab")
        self.activated.connect(self._on_activated)
        bind(ENTRIES["live_again"], self, self.go_live, Qt.ShortcutContext.WidgetShortcut)
        self._row: Row | None = None
        self.selectionModel().currentChanged.connect(self._on_current)
        for changed in (model.modelReset, model.rowsInserted, model.rowsRemoved):
            changed.connect(self._keep)
        model.dataChanged.connect(self._on_changed)
        self.go_live()

    @property
    def row(self) -> Row | None:
        """The row that is looked at; None for now."""
        return self._row

    def go_live(self) -> None:
        """Look at now."""
        self._choose(self._model.rowCount() - 1)

    def wheelEvent(self, event: QWheelEvent) -> None:
        by = event.angleDelta()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - (by.y() or by.x()))
        event.accept()

    def _choose(self, number: int) -> None:
        index = self._model.index(number)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.scrollTo(index)

    def _hold(self) -> None:
        self._is_changing = True

    def _on_current(self, index: Index) -> None:
        if self._is_changing:
            return
        row = index.data(ITEM) if index.isValid() else None
        if (row and row.id) != (self._row and self._row.id):
            self._row = row
            self.chosen.emit(row)

    def _keep(self) -> None:
        """Rows came or went: stay at the one that is looked at, or at now."""
        self._is_changing = False
        number = self._model.place_of(self._row.id) if self._row is not None else -1
        self._choose(number if number >= 0 else self._model.rowCount() - 1)
        self._on_current(self.currentIndex())  # where it was already there

    def _on_changed(self, first: Index, _last: Index) -> None:
        row = first.data(ITEM)
        if row is not None and self._row is not None and row.id == self._row.id:
            self._row = row
            self.chosen.emit(row)

    def _on_activated(self, index: Index) -> None:
        if (row := index.data(ITEM)) is not None:
            self.asked.emit(row)
