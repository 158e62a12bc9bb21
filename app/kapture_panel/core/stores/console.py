"""Console lines as the window shows them: in memory only, a ring per tab."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.wire.events import ConsoleSaid

LEVELS = ("debug", "log", "info", "warn", "error")
MAX_LINES_PER_TAB = 10_000
#: Lines of tabs that were closed are kept too, but not of all tabs there ever were: the tab that has been silent for
#: longest gives way when there are more tabs, or more lines in all.
MAX_TABS = 300
MAX_LINES = 300_000


@dataclass(frozen=True, slots=True)
class ConsoleLine:
    """One line; `at` in ms since 1970, `source` is `file:line`, `context` page / worker / serviceWorker."""

    tab_id: str
    at: float
    level: str
    text: str
    source: str = ""
    context: str = "page"


class Console:
    """The last lines of every tab; announces each batch that arrives."""

    def __init__(self, max_lines_per_tab: int = MAX_LINES_PER_TAB) -> None:
        self._max_lines = max_lines_per_tab
        #: The tab that wrote last comes last.
        self._rings: dict[str, deque[ConsoleLine]] = {}
        self._count = 0
        self.dropped: dict[str, int] = {}
        self.appended: Signal[list[ConsoleLine]] = Signal()
        self.cleared: Signal[str] = Signal()

    def append(self, tab_id: str, said: Iterable[ConsoleSaid]) -> None:
        """Add a batch of lines of one tab."""
        batch = [ConsoleLine(tab_id, one.at, one.level, one.text, one.source, one.context) for one in said]
        ring = self._rings.pop(tab_id, None) or deque(maxlen=self._max_lines)
        self._rings[tab_id] = ring
        before = len(ring)
        overflow = before + len(batch) - self._max_lines
        if overflow > 0:
            self.dropped[tab_id] = self.dropped.get(tab_id, 0) + overflow
        ring.extend(batch)
        self._count += len(ring) - before
        while len(self._rings) > MAX_TABS or (self._count > MAX_LINES and len(self._rings) > 1):
            self.clear(next(iter(self._rings)))
        self.appended.emit(batch)

    def lines(self, tab_id: str | None = None) -> list[ConsoleLine]:
        """The kept lines of one tab, or of all tabs, oldest first."""
        if tab_id is not None:
            return list(self._rings.get(tab_id, ()))
        return sorted((line for ring in self._rings.values() for line in ring), key=lambda line: line.at)

    def forget_since(self, at_ms: float) -> None:
        """Forget all lines from this moment on, in ms since 1970."""
        for tab_id, ring in tuple(self._rings.items()):
            kept = [line for line in ring if line.at < at_ms]
            if len(kept) == len(ring):
                continue
            self.clear(tab_id)
            if kept:
                self._rings[tab_id] = deque(kept, maxlen=self._max_lines)
                self._count += len(kept)
                self.appended.emit(kept)

    def clear(self, tab_id: str | None = None) -> None:
        """Forget the lines of one tab, or of all."""
        for known in [tab_id] if tab_id is not None else list(self._rings):
            self._count -= len(self._rings.pop(known, ()))
            self.dropped.pop(known, None)
        self.cleared.emit(tab_id or "")
