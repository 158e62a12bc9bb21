"""The rows of the palette: what fits what was typed, the best first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from kapture_panel.window.finder.finds import Find, Hit, fitting
from kapture_panel.window.widgets.roles import ITEM, Index


class PaletteModel(QAbstractListModel):
    """ITEM is a `Hit`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found: Sequence[Find] = ()
        self._recent: Sequence[str] = ()
        self._hits: list[Hit] = []

    def show(self, found: Sequence[Find], recent: Sequence[str]) -> None:
        """Search in these from now on; all are shown."""
        self._found, self._recent = found, recent
        self.search("")

    def search(self, query: str) -> None:
        """Show what fits `query`."""
        self.beginResetModel()
        self._hits = fitting(query, self._found, self._recent)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        hit = self._hits[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.find.words
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(
                filter(None, (hit.find.words, hit.find.group, hit.find.keys, "on" if hit.find.is_on else ""))
            )
        return hit if role == ITEM else None
