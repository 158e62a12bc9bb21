"""The browsers of a person that the panel trusts, kept in one file only its owner can read."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from kapture_panel.core.basics import private_file
from kapture_panel.core.basics.signal import Signal

log = logging.getLogger(__name__)

#: A browser that comes and goes is written down no more often than this.
_SEEN_STEP_S = 60.0


@dataclass
class PairedBrowser:
    """One browser profile: `install` is the name its extension gave itself, `key` the shared secret, 32 bytes as hex.

    `browser` says which one it is, in its own words, and `name` in the person's, empty when they gave it none; times
    are seconds since 1970.
    """

    install: str
    key: str
    browser: str
    paired_at: float
    seen_at: float
    name: str = ""


@dataclass(frozen=True)
class InstalledBrowser:
    """A browser the person has installed: its name, its program, the address of its page of extensions."""

    name: str
    path: str
    extensions: str


class PairedBrowsers:
    """All paired browsers.

    Args:
        path: the JSON file, mode 0600; a damaged one is moved aside and told in the log.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.added: Signal[PairedBrowser] = Signal()
        self.changed: Signal[PairedBrowser] = Signal()
        #: The person, here or in the browser, does not want it any more.
        self.removed: Signal[PairedBrowser] = Signal()
        self._browsers: dict[str, PairedBrowser] = {}
        self._here: set[str] = set()
        kept, _warning = private_file.read(path, "the paired browsers", _taken)
        self._browsers |= kept or {}

    def __iter__(self) -> Iterator[PairedBrowser]:
        """In the order they were paired."""
        return iter(list(self._browsers.values()))

    def __len__(self) -> int:
        return len(self._browsers)

    def find(self, install: str) -> PairedBrowser | None:
        """The browser called `install`, if it is paired."""
        return self._browsers.get(install)

    def add(self, install: str, key: str, browser: str) -> PairedBrowser:
        """Trust a browser from now on; one that is paired again has its old key replaced.

        Raises:
            OSError: it could not be written down; then it is not trusted.
        """
        now = time.time()
        made = PairedBrowser(install, key, browser, paired_at=now, seen_at=now, name=self.given_name(install))
        others = [known for known in self if known.install != install]
        self._write([*others, made])
        old = self._browsers.pop(install, None)
        if old is not None:
            self.removed.emit(old)
        self._browsers[install] = made
        self.added.emit(made)
        return made

    def given_name(self, install: str) -> str:
        """What the person calls a browser, empty when they gave it no name."""
        known = self._browsers.get(install)
        return known.name if known is not None else ""

    def rename(self, install: str, name: str) -> None:
        """Let the person call it `name` from now on; an empty one gives it its own name back.

        Raises:
            OSError: it could not be written down; then it has the name it had.
        """
        known = self._browsers.get(install)
        if known is None or known.name == name:
            return
        self._write([replace(known, name=name) if other is known else other for other in self])
        known.name = name
        self.changed.emit(known)

    def remove(self, install: str) -> bool:
        """Trust it no more; False when it is not paired.

        Raises:
            OSError: it could not be written down; then it is paired still.
        """
        known = self._browsers.get(install)
        if known is None:
            return False
        self._write([other for other in self if other is not known])
        del self._browsers[install]
        self._here.discard(install)
        self.removed.emit(known)
        return True

    def is_here(self, install: str) -> bool:
        """Whether it is connected now."""
        return install in self._here

    def see(self, install: str, browser: str = "", *, is_here: bool) -> None:
        """It comes or goes; `browser` is what it calls itself."""
        known = self._browsers.get(install)
        if known is None:
            return
        (self._here.add if is_here else self._here.discard)(install)
        now = time.time()
        is_news = (browser and browser != known.browser) or abs(now - known.seen_at) >= _SEEN_STEP_S
        known.browser, known.seen_at = browser or known.browser, now
        if is_news:
            try:
                self._write(list(self))
            except OSError as error:  # when it was seen is not worth keeping a browser away
                log.warning("when a browser was here last could not be written down: %s", error)
        self.changed.emit(known)

    def _write(self, browsers: list[PairedBrowser]) -> None:
        private_file.write(self._path, [asdict(browser) for browser in browsers])


def _taken(kept: Any) -> dict[str, PairedBrowser]:
    return {row["install"]: PairedBrowser(**row) for row in kept}
