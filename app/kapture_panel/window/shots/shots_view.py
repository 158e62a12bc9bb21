"""The screenshots as thumbnails."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QStackedWidget, QVBoxLayout, QWidget

from kapture_panel.core.stores.shots import Shot
from kapture_panel.window.shots.entries import ENTRIES
from kapture_panel.window.shots.shot_delegate import ShotDelegate
from kapture_panel.window.shots.shots_model import ShotsModel
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.dock import TitleBar
from kapture_panel.window.widgets.empty_state import EmptyState
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.small_choice import SmallChoice
from kapture_panel.window.widgets.theme import Theme

_EMPTY = ("No screenshots yet", "Run Screenshot on a tab; what agents take appears here too.")
_ALL = "All tabs"
_MAX_CHOICE_CHARS = 40


class ShotsView(QWidget):
    """Newest first, of all tabs or of one; `opened` and `removed` carry a `Shot`."""

    opened = Signal(object)
    removed = Signal(object)

    def __init__(self, model: ShotsModel, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self.title_bar = TitleBar("Screenshots", theme)
        self.choice = SmallChoice("Screenshots of", {})
        self.choice.view().setAccessibleName("Tabs with screenshots")
        self.choice.activated.connect(lambda number: model.show_tab(self.choice.itemData(number)))
        self.title_bar.add(self.choice)
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
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._on_menu)
        bind(ENTRIES["delete_shot"], self.view, self._remove_current, Qt.ShortcutContext.WidgetShortcut)
        self._stack = QStackedWidget()
        # A question needs the room more than pictures that scroll; their number stands in the title.
        self._stack.setMinimumHeight(1)
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
        model.modelReset.connect(self._on_rows)
        self._on_rows()

    def sizeHint(self) -> QSize:
        return QSize(300, 260)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.view.scheduleDelayedItemsLayout()

    def menu_of(self, shot: Shot) -> QMenu:
        """What can be done with a screenshot."""
        menu = QMenu(self)
        menu.addAction("Open").triggered.connect(lambda: self.opened.emit(shot))
        menu.addAction("Delete").triggered.connect(lambda: self.removed.emit(shot))
        return menu

    def _on_activated(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(ITEM))

    def _on_menu(self, at: QPoint) -> None:
        index = self.view.indexAt(at)
        if index.isValid():
            menu = self.menu_of(index.data(ITEM))
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.view.viewport().mapToGlobal(at))

    def _remove_current(self) -> None:
        index = self.view.currentIndex()
        if index.isValid():
            self.removed.emit(index.data(ITEM))

    def _on_rows(self) -> None:
        number = self._model.rowCount()
        self.title_bar.say(str(number) if number else "")
        self._stack.setCurrentIndex(1 if number else 0)
        self._fill_choice()

    def _fill_choice(self) -> None:
        tabs = self._model.tab_titles()
        self.choice.clear()
        self.choice.addItem(_ALL, None)
        for tab_id, title in tabs.items():
            self.choice.addItem(safe_text.line(title, _MAX_CHOICE_CHARS), tab_id)
        self.choice.setCurrentIndex(max(0, self.choice.findData(self._model.tab)) if self._model.tab else 0)
        self.choice.setVisible(len(tabs) > 1 or self._model.tab is not None)
