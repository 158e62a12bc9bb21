"""What a Selenium Grid 4 is asked for: its state, a session, the session's end."""

from __future__ import annotations

import json
import logging
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.hub.browsers.managed import HEADLESS, UNASKED
from kapture_panel.hub.browsers.remote.packed import packed
from kapture_panel.hub.browsers.remote.places import UNTRUSTED, Place

if TYPE_CHECKING:
    import httpcore2

log = logging.getLogger(__name__)

Told = TypeVar("Told")

#: For everything but a session, which is queued for.
ANSWER_S = 10.0
#: More than a Grid has to say.
MAX_ANSWER_BYTES = 4 * 1024 * 1024
#: What every session is started with; a place's own capabilities come after it.
_ARGS = [
    "--silent-debugger-extension-api",
    "--no-first-run",
    "--no-default-browser-check",
    f"--disable-features={UNASKED}",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--window-size=1280,807",
]


@dataclass(frozen=True)
class GridSession:
    """A session that a Grid gave. `profile` is the folder of its browser there, empty where it does not say."""

    id: str
    browser: str
    profile: str


@dataclass(frozen=True)
class Slots:
    """How many sessions a Grid can have, has, and is asked for besides."""

    all: int
    taken: int
    waiting: int

    def __str__(self) -> str:
        waiting = f", {self.waiting} wait" if self.waiting else ""
        return f"{self.taken} of {self.all} are taken{waiting}"


class _Slot(msgspec.Struct):
    session: object = None


class _Node(msgspec.Struct):
    slots: list[_Slot] = []


class _Status(msgspec.Struct):
    ready: bool
    #: A hub that has just started does not speak of them yet.
    nodes: list[_Node] = []


class _Session(msgspec.Struct):
    sessionId: str
    capabilities: JsonObject


class Grid:
    """A Grid at its address.

    Args:
        place: where it is and what it is asked for.
    """

    def __init__(self, place: Place) -> None:
        self._place = place

    def cdp_address(self, session: GridSession) -> str:
        """Where its browser speaks CDP: below the address the person named, whatever the Grid calls itself."""
        return f"ws{self._place.address.removeprefix('http')}/session/{session.id}/se/cdp"

    async def slots(self) -> Slots:
        """How full it is.

        Raises:
            KaptureError: `NO_BROWSER`, it cannot be reached, or is not a Grid.
        """
        status = self._told(await self._ask("GET", "/status"), _Status)
        waiting = self._told(await self._ask("GET", "/se/grid/newsessionqueue/queue"), list[object])
        slots = [slot for node in status.nodes for slot in node.slots]
        return Slots(len(slots), sum(slot.session is not None for slot in slots), len(waiting))

    async def new_session(self, extension: Path, within_s: float) -> GridSession:
        """A browser with our extension, queued for up to `within_s` seconds.

        Raises:
            KaptureError: `NO_BROWSER`: it gives none, or none with CDP.
        """
        wanted = {"capabilities": {"alwaysMatch": capabilities(self._place, extension)}}
        made = self._told(await self._ask("POST", "/session", wanted, within_s), _Session)
        told = made.capabilities
        profile = told.get("chrome", {}).get("userDataDir", "") if isinstance(told.get("chrome"), dict) else ""
        browser = f"{told.get('browserName', '')} {told.get('browserVersion', '')}".strip()
        session = GridSession(made.sessionId, browser, str(profile))
        if not session.id.replace("-", "").isalnum():
            raise self._none("gave a session without a usable id", "look at its address")
        if "se:cdp" not in told:
            await self.end(session)
            raise self._none(f"gives {session.browser} without CDP", "ask for Chrome, Chromium or Edge")
        return session

    async def end(self, session: GridSession) -> None:
        """End a session; one that is not there any more is not an error.

        Raises:
            KaptureError: `NO_BROWSER`, the Grid cannot be reached.
        """
        try:
            await self._ask("DELETE", f"/session/{session.id}")
        except KaptureError as error:
            if error.details.get("status") != 404:
                raise

    async def _ask(self, method: str, path: str, body: JsonObject | None = None, within_s: float = ANSWER_S) -> object:
        """The value of a Grid's answer.

        Raises:
            KaptureError: `NO_BROWSER` with the Grid's words; the `status` is among its details.
        """
        import httpcore2

        # Its log of a request has the headers, the token among them.
        logging.getLogger("httpcore2").setLevel(logging.INFO)
        headers: dict[bytes | str, bytes | str] = {"Content-Type": "application/json; charset=utf-8"}
        headers.update(self._place.headers().items())
        timeouts = {"connect": ANSWER_S, "read": within_s, "write": ANSWER_S, "pool": ANSWER_S}
        try:
            async with (
                httpcore2.AsyncConnectionPool(ssl_context=self._place.trust()) as pool,
                pool.stream(
                    method,
                    f"{self._place.address}{path}",
                    headers=headers,
                    content=None if body is None else json.dumps(body).encode(),
                    extensions={"timeout": timeouts},
                ) as response,
            ):
                return self._value(response, await _bounded(response))
        except httpcore2.ReadTimeout:
            raise self._none(f"did not answer within {within_s:.0f} s", "try again, or give it more nodes") from None
        except (httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError, ssl.SSLError) as error:
            said = str(error) or type(error).__name__
            raise self._none(f"cannot be reached: {said}", _step_after(error)) from None

    def _value(self, response: httpcore2.Response, data: bytes) -> object:
        if response.status in (401, 403):
            raise self._none(f"refuses the log-in (status {response.status})", "look at token_file and user")
        try:
            value: JsonObject = json.loads(data)["value"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self._none(
                f"answered with status {response.status} but not as a Grid does", "look at its address",
                status=response.status,
            ) from None  # fmt: skip
        if response.status != 200:
            said = " ".join(str(_message_in(value)).split())[:300]
            raise self._none(f"gives no session: {said}", "look at its nodes", status=response.status)
        return value

    def _told(self, value: object, kind: type[Told]) -> Told:
        """What a Grid would say.

        Raises:
            KaptureError: `NO_BROWSER`, it is something else.
        """
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError:
            raise self._none("is not a Selenium Grid 4", "look at its address") from None

    def _none(self, what: str, next_step: str, status: int = 0) -> KaptureError:
        return KaptureError("NO_BROWSER", f"{self._place.name} ({self._place.host}) {what}", next_step, status=status)


def capabilities(place: Place, extension: Path) -> JsonObject:
    """What a session is asked for: a Chrome with our extension, and what the place adds."""
    wanted = dict(place.capabilities)
    options = dict(wanted.pop("goog:chromeOptions", {}))
    args = [*_ARGS, *(HEADLESS if place.headless else []), *options.pop("args", [])]
    extensions = [packed(extension), *options.pop("extensions", [])]
    return {
        "browserName": "chrome",
        **wanted,
        "goog:chromeOptions": {**options, "args": args, "extensions": extensions},
    }


def _step_after(error: BaseException) -> str:
    """What to do when it cannot be reached."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return UNTRUSTED
        cause = cause.__cause__ or cause.__context__
    return "look whether it runs, and at its address"


async def _bounded(response: httpcore2.Response) -> bytes:
    data = bytearray()
    async for chunk in response.aiter_stream():
        data += chunk
        if len(data) > MAX_ANSWER_BYTES:
            break
    return bytes(data)


def _message_in(value: object) -> object:
    return value.get("message") if isinstance(value, dict) else value
