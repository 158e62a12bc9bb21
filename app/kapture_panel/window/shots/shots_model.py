"""The stored screenshots, newest first, with their thumbnails."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QImage

from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.core.stores.shots import Shot, Shots
from kapture_panel.window.widgets import figures, safe_text, tab_names
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.roles import DETAIL, ITEM, Index
from kapture_panel.window.widgets.subscriptions import Subscriptions

#: Read at twice the shown size, sharp at 200 %.
THUMBNAIL = QSize(280, 160)
#: `(tab, size)` of a screenshot, in words.
PLACE = int(Qt.ItemDataRole.UserRole) + 20
_MAX_THUMBNAILS = 200
_AGES_INTERVAL_MS = 10_000


class ShotsModel(QAbstractListModel):
    """DecorationRole is a QImage once it has been read, which starts when a view first asks for it."""

    def __init__(
        self, shots: Shots, tabs: Tabs, pictures: Pictures, subscriptions: Subscriptions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._pictures = pictures
        self._tabs = tabs
        self._every = list(shots)[::-1]
        self._shots = list(self._every)
        self._tab: str | None = None
        self._thumbnails: dict[Shot, QImage | None] = {}
        ages = QTimer(self)
        ages.timeout.connect(self._tell_ages)
        ages.start(_AGES_INTERVAL_MS)
        subscriptions.connect(shots.added, self._on_added)
        subscriptions.connect(shots.removed, self._on_removed)

    @property
    def tab(self) -> str | None:
        """The tab whose screenshots are shown; None for all."""
        return self._tab

    def show_tab(self, tab_id: str | None) -> None:
        """Show the screenshots of one tab, or of all."""
        self.beginResetModel()
        self._tab = tab_id
        self._shots = [shot for shot in self._every if tab_id in (None, shot.tab_id)]
        self.endResetModel()

    def tab_titles(self) -> dict[str, str]:
        """The tabs there are screenshots of, by their ids: by the title they have, or had in the newest picture."""
        titles: dict[str, str] = {}
        for shot in self._every:
            if shot.tab_id and shot.tab_id not in titles:
                tab = self._tabs.find(shot.tab_id)
                now = tab_names.name(tab) if tab is not None else ""
                titles[shot.tab_id] = now or _title(shot) or "a tab that is gone"
        return titles

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._shots)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        shot = self._shots[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return safe_text.line(shot.name, 200) or "screenshot"
        if role == DETAIL:
            return figures.age(time.time() - shot.taken_at)
        if role == PLACE:
            sides = f"{shot.width} × {shot.height}" if shot.width else figures.size(shot.size_bytes)
            return (_title(shot), sides)
        if role == Qt.ItemDataRole.DecorationRole:
            return self._thumbnail(shot)
        if role == Qt.ItemDataRole.ToolTipRole:
            sides = f"{shot.width} × {shot.height} · " if shot.width else ""
            facts = f"{sides}{figures.size(shot.size_bytes)} · {figures.clock(shot.taken_at)}"
            said = filter(None, (safe_text.line(shot.name, 200), _title(shot), facts))
            return safe_text.tooltip("\n".join(said))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            taken = figures.age(time.time() - shot.taken_at)
            return safe_text.line(", ".join(filter(None, (shot.name, _title(shot), taken))), 300)
        return shot if role == ITEM else None

    def _thumbnail(self, shot: Shot) -> QImage | None:
        if shot not in self._thumbnails:
            if len(self._thumbnails) >= _MAX_THUMBNAILS:
                self._thumbnails.pop(next(iter(self._thumbnails)))
            self._thumbnails[shot] = None
            self._pictures.load(shot.path, THUMBNAIL, self, lambda image: self._on_read(shot, image))
        return self._thumbnails[shot]

    def _on_read(self, shot: Shot, image: QImage) -> None:
        if shot in self._thumbnails and shot in self._shots:
            self._thumbnails[shot] = image
            at = self.index(self._shots.index(shot))
            self.dataChanged.emit(at, at, [int(Qt.ItemDataRole.DecorationRole)])

    def _on_added(self, shot: Shot) -> None:
        self._every.insert(0, shot)
        if self._tab not in (None, shot.tab_id):
            return
        self.beginInsertRows(QModelIndex(), 0, 0)
        self._shots.insert(0, shot)
        self.endInsertRows()

    def _on_removed(self, shot: Shot) -> None:
        self._thumbnails.pop(shot, None)
        if shot in self._every:
            self._every.remove(shot)
        if shot in self._shots:
            row = self._shots.index(shot)
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._shots[row]
            self.endRemoveRows()

    def _tell_ages(self) -> None:
        if self._shots:
            self.dataChanged.emit(self.index(0), self.index(len(self._shots) - 1), [DETAIL])


def _title(shot: Shot) -> str:
    """The page's title when the picture was taken; empty where that was not kept."""
    return safe_text.line(shot.title, 200)
