"""What the window is given so that it can look at tabs."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol

from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.wire.watching import Input, LivePicture


class PersonsHands(Protocol):
    """The person's mouse and keys in the tabs they have stepped into."""

    def step_in(self, tab_id: str) -> None:
        """Take a tab over; agents are held there. It raises KaptureError."""

    def give(self, tab_id: str, what: Input) -> None:
        """Do something in it."""

    async def step_out(self, tab_id: str) -> None:
        """Give it back; whoever held it before is told what was done."""


class Pointing(Protocol):
    """Takes the person's notes about places in tabs."""

    async def note(self, tab_id: str, x: float, y: float, words: Awaitable[str]) -> object | None:
        """Look at a place of the viewport now, and keep it with the words once they are there; None for no words. It
        raises KaptureError."""


class Videos(Protocol):
    """Which tabs are recorded as videos."""

    #: Emitted with a tabId in which a recording begins or ends.
    changed: Signal[str]
    #: (who, path, why): a video is finished, and why it ended; `stopped` if it was stopped.
    over: Signal[Client, str, str]

    def who(self, tab_id: str) -> Client | None:
        """Who records a tab now."""


class Watching(Protocol):
    """Asks tabs for pictures; nothing of them is kept."""

    #: (tabId, picture): how a tab looks now.
    came: Signal[str, LivePicture]

    def watch(self, tab_id: str, width: int, height: int, every_ms: int) -> None:
        """Have pictures of a tab from now on that fit into this many pixels, one every `every_ms` at most."""

    def unwatch(self, tab_id: str) -> None:
        """Look away from it."""

    def painted(self, tab_id: str, number: int) -> None:
        """The person sees this picture: the next may come."""
