"""What the extension answers to frames that are not commands, whose answers the catalogue describes."""

from __future__ import annotations

from typing import Literal

import msgspec


class PickedElement(msgspec.Struct):
    """The element a person clicked."""

    role: str
    name: str
    tag: str


class Candidate(msgspec.Struct):
    """A name of that element; `first`: a command would take this element and none of the others it matches."""

    way: Literal["selector", "xpath"]
    value: str
    kind: str
    matches: int
    first: bool


class Picked(msgspec.Struct, omit_defaults=True):
    """What a person chose in a tab, the best candidate first, or how the choosing `ended` without: by Escape there, or
    because the page went elsewhere. Not `reachable`: the frame around the element has not been told of."""

    element: PickedElement | None = None
    reachable: bool = False
    candidates: list[Candidate] = []  # msgspec copies it per instance
    ended: Literal["", "escape", "left"] = ""


class Pointed(msgspec.Struct, omit_defaults=True):
    """What lies where a person points, as an agent can act on it: without a `ref` nothing that can be told.

    `selector` is None where none finds it."""

    role: str = ""
    name: str = ""
    tag: str = ""
    ref: str = ""
    selector: str | None = None


class PlacePointedAt(msgspec.Struct):
    """How a tab was when the person pointed: what lies there, and its viewport of `width` x `height` CSS pixels as a
    JPEG in base64, scrolled by so many."""

    about: Pointed
    data: str
    scrollX: float
    scrollY: float
    width: float
    height: float


class Checked(msgspec.Struct, omit_defaults=True):
    """How long the debugger and the page of a tab took to answer, in ms, or why they did not; of what was not tried
    neither. `slowed`: the extension slows the page, or a frame of it, because it floods its console."""

    debuggerMs: float | None = None
    debuggerError: str = ""
    pageMs: float | None = None
    pageError: str = ""
    slowed: bool = False
