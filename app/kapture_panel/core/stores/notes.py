"""What the person pointed at in a tab and said about it, for the agents that work there.

The words are kept in memory alone. The picture is one of the stored screenshots, and a note goes with it: after a
day at most, with its part of the history, when the person deletes it.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.stores.shots import Shot, Shots
from kapture_panel.core.wire.results import Pointed

#: Of more notes the oldest go.
MAX_NOTES = 200


@dataclass(frozen=True)
class Note:
    """A place and words about it.

    `words` are the person's; `about` is what the page says of the element there. `x` and `y` are CSS pixels of the
    viewport, `url` is where the tab was and `site` its site, as history has them; `at` in seconds since 1970; `picture`
    shows the place.
    """

    id: str
    tab_id: str
    url: str
    site: str
    words: str
    about: Pointed
    x: float
    y: float
    at: float
    picture: Shot


class Notes:
    """The notes, oldest first.

    Args:
        shots: has their pictures.
    """

    def __init__(self, shots: Shots) -> None:
        self._notes: dict[str, Note] = {}
        #: By the id of a note, who was told of it.
        self._told: dict[str, set[int]] = {}
        self.added: Signal[Note] = Signal()
        shots.removed.connect(self._on_removed)

    def __iter__(self) -> Iterator[Note]:
        return iter(tuple(self._notes.values()))

    def add(
        self, tab_id: str, url: str, site: str, words: str, about: Pointed, x: float, y: float, picture: Shot
    ) -> Note:
        """Keep a note for the agents."""
        note = Note(secrets.token_hex(6), tab_id, url, site, words, about, x, y, picture.taken_at, picture)
        self._notes[note.id] = note
        self._told[note.id] = set()
        while len(self._notes) > MAX_NOTES:
            self._forget(next(iter(self._notes)))
        self.added.emit(note)
        return note

    def find(self, note_id: str) -> Note | None:
        """The note with this id."""
        return self._notes.get(note_id)

    def take(self, client: Client, tab_id: str) -> list[Note]:
        """What `client` is to be told with an answer about a tab: each note once, to all who were here when it was
        written, or else to the first who comes."""
        news = [
            note
            for note in self
            if note.tab_id == tab_id
            and id(client) not in self._told[note.id]
            and (client.connected_at <= note.at or not self._told[note.id])
        ]
        for note in news:
            self._told[note.id].add(id(client))
        return news

    def of_site(self, site: str) -> set[Shot]:
        """The pictures of the notes about a site."""
        return {note.picture for note in self if note.site == site}

    def _on_removed(self, shot: Shot) -> None:
        for note in self:
            if note.picture is shot or note.picture == shot:
                self._forget(note.id)

    def _forget(self, note_id: str) -> None:
        del self._notes[note_id], self._told[note_id]
