"""The table of `make bench`: what counts as missed, and that its goals are those of what is measured."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.bench import commands
from tests.bench.goals import GOALS, Measured, Table

NAME = "fill"


def test_a_goal_is_missed_by_more_than_fifteen_percent_of_medians() -> None:
    floor = [1.0, 2.0, 90.0]
    just = 2.0 * GOALS[NAME] * 1.15
    assert not Measured(NAME, floor, [just - 0.01, 0.0, 1000.0]).is_missed
    assert Measured(NAME, floor, [just + 0.01, 0.0, 1000.0]).is_missed


def test_figures_are_written_beside_the_table(tmp_path: Path) -> None:
    table = Table()
    table.add(Measured(NAME, [1.0, 3.0], [40.0, 60.0]))
    assert not table.is_kept
    table.write(tmp_path / "build" / "bench.json")
    (told,) = json.loads((tmp_path / "build" / "bench.json").read_text())
    assert (told["name"], told["ratio"], told["missed"]) == (NAME, 25.0, True)
    assert told["ours"] == {"median": 50.0, "fastest": 40.0}


def test_each_goal_is_of_something_that_is_measured() -> None:
    source = Path(commands.__file__).read_text()
    assert set(re.findall(r'self\.compare(?:_at_once)?\(\s*"([^"]+)"', source)) == set(GOALS)
