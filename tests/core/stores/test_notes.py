"""What the person pointed at: who is told of it, and how it goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from kapture_panel.core.registry.clients import Client
from kapture_panel.core.stores.notes import MAX_NOTES, Note, Notes
from kapture_panel.core.stores.shots import Shots
from kapture_panel.core.wire.results import Pointed


@pytest.fixture
def shots(tmp_path: Path) -> Shots:
    return Shots(tmp_path)


def noted(notes: Notes, shots: Shots, words: str = "this one", tab_id: str = "t1") -> Note:
    picture = shots.add(b"picture", name="note", tab_id=tab_id, format="jpeg")
    return notes.add(tab_id, "https://shop.example/", "shop.example", words, Pointed(), 1, 2, picture)


def test_all_who_are_here_are_told_once_and_of_that_tab_alone(shots: Shots) -> None:
    notes = Notes(shots)
    one, other = Client("one", "agent"), Client("other", "agent")
    note = noted(notes, shots)
    assert notes.take(one, "t2") == []
    assert notes.take(one, "t1") == [note]
    assert notes.take(one, "t1") == []
    assert notes.take(other, "t1") == [note]


def test_where_nobody_is_the_first_who_comes_is_told(shots: Shots) -> None:
    notes = Notes(shots)
    note = noted(notes, shots)
    late, later = (Client(name, "agent", connected_at=note.at + 1) for name in ("late", "later"))
    assert notes.take(late, "t1") == [note]
    assert notes.take(later, "t1") == []


def test_a_note_goes_with_its_picture(shots: Shots) -> None:
    notes = Notes(shots)
    note, other = noted(notes, shots), noted(notes, shots)
    shots.remove(note.picture)
    assert (notes.find(note.id), list(notes)) == (None, [other])
    assert notes.take(Client("one", "agent"), "t1") == [other]


def test_of_many_the_oldest_go(shots: Shots) -> None:
    notes = Notes(shots)
    first = noted(notes, shots)
    for _ in range(MAX_NOTES):
        noted(notes, shots)
    assert len(list(notes)) == MAX_NOTES
    assert notes.find(first.id) is None
