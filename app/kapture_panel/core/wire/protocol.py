"""The wire between panel and extension: JSON text frames, one struct per message type.

Field names are the wire's own (camelCase). `VERSION` goes up with every change the other side must know.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.core.basics.settings import Choice
from kapture_panel.core.wire import events
from kapture_panel.core.wire.dialogs import AnsweredDialog
from kapture_panel.core.wire.effects import ByPerson, Effects, Settled
from kapture_panel.core.wire.errors import Failure
from kapture_panel.core.wire.outcome import Outcome
from kapture_panel.core.wire.targets import Target
from kapture_panel.core.wire.watching import LivePicture, ToWatched

VERSION = 13
#: Of so many commands a tab is asked at most what became of them.
MAX_OPEN = 256
#: Largest frame before and after the proof, in bytes.
MAX_GREETING_BYTES = 4 * 1024
MAX_FRAME_BYTES = 32 * 1024 * 1024
#: How deep a frame of the extension may be nested; the frame itself counts.
MAX_DEPTH = 64
#: How a JavaScript dialog is answered for a client that has no command for it; empty: it has one.
DialogRule = Literal["", "accept", "dismiss"]
#: Both sides send an application ping this often: protocol pings do not keep a worker alive.
PING_INTERVAL_S = 20.0


class _Message(msgspec.Struct, tag_field="type", omit_defaults=True, kw_only=True):
    pass


class Hello(_Message, tag="hello"):
    """First frame of the extension: who it claims to be. Nothing else crosses before the proofs."""

    protocol: int
    role: Literal["tab", "browser"]
    install: str
    nonce: str
    tabId: str = ""


class Pair(_Message, tag="pair"):
    """First frame of a pair page, in place of a hello: `commitment` is the SHA-256 of the nonce it reveals later."""

    protocol: int
    install: str
    commitment: str


class PairingNonce(_Message, tag="pairing"):
    """The panel's half of what the code is made of."""

    nonce: str


class Reveal(_Message, tag="reveal"):
    """The pair page's half; from here on both sides can show the code."""

    nonce: str


class Confirm(_Message, tag="confirm"):
    """The person said on the pair page that both codes are the same."""


class Paired(_Message, tag="paired"):
    """The person said it on both sides: the key that every link proves from now on."""

    key: str


class Unpair(_Message, tag="unpair"):
    """The person took this browser off in its own pair page."""


class Unpaired(_Message, tag="unpaired"):
    """The person took this browser off in the panel: the key is worth nothing any more."""


class Challenge(_Message, tag="challenge"):
    """The panel proves first that it holds the key."""

    nonce: str
    proof: str


class Proof(_Message, tag="proof"):
    """The extension's proof."""

    proof: str


class Accepted(_Message, tag="accepted"):
    """Both sides have proved themselves."""


class Refused(_Message, tag="refused"):
    """Why the panel closes; the code tells the extension what its person can do."""

    code: str
    message: str


class Register(_Message, tag="register"):
    """What a connected tab or browser is, once trusted. `memory` names what a tab remembers of its commands: with
    another one it has begun to do so again."""

    url: str = ""
    title: str = ""
    favicon: str = ""
    browser: str = ""
    version: str = ""
    catalogue: str = ""
    memory: str = ""
    tabId: str = ""


class Settings(_Message, tag="settings"):
    """The person changed how an agent's work is to be seen; the extension knows what "auto" means for its browser.

    To a tab it also says who drives it: `driver` is the name of the client that acted in it last. To a browser it says
    whether the agents are `paused`: a person's own then lets go of its tabs, and takes them back afterwards."""

    naturalMouse: Choice = "auto"
    showCursor: Choice = "auto"
    showFrame: Choice = "auto"
    driver: str = ""
    paused: bool = False


class Registered(_Message, tag="registered"):
    """The tab, or the browser, is in the registry; the rest as `Settings` has it.

    `open` are the ids of commands whose answers the panel lost: the tab says by a `Response` to each what became of
    it, without what it returned; of one that still runs when it is over."""

    tabId: str = ""
    open: list[str] = []  # msgspec copies it per instance
    naturalMouse: Choice = "auto"
    showCursor: Choice = "auto"
    showFrame: Choice = "auto"
    driver: str = ""
    paused: bool = False


class Grant(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a command may touch: documents of these `origins` ("*": of any), and in which of them `secret` fields.

    The extension does nothing beyond it and answers `NEEDS_APPROVAL` {origin, site, url, title, fieldKind?, box?}
    instead. What only reads needs none."""

    origins: list[str] | Literal["*"] = []  # msgspec copies it per instance
    secret: list[str] | Literal["*"] = []

    def and_for(self, origin: str, *, secret: bool) -> Grant:
        """The same for one more origin, with its `secret` fields or without."""

        def grown(origins: list[str] | Literal["*"]) -> list[str] | Literal["*"]:
            return origins if origins == "*" or origin in origins else [*origins, origin]

        return Grant(grown(self.origins), grown(self.secret) if secret else self.secret)


#: For the person, for reads, and for who may do everything everywhere.
EVERYTHING = Grant("*", secret="*")
NOTHING = Grant()


class CommandFrame(_Message, tag="command"):
    """Run `command`; `timeout` in ms is enforced by the extension's queue.

    `dialogs` answers what the page shows meanwhile or before, for a client without a command for that. A look of the
    panel's own is `quiet`: what has come since the last answer is left to the next one."""

    id: str
    command: str
    params: Params
    timeout: int
    dialogs: DialogRule = ""
    grant: Grant = NOTHING
    quiet: bool = False


class Pick(_Message, tag="pick"):
    """Let the person choose an element in the tab, for the window alone: no command leads here. Answered by a
    `Response` with `Picked`, taken back by a `Cancel`."""

    id: str


class Check(_Message, tag="check"):
    """Try the tab's debugger and page for the doctor, in no queue; answered by a `Response` with `Checked`."""

    id: str


class Cancel(_Message, tag="cancel"):
    """The caller gave up on command or pick `id`; from the extension, the person on run `id`."""

    id: str


class LetGo(_Message, tag="letGo"):
    """Who held the tab does so no more: the keys it holds down there go up."""


class Show(_Message, tag="show"):
    """The person wants to see the tab: its window comes in front, with it."""


class Disconnect(_Message, tag="disconnect"):
    """The person wants the tab shared no more, as with Disconnect in the extension's popup."""


class DevToolsCommand(_Message, tag="run"):
    """The person gave a command in the extension's DevTools panel, for the tab it inspects. It comes over the browser's
    link alone, and is answered by a `DevToolsResult`."""

    id: str
    tabId: str
    command: str
    params: Params


class PauseAgents(_Message, tag="pause"):
    """The person pauses the agents in the extension's popup, or lets them go on. Over the browser's link alone."""

    on: bool


class DevToolsResult(_Message, tag="ran"):
    """The outcome of run `id`, `ms` being the whole time in the panel; `picture` is a screenshot in base64."""

    id: str
    success: bool
    result: Any = None
    error: JsonObject | None = None
    outcome: Outcome | None = None
    effects: Effects | None = None
    lateEffects: Effects | None = None
    snapshot: str | None = None
    picture: str = ""
    ms: float = 0.0


class Response(_Message, tag="response"):
    """What command `id` led to; an action that went well has its `outcome`. `ms` is the time it took in the extension.

    `targets` says which elements were meant, for the history alone, and `dialogs` which the frame's rule answered."""

    id: str
    success: bool
    result: Any = None
    error: Failure | None = None
    outcome: Outcome | None = None
    effects: Effects | None = None
    lateEffects: Effects | None = None
    snapshot: str | None = None
    targets: list[Target] = []  # msgspec copies it per instance
    dialogs: list[AnsweredDialog] = []
    ms: float = 0.0

    @property
    def failure(self) -> KaptureError:
        """Why it failed."""
        return (self.error or Failure(code="INTERNAL")).as_error()

    def with_person(self, person: ByPerson) -> Response:
        """The same, telling what the person did meanwhile."""
        late = msgspec.structs.replace(self.lateEffects or Effects(), person=person)
        return msgspec.structs.replace(self, lateEffects=late)

    def with_settled(self, settled: list[Settled]) -> Response:
        """The same, telling what became of commands whose answers were lost."""
        late = msgspec.structs.replace(self.lateEffects or Effects(), settled=settled)
        return msgspec.structs.replace(self, lateEffects=late)


class Event(_Message, tag="event"):
    """A batch of things that happened in a tab, at most 50 ms old."""

    events: list[events.Event]


class _Batch(_Message, tag="event"):
    """The same as it comes: an event of a kind nobody knows does not spoil the others."""

    events: list[msgspec.Raw]


class ReadFile(_Message, tag="read"):
    """The extension wants up to `size` bytes, from byte `start` on, of the file a running upload offers as `token`;
    answered by a `FilePiece`."""

    id: str
    token: str
    start: int
    size: int


class FilePiece(_Message, tag="piece"):
    """What `ReadFile` `id` asked for, in base64, or in `error` why not."""

    id: str
    data: str = ""
    error: Failure | None = None


class Ping(_Message, tag="ping"):
    """Keep-alive, answered by a pong."""


class Pong(_Message, tag="pong"):
    """The answer to a ping."""


FromExtension = (
    Hello | Pair | Reveal | Confirm | Proof | Register | Unpair | Response | Event | DevToolsCommand | PauseAgents
    | Cancel | ReadFile | LivePicture | Ping | Pong
)  # fmt: skip
FromPanel = (
    PairingNonce | Paired | Unpaired | Challenge | Accepted | Refused | Registered | Settings
    | CommandFrame | Pick | Check | Cancel | LetGo | Show | Disconnect | ToWatched
    | DevToolsResult | FilePiece | Ping | Pong
)  # fmt: skip

_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
    Hello
    | Pair
    | Reveal
    | Confirm
    | Proof
    | Register
    | Unpair
    | Response
    | _Batch
    | DevToolsCommand
    | PauseAgents
    | Cancel
    | ReadFile
    | LivePicture
    | Ping
    | Pong
)


def decode(frame: str | bytes) -> FromExtension:
    """The message in `frame`, as the extension sent it.

    Raises:
        KaptureError: `INVALID_PARAMS` when the frame is not a message of this protocol.
    """
    try:
        message: Any = _decoder.decode(frame)
        if isinstance(message, _Batch):
            message = Event(events=events.decode(message.events))
    except (msgspec.DecodeError, RecursionError) as error:
        raise KaptureError("INVALID_PARAMS", f"not a frame of the extension: {error}") from None
    if _depth_beyond(MAX_DEPTH - 1, msgspec.structs.astuple(message)):
        raise KaptureError("INVALID_PARAMS", f"a frame of the extension is nested deeper than {MAX_DEPTH}")
    taken: FromExtension = message
    return taken


def _depth_beyond(limit: int, outermost: Iterable[Any]) -> bool:
    """Whether something lies within more than `limit` containers."""
    level = list(outermost)
    for _ in range(limit):
        containers = [one for one in level if isinstance(one, dict | list)]
        if not containers:
            return False
        level = [inner for one in containers for inner in (one.values() if isinstance(one, dict) else one)]
    return any(isinstance(one, dict | list) for one in level)


def encode(message: FromPanel) -> str:
    """The text frame for `message`."""
    return msgspec.json.encode(message).decode()
