"""What the doctor says of each link between an agent and the page, and of what these links need."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from kapture_panel.core.basics.errors import KaptureError

#: `idle`: nothing is broken, but nothing is there yet that could be tried.
State = Literal["ok", "idle", "failed"]

#: The chain, in the order a command goes through it.
CHAIN = {
    "client": "Your agent's program",
    "child": "Kapture's helper for agents",
    "panel": "Panel",
    "pause": "Pause",
    "socket": "Connection for browsers",
    "worker": "Extension",
    "debugger": "Debugger",
    "tab": "Tab",
}
#: What the chain stands on.
GROUND = {
    "data": "Data folder",
    "history": "History",
    "browser": "Browser",
    "formatters": "Site formatters",
    "files": "Extension files",
    "versions": "Versions",
}
#: What only a terminal looks at: a panel that runs has a window and its port.
ALONE = {
    "port": "Port",
    "door": "Connection for agents",
    "window": "Window",
}
#: The links to a place on another machine, in the order in which one needs the other.
PLACE = {
    "reach": "Remote place",
    "session": "Its browser",
    "extension": "Its extension",
    "carried": "Its connection",
    "page": "Its page",
}
TITLES = {**CHAIN, **GROUND, **ALONE, **PLACE}
_TITLE_CHARS = max(map(len, TITLES.values()))
_SIGNS: dict[State, str] = {"ok": "✓", "idle": "–", "failed": "✗"}


@dataclass(frozen=True)
class Check:
    """One link that was tried.

    `link` is a key of `TITLES`; `words` say what was found, `fix` what to do about it (empty when all is well);
    `ms` is how long the try took, None where nothing was tried.
    """

    link: str
    state: State
    words: str
    fix: str = ""
    ms: float | None = None

    @property
    def title(self) -> str:
        """The link in words."""
        return TITLES.get(self.link, self.link)

    @property
    def sign(self) -> str:
        """A tick, a cross, or a dash for what is not there yet."""
        return _SIGNS[self.state]


class Ill(Exception):
    """A link does not hold: what was found and what to do about it."""

    def __init__(self, words: str, fix: str) -> None:
        super().__init__(words)
        self.words = words
        self.fix = fix


class NotYet(Ill):
    """There is nothing to try: not a failure, and `fix` says how to go on."""


async def tried(link: str, work: Callable[[], Awaitable[str]], fix: str) -> Check:
    """Try a link and take the time.

    Args:
        work: returns what was found in words; raises `Ill`, `NotYet`, KaptureError, OSError or TimeoutError.
        fix: what to do about an error that does not say it itself.
    """
    started = time.perf_counter()
    try:
        words = await work()
    except NotYet as found:
        return Check(link, "idle", found.words, found.fix)
    except Ill as found:
        return Check(link, "failed", found.words, found.fix, _ms_since(started))
    except KaptureError as error:
        return Check(link, "failed", error.message, fix, _ms_since(started))
    except TimeoutError:
        return Check(link, "failed", "no answer", fix, _ms_since(started))
    except OSError as error:
        return Check(link, "failed", str(error), fix, _ms_since(started))
    return Check(link, "ok", words, ms=_ms_since(started))


def is_well(checks: Iterable[Check]) -> bool:
    """Whether no link is broken."""
    return all(check.state != "failed" for check in checks)


def line(check: Check) -> str:
    """A check as a line of a terminal, its fix on a line of its own."""
    took = f"{check.ms:.1f} ms" if check.ms is not None else ""
    first = f"{check.sign} {check.title:<{_TITLE_CHARS}} {took:>10}  {check.words}"
    return f"{first}\n{' ' * 31}→ {check.fix}" if check.fix else first


def report(checks: Iterable[Check]) -> str:
    """All of them, to be sent to somebody."""
    return "\n".join(map(line, checks)) + "\n"


def _ms_since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 1)
