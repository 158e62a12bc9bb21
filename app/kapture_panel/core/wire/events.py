"""What happens in a tab or a browser, as the extension tells it in batches."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class _Event(msgspec.Struct, tag_field="kind", kw_only=True):
    pass


class TabChanged(_Event, tag="tab"):
    """Where the tab is; what is None has not changed. `navigated`: another document is in it."""

    url: str | None = None
    title: str | None = None
    favicon: str | None = None
    navigated: bool = False


class ConsoleSaid(_Event, tag="console"):
    """A line of the console; `at` in ms since 1970, `source` is `file:line`, `context` page, worker or
    serviceWorker."""

    at: float = 0.0
    level: str = "log"
    text: str = ""
    source: str = ""
    context: str = "page"


class ConsoleCleared(_Event, tag="cleared"):
    """The lines before it are forgotten."""


class RequestSeen(_Event, tag="request"):
    """A request that began or went on; its address is masked already. `at` in ms since 1970."""

    id: str = ""
    at: float = 0.0
    method: str = ""
    type: str = "other"
    url: str = ""
    status: int | None = None
    failure: str | None = None
    finished: bool = False
    source: str = "network"
    ms: float | None = None
    bytes: int = 0
    context: str = "page"


class DialogShown(_Event, tag="dialog"):
    """A dialog blocks the page, or does no more; which one and what it says is told while it does."""

    open: bool = False
    type: str = ""
    message: str = ""


class TargetMeant(_Event, tag="target"):
    """The element that command `id` is about: its box in CSS pixels of the viewport, told while somebody watches."""

    id: str = ""
    role: str = ""
    name: str = ""
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0


class PointerAt(_Event, tag="pointer"):
    """Where an agent's mouse is in the viewport, in CSS pixels, told while somebody watches."""

    x: float = 0.0
    y: float = 0.0
    pressed: bool = False


class PersonDid(_Event, tag="did"):
    """What the person who has stepped in does in the page, and to which element; never what was typed."""

    act: Literal["pressed", "dragged", "scrolled", "typed", "pasted", "pressed Enter", "pressed Escape"]
    role: str = ""
    name: str = ""


class Closed(_Event, tag="closed"):
    """The tab is gone; from a browser, the one called `tabId` that it had let go of. `byPerson`: a person shares it no
    more; it is open still."""

    tabId: str = ""
    byPerson: bool = False


class Held(_Event, tag="held"):
    """The browser lets go of the tab as long as the agents are paused."""


class Back(_Event, tag="back"):
    """Of the tabs the browser had let go of all that come back are back."""


class Crashed(_Event, tag="crash"):
    """The page's process is gone."""


Event = (
    TabChanged | ConsoleSaid | ConsoleCleared | RequestSeen | DialogShown | TargetMeant | PointerAt | PersonDid
    | Closed | Held | Back | Crashed
)  # fmt: skip


class _Kind(msgspec.Struct):
    kind: Any = None


_kind = msgspec.json.Decoder(_Kind)
_event: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_KNOWN = {kind.__struct_config__.tag for kind in _Event.__subclasses__()}


def decode(batch: list[msgspec.Raw]) -> list[Event]:
    """The events of a frame; one of a kind that nobody knows is left out.

    Raises:
        msgspec.DecodeError: one has another form than its kind.
    """
    return [_event.decode(raw) for raw in batch if _is_known(_kind.decode(raw).kind)]


def _is_known(kind: Any) -> bool:
    return isinstance(kind, str) and kind in _KNOWN
