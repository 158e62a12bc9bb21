"""The frames of watching a tab and stepping into it: for the window alone. No agent's command leads here."""

from __future__ import annotations

from typing import Literal

import msgspec


class _Message(msgspec.Struct, tag_field="type", omit_defaults=True, kw_only=True):
    pass


class Watch(_Message, tag="watch"):
    """The person looks at the tab's page: its pictures fit into `width` x `height` pixels, and one comes at most every
    `everyMs`. Another one replaces it, `Unwatch` ends it."""

    width: int
    height: int
    everyMs: int


class Unwatch(_Message, tag="unwatch"):
    """The person looks elsewhere: no picture crosses any more."""


class Painted(_Message, tag="painted"):
    """The person sees picture `number`; another one is sent then, so that slow windows are not flooded."""

    number: int


class LivePicture(_Message, tag="live"):
    """The page as it is: a JPEG in base64 of a viewport of `width` x `height` CSS pixels. It is kept nowhere."""

    number: int
    data: str
    width: float
    height: float


class StepIn(_Message, tag="stepIn"):
    """The person has mouse and keyboard of the tab, until `StepOut` or the link's end; `MouseInput` and the other
    three count meanwhile only."""


class StepOut(_Message, tag="stepOut"):
    """The person gives the tab back; answered by a `Response` once the tab has told all that they did."""

    id: str


class MouseInput(_Message, tag="mouse"):
    """The person's mouse at a point of the viewport in CSS pixels. `button` is the one that this is about, `buttons`
    and `modifiers` are masks as CDP has them; `count` is 2 for the second press of a double click, and the deltas of a
    wheel are in CSS pixels."""

    act: Literal["move", "down", "up", "wheel"]
    x: float
    y: float
    button: Literal["none", "left", "middle", "right", "back", "forward"] = "none"
    buttons: int = 0
    count: int = 0
    modifiers: int = 0
    deltaX: float = 0.0
    deltaY: float = 0.0


class KeyInput(_Message, tag="key"):
    """A key of the person's goes down or up: a name of the UI Events specification, or the character it makes."""

    key: str
    down: bool = False
    modifiers: int = 0
    repeat: bool = False


class TextInput(_Message, tag="text"):
    """Text from the person's input method, or from their clipboard."""

    text: str
    pasted: bool = False


class Composition(_Message, tag="compose"):
    """What the person's input method shows before it commits; empty takes it back."""

    text: str
    start: int
    end: int


class PointAt(_Message, tag="pointAt"):
    """The person points at a place of the viewport, in CSS pixels; answered by a `Response` with
    `PlacePointedAt`. It waits in no queue."""

    id: str
    x: float
    y: float


#: What is given on to a tab.
Input = MouseInput | KeyInput | TextInput | Composition
#: All that a tab is told here.
ToWatched = Watch | Unwatch | Painted | StepIn | StepOut | PointAt | Input
