"""What the resources of MCP conversations are read from, and which of them changed."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.console import Console, ConsoleLine
from kapture_panel.core.stores.notes import Note, Notes
from kapture_panel.core.stores.shots import Shot, Shots

TABS = "kapture://tabs"
#: What a tab can be read as, beside itself.
VIEWS = ("console", "snapshot", "screenshot")
#: The views that another document makes old.
PAGE_VIEWS = ("snapshot", "screenshot")


def tab_uri(tab_id: str, view: str = "") -> str:
    """The address of a tab, or of one of its `VIEWS`."""
    return f"kapture://tab/{tab_id}" + (f"/{view}" if view else "")


def shot_uri(shot: Shot) -> str:
    """The address of a stored screenshot."""
    return f"kapture://screenshot/{quote(shot.file)}"


@dataclass(frozen=True)
class _Shown:
    """What of a tab is worth a notification: not that a command runs, which every read would change."""

    url: str
    title: str
    has_dialog: bool

    @classmethod
    def of(cls, tab: Tab) -> _Shown:
        return cls(tab.url, tab.title, tab.state == "dialog")


class Sources:
    """The stores of one instance, for all its conversations.

    `changed` says (session, address) of a resource, `listed` (session) that resources came or went.
    """

    def __init__(self, tabs: Tabs, console: Console, shots: Shots, notes: Notes) -> None:
        self.tabs = tabs
        self.shots = shots
        self.notes = notes
        self.changed: Signal[str, str] = Signal()
        self.listed: Signal[str] = Signal()
        self._shown = {tab.tab_id: _Shown.of(tab) for tab in tabs}
        tabs.added.connect(self._on_tab_added)
        tabs.changed.connect(self._on_tab_changed)
        tabs.navigated.connect(self._on_tab_navigated)
        tabs.removed.connect(self._on_tab_removed)
        console.appended.connect(self._on_console_lines)
        console.cleared.connect(self._on_console_cleared)
        shots.added.connect(self._on_shots)
        shots.removed.connect(self._on_shots)
        notes.added.connect(lambda note: self._on_shots(note.picture))

    def shots_seen_by(self, client: Client) -> list[Shot]:
        """The stored screenshots of tabs that `client` may know of, the newest first."""
        return [shot for shot in self.shots if shot.session == client.session][::-1]

    def notes_seen_by(self, client: Client) -> list[Note]:
        """The person's notes about tabs that `client` may know of, the newest first."""
        return [note for note in self.notes if note.picture.session == client.session][::-1]

    def _on_tab_added(self, tab: Tab) -> None:
        self._shown[tab.tab_id] = _Shown.of(tab)
        self.listed.emit(tab.session)
        self._tell(tab, "", *VIEWS)

    def _on_tab_changed(self, tab: Tab) -> None:
        before, now = self._shown.get(tab.tab_id), _Shown.of(tab)
        if now == before:
            return
        self._shown[tab.tab_id] = now
        self._tell(tab, "", *(PAGE_VIEWS if before is None or now.url != before.url else ()))

    def _on_tab_navigated(self, tab: Tab) -> None:
        for view in PAGE_VIEWS:
            self.changed.emit(tab.session, tab_uri(tab.tab_id, view))

    def _on_tab_removed(self, tab: Tab) -> None:
        self._shown.pop(tab.tab_id, None)
        self.listed.emit(tab.session)
        self._tell(tab, "")

    def _tell(self, tab: Tab, *views: str) -> None:
        self.changed.emit(tab.session, TABS)
        for view in views:
            self.changed.emit(tab.session, tab_uri(tab.tab_id, view))

    def _on_console_lines(self, lines: list[ConsoleLine]) -> None:
        self._on_console_cleared(lines[0].tab_id)

    def _on_console_cleared(self, tab_id: str) -> None:
        tab = self.tabs.find(tab_id)
        if tab is not None:
            self.changed.emit(tab.session, tab_uri(tab_id, "console"))

    def _on_shots(self, shot: Shot) -> None:
        if shot.session is not None:
            self.listed.emit(shot.session)
