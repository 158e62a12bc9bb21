"""The console model is bounded, filters as lines arrive and announces little."""

from __future__ import annotations

import time

from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from kapture_panel.core.console import LEVELS, Console
from kapture_panel.window.links import Links
from kapture_panel.window.models.console_model import ConsoleModel
from kapture_panel.window.models.roles import TONE

ALL = frozenset(LEVELS)


def feed(console: Console, number: int, level: str = "log", text: str = "line") -> None:
    console.append("t1", [{"at": at, "level": level, "text": f"{text} {at}"} for at in range(number)])


def shown(model: ConsoleModel) -> list[str]:
    return [model.index(row, 2).data() for row in range(model.rowCount())]


def test_it_keeps_the_rules_of_a_model(qtbot: QtBot, links: Links) -> None:
    console = Console()
    model = ConsoleModel(console, links, max_lines=40)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for _ in range(5):
        feed(console, 20)
        qtbot.wait(60)
    model.set_filter("1", ALL)
    console.clear()
    assert model.rowCount() == 0
    tester.deleteLater()


def test_many_batches_are_one_change(qtbot: QtBot, links: Links) -> None:
    console = Console()
    model = ConsoleModel(console, links)
    changes: list[int] = []
    model.rowsInserted.connect(lambda _parent, first, last: changes.append(last - first + 1))
    for _ in range(100):
        feed(console, 5)
    qtbot.waitUntil(lambda: model.rowCount() == 500)
    assert changes == [500]


def test_the_oldest_lines_go_and_the_counts_follow(qtbot: QtBot, links: Links) -> None:
    console = Console()
    model = ConsoleModel(console, links, max_lines=100)
    trimmed: list[int] = []
    model.trimmed.connect(trimmed.append)
    feed(console, 60, "error")
    qtbot.waitUntil(lambda: model.rowCount() == 60)
    feed(console, 60, "log")
    qtbot.waitUntil(lambda: trimmed != [])
    assert model.rowCount() <= 100
    assert sum(trimmed) == 120 - model.rowCount()
    assert model.counts["error"] + model.counts["log"] == model.rowCount()
    assert shown(model)[-1] == "line 59"


def test_levels_and_text_filter_what_is_there_and_what_comes(qtbot: QtBot, links: Links) -> None:
    console = Console()
    feed(console, 10, "log", "cart")
    feed(console, 3, "error", "Promo failed")
    model = ConsoleModel(console, links)
    model.set_filter("promo", ALL)
    assert shown(model) == ["Promo failed 0", "Promo failed 1", "Promo failed 2"]
    feed(console, 1, "warn", "promo late")
    feed(console, 1, "log", "other")
    qtbot.waitUntil(lambda: model.rowCount() == 4)
    model.set_filter("promo", ALL - {"error"})
    assert shown(model) == ["promo late 0"]
    model.set_filter("", ALL)
    assert model.rowCount() == 15


def test_a_hundred_thousand_lines_are_filtered_in_slices_that_do_not_block(qtbot: QtBot, links: Links) -> None:
    console = Console()
    for tab in range(10):
        console.append(f"t{tab}", [{"at": at, "level": "log", "text": f"line {at}"} for at in range(10_000)])
    model = ConsoleModel(console, links)
    assert model.rowCount() == 100_000
    began = time.perf_counter()
    model.set_filter("line 77", ALL)
    assert time.perf_counter() - began < 0.1
    feed(console, 1, text="line 77 late")
    qtbot.waitUntil(lambda: not model.is_filtering)
    qtbot.waitUntil(lambda: shown(model)[-1] == "line 77 late 0")
    assert all("line 77" in text for text in shown(model))


def test_a_filter_that_changes_while_another_is_applied_wins(qtbot: QtBot, links: Links) -> None:
    console = Console(max_lines_per_tab=60_000)
    feed(console, 60_000)
    model = ConsoleModel(console, links)
    model.set_filter("line 1", ALL)
    model.set_filter("line 2", ALL)
    qtbot.waitUntil(lambda: not model.is_filtering)
    assert all("line 2" in text for text in shown(model))


def test_clearing_one_tab_leaves_the_others(qtbot: QtBot, links: Links) -> None:
    console = Console()
    console.append("t1", [{"level": "log", "text": "one"}])
    console.append("t2", [{"level": "error", "text": "two"}])
    model = ConsoleModel(console, links)
    console.clear("t1")
    assert shown(model) == ["two"]
    assert model.counts["log"] == 0


def test_page_text_is_plain_and_errors_have_their_colour(links: Links) -> None:
    console = Console()
    console.append("t1", [{"level": "error", "text": "a\u202eb\n<b>c</b>", "source": "http://x/y/app.js:3"}])
    model = ConsoleModel(console, links)
    assert model.index(0, 2).data() == "ab <b>c</b>"
    assert model.index(0, 2).data(TONE) == "error"
    assert model.index(0, 3).data() == "app.js:3"


def test_an_unknown_level_is_shown_rather_than_lost(links: Links) -> None:
    console = Console()
    console.append("t1", [{"level": "table", "text": "x"}])
    model = ConsoleModel(console, links)
    model.set_filter("x", frozenset())
    assert model.rowCount() == 1


def test_copied_text_has_one_line_per_line(links: Links) -> None:
    console = Console()
    feed(console, 3)
    model = ConsoleModel(console, links)
    assert len(model.as_text().splitlines()) == 3
    assert model.as_text([1]).endswith("\tline 1\t")
