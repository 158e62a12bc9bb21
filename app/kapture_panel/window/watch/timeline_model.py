"""What was done in one tab, oldest first, each command with the picture that was recorded of it; at the end is now."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QSize, Qt
from PySide6.QtGui import QImage

from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores import history_query
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.stores.recorder import FOLDER
from kapture_panel.core.stores.shot_finder import Finder
from kapture_panel.window.watch.acts import Act
from kapture_panel.window.widgets import command_names, figures, safe_text
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.roles import ITEM, TONE, Index
from kapture_panel.window.widgets.slices import Slices
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.throttle import Throttle

#: Of more commands the newest are shown.
MAX_ROWS = 200
#: A pause of the tab that is longer is said.
GAP_S = 10.0
#: How long nothing was done before a command, in words, or empty.
GAP = int(Qt.ItemDataRole.UserRole) + 20
#: Whether there is no picture of a command, and none to come.
IS_BARE = GAP + 1
#: Rows of the history looked at before others get their turn: about a millisecond.
_STEP_ROWS = 300
#: Read at twice the shown size, sharp at 200 %.
_THUMBNAIL = QSize(176, 100)
_NOW = "Live"


class TimelineModel(QAbstractListModel):
    """ITEM is a `Row`, or None for the last one, which stands for now. What only looked stands there if it failed or
    took a picture.

    Args:
        folder: of the screenshots; the recorder's own is in it.
    """

    def __init__(
        self,
        history: History,
        catalogue: Catalogue,
        pictures: Pictures,
        folder: Path,
        subscriptions: Subscriptions,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._history = history
        self._catalogue = catalogue
        #: A row may name one there is no more, or never was.
        self._commands = {command.short_name: command for command in catalogue}
        self._pictures = pictures
        self._folder = folder
        self._tab_id = ""
        self._rows: list[Row] = []
        self._thumbnails: dict[str, QImage | None] = {}
        self._fresh: dict[int, Row] = {}
        self._scan = Slices(self)
        self._throttle = Throttle(self, self._take)
        for told in (history.began, history.settled):
            subscriptions.connect(told, self._on_row)
        subscriptions.connect(history.removed, self._on_removed)

    def show_tab(self, tab_id: str) -> None:
        """Show what was done in a tab; in none for an empty tabId."""
        if tab_id == self._tab_id:
            return
        self._tab_id = tab_id
        self._fresh.clear()
        self._thumbnails.clear()
        self._show([])
        self._scan.give_up()
        if tab_id:
            self._scan.begin(self._steps(), self._take)

    @property
    def ids(self) -> tuple[int, ...]:
        """The rows that are shown."""
        return tuple(row.id for row in self._rows)

    @property
    def newest(self) -> Row | None:
        """What was done last."""
        return self._rows[-1] if self._rows else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._rows) + 1

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()] if index.row() < len(self._rows) else None
        if role == ITEM:
            return row
        if row is None:
            return _NOW if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole) else None
        act = self.act_of(row)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{act.mark} {act.title}"
        if role == TONE:
            return act.tone
        if role == IS_BARE:
            return row.state != "running" and not _named(row)
        if role == GAP:
            return self._gap(index.row())
        if role == Qt.ItemDataRole.DecorationRole:
            return self._thumbnail(row)
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            said = (figures.clock(row.at), act.who, act.what, act.outcome, safe_text.line(row.said, 200))
            words = ", ".join(filter(None, said))
            return safe_text.tooltip(words) if role == Qt.ItemDataRole.ToolTipRole else words
        return None

    def act_of(self, row: Row) -> Act:
        """What a command was, in words."""
        title = command_names.title(self._catalogue, row.command)
        return Act(row, title)

    @property
    def has_pictures(self) -> bool:
        """Whether any of the rows was recorded with pictures."""
        return any(row.before or row.after for row in self._rows)

    def pictures_of(self, row: Row) -> list[tuple[str, Path]]:
        """The files that show it, each with what it shows."""
        return [(words, self._file(name, where)) for words, name, where in _named(row)]

    def _file(self, name: str, where: str) -> Path:
        return Finder(self._folder / where).find(name)

    def place_of(self, row_id: int) -> int:
        """Where a row stands; -1 where it does not."""
        at = bisect_left(self._rows, row_id, key=lambda row: row.id)
        return at if at < len(self._rows) and self._rows[at].id == row_id else -1

    def _steps(self) -> Iterator[None]:
        """Look through the history from the newest row on until there are enough."""
        query = history_query.parse(f'tab:"{self._tab_id}"')
        smallest, at = self._history.span
        found: list[Row] = []
        while at > smallest and len(found) < MAX_ROWS:
            down_to = max(smallest, at - _STEP_ROWS)
            found += filter(self._belongs, self._history.of(self._history.ids(query, before=at, down_to=down_to)))
            at = down_to
            yield
        self._show(found[:MAX_ROWS][::-1])

    def _belongs(self, row: Row) -> bool:
        command = self._commands.get(row.command)
        acts = command is not None and command.klass != "read"
        return acts or bool(row.shot) or row.state in ("error", "unknown")

    def _show(self, rows: list[Row]) -> None:
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def _gap(self, number: int) -> str:
        if number == 0:
            return ""
        before = self._rows[number - 1]
        seconds = self._rows[number].at - before.ended_at
        return figures.age(seconds) if seconds > GAP_S else ""

    def _thumbnail(self, row: Row) -> QImage | None:
        shown = _named(row)
        if not shown:
            return None
        _words, name, where = shown[-1]
        if name not in self._thumbnails:
            self._thumbnails[name] = None
            self._pictures.load(
                self._file(name, where), _THUMBNAIL, self, lambda image: self._on_read(row.id, name, image)
            )
        return self._thumbnails[name]

    def _on_read(self, row_id: int, name: str, image: QImage) -> None:
        if name in self._thumbnails:
            self._thumbnails[name] = image
            self._tell(self.place_of(row_id))

    def _on_row(self, row: Row) -> None:
        if row.tab_id == self._tab_id and self._tab_id:
            self._fresh[row.id] = row
            self._throttle.ask()

    def _take(self) -> None:
        """Show what began and what changed since the last time."""
        if self._scan.is_working:
            return  # comes again at its end
        fresh, self._fresh = self._fresh, {}
        for row_id, row in sorted(fresh.items()):
            number = self.place_of(row_id)
            if number >= 0:
                self._rows[number] = row
                self._tell(number)
            elif self._belongs(row):
                place = bisect_left(self._rows, row_id, key=lambda known: known.id)
                self.beginInsertRows(QModelIndex(), place, place)
                self._rows.insert(place, row)
                self.endInsertRows()
        if len(self._rows) > MAX_ROWS:
            self._remove(0, len(self._rows) - MAX_ROWS - 1)

    def _tell(self, number: int) -> None:
        if number >= 0:
            self.dataChanged.emit(self.index(number), self.index(number))

    def _on_removed(self, ids: list[int], _pictures: list[str]) -> None:
        gone = set(ids)
        self._fresh = {row_id: row for row_id, row in self._fresh.items() if row_id not in gone}
        for number in range(len(self._rows) - 1, -1, -1):
            if self._rows[number].id in gone:
                self._remove(number, number)

    def _remove(self, first: int, last: int) -> None:
        self.beginRemoveRows(QModelIndex(), first, last)
        for row in self._rows[first : last + 1]:
            for _words, name, _where in _named(row):
                self._thumbnails.pop(name, None)
        del self._rows[first : last + 1]
        self.endRemoveRows()


def _named(row: Row) -> list[tuple[str, str, str]]:
    """What each of its pictures shows, the picture's name, and the folder in that of the screenshots."""
    named = (("Before", row.before, FOLDER), ("After", row.after, FOLDER), ("Screenshot", row.shot, ""))
    return [one for one in named if one[1]]
