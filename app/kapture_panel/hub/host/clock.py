"""Whether the machine slept, or its clock was set, while the panel ran.

Neither breaks anything: what runs is timed by the time that passes, whatever the clock shows.
"""

from __future__ import annotations

import time
from collections.abc import Callable

#: A clock that is only kept right is corrected by less.
LEAST_S = 60.0
_UNITS = (("day", 86_400), ("hour", 3600), ("minute", 60))


class Clock:
    """Made when the panel starts.

    Args:
        shown: what the clock shows, in s.
        passed: the time that has passed, in s, whatever the clock is set to. On Linux and macOS it stands still while
            the machine sleeps; where it goes on, a sleep is no jump.
    """

    def __init__(self, shown: Callable[[], float] = time.time, passed: Callable[[], float] = time.monotonic) -> None:
        self._shown = shown
        self._passed = passed
        self._at_start = shown() - passed()

    def jumped(self) -> str:
        """How far it jumped since then, in words; empty when it did not."""
        ahead_s = self._shown() - self._passed() - self._at_start
        if ahead_s >= LEAST_S:
            how = f"the machine slept, or the clock was set forward, by {_told(ahead_s)}"
            return f"since its start {how}: what ran then may have ended as unknown"
        if ahead_s <= -LEAST_S:
            return (
                f"since its start the clock was set back by {_told(-ahead_s)}: rows from before that show later times"
            )
        return ""


def _told(seconds: float) -> str:
    """A duration in its largest whole unit, such as "2 hours"."""
    unit, size = next((unit, size) for unit, size in _UNITS if seconds >= size)
    number = round(seconds / size)
    return f"{number} {unit}{'s' if number > 1 else ''}"
