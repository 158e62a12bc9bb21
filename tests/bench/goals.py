"""What is measured beside its goal, in one table and one JSON.

Speeds are ratios to the floor of the same run. What a person is promised in ms or pictures a second is promised on a
quiet processor: what it took is judged after it is divided by how slow this one was just then (`yardstick`). What is
promised in MB is judged as it is. `goals.json` has all the goals.
"""

from __future__ import annotations

import json
import os
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.yardstick import slowness

#: A goal is missed when it is missed by more than this part.
LEEWAY = 0.15
#: The fastest part of the rounds, which other programs on the machine disturb the least.
UNDISTURBED = 4
TIMES = "×"
#: The units of what takes longer on a slower processor.
_OF_THE_PROCESSOR = ("ms", "/s")


@dataclass(frozen=True)
class Goal:
    """A bound and its unit, as `goals.json` writes it: "≤ 4 ×", "≥ 25 /s"."""

    is_most: bool
    bound: float
    unit: str

    @classmethod
    def read(cls, text: str) -> Goal:
        """The goal of such a text.

        Raises:
            ValueError: it is no goal.
        """
        found = re.fullmatch(r"([≤≥]) ([\d.]+) (\S.*)", text)
        if found is None:
            raise ValueError(f"{text!r} is no goal: write it as ≤ 4 × or ≥ 25 /s")
        return cls(found[1] == "≤", float(found[2]), found[3])

    def is_missed(self, figure: float) -> bool:
        """Whether it is missed by more than the leeway."""
        return figure > self.bound * (1 + LEEWAY) if self.is_most else figure < self.bound * (1 - LEEWAY)

    def __str__(self) -> str:
        return f"{'≤' if self.is_most else '≥'} {self.bound:g} {self.unit}"


#: By the name of what is measured.
GOALS = {name: Goal.read(text) for name, text in json.loads(Path(__file__).with_name("goals.json").read_text()).items()}


@dataclass
class Line:
    """One line: a figure in the unit of its goal, what stands beside it, and how slow the processor was meanwhile."""

    name: str
    figure: float
    more: dict[str, float] = field(default_factory=dict)
    slow: float = 1.0

    @property
    def goal(self) -> Goal:
        """Its goal."""
        return GOALS[self.name]

    @property
    def is_missed(self) -> bool:
        """Whether the goal would be missed on a quiet processor, too, by more than the leeway."""
        return self.goal.is_missed(self.figure / self.slow if self.goal.is_most else self.figure * self.slow)

    def cells(self) -> tuple[str, str, str]:
        """The floor, ours and the figure, as the table shows them."""
        return "", "", f"{self.figure:.1f} {self.goal.unit}"

    def as_json(self) -> dict[str, object]:
        """The same for a program."""
        told = {"name": self.name, "figure": self.figure, **self.more, "goal": str(self.goal), "missed": self.is_missed}
        return told | ({"slow": self.slow} if self.slow > 1 else {})


class Compared(Line):
    """What the floor and we took in the same rounds, in ms; the figure is our median in medians of the floor.

    Other programs make a chain of many processes wait more often than one of few. So a goal that the medians miss
    counts as reached when the fastest quarters of both reach it.
    """

    def __init__(self, name: str, floor_ms: Sequence[float], ours_ms: Sequence[float]) -> None:
        self.floor_ms, self.ours_ms = statistics.median(floor_ms), statistics.median(ours_ms)
        self.undisturbed = _fastest(ours_ms) / _fastest(floor_ms)
        super().__init__(name, self.ours_ms / self.floor_ms)
        self.more = {"floor_ms": self.floor_ms, "ours_ms": self.ours_ms, "undisturbed": self.undisturbed}

    @property
    def is_missed(self) -> bool:
        return self.goal.is_missed(self.figure) and self.goal.is_missed(self.undisturbed)

    def cells(self) -> tuple[str, str, str]:
        return f"{self.floor_ms:.2f}", f"{self.ours_ms:.2f}", f"{self.figure:.1f} | {self.undisturbed:.1f} {TIMES}"


def _fastest(taken: Sequence[float]) -> float:
    """The median of the fastest quarter."""
    return statistics.median(sorted(taken)[: max(1, len(taken) // UNDISTURBED)])


class Table:
    """The lines as they come, and all of them as JSON at the end."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._load = os.getloadavg()[0]
        self._slow = slowness()
        self._head()

    def _head(self) -> None:
        print(
            f"  {'medians, in ms | of the fastest quarter':<52}{'floor':>9}{'ours':>9}{'figure':>15}  goal", flush=True
        )

    def compare(self, name: str, floor_ms: Sequence[float], ours_ms: Sequence[float]) -> None:
        """Take what the floor and we took in the same rounds."""
        self._take(Compared(name, floor_ms, ours_ms))

    def add(self, name: str, figure: float, **more: float) -> None:
        """Take a figure in the unit of its goal.

        Args:
            more: what stands beside it.
        """
        before, self._slow = self._slow, slowness()
        depends = GOALS[name].unit in _OF_THE_PROCESSOR
        self._take(Line(name, figure, more, (before + self._slow) / 2 if depends else 1.0))

    def _take(self, line: Line) -> None:
        floor, ours, figure = line.cells()
        beside = "" if isinstance(line, Compared) or not line.more else f"   {_told(line.more)}"
        if line.slow > 1:
            beside = f"   processor {line.slow:.1f} times slower{',' if beside else ''}{beside[2:]}"
        verdict = "   missed" if line.is_missed else ""
        self.lines.append(line)
        print(f"  {line.name:<52}{floor:>9}{ours:>9}{figure:>15}  {line.goal!s:<12}{verdict}{beside}", flush=True)

    @property
    def is_kept(self) -> bool:
        """Whether every goal was reached."""
        return not any(line.is_missed for line in self.lines)

    def write(self, path: Path) -> None:
        """Write the figures down, and how busy the machine was before and after; say where they are."""
        load, processors = os.getloadavg()[0], os.cpu_count() or 1
        print(f"  (also in {path}; load {self._load:.0f} before and {load:.0f} after, on {processors} processors)")
        machine = {"processors": processors, "load_before": self._load, "load_after": load}
        told = {"machine": machine, "lines": [line.as_json() for line in self.lines]}
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")


def _told(more: dict[str, float]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {figure:.4g}" for name, figure in more.items())
