"""What was told: the messages of this run, the latest first."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, Signal

from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.roles import DETAIL, ITEM, PILL, TONE, Index

#: Words for a button, and what it does.
Action = tuple[str, Callable[[], object]]
#: Older ones are forgotten.
MAX_KEPT = 200
_DOTS = {"info": "accent", "ok": "ok", "warn": "warn", "error": "error"}


@dataclass
class Notice:
    """One message; `at` in seconds since 1970; `tone` is info, ok, warn or error; `title` and `text` are plain;
    `actions` are what can be done about it."""

    at: float
    title: str
    text: str
    tone: str
    actions: Sequence[Action] = ()
    times: int = 1
    is_read: bool = True


class NoticesModel(QAbstractListModel):
    """Only errors can be unread. `unread_changed` comes whenever their number may be another."""

    unread_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._notices: list[Notice] = []

    def add(self, title: str, text: str, tone: str, actions: Sequence[Action] = ()) -> None:
        """Keep a message; the same one as the latest is counted."""
        title, text = safe_text.line(title, 200), safe_text.text(text, 2000)
        is_read = tone != "error"
        latest = self._notices[0] if self._notices else None
        if latest is not None and (latest.title, latest.text, latest.tone) == (title, text, tone):
            latest.times, latest.at, latest.is_read = latest.times + 1, time.time(), is_read
            latest.actions = actions
            self.dataChanged.emit(self.index(0), self.index(0))
        else:
            self.beginInsertRows(QModelIndex(), 0, 0)
            self._notices.insert(0, Notice(time.time(), title, text, tone, actions, is_read=is_read))
            self.endInsertRows()
            if len(self._notices) > MAX_KEPT:
                self.beginRemoveRows(QModelIndex(), MAX_KEPT, len(self._notices) - 1)
                del self._notices[MAX_KEPT:]
                self.endRemoveRows()
        self.unread_changed.emit()

    @property
    def unread(self) -> int:
        """How many errors nobody has looked at."""
        return sum(not notice.is_read for notice in self._notices)

    def read_all(self) -> None:
        """Everything has been looked at."""
        self._read(self._notices)

    def read(self, title: str, text: str) -> None:
        """One message has been looked at."""
        title, text = safe_text.line(title, 200), safe_text.text(text, 2000)
        self._read([notice for notice in self._notices if (notice.title, notice.text) == (title, text)])

    def _read(self, notices: list[Notice]) -> None:
        for notice in notices:
            notice.is_read = True
        self.unread_changed.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._notices)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        notice = self._notices[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return notice.title + (f" ×{notice.times}" if notice.times > 1 else "")
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{notice.tone}: {notice.title}. {notice.text} {figures.clock(notice.at)}"
            case _ if role == DETAIL:
                return safe_text.line(notice.text, 300)
            case _ if role == TONE:
                return _DOTS[notice.tone]
            case _ if role == PILL:
                return (figures.clock(notice.at), "neutral")
        return notice if role == ITEM else None
