"""The live tail follows, holds when scrolled up, and says how much is new."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from kapture_panel.core.console import Console
from kapture_panel.window.links import Links
from kapture_panel.window.models.console_model import ConsoleModel
from kapture_panel.window.theme import Theme
from kapture_panel.window.views.console_view import ConsoleView


class Shown:
    def __init__(self, links: Links, theme: Theme, max_lines: int = 100_000) -> None:
        self.console = Console()
        self.model = ConsoleModel(self.console, links, max_lines=max_lines)
        self.view = ConsoleView(self.model, theme)
        self.view.resize(500, 200)
        self.view.show()
        self.bar = self.view.table.verticalScrollBar()

    def log(self, qtbot: QtBot, number: int, level: str = "log") -> None:
        before = self.model.counts.total()
        self.console.append("t1", [{"level": level, "text": f"line {before + at}"} for at in range(number)])
        qtbot.waitUntil(lambda: self.model.counts.total() != before)
        QApplication.processEvents()  # the table lays new rows out a turn later


@pytest.fixture
def shown(links: Links, theme: Theme, qtbot: QtBot) -> Shown:
    made = Shown(links, theme)
    qtbot.addWidget(made.view)
    qtbot.addWidget(made.view.title_bar)
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


def test_lines_that_leave_at_the_top_do_not_move_what_is_read(links: Links, theme: Theme, qtbot: QtBot) -> None:
    shown = Shown(links, theme, max_lines=1000)
    qtbot.addWidget(shown.view)
    qtbot.addWidget(shown.view.title_bar)
    shown.log(qtbot, 1000)
    shown.bar.setValue(600)
    first = shown.model.index(shown.bar.value(), 2).data()
    shown.log(qtbot, 50)
    assert shown.model.rowCount() < 1000
    assert shown.model.index(shown.bar.value(), 2).data() == first


def test_chips_count_and_choose_levels(shown: Shown, qtbot: QtBot) -> None:
    shown.log(qtbot, 3, "error")
    shown.log(qtbot, 2, "warn")
    assert shown.view.chips["error"].text() == "3"
    assert shown.view.chips["warn"].accessibleName() == "Show 2 warnings"
    QTest.mouseClick(shown.view.chips["error"], Qt.MouseButton.LeftButton)
    assert shown.model.rowCount() == 2


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
    assert copied[-1].count("line") == 5
    shown.view.table.selectRow(2)
    shown.view.copy()
    assert copied[-1].count("line") == 1


def test_a_narrow_console_gives_up_columns_before_its_text(shown: Shown, qtbot: QtBot) -> None:
    shown.view.resize(260, 200)
    assert shown.view.table.isColumnHidden(3)
    assert shown.view.table.columnWidth(2) >= 60
    shown.view.resize(700, 200)
    assert not shown.view.table.isColumnHidden(3)
