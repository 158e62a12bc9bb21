"""The screenshots as thumbnails."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStackedWidget, QVBoxLayout, QWidget

from kapture_panel.window.models.roles import ITEM
from kapture_panel.window.models.shots_model import ShotsModel
from kapture_panel.window.theme import Theme
from kapture_panel.window.views.dock import TitleBar
from kapture_panel.window.views.empty_state import EmptyState
from kapture_panel.window.views.shot_delegate import ShotDelegate

_EMPTY = ("No screenshots yet", "Run Screenshot on a tab; what agents take appears here too.")


class ShotsView(QWidget):
    """Newest first; opening one asks for the lightbox."""

    opened = Signal(object)

    def __init__(self, model: ShotsModel, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self.title_bar = TitleBar("Screenshots", theme)
        self.view = QListView()
        self.view.setModel(model)
        self.view.setItemDelegate(ShotDelegate(theme, self.view))
        self.view.setViewMode(QListView.ViewMode.IconMode)
        self.view.setMovement(QListView.Movement.Static)
        self.view.setResizeMode(QListView.ResizeMode.Adjust)
        self.view.setUniformItemSizes(True)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setMouseTracking(True)
        self.view.setAccessibleName("Screenshots")
        self.view.activated.connect(self._on_activated)
        self._stack = QStackedWidget()
        self._stack.addWidget(EmptyState(*_EMPTY))
        framed = QWidget()
        column = QVBoxLayout(framed)
        column.setContentsMargins(6, 4, 2, 0)
        column.addWidget(self.view)
        self._stack.addWidget(framed)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)
        model.rowsInserted.connect(self._on_rows)
        model.rowsRemoved.connect(self._on_rows)
        self._on_rows()

    def sizeHint(self) -> QSize:
        return QSize(300, 260)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.view.scheduleDelayedItemsLayout()

    def _on_activated(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(ITEM))

    def _on_rows(self) -> None:
        number = self._model.rowCount()
        self.title_bar.say(str(number) if number else "")
        self._stack.setCurrentIndex(1 if number else 0)
