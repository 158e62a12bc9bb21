"""The commands of the catalogue under their groups' headings, filtered."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.roles import ITEM, Index


class CommandsModel(QAbstractListModel):
    """Rows are headings (str) and commands, in the catalogue's order."""

    def __init__(self, catalogue: Catalogue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._catalogue = catalogue
        self._rows: list[str | Command] = []
        self.set_filter("")

    def set_filter(self, text: str) -> None:
        """Show only commands that have every word of `text` in title, name or group."""
        words = text.lower().split()
        self.beginResetModel()
        self._rows = []
        for group, title in self._catalogue.groups.items():
            found = [
                command
                for command in self._catalogue
                if command.group == group
                and all(word in f"{command.title} {command.short_name} {title}".lower() for word in words)
            ]
            if found:
                self._rows += [title, *found]
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if isinstance(row, str):
            return row if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_text.tooltip(row.description)
        return row if role == ITEM else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self._rows[index.row()], str):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    def row_of(self, name: str) -> int:
        """The row of a command by its full name, or -1."""
        return next(
            (row for row, item in enumerate(self._rows) if isinstance(item, Command) and item.name == name),
            -1,
        )

    def first_command(self) -> int:
        """The first row that is a command, or -1."""
        return next((row for row, item in enumerate(self._rows) if isinstance(item, Command)), -1)
