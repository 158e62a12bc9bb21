"""What a check of the soak is."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Figure:
    """What came of a check: the figure as shown, and whether it is as good as the goal."""

    shown: str
    is_met: bool


@dataclass(frozen=True)
class Check:
    """One check.

    `name` is what it is called on the command line and `goal` what must be, in words; `measure` gets an empty folder
    and has a process of its own, which is ended after `longest_s`: then the goal is missed.
    """

    name: str
    goal: str
    measure: Callable[[Path], Coroutine[Any, Any, Figure]]
    longest_s: float
