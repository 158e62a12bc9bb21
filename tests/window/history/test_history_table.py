"""The history's table: one line a row in any room, and its columns as the person wants them, also after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QStyleOptionHeader

from kapture_panel.core.basics.settings import Settings
from kapture_panel.window.history.history_model import (
    AGENT,
    COLUMNS,
    COMMAND,
    DURATION,
    OUTCOME,
    SUMMARY,
    TAB,
    TIME,
    HistoryModel,
)
from kapture_panel.window.history.history_table import HistoryTable
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme
from tests.support.window.fakes import Instance
from tests.support.window.history import choose, put, shown
from tests.support.window.qt_loop import bury, on_qt_loop, settle, until

USUAL = (TIME, AGENT, OUTCOME, COMMAND, SUMMARY, DURATION)


def columns(table: HistoryTable) -> tuple[int, ...]:
    """Those that are seen."""
    return tuple(column for column in range(len(COLUMNS)) if not table.isColumnHidden(column))


def cut(table: HistoryTable, column: int) -> list[str]:
    """What does not fit into its cell."""
    room, metrics = table.columnWidth(column) - 14, table.fontMetrics()
    texts = [str(table.model().index(row, column).data() or "") for row in range(table.model().rowCount())]
    return [text for text in texts if metrics.horizontalAdvance(text) > room]


def tick(table: HistoryTable, column: int) -> None:
    """Choose a column in the menu of the header."""
    table.columns.aboutToShow.emit()
    next(action for action in table.columns.actions() if action.data() == column).trigger()


def drag_edge(table: HistoryTable, column: int, by_px: int) -> None:
    """Take the right edge of a column with the mouse."""
    header = table.horizontalHeader()
    edge = QPoint(header.sectionViewportPosition(column) + header.sectionSize(column) - 2, header.height() // 2)
    press, release = (edge, edge + QPoint(by_px, 0))
    QTest.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=press)
    QTest.mouseMove(header.viewport(), release)
    QTest.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=release)


def put_rows(instance: Instance) -> None:
    """Some rows of different agents, commands and times."""
    put(instance, "click", {"selector": "#place-order"}, client="claude-code", summary="navigated to /thanks", ms=804)
    put(instance, "screenshot", {"name": "checkout"}, client="codex", site="127.0.0.1:8123", ms=12)
    put(instance, "evaluate", {"code": "1"}, client="claude-code", site="127.0.0.1:8123", ms=89, state="error")


@pytest.fixture
def table(instance: Instance, subscriptions: Subscriptions, theme: Theme) -> Iterator[HistoryTable]:
    """A table alone, as wide as its dock usually is."""
    made = HistoryTable(HistoryModel(instance.history, instance.catalogue, subscriptions), theme, instance.settings)
    made.resize(570, 200)
    made.show()
    yield made
    bury(made)


@pytest.mark.parametrize("size", [QSize(1900, 1000), QSize(1440, 900), QSize(1000, 700), QSize(800, 600)])
@on_qt_loop
async def test_a_row_is_one_line_and_only_the_summary_is_cut(
    size: QSize, window: MainWindow, instance: Instance
) -> None:
    put_rows(instance)
    window.resize(size)
    window.reset_layout()
    table = window.rooms.history.view.table
    await until(lambda: table.model().rowCount() == 3)
    put(instance, "screenshot", {"name": "b"}, client="an-agent-with-name", site="a.rather.long.site.example", ms=9)
    await until(lambda: table.model().rowCount() == 4)
    await settle(0.2)
    assert {table.rowHeight(row) for row in range(4)} == {22}
    assert {OUTCOME, COMMAND, SUMMARY} <= set(columns(table))
    if size.width() >= 1440:
        assert set(columns(table)) >= set(USUAL)
        whole = (TIME, AGENT, OUTCOME, COMMAND, DURATION, *((TAB,) if size.width() >= 1900 else ()))
        assert not [text for column in whole for text in cut(table, column)]
        assert not set(whole) - set(columns(table))
    assert table.columnWidth(SUMMARY) >= 90
    assert sum(table.columnWidth(column) for column in columns(table)) == table.viewport().width()


@on_qt_loop
async def test_what_stands_in_the_rows_neither_hides_nor_shows_a_column(
    instance: Instance, table: HistoryTable
) -> None:
    def seen() -> list[tuple[int, ...]]:
        found = []
        for width in range(300, 1300, 20):
            table.resize(width, 200)
            found.append(columns(table))
        return found

    empty = seen()
    assert {(*USUAL[:2], TAB, *USUAL[2:]), USUAL} < set(empty)
    put(instance, "click", client="x", site="s.io", summary="y", ms=1)
    await until(lambda: table.model().rowCount() == 1)
    await settle(0.2)
    assert seen() == empty
    put(instance, "check_element_state", client="an-agent-with-a-long-name", site="a.rather.long.site.example.com",
        summary="what came of it in many words " * 9, ms=123456)  # fmt: skip
    await until(lambda: table.model().rowCount() == 2)
    await settle(0.2)
    assert seen() == empty


@on_qt_loop
async def test_beside_the_details_a_row_keeps_its_command_and_summary(window: MainWindow, instance: Instance) -> None:
    window.resize(1000, 700)
    window.reset_layout()
    put(instance, "click", {"selector": "#place-order"})
    await choose(window)
    await settle(0.2)
    assert window.rooms.history.view.detail.isVisible()
    assert set(columns(window.rooms.history.view.table)) >= {OUTCOME, COMMAND, SUMMARY}


@on_qt_loop
async def test_the_chosen_row_stays_in_sight_when_there_is_less_room(window: MainWindow, instance: Instance) -> None:
    window.resize(1900, 1000)
    window.reset_layout()
    for number in range(40):
        put(instance, "click", {"selector": f"#a{number}"})
    table = window.rooms.history.view.table
    await until(lambda: len(shown(window)) == 40)
    await settle(0.2)
    row = table.indexAt(QPoint(4, table.viewport().height() - 30)).row()
    table.setCurrentIndex(table.model().index(row, 0))
    window.rooms.history.view.close_detail()
    await settle()
    table.scrollToTop()
    window.resize(1200, 700)
    await settle()
    assert 0 <= table.rowViewportPosition(row) <= table.viewport().height() - table.rowHeight(row)


@on_qt_loop
async def test_the_header_sorts_and_a_second_click_turns_it_round(window: MainWindow, instance: Instance) -> None:
    put_rows(instance)
    window.resize(1440, 900)
    view = window.rooms.history.view
    await until(lambda: shown(window) == [3, 2, 1])
    assert view.title_bar.word == "3 · newest first"
    header = view.table.horizontalHeader()
    option = QStyleOptionHeader()
    header.initStyleOptionForIndex(option, TIME)
    assert option.sortIndicator == QStyleOptionHeader.SortIndicator.SortDown, "the newest first: down"
    at = QPoint(header.sectionViewportPosition(DURATION) + 20, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    await until(lambda: shown(window) == [2, 3, 1])
    assert view.title_bar.word == "3 · by took"
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    await until(lambda: shown(window) == [1, 3, 2])


@on_qt_loop
async def test_what_a_person_chose_of_the_columns_is_so_after_a_restart(
    instance: Instance, table: HistoryTable, subscriptions: Subscriptions, theme: Theme
) -> None:
    put_rows(instance)
    await until(lambda: table.model().rowCount() == 3)
    await settle(0.2)
    assert columns(table) == USUAL
    tick(table, TAB)
    tick(table, DURATION)
    assert columns(table) == (TIME, AGENT, TAB, OUTCOME, COMMAND, SUMMARY)
    before = table.columnWidth(AGENT)
    drag_edge(table, AGENT, -30)
    assert table.columnWidth(AGENT) == before - 30
    table.sortByColumn(COMMAND, Qt.SortOrder.AscendingOrder)

    again = HistoryTable(
        HistoryModel(instance.history, instance.catalogue, subscriptions),
        theme,
        Settings(instance.folder / "settings.json"),
    )
    again.resize(570, 200)
    again.show()
    await settle(0.2)
    assert columns(again) == (TIME, AGENT, TAB, OUTCOME, COMMAND, SUMMARY)
    assert again.columnWidth(AGENT) == before - 30
    assert [again.model().index(row, COMMAND).data() for row in range(3)] == ["Click", "Run code", "Screenshot"]
    next(action for action in again.columns.actions() if action.text() == "Usual columns").trigger()
    assert columns(again) == USUAL
    assert again.columnWidth(AGENT) == before
    await until(lambda: again.model().index(0, COMMAND).data() == "Run code", "the newest first")
    bury(again)


@on_qt_loop
async def test_a_column_cannot_push_the_summary_out(instance: Instance, table: HistoryTable) -> None:
    put_rows(instance)
    await until(lambda: table.model().rowCount() == 3)
    await settle(0.2)
    drag_edge(table, AGENT, 400)
    assert columns(table) == USUAL
    assert table.columnWidth(SUMMARY) >= 100
    table.resize(300, 200)
    assert table.columnWidth(SUMMARY) >= 90


def test_only_the_command_is_always_there(table: HistoryTable) -> None:
    for column in set(range(len(COLUMNS))) - {COMMAND}:
        tick(table, column)
        if not table.isColumnHidden(column):
            tick(table, column)
    tick(table, COMMAND)
    assert columns(table) == (COMMAND,)
    assert table.columnWidth(COMMAND) == table.viewport().width()


def test_settings_that_say_something_else_change_nothing(
    tmp_path: Path, instance: Instance, subscriptions: Subscriptions, theme: Theme
) -> None:
    kept: list[object] = [
        3,
        [],
        {"hidden": 1, "shown": None, "widths": [], "order": "Time"},
        {
            "hidden": [1, "Nothing"],
            "widths": {"Agent": "9", "Nothing": 9, "Tab": -4, "Time": True},
            "order": ["No", True],
        },
    ]
    for number, value in enumerate(kept):
        settings = Settings(tmp_path / f"{number}.json")
        settings.set("history.columns", value)
        table = HistoryTable(HistoryModel(instance.history, instance.catalogue, subscriptions), theme, settings)
        table.resize(570, 200)
        assert (table.choices.hidden, table.choices.widths, table.choices.order) == (set(), {}, (TIME, True))
        bury(table)


def test_the_menu_of_the_columns_is_reached_with_the_keyboard(window: MainWindow) -> None:
    view = window.rooms.history.view
    menus = [action.menu() for action in view.options.actions()]
    assert view.table.columns in menus
    (sorting,) = [one for one in view.table.columns.findChildren(QMenu) if one.title() == "Sort by"]
    sorting.actions()[AGENT].trigger()
    assert view.table.choices.order == (AGENT, False)
    sorting.actions()[AGENT].trigger()
    assert view.table.choices.order == (AGENT, True)
