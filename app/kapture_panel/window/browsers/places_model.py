"""The named places as rows, each with what its last test found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from kapture_panel.core.doctor import Check
from kapture_panel.window.browsers.remote_places import RemotePlace
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.roles import DETAIL, ITEM, PILL, Index


class PlacesModel(QAbstractListModel):
    """In the order of the file.

    Args:
        named: reads them; what it raises is the caller's.
    """

    def __init__(self, named: Callable[[], list[RemotePlace]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._named = named
        self._places: list[RemotePlace] = []
        self._checks: dict[str, list[Check]] = {}

    def refresh(self) -> None:
        """Read again.

        Raises:
            KaptureError: the file cannot be read; then there are no rows.
        """
        self.beginResetModel()
        self._places = []
        try:
            self._places = self._named()
        finally:
            self.endResetModel()

    def row_of(self, name: str) -> int:
        """Where a place stands; -1 for none."""
        return next((row for row, place in enumerate(self._places) if place.name == name), -1)

    def checks(self, name: str) -> list[Check]:
        """What its last test has found so far."""
        return self._checks.get(name, [])

    def begin(self, name: str) -> None:
        """Forget what was found: it is tested anew."""
        self._checks[name] = []
        self._tell(name)

    def take(self, name: str, check: Check) -> None:
        """Keep what was found."""
        self._checks.setdefault(name, []).append(check)
        self._tell(name)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._places)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        place = self._places[index.row()]
        name, detail = safe_text.line(place.name, 60), safe_text.line(f"{place.address} · {place.about}", 200)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return name
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join([name, *(self._pill(place) or ())[:1], detail])
            case _ if role == DETAIL:
                return detail
            case _ if role == PILL:
                return self._pill(place)
        return place if role == ITEM else None

    def _pill(self, place: RemotePlace) -> tuple[str, str] | None:
        states = {check.state for check in self.checks(place.name)}
        if "failed" in states:
            return ("does not work", "error")
        if "idle" in states:
            return ("not ready", "warning")
        return ("works", "ok") if states else None

    def _tell(self, name: str) -> None:
        if (row := self.row_of(name)) >= 0:
            self.dataChanged.emit(self.index(row), self.index(row))
