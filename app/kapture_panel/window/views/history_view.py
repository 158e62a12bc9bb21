"""What was done, by whom, and how it went."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QMenu, QVBoxLayout, QWidget

from kapture_panel.core.history import Row
from kapture_panel.window import figures
from kapture_panel.window.models.history_model import HistoryModel
from kapture_panel.window.models.roles import ITEM
from kapture_panel.window.theme import Theme
from kapture_panel.window.throttle import Throttle
from kapture_panel.window.views.buttons import text_button
from kapture_panel.window.views.dock import TitleBar
from kapture_panel.window.views.table import Table

_FILTER_DELAY_MS = 150


class HistoryView(QWidget):
    """Enter or a double click asks to run a row again."""

    run_again = Signal(object)
    edit_again = Signal(object)
    copied = Signal(object)
    export = Signal()

    def __init__(self, model: HistoryModel, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self._theme = theme
        self.title_bar = TitleBar("History", theme)
        self.filter = QLineEdit()
        self.filter.setProperty("kind", "filter")
        self.filter.setPlaceholderText("Filter")
        self.filter.setAccessibleName("Filter history")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMinimumWidth(64)
        self.filter.setMaximumWidth(180)
        self._filtering = Throttle(self, self._apply_filter, _FILTER_DELAY_MS)
        self.filter.textChanged.connect(self._filtering.ask)
        self.title_bar.add(self.filter)
        export = text_button(theme, "mdi6.export-variant", "Export", self.export.emit)
        export.setProperty("kind", "flat-small")
        export.setAccessibleName("Export history as JSON")
        self.title_bar.add(export)
        self.table = Table(model, theme, "Command history")
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.set_columns(theme, (8, 12, 1, 13, 0, 8), spare=(5, 1))
        self.table.say_when_empty("What you and your agents do appears here.")
        self.table.activated.connect(self._on_activated)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._on_menu)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)
        model.inserted.connect(self._on_inserted)
        model.counted.connect(self._show_count)
        self._show_count()

    def menu_for(self, row: Row) -> QMenu:
        """What can be done with a row."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, icon, signal in (
            ("Run again", "mdi6.replay", self.run_again),
            ("Edit and run again", "mdi6.pencil-outline", self.edit_again),
            ("Copy as JSON", "mdi6.content-copy", self.copied),
        ):
            menu.addAction(self._theme.icon(icon), words).triggered.connect(partial(self._send, signal, row))
        return menu

    def _send(self, signal: SignalInstance, row: Row, _checked: bool = False) -> None:
        signal.emit(row)

    def _apply_filter(self) -> None:
        self._model.set_filter(self.filter.text())

    def _on_activated(self, index: QModelIndex) -> None:
        self.run_again.emit(index.data(ITEM))

    def _on_menu(self, at: QPoint) -> None:
        index = self.table.indexAt(at)
        if index.isValid():
            self.menu_for(index.data(ITEM)).popup(self.table.viewport().mapToGlobal(at))

    def _on_inserted(self, rows: int) -> None:
        bar = self.table.verticalScrollBar()
        if bar.value() > 0:
            bar.setValue(bar.value() + rows)

    def _show_count(self) -> None:
        self.title_bar.say(figures.number(self._model.total) if self._model.total else "")
