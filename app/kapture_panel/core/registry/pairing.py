"""A browser asks to be paired: the person compares a code, and decides on both sides. One request at a time."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.signal import Signal

EXPIRY_S = 120.0
#: A person presses "Try again" now and then; a program that asks and asks is turned away.
MAX_REQUESTS = 4
WINDOW_S = 60.0
_DIGITS = 6

State = Literal["greeting", "open", "paired", "refused", "expired", "withdrawn"]


def code_of(install: str, address: str, extension_nonce: str, panel_nonce: str) -> str:
    """The code both sides show: six digits of the hash over what was said and the address that was dialled.

    The address is part of it: through a program that passes on from another port the two codes differ. The
    extension's nonce was promised by its hash before the panel's was known, so nobody in between can choose one
    that makes them the same.
    """
    text = "\n".join(("pairing", install, address, extension_nonce, panel_nonce))
    return f"{int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], 'big') % 10**_DIGITS:0{_DIGITS}}"


@dataclass(eq=False)
class PairingRequest:
    """A browser that wants to be paired.

    `browser` is what its program calls itself; `code` is empty until the greeting is over; `made_at` in seconds
    since 1970. `is_allowed` is the person's word here, `is_confirmed` the one in the browser: it takes both.
    """

    install: str
    browser: str
    made_at: float
    code: str = ""
    state: State = "greeting"
    is_allowed: bool = False
    is_confirmed: bool = False
    #: Set when both have said yes, or it is over.
    decided: asyncio.Event = field(default_factory=asyncio.Event)


class PairingDesk:
    """Takes one request at a time. Deciding is the person's alone: no command leads to `allow`.

    `asked` comes with a request that can be shown, `changed` when one side has said yes, `settled` when it is over.
    """

    def __init__(self, expiry_s: float = EXPIRY_S) -> None:
        self.asked: Signal[PairingRequest] = Signal()
        self.changed: Signal[PairingRequest] = Signal()
        self.settled: Signal[PairingRequest] = Signal()
        self.expiry_s = expiry_s
        self.current: PairingRequest | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._begun_at: deque[float] = deque(maxlen=MAX_REQUESTS)
        self._attended = False

    def attend(self) -> None:
        """From now on somebody can see and answer a request."""
        self._attended = True

    def leave(self) -> None:
        """Nobody can answer any more."""
        self._attended = False
        if self.current is not None:
            self.refuse(self.current)

    def begin(self, install: str, browser: str) -> PairingRequest:
        """Take the one place there is.

        Raises:
            KaptureError: `DENIED` when nobody can be asked, `BUSY` when another browser is being paired,
                `RATE_LIMITED` when there were too many requests.
        """
        if not self._attended:
            raise KaptureError("DENIED", "this panel has no window to pair in", "start it with its window: kapture")
        if self.current is not None:
            raise KaptureError("BUSY", "another browser is being paired", "decide about that one in the panel first")
        now = time.monotonic()
        if len(self._begun_at) == MAX_REQUESTS and (wait_s := self._begun_at[0] + WINDOW_S - now) > 0:
            raise KaptureError("RATE_LIMITED", "pairing was asked for too often", f"try again in {wait_s:.0f} s")
        self._begun_at.append(now)
        self.current = PairingRequest(install, browser, time.time())
        return self.current

    def show(self, request: PairingRequest, code: str) -> None:
        """The greeting is over: ask the person."""
        request.code, request.state = code, "open"
        self._timer = asyncio.get_running_loop().call_later(self.expiry_s, self._settle, request, "expired")
        self.asked.emit(request)

    def allow(self, request: PairingRequest) -> None:
        """The person says here that the codes are the same."""
        if request.state == "open" and not request.is_allowed:
            request.is_allowed = True
            self._on_word(request)

    def confirm(self, request: PairingRequest) -> None:
        """The person said the same in the browser."""
        if request.state == "open" and not request.is_confirmed:
            request.is_confirmed = True
            self._on_word(request)

    def refuse(self, request: PairingRequest) -> None:
        """The person does not want it."""
        self._settle(request, "refused")

    def withdraw(self, request: PairingRequest) -> None:
        """The browser has gone."""
        self._settle(request, "withdrawn")

    def finish(self, request: PairingRequest) -> None:
        """It is paired, and written down."""
        self._settle(request, "paired")

    def _on_word(self, request: PairingRequest) -> None:
        if request.is_allowed and request.is_confirmed:
            request.decided.set()
        self.changed.emit(request)

    def _settle(self, request: PairingRequest, state: State) -> None:
        if self.current is not request:
            return
        self.current = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        request.state = state
        request.decided.set()
        if request.code:
            self.settled.emit(request)
