"""All tabs at a glance, live."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QListView

from kapture_panel.window.watch.entries import ENTRIES
from kapture_panel.window.watch.grid_model import WORDS, GridModel
from kapture_panel.window.watch.live_grid import LiveGrid
from kapture_panel.window.widgets import paint
from kapture_panel.window.widgets.card_delegate import GAP_PX, LINE_PX, RATIO, CardDelegate, card_size
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.roles import DETAIL, ITEM, PILL, TONE, Index
from kapture_panel.window.widgets.theme import Theme
from kapture_panel.window.widgets.throttle import Throttle

_MIN_CARD_PX = 190
_DOT_ROOM_PX = 14


class _CardDelegate(CardDelegate):
    """As large as lets all cards be seen, if they can."""

    def columns(self, room_px: int) -> int:
        most, cards = super().columns(room_px), max(1, self._view.model().rowCount())
        height = self._view.contentsRect().height()
        for number in range(1, most):
            if -(-cards // number) * card_size(room_px // number).height() <= height:
                return number
        return most

    def instead(self, index: Index) -> str:
        return str(index.data(WORDS))

    def caption(self, painter: QPainter, room: QRect, index: Index) -> None:
        theme, first = self._theme, QRect(room.topLeft(), QSize(room.width(), LINE_PX))
        second = first.translated(0, LINE_PX)
        if pill := index.data(PILL):
            used = paint.pill(painter, theme, room.right(), first.center().y(), pill[0], pill[1], room.width() // 2)
            painter.setFont(theme.font(small=True))
            first.setRight(first.right() - used - GAP_PX)
        if tone := index.data(TONE):
            paint.dot(painter, theme, first.topLeft() + QRect(0, 0, 8, LINE_PX).center(), tone, radius=3.5)
        first.setLeft(first.left() + _DOT_ROOM_PX)
        painter.setPen(theme.color("text"))
        paint.line(painter, first, str(index.data(Qt.ItemDataRole.DisplayRole)))
        painter.setPen(theme.color("text_secondary"))
        paint.line(painter, second, str(index.data(DETAIL)))


class GridView(QListView):
    """Looks at the tabs whose cards can be seen, as long as it is visible itself. `opened` carries a tab that is to be
    watched alone; `left` tells that the person wants the one they had before."""

    opened = Signal(object)
    left = Signal()

    def __init__(self, model: GridModel, live: LiveGrid, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self._live = live
        self.setModel(model)
        self.setItemDelegate(_CardDelegate(theme, self, _MIN_CARD_PX))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setAccessibleName("All tabs, live")
        self.clicked.connect(self._open)
        self.activated.connect(self._open)
        bind(ENTRIES["one_tab"], self, self.left.emit, Qt.ShortcutContext.WidgetShortcut)
        self._moved = Throttle(self, self.look)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._moved.ask())
        for changed in (model.rowsInserted, model.rowsRemoved, model.modelReset):
            changed.connect(self._on_rows)
        model.dataChanged.connect(self._on_changed)

    def choose(self, tab_id: str) -> None:
        """Mark the card of a tab."""
        row = self._model.row_of(tab_id)
        if row >= 0:
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(self._model.index(row, 0), flag)

    def look(self) -> None:
        """Look at what can be seen, at nothing while this is hidden."""
        seen = [tab for index in self._seen() if (tab := index.data(ITEM)).state != "paused"]
        width = round(self.visualRect(self._model.index(0, 0)).width() * self.devicePixelRatioF())
        # What is too high is cut: the width decides.
        self._live.look([tab.tab_id for tab in seen], QSize(max(width, 1), max(round(2 * RATIO * width), 1)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._on_rows()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._moved.stop()
        self.look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._on_rows()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        for index in self._seen():
            if event.region().intersects(self.visualRect(index)):
                self._live.painted(index.data(ITEM).tab_id)

    def _seen(self) -> list[QModelIndex]:
        if not self.isVisible():
            return []
        every = [self._model.index(row, 0) for row in range(self._model.rowCount())]
        return [index for index in every if self.visualRect(index).intersects(self.viewport().rect())]

    def _on_rows(self) -> None:
        self.scheduleDelayedItemsLayout()
        self._moved.ask()

    def _on_changed(self, _first: Index, _last: Index, roles: list[int]) -> None:
        if not roles:  # a tab is let go of, or is back
            self._moved.ask()

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(ITEM))
