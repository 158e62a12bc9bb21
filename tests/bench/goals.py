"""What is measured beside its goal: a ratio to the floor of the same run, so that a busy machine judges nobody."""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass
from pathlib import Path

#: name → how many times the floor it may take.
GOALS: dict[str, float] = json.loads(Path(__file__).with_name("goals.json").read_text())
#: A goal is missed when it is missed by more than this part.
LEEWAY = 0.15


@dataclass
class Measured:
    """One line: what the floor and we took in the same rounds, in ms."""

    name: str
    floor_ms: list[float]
    ours_ms: list[float]

    @property
    def ratio(self) -> float:
        """Our median in medians of the floor."""
        return statistics.median(self.ours_ms) / statistics.median(self.floor_ms)

    @property
    def is_missed(self) -> bool:
        """Whether the goal is missed by more than the leeway."""
        return self.ratio > GOALS[self.name] * (1 + LEEWAY)


class Table:
    """The lines as they come, and all of them as JSON at the end."""

    def __init__(self) -> None:
        self.lines: list[Measured] = []
        print(f"  {'median ms':<36}{'floor':>10}{'ours':>10}{'ratio':>9}{'goal':>8}")

    def add(self, line: Measured) -> None:
        """Take a line and show it."""
        self.lines.append(line)
        floor, ours = statistics.median(line.floor_ms), statistics.median(line.ours_ms)
        verdict = "   missed" if line.is_missed else ""
        print(f"  {line.name:<36}{floor:>10.2f}{ours:>10.2f}{line.ratio:>8.1f}×{GOALS[line.name]:>7}×{verdict}")

    @property
    def is_kept(self) -> bool:
        """Whether every goal was reached."""
        return not any(line.is_missed for line in self.lines)

    def write(self, path: Path) -> None:
        """Write the figures down: medians and fastest of each side in ms, ratio, goal."""
        told = [
            {
                "name": line.name,
                "floor": {"median": statistics.median(line.floor_ms), "fastest": min(line.floor_ms)},
                "ours": {"median": statistics.median(line.ours_ms), "fastest": min(line.ours_ms)},
                "ratio": line.ratio,
                "goal": GOALS[line.name],
                "missed": line.is_missed,
            }
            for line in self.lines
        ]
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")
