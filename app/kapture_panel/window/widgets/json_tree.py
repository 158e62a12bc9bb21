"""A JSON value as a tree to open and close."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QHeaderView, QTreeView

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.cell_delegate import CellDelegate
from kapture_panel.window.widgets.entries import SHARED, bind
from kapture_panel.window.widgets.json_model import JsonModel
from kapture_panel.window.widgets.params_json import dump
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.theme import Theme

#: Branches up to this size are open from the start.
_OPEN_UP_TO = 40
#: Between the longest key and the values.
_GAP_PX = 12
#: As many rows beyond those in sight are looked at for the longest key.
_MEASURED_ROWS = 50


class JsonTree(QTreeView):
    """Ctrl+C copies the value under the cursor."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._json = JsonModel(self)
        self.setModel(self._json)
        self.setItemDelegate(CellDelegate(theme, self))
        self.setProperty("mono", True)
        self.setAccessibleName("Result as a tree")
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(14)
        self.setAnimated(False)
        header = self.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setResizeContentsPrecision(_MEASURED_ROWS)
        self.expanded.connect(self._fit_keys)
        bind(SHARED["copy_value"], self, self._copy, Qt.ShortcutContext.WidgetShortcut)

    @property
    def json_model(self) -> JsonModel:
        """What is shown."""
        return self._json

    def show_value(self, value: JsonObject) -> None:
        """Show another object, its small branches open."""
        self._json.show(value)
        with QSignalBlocker(self):  # measured once
            for row in range(self._json.rowCount()):
                index = self._json.index(row, 0)
                if self._json.rowCount(index) <= _OPEN_UP_TO:
                    self.expand(index)
        self._fit_keys()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_keys()

    def _fit_keys(self) -> None:
        """As wide as the keys, which leave half of the room to the values."""
        self.header().resizeSection(0, min(self.sizeHintForColumn(0) + _GAP_PX, self.viewport().width() // 2))

    def _copy(self) -> None:
        index = self.currentIndex()
        if index.isValid():
            value = index.siblingAtColumn(1).data(ITEM)
            QApplication.clipboard().setText(safe_text.text(value if isinstance(value, str) else dump(value)))
