"""The list of commands with its filter."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelection, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListView, QVBoxLayout, QWidget

from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.window.command.command_delegate import CommandDelegate
from kapture_panel.window.command.commands_model import CommandsModel
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.search_field import SearchField
from kapture_panel.window.widgets.theme import Theme


class CommandList(QWidget):
    """Commands under their groups; the selected one is told by `chosen`, a click or Enter on it by `entered`."""

    chosen = Signal(object)
    entered = Signal()

    def __init__(self, catalogue: Catalogue, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "sunken")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._current: Command | None = None
        self._model = CommandsModel(catalogue, self)
        self.filter = SearchField("Filter commands", theme)
        self.filter.setProperty("kind", "list-filter")
        self.filter.offer_hints("Filter commands", "Filter")
        self.filter.installEventFilter(self)
        self.filter.textChanged.connect(self._on_filter)
        self.list = QListView()
        self.list.setProperty("kind", "sunken")
        self.list.setModel(self._model)
        self.list.setItemDelegate(CommandDelegate(theme, self.list))
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Commands")
        self.list.selectionModel().selectionChanged.connect(self._on_selected)
        self.list.clicked.connect(self._on_clicked)
        self.list.installEventFilter(self)
        self.list.verticalScrollBar().rangeChanged.connect(self._keep_in_sight)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 1, 4)
        column.setSpacing(0)
        column.addWidget(self.filter)
        column.addWidget(self.list)

    def choose(self, name: str) -> None:
        """Select a command by its full name, whatever the filter hides."""
        if self._model.row_of(name) < 0:
            self.filter.clear()
        index = self._model.index(self._model.row_of(name))
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down in the filter goes on to what it found; Enter there and in the list goes on to the form."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and not event.modifiers():
            is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if watched is self.filter and (is_enter or event.key() == Qt.Key.Key_Down):
                row = self._model.first_command()
                if row >= 0:
                    self.list.setCurrentIndex(self._model.index(row))
                    self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)
                    if is_enter:
                        self.entered.emit()
                return True
            if watched is self.list and is_enter:
                self.entered.emit()
                return True
        return super().eventFilter(watched, event)

    def _keep_in_sight(self) -> None:
        """A list of another height says which command the form is for, and begins with its first if it can."""
        if self._current is not None:
            self.list.scrollToTop()
            self.list.scrollTo(self._model.index(self._model.row_of(self._current.name)))

    def _on_clicked(self, index: QModelIndex) -> None:
        if index.data(ITEM) is not None:
            self.entered.emit()

    def _on_filter(self, text: str) -> None:
        self._model.set_filter(text)
        row = self._model.row_of(self._current.name) if self._current else -1
        if row >= 0:
            self.list.setCurrentIndex(self._model.index(row))

    def _on_selected(self, selected: QItemSelection, _deselected: QItemSelection) -> None:
        indexes = selected.indexes()
        command = indexes[0].data(ITEM) if indexes else None
        if command is not None and command is not self._current:
            self._current = command
            self.chosen.emit(command)
