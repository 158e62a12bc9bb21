"""What the demo prints: a bar, a line per step below it, a table at the end."""

from __future__ import annotations

import statistics
from collections.abc import Callable

BAR_CHARS = 32


class Progress:
    """A bar on top that grows in place on a terminal; elsewhere each line carries its number.

    Args:
        total: the number of steps.
        say: prints lines.
        say_above: prints over the line that many lines above; None where that is not possible.
    """

    def __init__(
        self, total: int, say: Callable[[str], None], say_above: Callable[[int, str], None] | None = None
    ) -> None:
        self._total = total
        self._say = say
        self._say_above = say_above
        self._done = 0
        self._lines = 0
        if self._say_above:
            self._say(self._bar())

    def step(self, title: str, ms: float, failure: str = "") -> None:
        """Tell the outcome of the next step."""
        self._done += 1
        sign = "✗" if failure else "✓"
        number = "" if self._say_above else f"[{self._done:2}/{self._total}] "
        line = f"  {number}{sign} {title:<42}{ms:8.0f} ms"
        lines = [line, *(f"      {said}" for said in failure.splitlines())]
        self._lines += len(lines)
        self._say("\n".join(lines))
        if self._say_above:
            self._say_above(self._lines + 1, self._bar())

    def _bar(self) -> str:
        filled = round(BAR_CHARS * self._done / self._total)
        return f"  {'█' * filled}{'░' * (BAR_CHARS - filled)} {self._done}/{self._total}"


def table(times_ms: dict[str, list[float]]) -> str:
    """Calls and times by command."""
    rows = [f"  {'command':<16}{'calls':>6}{'median ms':>12}{'longest ms':>12}"]
    for command, times in sorted(times_ms.items(), key=lambda item: -len(item[1])):
        rows.append(f"  {command:<16}{len(times):>6}{statistics.median(times):>12.1f}{max(times):>12.1f}")
    return "\n".join(rows)
