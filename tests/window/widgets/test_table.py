"""Tables whose columns fit what is in sight."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.table import Table
from tests.support.window.qt_loop import on_qt_loop


class Rows(QAbstractTableModel):
    """Rows of one word."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return self.number

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 1

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> str:
        return "row"

    def add(self) -> None:
        self.beginInsertRows(QModelIndex(), self.number, self.number)
        self.number += 1
        self.endInsertRows()


@on_qt_loop
async def test_a_row_that_comes_after_its_table_has_gone_troubles_nobody(window: MainWindow) -> None:
    """A model may outlive its view; what it tells then goes nowhere."""
    rows = Rows()
    table = Table(rows, window.shell.theme, "Rows")
    table.set_columns(window.shell.theme, (4,), most={0: 9})
    rows.add()
    shiboken6.delete(table)
    rows.add()
    assert rows.number == 2
