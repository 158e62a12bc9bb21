"""What a check of the soak is."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Figure:
    """What came of a check: the figure as shown, and whether it is as good as the goal; `is_left_out` when this machine
    has not what the check needs."""

    shown: str
    is_met: bool
    is_left_out: bool = False


@dataclass(frozen=True)
class Amount:
    """How much a check does: `usual` of the `full` number that `make soak FULL=1` does, and of what."""

    usual: int
    full: int
    what: str

    def count(self, is_full: bool) -> int:
        """How many in this run."""
        return self.full if is_full else self.usual

    def shown(self, is_full: bool) -> str:
        """In words, such as "500 of 10,000 clicks"."""
        count = self.count(is_full)
        return f"{count:,} of {self.full:,} {self.what}" if count < self.full else f"{count:,} {self.what}"


@dataclass(frozen=True)
class Check:
    """One check.

    `name` is what it is called on the command line and `goal` what must be, in words; `measure` gets an empty folder
    and how much is to be done. It has a process of its own, which is ended after `longest_s`, or as many times that as
    the full amount is more than the usual one: then the goal is missed.
    """

    name: str
    goal: str
    measure: Callable[[Path, int], Coroutine[Any, Any, Figure]]
    longest_s: float
    amount: Amount

    def patience_s(self, is_full: bool) -> float:
        """How long it may take."""
        return self.longest_s * max(1.0, self.amount.count(is_full) / self.amount.usual)


def spread(times_s: Sequence[float]) -> str:
    """Times in words: the median, the 99th percentile and the longest, in ms."""
    if not times_s:
        return "none"
    p50, p99 = percentile(times_s, 50), percentile(times_s, 99)
    return f"p50 {p50 * 1000:,.0f} ms, p99 {p99 * 1000:,.0f} ms, max {max(times_s) * 1000:,.0f} ms"


def percentile(values: Sequence[float], part: int) -> float:
    """The smallest value that `part` of a hundred do not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * part // 100) - 1)] if ordered else 0.0
