"""The table of `make bench`: what counts as missed, and that its goals are those of what is measured."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from tests.bench import goals, yardstick
from tests.bench.goals import GOALS, Compared, Goal, Line, Table

NAME = "fill"
#: What takes the name of a line first.
TAKES = {"add", "compare", "compare_at_once", "versus"}


def test_a_goal_is_missed_by_more_than_fifteen_percent() -> None:
    most, least = Goal.read("≤ 40 ms"), Goal.read("≥ 20 /s")
    assert [most.is_missed(figure) for figure in (1, 45.9, 46.1)] == [False, False, True]
    assert [least.is_missed(figure) for figure in (1, 16.9, 17.1)] == [True, True, False]
    assert str(Goal.read("≤ 1.5 ×")) == "≤ 1.5 ×"
    with pytest.raises(ValueError, match="is no goal"):
        Goal.read("4")


def test_a_ratio_is_missed_when_the_fastest_rounds_miss_it_as_well() -> None:
    floor, bound = [1.0, 1.0, 2.0, 90.0], GOALS[NAME].bound * 1.15
    just, over = bound - 0.01, bound + 0.01
    assert Compared(NAME, floor, [over, 2 * over, 2 * over, 2 * over]).is_missed
    assert not Compared(NAME, floor, [just, 2 * over, 2 * over, 2 * over]).is_missed
    assert not Compared(NAME, floor, [over, over, over, over]).is_missed  # its median is that in 1.5


def test_what_is_promised_in_ms_is_judged_as_on_a_quiet_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = GOALS["busy: thread held, p99"].bound * 1.15
    assert Line("busy: thread held, p99", bound + 1).is_missed
    assert not Line("busy: thread held, p99", 2 * bound - 1, slow=2).is_missed
    assert Line("busy: thread held, p99", 2 * bound + 1, slow=2).is_missed
    least = GOALS["watch: pictures painted, the page moves"].bound * 0.85
    assert not Line("watch: pictures painted, the page moves", least / 2 + 1, slow=2).is_missed
    slow = iter([1.0, 3.0, 3.0])
    monkeypatch.setattr(goals, "slowness", lambda: next(slow))
    table = Table()
    table.add("busy: thread held, p99", 1.0)
    table.add("memory, idle, without", 1.0)
    assert [line.slow for line in table.lines] == [2.0, 1.0]
    assert yardstick.slowness() >= 1


def test_figures_are_written_beside_the_table(tmp_path: Path) -> None:
    table = Table()
    table.add("memory, idle, without", 1.0, of_its_own=0.5)
    assert table.is_kept
    table.compare(NAME, [1.0, 3.0], [40.0, 60.0])
    assert not table.is_kept
    table.write(tmp_path / "build" / "bench.json")
    told = json.loads((tmp_path / "build" / "bench.json").read_text())
    plain, compared = told["lines"]
    assert plain == {
        "name": "memory, idle, without", "figure": 1.0, "of_its_own": 0.5, "goal": "≤ 100 MB", "missed": False,
    }  # fmt: skip
    assert (compared["name"], compared["figure"], compared["missed"]) == (NAME, 25.0, True)
    assert (compared["floor_ms"], compared["ours_ms"], compared["undisturbed"]) == (2.0, 50.0, 40.0)
    assert told["machine"]["processors"] >= 1


def test_each_goal_is_of_something_that_is_measured() -> None:
    calls = [
        node
        for module in Path(__file__).parent.glob("*.py")
        if not module.name.startswith("test_")
        for node in ast.walk(ast.parse(module.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TAKES and node.args
    ]
    names = [str(call.args[0].value) for call in calls if isinstance(call.args[0], ast.Constant)]
    assert sorted(names) == sorted(GOALS)
