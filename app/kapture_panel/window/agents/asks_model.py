"""The questions that wait as rows, those that can be answered first."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from kapture_panel.core.gates.approvals import Ask
from kapture_panel.window.agents import ask_words
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.roles import DETAIL, ITEM, PILL, Index

#: State of a question that cannot be answered any more → what is said of it in a word.
_CLOSED = {"expired": "expired", "outdated": "out of date"}


class AsksModel(QAbstractListModel):
    """What `show` was given last."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asks: list[Ask] = []

    def show(self, asks: list[Ask]) -> None:
        """Have these rows."""
        self.beginResetModel()
        self._asks = asks
        self.endResetModel()

    def row_of(self, ask: Ask) -> int:
        """Where a question stands."""
        return self._asks.index(ask)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._asks)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        ask = self._asks[index.row()]
        site = safe_text.line(ask.site, 100)
        closed = _CLOSED.get(ask.state, "")
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return ask_words.headline(ask)
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(filter(None, (ask_words.title(ask), site, closed)))
            case Qt.ItemDataRole.ToolTipRole:
                return safe_text.tooltip(f"{ask_words.title(ask)}\n{safe_text.text(ask.where, 400)}")
            case _ if role == DETAIL:
                return " · ".join(filter(None, (ask_words.name(ask), site)))
            case _ if role == PILL:
                return (closed, "neutral") if closed else None
        return ask if role == ITEM else None
