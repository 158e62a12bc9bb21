"""Console lines: a ring per tab, every loss counted."""

from __future__ import annotations

import pytest

from kapture_panel.core.stores import console as console_module
from kapture_panel.core.stores.console import MAX_LINES_PER_TAB, Console, ConsoleLine
from kapture_panel.core.wire.events import ConsoleSaid


def entries(*numbers: int) -> list[ConsoleSaid]:
    return [ConsoleSaid(at=number, level="log", text=f"line {number}") for number in numbers]


def test_a_batch_is_announced_once_with_all_its_lines() -> None:
    console = Console()
    heard: list[list[ConsoleLine]] = []
    console.appended.connect(heard.append)
    console.append("t1", entries(1, 2))
    assert [[line.text for line in batch] for batch in heard] == [["line 1", "line 2"]]


def test_a_line_keeps_every_field_of_the_wire() -> None:
    console = Console()
    console.append("t1", [ConsoleSaid(at=5, level="error", text="x", source="a.js:3"), ConsoleSaid()])
    console.append("t2", [ConsoleSaid(at=6, level="warn", text="w", context="worker")])
    assert console.lines() == [
        ConsoleLine("t1", 0.0, "log", ""),
        ConsoleLine("t1", 5.0, "error", "x", "a.js:3"),
        ConsoleLine("t2", 6.0, "warn", "w", "", "worker"),
    ]


def test_the_oldest_lines_of_a_full_ring_go_and_are_counted() -> None:
    console = Console(max_lines_per_tab=3)
    console.append("t1", entries(1, 2))
    assert console.dropped == {}
    console.append("t1", entries(3, 4))
    console.append("t1", entries(5))
    console.append("t2", entries(9))
    assert [line.text for line in console.lines("t1")] == ["line 3", "line 4", "line 5"]
    assert console.dropped == {"t1": 2}


def test_a_batch_longer_than_the_ring_leaves_its_end() -> None:
    console = Console(max_lines_per_tab=2)
    console.append("t1", entries(*range(10)))
    assert [line.text for line in console.lines("t1")] == ["line 8", "line 9"]
    assert console.dropped == {"t1": 8}


def test_a_flood_keeps_the_bound() -> None:
    console = Console()
    for start in range(0, MAX_LINES_PER_TAB * 2, 1000):
        console.append("t1", entries(*range(start, start + 1000)))
    assert len(console.lines("t1")) == console.dropped["t1"] == MAX_LINES_PER_TAB


def test_lines_of_all_tabs_are_in_the_order_of_time() -> None:
    console = Console()
    console.append("t1", entries(1, 4))
    console.append("t2", entries(2, 3))
    assert [line.at for line in console.lines()] == [1, 2, 3, 4]
    assert console.lines("unknown") == []


def test_clearing_forgets_one_tab_or_all() -> None:
    console = Console(max_lines_per_tab=1)
    heard: list[str] = []
    console.cleared.connect(heard.append)
    for tab_id in ("t1", "t2", "t3"):
        console.append(tab_id, entries(1, 2))
    console.clear("t1")
    assert {line.tab_id for line in console.lines()} == {"t2", "t3"}
    assert set(console.dropped) == {"t2", "t3"}
    console.clear()
    assert console.lines() == []
    assert console.dropped == {}
    assert heard == ["t1", ""]


def test_the_tab_that_was_silent_for_longest_gives_way_to_one_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console_module, "MAX_TABS", 3)
    console = Console()
    for tab_id in ("t1", "t2", "t3", "t1", "t4"):
        console.append(tab_id, entries(1))
    assert [len(console.lines(tab_id)) for tab_id in ("t1", "t2", "t3", "t4")] == [2, 0, 1, 1]


def test_all_lines_together_are_bounded_and_those_of_the_silent_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console_module, "MAX_LINES", 10)
    console = Console(max_lines_per_tab=6)
    for tab_id, lines in (("t1", 4), ("t2", 4), ("t1", 4), ("t3", 1)):
        console.append(tab_id, entries(*range(lines)))
    assert [len(console.lines(tab_id)) for tab_id in ("t1", "t2", "t3")] == [6, 0, 1], "11 were one too many"
    console.clear("t1")
    console.forget_since(0)
    for tab_id in ("t4", "t5"):
        console.append(tab_id, entries(*range(5)))
    assert len(console.lines()) == 10, "what was cleared and forgotten does not count"
    console.append("t6", entries(*range(20)))
    assert (len(console.lines("t6")), len(console.lines("t4"))) == (6, 0)
