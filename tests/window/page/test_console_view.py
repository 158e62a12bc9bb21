"""The live tail follows, holds when scrolled up, and says how much is new."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.console import Console
from kapture_panel.core.wire.events import ConsoleSaid
from kapture_panel.window.page.console_model import LEVEL, SOURCE, TEXT, ConsoleModel
from kapture_panel.window.page.console_table import said
from kapture_panel.window.page.console_view import ConsoleView
from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.cell_delegate import MARGIN_PX
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme

#: What the switch of the title and its margins take.
_TITLE_PX = 176


class Shown:
    def __init__(self, subscriptions: Subscriptions, theme: Theme, max_lines: int = 100_000) -> None:
        self.console, self.tabs = Console(), Tabs()
        self.model = ConsoleModel(self.console, subscriptions, max_lines=max_lines)
        self.view = ConsoleView(self.model, self.tabs, subscriptions, theme)
        self.view.resize(500, 200)
        self.view.show()
        self.bar = self.view.table.verticalScrollBar()

    def log(self, qtbot: QtBot, number: int, level: str = "log") -> None:
        before = self.model.counts.total()
        self.console.append("t1", [ConsoleSaid(level=level, text=f"line {before + at}") for at in range(number)])
        newest = f"line {before + number - 1}"  # a busy machine takes a few lines in several slices, too
        qtbot.waitUntil(lambda: [line.text for line in self.model.lines()[-1:]] == [newest])
        QApplication.processEvents()  # the table lays new rows out a turn later


@pytest.fixture
def shown(subscriptions: Subscriptions, theme: Theme, qtbot: QtBot) -> Shown:
    made = Shown(subscriptions, theme)
    qtbot.addWidget(made.view)
    qtbot.addWidget(made.view.tools)
    return made


def test_the_tail_follows_what_comes(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 500)
    assert shown.bar.value() == shown.bar.maximum() > 0
    shown.log(qtbot, 100)
    assert shown.bar.value() == shown.bar.maximum()
    assert shown.view.new_pill.isHidden()


def test_scrolled_up_it_holds_and_counts(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 500)
    shown.bar.setValue(100)
    shown.log(qtbot, 30)
    shown.log(qtbot, 12)
    assert shown.bar.value() == 100
    assert shown.view.new_pill.text() == "↓ 42 new"
    assert not shown.view.new_pill.isHidden()
    QTest.mouseClick(shown.view.new_pill, Qt.MouseButton.LeftButton)
    assert shown.bar.value() == shown.bar.maximum()
    assert shown.view.is_following
    assert shown.view.new_pill.isHidden()


def test_scrolling_down_by_hand_follows_again(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 500)
    shown.bar.setValue(100)
    shown.log(qtbot, 1)
    shown.bar.setValue(shown.bar.maximum())
    assert shown.view.new_pill.isHidden()
    shown.log(qtbot, 50)
    assert shown.bar.value() == shown.bar.maximum()


def test_lines_that_leave_at_the_top_do_not_move_what_is_read(
    subscriptions: Subscriptions, theme: Theme, qtbot: QtBot
) -> None:
    shown = Shown(subscriptions, theme, max_lines=1000)
    qtbot.addWidget(shown.view)
    qtbot.addWidget(shown.view.tools)
    shown.log(qtbot, 1000)
    shown.bar.setValue(600)
    first = shown.model.index(shown.bar.value(), TEXT).data()
    shown.log(qtbot, 50)
    assert shown.model.rowCount() < 1000
    assert shown.model.index(shown.bar.value(), TEXT).data() == first


def test_chips_count_and_choose_levels(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 3, "error")
    shown.log(qtbot, 2, "warn")
    assert shown.view.chips["error"].text() == "3 errors"
    assert shown.view.chips["warn"].accessibleName() == "Show 2 warnings"
    QTest.mouseClick(shown.view.chips["error"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown.model.rowCount() == 2)


def test_typing_filters_and_the_result_is_followed(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 500)
    shown.bar.setValue(0)
    QTest.keyClicks(shown.view.filter, "line 4")
    qtbot.waitUntil(lambda: shown.model.rowCount() == 111)
    assert shown.view.is_following


def test_copy_takes_the_selected_lines_or_all(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 5)
    copied: list[str] = []
    shown.view.copied.connect(copied.append)
    shown.view.copy()
    qtbot.waitUntil(lambda: len(copied) == 1)
    assert copied[-1].count("line") == 5
    shown.view.table.selectRow(2)
    shown.view.copy()
    qtbot.waitUntil(lambda: len(copied) == 2)
    assert copied[-1].count("line") == 1


def test_a_narrow_console_gives_up_columns_before_its_text(shown: Shown, qtbot: QtBot) -> None:
    shown.view.resize(260, 200)
    assert shown.view.table.isColumnHidden(SOURCE)
    assert shown.view.table.columnWidth(TEXT) >= 60
    shown.view.resize(700, 200)
    assert not shown.view.table.isColumnHidden(SOURCE)


def test_the_place_of_a_line_takes_no_more_room_than_it_needs(shown: Shown, qtbot: QtBot) -> None:
    shown.view.resize(560, 200)
    shown.console.append("t1", [ConsoleSaid(level="log", text="order placed", source="http://shop.example/sw.js:3")])
    qtbot.waitUntil(lambda: shown.model.rowCount() == 1)
    table = shown.view.table
    qtbot.waitUntil(lambda: table.columnWidth(SOURCE) >= table.fontMetrics().horizontalAdvance("sw.js:3") + 8)
    narrow = table.columnWidth(SOURCE)
    shown.console.append("t1", [ConsoleSaid(level="log", text="b", source="http://shop.example/recommendations.js:88")])
    qtbot.waitUntil(lambda: table.columnWidth(SOURCE) > narrow)
    assert table.columnWidth(TEXT) >= 170
    shown.view.resize(380, 200)
    assert table.isColumnHidden(SOURCE)
    assert table.columnWidth(TEXT) >= 170


def test_a_narrow_table_says_levels_by_their_first_letter(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 1, "error")
    table = shown.view.table
    shown.view.resize(500, 200)
    wide = table.columnWidth(LEVEL)
    shown.view.resize(320, 200)
    assert 0 < table.columnWidth(LEVEL) < wide
    assert table.columnWidth(TEXT) >= 150
    metrics = table.fontMetrics()
    assert said("error", metrics, table.columnWidth(LEVEL) - 2 * MARGIN_PX) == "E"
    assert said("error", metrics, wide - 2 * MARGIN_PX) == "error"
    assert shown.model.index(0, LEVEL).data(Qt.ItemDataRole.ToolTipRole)


def test_a_count_of_none_has_no_colour(shown: Shown, qtbot: QtBot) -> None:
    chip = shown.view.chips["error"]
    assert chip.property("level") == ""
    shown.log(qtbot, 1, "error")
    assert chip.property("level") == "error"
    shown.console.clear()
    assert chip.property("level") == ""


def test_chips_have_words_where_there_is_room_and_keep_no_dock_wide(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 2, level="error")
    chip = shown.view.chips["error"]
    shown.view.resize(390, 200)
    assert (chip.text(), chip.toolTip() != "") == ("2", True)
    least = shown.view.tools.minimumSizeHint().width()
    shown.view.resize(900, 200)
    assert [one.text() for one in shown.view.chips.values()] == [
        "2 errors",
        "0 warnings",
        "0 info",
        "0 logs",
        "0 debug",
    ]
    assert abs(shown.view.tools.minimumSizeHint().width() - least) <= 8
    assert shown.view.filter.placeholderText() == "Filter · newest last"


def test_words_stand_on_the_most_telling_chips_as_far_as_there_is_room(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 2, level="error")
    chips = list(shown.view.chips.values())
    seen: list[int] = []
    for width in range(900, 300, -5):
        shown.view.resize(width, 200)
        have_words = [" " in chip.text() for chip in chips]
        assert have_words == sorted(have_words, reverse=True), "an error says that it is one before a log does"
        needed_px = sum(chip.sizeHint().width() for chip in chips)
        assert not have_words[0] or needed_px + _TITLE_PX <= width, "nothing is squeezed"
        seen.append(sum(have_words))
    assert list(dict.fromkeys(seen)) == [5, 4, 3, 2, 1, 0]


def test_a_wrong_pattern_says_so_and_the_last_good_filter_stays(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 500)
    view = shown.view
    QTest.mouseClick(view.field.pattern, Qt.MouseButton.LeftButton)
    QTest.keyClicks(view.filter, "line 4\\d\\d$")
    qtbot.waitUntil(lambda: shown.model.rowCount() == 100)
    QTest.keyClicks(view.filter, "(")
    qtbot.waitUntil(lambda: not view.field.problem.isHidden())
    assert "missing closing parenthesis" in view.field.problem.text()
    assert view.filter.accessibleDescription() == view.field.problem.text()
    assert shown.model.rowCount() == 100
    QTest.keyClick(view.filter, Qt.Key.Key_Backspace)
    qtbot.waitUntil(view.field.problem.isHidden)
    assert shown.model.rowCount() == 100
    QTest.mouseClick(view.field.pattern, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown.model.rowCount() == 0)


def test_tab_and_context_are_chosen(shown: Shown, qtbot: QtBot) -> None:
    tab = Tab("t2", "https://a.example/", "Second\u202e", "install")
    shown.tabs.add(tab)
    shown.log(qtbot, 3)
    shown.console.append("t2", [ConsoleSaid(text="two"), ConsoleSaid(text="three", context="worker")])
    qtbot.waitUntil(lambda: shown.model.rowCount() == 5)
    choice = shown.view.tab
    assert [choice.itemText(at) for at in range(choice.count())] == ["All tabs", "Second"]
    choice.setCurrentIndex(1)
    qtbot.waitUntil(lambda: shown.model.rowCount() == 2)
    shown.view.context.setCurrentIndex(shown.view.context.findText("Worker"))
    qtbot.waitUntil(lambda: [line.text for line in shown.model.lines()] == ["three"])
    shown.tabs.remove(tab)
    assert choice.currentText() == "Second (closed)"
    assert shown.model.rowCount() == 1


def test_a_stack_trace_opens_with_the_keys_and_the_tail_holds(shown: Shown, qtbot: QtBot) -> None:
    shown.console.append("t1", [ConsoleSaid(level="error", text="TypeError: x\n    at one\n    at two")])
    shown.log(qtbot, 30)
    shown.view.follow()
    table = shown.view.table
    shown.view.activateWindow()
    table.setFocus()
    table.setCurrentIndex(shown.model.index(0, TEXT))
    QTest.keyClick(table, Qt.Key.Key_Right)
    assert shown.model.rowCount() == 33
    QApplication.processEvents()
    assert shown.bar.value() == 0
    shown.log(qtbot, 2)
    assert shown.bar.value() == 0
    assert shown.view.new_pill.text() == "↓ 2 new"
    QTest.keyClick(table, Qt.Key.Key_Right)
    assert shown.model.rowCount() == 35
    QTest.keyClick(table, Qt.Key.Key_Left)
    assert shown.model.rowCount() == 33
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert shown.model.rowCount() == 35


def test_lines_are_saved_to_the_file_that_was_chosen_without_waiting_for_it(
    shown: Shown, qtbot: QtBot, tmp_path: Path
) -> None:
    shown.log(qtbot, 3000)
    qtbot.waitUntil(lambda: shown.model.counts.total() == 3000)
    saved: list[tuple[str, int]] = []
    shown.view.saved.connect(lambda path, number: saved.append((path, number)))
    shown.view.ask_where_to_save()
    (dialog,) = shown.view.findChildren(QFileDialog)
    assert saved == []
    path = str(tmp_path / "lines.txt")
    dialog.fileSelected.emit(path)
    dialog.close()
    qtbot.waitUntil(lambda: saved != [])
    assert saved == [(path, 3000)]
    written = Path(path).read_text(encoding="utf-8").splitlines()
    assert (len(written), written[-1].split("\t")[2]) == (3000, "line 2999")


def test_a_file_that_cannot_be_written_is_told(shown: Shown, qtbot: QtBot, tmp_path: Path) -> None:
    shown.log(qtbot, 3)
    failed: list[str] = []
    shown.view.failed.connect(failed.append)
    shown.view.save(str(tmp_path / "nowhere" / "lines.txt"))
    qtbot.waitUntil(lambda: failed != [])
    assert "No such file" in failed[0]
    shown.view.save(str(tmp_path / "lines.txt"))
    qtbot.waitUntil((tmp_path / "lines.txt").exists)


def test_counts_on_chips_stay_short_and_are_exact_in_words(shown: Shown, qtbot: QtBot) -> None:
    shown.console.append("t1", [ConsoleSaid(level="error", text="x")] * 10_000)
    shown.console.append("t2", [ConsoleSaid(level="error", text="x")] * 2345)
    qtbot.waitUntil(lambda: shown.model.counts["error"] == 12_345)
    assert shown.view.chips["error"].text() == "12k errors"
    assert shown.view.chips["error"].accessibleName() == "Show 12\u202f345 errors"


def test_a_line_there_is_room_for_is_not_announced(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 2)
    shown.view.tail.hold()
    shown.log(qtbot, 1)
    assert shown.view.new_pill.isHidden()


def test_an_open_line_is_broken_anew_in_a_column_of_another_width(shown: Shown, qtbot: QtBot) -> None:
    shown.console.append("t1", [ConsoleSaid(level="error", text="word " * 60)])
    qtbot.waitUntil(lambda: shown.model.rowCount() == 1)
    shown.view.toggle(0)
    wide = shown.model.rowCount()
    shown.view.resize(shown.view.width() * 2 // 3, shown.view.height())
    qtbot.waitUntil(lambda: shown.model.rowCount() > wide)
    assert shown.model.is_open(0)
    shown.view.toggle(0)
    assert shown.model.rowCount() == 1


def test_what_is_opened_at_the_end_is_in_sight_and_stays_there(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 100)
    shown.console.append("t1", [ConsoleSaid(level="error", text="TypeError: x\n    at one\n    at two")])
    qtbot.waitUntil(lambda: shown.model.rowCount() == 101)
    QApplication.processEvents()
    table = shown.view.table
    shown.view.toggle(100)
    QApplication.processEvents()
    for row in (100, 102):
        assert table.viewport().rect().contains(table.visualRect(shown.model.index(row, TEXT)).center())
    at = shown.bar.value()
    shown.log(qtbot, 5)
    assert (shown.bar.value(), shown.view.new_pill.text()) == (at, "↓ 5 new")
    shown.view.new_pill.click()
    assert shown.view.is_following
    shown.view.toggle(100)
    qtbot.waitUntil(lambda: shown.view.is_following)


def test_how_many_lines_were_dropped_stands_above_the_oldest(
    subscriptions: Subscriptions, theme: Theme, qtbot: QtBot
) -> None:
    made = Shown(subscriptions, theme, max_lines=1000)
    qtbot.addWidget(made.view)
    qtbot.addWidget(made.view.tools)
    made.log(qtbot, 1000)
    assert not made.view.dropped.isVisible()
    made.log(qtbot, 2500)
    qtbot.waitUntil(lambda: made.model.dropped >= 2500)
    number = figures.count(3500 - made.model.rowCount(), "older line")
    assert made.view.dropped.text() == f"{number} dropped"
    assert made.view.dropped.isVisible()
    made.console.clear()
    assert not made.view.dropped.isVisible()
