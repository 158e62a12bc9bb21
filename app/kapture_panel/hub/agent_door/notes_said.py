"""What the person pointed at and said, as an agent is told it: their own words, apart from what the page says."""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.stores.notes import Note
from kapture_panel.core.wire.results import Pointed
from kapture_panel.hub.agent_door import untrusted

#: Where the resource of a note is: its id follows.
NOTE_URI = "kapture://note/"
#: In JSON the notes stand under this name.
KEY = "fromPerson"


def text(notes: Sequence[Note]) -> str:
    """Some notes, in lines; the words of the page stand in a line that is marked."""
    lines = []
    for note in notes:
        words = json.dumps(note.words, ensure_ascii=False)
        lines.append(f"the person points at a place in the tab {note.tab_id} and says to you: {words}")
        where = f"x={note.x:g}, y={note.y:g} in CSS pixels of the viewport"
        lines.append(f"the place: {where}; marked in the picture of {NOTE_URI}{note.id}, which is {note.picture.path}")
        if note.about != Pointed():
            lines.append(f"{untrusted.line(_source(note))} what lies there: {_element(note.about)}")
    return "\n".join(lines)


def as_json(note: Note) -> JsonObject:
    """One note; what the page says stands in `element`, marked."""
    told: JsonObject = {
        "words": note.words,
        "tabId": note.tab_id,
        "x": note.x,
        "y": note.y,
        "resource": f"{NOTE_URI}{note.id}",
        "path": str(note.picture.path),
    }
    if note.about != Pointed():
        told["element"] = {untrusted.KEY: _source(note), **msgspec.to_builtins(note.about)}
    return told


def _source(note: Note) -> str:
    origin = addresses.origin_of(note.url)
    return origin if addresses.site_of(origin) else "the page"


def _element(about: Pointed) -> str:
    parts = [about.role, json.dumps(about.name, ensure_ascii=False) if about.name else "", f"<{about.tag}>"]
    if about.ref:
        parts.append(f"ref={about.ref}")
    if about.selector:
        parts.append(f"selector={about.selector}")
    return " ".join(filter(None, parts))
