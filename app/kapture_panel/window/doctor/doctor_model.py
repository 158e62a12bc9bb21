"""The links the doctor tries, as rows that are ticked off one by one."""

from __future__ import annotations

from collections import Counter
from typing import Any

from PySide6.QtCore import QAbstractListModel, QObject, Qt

from kapture_panel.core.doctor import CHAIN, GROUND, TITLES, Check, is_well, report
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.roles import DETAIL, ITEM, PILL, TONE, Index

_TONES = {"ok": "ok", "idle": "text_muted", "failed": "error"}
_PILLS = {"ok": "ok", "idle": "neutral", "failed": "error"}
_IN_WORDS = {"ok": "holds", "idle": "nothing there yet", "failed": "broken"}


class DoctorModel(QAbstractListModel):
    """One row for each link, in the order of the chain; ITEM is its check, None while it was not tried."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._links = (*CHAIN, *GROUND)
        self._checks: dict[str, Check] = {}
        self._is_trying = True

    def begin(self) -> None:
        """Forget what was found: everything is tried again."""
        self._checks.clear()
        self._is_trying = True
        self._tell_all()

    def end(self) -> None:
        """Nothing more is tried."""
        self._is_trying = False
        self._tell_all()

    def _tell_all(self) -> None:
        self.dataChanged.emit(self.index(0), self.index(len(self._links) - 1))

    def take(self, check: Check) -> None:
        """Tick a link off."""
        self._checks[check.link] = check
        row = self.index(self._links.index(check.link))
        self.dataChanged.emit(row, row)

    @property
    def _waits(self) -> str:
        """How it stands with what was not tried."""
        return "waiting" if self._is_trying else "not tried"

    @property
    def report(self) -> str:
        """What was found, as text."""
        return report(self._checks.values())

    @property
    def is_well(self) -> bool:
        """Whether nothing that was tried is broken."""
        return is_well(self._checks.values())

    @property
    def verdict(self) -> tuple[str, str]:
        """What was found, as a few words and a tone: ("all 13 links fine", "ok"); no words while nothing was tried."""
        states = Counter(check.state for check in self._checks.values())
        if states["failed"]:
            return figures.count(states["failed"], "problem"), "error"
        if states["idle"] == 1 and self._is_paused:
            return f"{figures.count(states['ok'], 'link')} fine, agents are paused", ""
        if states["idle"]:
            return f"{figures.count(states['ok'], 'link')} fine, {states['idle']} not in use yet", ""
        return (f"all {states['ok']} links fine", "ok") if states else ("", "")

    @property
    def _is_paused(self) -> bool:
        return "pause" in self._checks and self._checks["pause"].state == "idle"

    def row_to_look_at(self) -> int:
        """The first broken link, else the first where something is missing, else the first."""
        for state in ("failed", "idle"):
            for row, link in enumerate(self._links):
                if link in self._checks and self._checks[link].state == state:
                    return row
        return 0

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._links)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        link = self._links[index.row()]
        check = self._checks.get(link)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return TITLES[link]
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{TITLES[link]}: {_in_words(check)}" if check else f"{TITLES[link]}: {self._waits}"
            case _ if role == DETAIL:
                return safe_text.line(check.words, 300) if check else "…" if self._is_trying else self._waits
            case _ if role == TONE:
                return _TONES[check.state] if check else "text_muted"
            case _ if role == PILL and check:
                return (f"{check.sign} {figures.duration(check.ms)}".strip(), _PILLS[check.state])
        return check if role == ITEM else None


def _in_words(check: Check) -> str:
    """What was found, for who cannot see the row's colour."""
    return check.words if check.link == "pause" else f"{_IN_WORDS[check.state]}. {check.words}"
