"""The console model is bounded, filters as lines arrive and announces little."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from kapture_panel.core.stores.console import LEVELS, Console
from kapture_panel.core.wire.events import ConsoleSaid
from kapture_panel.window.page import console_model
from kapture_panel.window.page.console_model import MORE, SOURCE, TEXT, ConsoleModel, LineFilter, as_text
from kapture_panel.window.widgets.roles import TONE
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.text_filter import TextFilter

ALL = frozenset(LEVELS)
STACK = "TypeError: broken\n    at one (a.js:1:2)\n    at two (b.js:3:4)"


def lines_with(text: str = "", levels: frozenset[str] = ALL, **more: str) -> LineFilter:
    return LineFilter(TextFilter(text), levels, **more)


def feed(console: Console, number: int, level: str = "log", text: str = "line") -> None:
    console.append("t1", [ConsoleSaid(at=at, level=level, text=f"{text} {at}") for at in range(number)])


def shown(model: ConsoleModel) -> list[str]:
    return [model.index(row, TEXT).data() for row in range(model.rowCount())]


def filter_by(qtbot: QtBot, model: ConsoleModel, wanted: LineFilter) -> None:
    """Show what passes, all of it: on a busy machine a few lines take more than one slice, too."""
    model.set_filter(wanted)
    qtbot.waitUntil(lambda: not model.is_filtering)


def test_it_keeps_the_rules_of_a_model(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    console = Console()
    model = ConsoleModel(console, subscriptions, max_lines=40)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for _ in range(5):
        feed(console, 20)
        qtbot.wait(60)
    filter_by(qtbot, model, lines_with("1", ALL))
    console.clear()
    assert model.rowCount() == 0
    tester.deleteLater()


def test_many_batches_are_one_change(
    qtbot: QtBot, subscriptions: Subscriptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console_model, "SLICE_S", 1000.0)  # a busy machine would take several slices for them
    console = Console()
    model = ConsoleModel(console, subscriptions)
    changes: list[int] = []
    model.rowsInserted.connect(lambda _parent, first, last: changes.append(last - first + 1))
    for _ in range(100):
        feed(console, 5)
    qtbot.waitUntil(lambda: model.rowCount() == 500)
    assert changes == [500]


def test_the_oldest_lines_go_and_the_counts_follow(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    console = Console()
    model = ConsoleModel(console, subscriptions, max_lines=100)
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


def test_every_line_that_made_room_for_another_is_counted(
    qtbot: QtBot, subscriptions: Subscriptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those that the panel's own ring had let go of before the window, and those that never came into sight."""
    console = Console(max_lines_per_tab=50)
    feed(console, 70)
    model = ConsoleModel(console, subscriptions, max_lines=40)
    assert (model.dropped, model.rowCount()) == (30, 40)
    feed(console, 65)
    console.append("t2", [ConsoleSaid(text="of another tab")])
    qtbot.waitUntil(lambda: shown(model)[-1] == "of another tab")
    assert model.dropped + model.rowCount() == 70 + 65 + 1
    rows = model.rowCount() - 1
    filter_by(qtbot, model, lines_with(tab_id="t1"))
    assert model.dropped + rows == 70 + 65
    filter_by(qtbot, model, lines_with(tab_id="t2"))
    assert (model.dropped, model.rowCount()) == (0, 1)
    filter_by(qtbot, model, lines_with())
    console.clear("t1")
    assert model.dropped == 0


def test_levels_and_text_filter_what_is_there_and_what_comes(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    console = Console()
    feed(console, 10, "log", "cart")
    feed(console, 3, "error", "Promo failed")
    model = ConsoleModel(console, subscriptions)
    model.set_filter(lines_with("promo", ALL))
    qtbot.waitUntil(lambda: shown(model) == ["Promo failed 0", "Promo failed 1", "Promo failed 2"])
    feed(console, 1, "warn", "promo late")
    feed(console, 1, "log", "other")
    qtbot.waitUntil(lambda: model.rowCount() == 4)
    filter_by(qtbot, model, lines_with("promo", ALL - {"error"}))
    assert shown(model) == ["promo late 0"]
    filter_by(qtbot, model, lines_with("", ALL))
    assert model.rowCount() == 15


def test_a_hundred_thousand_lines_are_filtered_in_slices_that_do_not_block(
    qtbot: QtBot, subscriptions: Subscriptions
) -> None:
    console = Console()
    for tab in range(10):
        console.append(f"t{tab}", [ConsoleSaid(at=at, level="log", text=f"line {at}") for at in range(10_000)])
    model = ConsoleModel(console, subscriptions)
    assert model.rowCount() == 100_000
    model.set_filter(lines_with("line 77", ALL))
    assert model.is_filtering, "it goes on between frames"
    feed(console, 1, text="line 77 late")
    qtbot.waitUntil(lambda: not model.is_filtering)
    qtbot.waitUntil(lambda: shown(model)[-1] == "line 77 late 0")
    assert all("line 77" in text for text in shown(model))


def test_a_filter_that_changes_while_another_is_applied_wins(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    console = Console(max_lines_per_tab=60_000)
    feed(console, 60_000)
    model = ConsoleModel(console, subscriptions)
    model.set_filter(lines_with("line 1", ALL))
    model.set_filter(lines_with("line 2", ALL))
    qtbot.waitUntil(lambda: not model.is_filtering)
    assert all("line 2" in text for text in shown(model))


def test_clearing_one_tab_leaves_the_others(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    console = Console()
    console.append("t1", [ConsoleSaid(level="log", text="one")])
    console.append("t2", [ConsoleSaid(level="error", text="two")])
    model = ConsoleModel(console, subscriptions)
    console.clear("t1")
    assert shown(model) == ["two"]
    assert model.counts["log"] == 0


def test_page_text_is_plain_and_errors_have_their_colour(subscriptions: Subscriptions) -> None:
    console = Console()
    console.append("t1", [ConsoleSaid(level="error", text="a\u202eb\n<b>c</b>", source="http://x/y/app.js:3")])
    model = ConsoleModel(console, subscriptions)
    assert model.index(0, TEXT).data() == "ab <b>c</b>"
    assert model.index(0, TEXT).data(TONE) == "error"
    assert model.index(0, SOURCE).data() == "app.js:3"


def test_an_unknown_level_is_shown_rather_than_lost(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    console = Console()
    console.append("t1", [ConsoleSaid(level="table", text="x")])
    model = ConsoleModel(console, subscriptions)
    filter_by(qtbot, model, lines_with("x", frozenset()))
    assert model.rowCount() == 1


def test_a_line_is_copied_with_all_its_text_and_no_trickery() -> None:
    line = Console()
    line.append("t1", [ConsoleSaid(level="error", text=f"a\u202e{STACK}", source="x.js:1")])
    _clock, level, text, source = as_text(line.lines()[0]).split("\t")
    assert (level, text, source) == ("error", f"a{STACK}", "x.js:1")


def test_tab_and_context_narrow_the_counts_too(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    console = Console()
    feed(console, 4)
    console.append(
        "t2", [ConsoleSaid(level="error", text="two"), ConsoleSaid(level="log", text="w", context="serviceWorker")]
    )
    model = ConsoleModel(console, subscriptions)
    filter_by(qtbot, model, lines_with(tab_id="t2"))
    assert (sorted(shown(model)), model.counts["log"], model.counts["error"]) == (["two", "w"], 1, 1)
    filter_by(qtbot, model, lines_with(tab_id="t2", context="serviceWorker"))
    assert (shown(model), model.counts["error"]) == (["w"], 0)
    console.append("t2", [ConsoleSaid(level="warn", text="late", context="serviceWorker")])
    console.append("t1", [ConsoleSaid(level="warn", text="elsewhere")])
    qtbot.waitUntil(lambda: shown(model) == ["w", "late"])
    assert model.counts["warn"] == 1
    assert model.index(1, SOURCE).data() == "service worker"
    filter_by(qtbot, model, lines_with())
    assert (model.rowCount(), model.counts["warn"]) == (8, 2)


def test_a_stack_trace_opens_below_its_line_and_closes(subscriptions: Subscriptions) -> None:
    console = Console()
    console.append(
        "t1",
        [ConsoleSaid(level="log", text="before"), ConsoleSaid(level="error", text=STACK), ConsoleSaid(text="after")],
    )
    model = ConsoleModel(console, subscriptions)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert [model.index(row, MORE).data() for row in range(3)] == ["", "▸", ""]
    assert model.open(1, 80) == 1
    assert shown(model) == ["before", "TypeError: broken", "    at one (a.js:1:2)", "    at two (b.js:3:4)", "after"]
    assert [model.is_open(row) for row in range(5)] == [False, True, True, True, False]
    assert [line.text for line in model.lines([1, 2, 3])] == [STACK]
    assert model.open(3, 80) == 1
    assert model.rowCount() == 3
    assert model.open(0, 80) == 0
    assert model.rowCount() == 3
    tester.deleteLater()


def test_a_long_line_goes_on_in_further_rows(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    console = Console()
    console.append("t1", [ConsoleSaid(text="x" * 1000)])
    model = ConsoleModel(console, subscriptions)
    model.open(0, 300)
    assert [len(text) for text in shown(model)[1:]] == [300, 300, 300, 100]
    filter_by(qtbot, model, lines_with("x"))
    assert model.rowCount() == 1


def test_opened_lines_leave_with_the_oldest_and_with_their_tab(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    console = Console()
    model = ConsoleModel(console, subscriptions, max_lines=100)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    console.append("t2", [ConsoleSaid(text=STACK), ConsoleSaid(text=STACK)])
    qtbot.waitUntil(lambda: model.rowCount() == 2)
    model.open(0, 80)
    model.open(3, 80)
    feed(console, 99)
    qtbot.waitUntil(lambda: model.rowCount() == 90)
    assert shown(model)[0] == "line 9"
    console.append("t2", [ConsoleSaid(text=STACK)])
    qtbot.waitUntil(lambda: model.rowCount() == 91)
    model.open(90, 80)
    console.clear("t2")
    assert shown(model)[-1] == "line 98"
    tester.deleteLater()


def test_a_burst_is_taken_in_slices(qtbot: QtBot, subscriptions: Subscriptions) -> None:
    console = Console(max_lines_per_tab=100_000)
    model = ConsoleModel(console, subscriptions)
    filter_by(qtbot, model, LineFilter(TextFilter("(a+)+$", is_pattern=True)))
    console.append("t1", [ConsoleSaid(text="a" * 2000 + "b") for _ in range(2000)])
    model._take_waiting()
    assert 0 < model.counts.total() < 2000
    qtbot.waitUntil(lambda: model.counts.total() == 2000)


def test_clearing_while_a_filter_is_applied_ends_with_the_rest_filtered(
    qtbot: QtBot, subscriptions: Subscriptions
) -> None:
    console = Console(max_lines_per_tab=60_000)
    feed(console, 60_000)
    console.append("t2", [ConsoleSaid(text="line 1 of another")])
    model = ConsoleModel(console, subscriptions)
    model.set_filter(lines_with("line 1"))
    assert model.is_filtering
    console.clear("t1")
    qtbot.waitUntil(lambda: not model.is_filtering)
    assert shown(model) == ["line 1 of another"]
    assert model.counts.total() == 1
