"""The history's rows: ids at once, rows when they come into sight, and what happens meanwhile."""

from __future__ import annotations

import time
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from kapture_panel.core.stores import history_file
from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.history import history_model
from kapture_panel.window.history.history_model import AGENT, COMMAND, OUTCOME, SUMMARY, TIME, HistoryModel
from kapture_panel.window.widgets.roles import ITEM, TONE
from kapture_panel.window.widgets.subscriptions import Subscriptions
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle, until


def put(instance: Instance, number: int = 1, **fields: Any) -> list[Row]:
    given = {"client": "codex", "kind": "agent", "command": "click", "summary": "did it", "at": time.time(), **fields}
    rows = []
    for _ in range(number):
        row = Row(0, tab_id="t1", site="shop.example", url="", params={}, **given)
        instance.history.begin(row, durable=False)
        row.state, row.ms = fields.get("state", "ok"), 12
        instance.history.settle(row)
        rows.append(row)
    return rows


def ids(model: HistoryModel) -> list[int]:
    return [model.index(row, 0).data(ITEM).id for row in range(model.rowCount())]


def test_the_header_says_what_every_sign_means(model: HistoryModel) -> None:
    said = model.headerData(OUTCOME, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    for sign in ("✓ done", "✗ failed", "⊘ denied", "◌ not answered in time", "‖ paused", "? outcome unknown"):
        assert sign in said


@pytest.fixture
def model(instance: Instance, subscriptions: Subscriptions, qapp: object) -> HistoryModel:
    made = HistoryModel(instance.history, instance.catalogue, subscriptions)
    made.tester = QAbstractItemModelTester(  # type: ignore[attr-defined]
        made, QAbstractItemModelTester.FailureReportingMode.Fatal, made
    )
    return made


@on_qt_loop
async def test_all_rows_are_there_and_few_are_read(
    instance: Instance, subscriptions: Subscriptions, qapp: object
) -> None:
    put(instance, 1500)
    model = HistoryModel(instance.history, instance.catalogue, subscriptions)
    assert model.rowCount() >= history_model.FIRST_ROWS, "the newest at once"
    await until(lambda: not model.is_searching)
    assert model.rowCount() == model.total == 1500
    assert model.index(1200, 0).data(ITEM).id == 300
    assert len(model._cached) < 400
    assert ids(model) == list(range(1500, 0, -1))
    assert len(model._cached) <= history_model._MAX_CACHED + 200


@on_qt_loop
async def test_new_rows_come_in_at_the_top_once_and_change_when_they_settle(
    instance: Instance, model: HistoryModel
) -> None:
    put(instance, 3)
    await until(lambda: model.rowCount() == 3)
    row = Row(0, time.time(), "person", "person", "t1", "s", "", "click", {})
    instance.history.begin(row, durable=True)
    await until(lambda: model.rowCount() == 4)
    assert model.index(0, AGENT).data() == "you"
    assert model.index(0, OUTCOME).data() == "…"
    row.state, row.code, row.summary = "error", "STALE_REF", "gone"
    instance.history.settle(row)
    await until(lambda: model.index(0, OUTCOME).data() == "✗")
    assert model.index(0, SUMMARY).data() == "gone"
    assert model.index(0, SUMMARY).data(TONE) == "error"
    put(instance, 2)
    await until(lambda: model.rowCount() == 6)
    assert ids(model) == [6, 5, 4, 3, 2, 1]


@on_qt_loop
async def test_a_burst_is_one_insertion(instance: Instance, model: HistoryModel) -> None:
    inserted: list[int] = []
    model.inserted.connect(inserted.append)
    put(instance, 300)
    await settle()
    assert inserted == [300]


@on_qt_loop
async def test_the_filter_looks_through_the_whole_store_and_at_what_comes(
    instance: Instance, model: HistoryModel
) -> None:
    put(instance, 1, summary="100% off_er")
    put(instance, 500)
    for text in ("100% off_ CODEX", "%", 'cmd:click "off_er"', "-did"):
        assert model.set_filter(text) == ()
        await until(lambda: not model.is_searching)
        assert ids(model) == [1], text
    put(instance, 1, summary="200% more")
    put(instance, 1, summary="did other")
    await settle()
    assert ids(model) == [502, 1]
    model.set_filter("")
    await until(lambda: model.rowCount() == 503)


@on_qt_loop
async def test_a_row_comes_and_goes_as_its_outcome_fits_the_filter(instance: Instance, model: HistoryModel) -> None:
    put(instance, 2)
    model.set_filter("status:running")
    row = Row(0, time.time(), "codex", "agent", "t1", "s", "", "click", {})
    instance.history.begin(row, durable=True)
    put(instance, 1, command="fill", state="ok")
    await until(lambda: ids(model) == [3])
    row.state = "error"
    instance.history.settle(row)
    await until(lambda: ids(model) == [])
    model.set_filter("status:error")
    await until(lambda: ids(model) == [3])
    late = Row(0, time.time(), "codex", "agent", "t1", "s", "", "click", {})
    instance.history.begin(late, durable=True)
    put(instance, 1, state="error")
    await until(lambda: ids(model) == [6, 3])
    late.state = "error"
    instance.history.settle(late)
    await until(lambda: ids(model) == [6, 5, 3])


@on_qt_loop
async def test_a_word_that_cannot_be_meant_so_is_told(model: HistoryModel) -> None:
    assert "not bad" in model.set_filter("status:bad")[0]


@on_qt_loop
async def test_a_command_is_called_as_in_watch_and_found_by_that_and_by_its_name(
    instance: Instance, model: HistoryModel
) -> None:
    put(instance, 1, command="fill")
    put(instance, 1, command="type")
    put(instance, 1, command="of_long_ago\u202e")
    await until(lambda: model.rowCount() == 3)
    assert [model.index(row, COMMAND).data() for row in range(3)] == ["of_long_ago", "Type key by key", "Fill a field"]
    assert "cmd:fill" in model.index(2, COMMAND).data(Qt.ItemDataRole.ToolTipRole)
    for text, expected in (
        ("cmd:fill", [1]),
        ("fill a field", [1]),
        ('"key by"', [2]),
        ("-key", [3, 1]),
        ("type", [2]),
    ):
        model.set_filter(text)
        await until(lambda: not model.is_searching)
        assert ids(model) == expected, text
    model.set_filter("field")
    put(instance, 1, command="fill")
    await until(lambda: ids(model) == [4, 1])


@on_qt_loop
async def test_a_row_a_new_filter_took_does_not_come_twice(instance: Instance, model: HistoryModel) -> None:
    put(instance, 2)
    model.set_filter("click")
    await settle()
    assert ids(model) == [2, 1]


@on_qt_loop
async def test_rows_that_retention_takes_leave_the_list(
    instance: Instance, model: HistoryModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(instance, 5, command="fill", at=time.time() - history_file.MAX_AGE_S - 60)
    put(instance, 5)
    await until(lambda: model.rowCount() == 10)
    instance.history.trim()
    await until(lambda: ids(model) == [10, 9, 8, 7, 6])
    assert model.total == 5
    monkeypatch.setattr(history_file, "MAX_ROWS", 2)
    model.set_filter("cmd:click")
    instance.history.trim()
    await until(lambda: ids(model) == [10, 9])


@on_qt_loop
async def test_page_text_in_a_summary_is_plain(instance: Instance, model: HistoryModel) -> None:
    put(instance, 1, summary="a\u202eb\nc<b>")
    await until(lambda: model.rowCount() == 1)
    assert model.index(0, SUMMARY).data() == "ab c<b>"


@on_qt_loop
async def test_values_for_completions_are_those_of_rows_in_memory(instance: Instance, model: HistoryModel) -> None:
    put(instance, 1, client="claude code")
    await until(lambda: model.rowCount() == 1)
    assert model.values() == {"agent": ["claude code"], "site": ["shop.example"], "tab": ["t1"], "cmd": ["click"]}


@on_qt_loop
async def test_rows_stand_in_the_order_of_a_column_also_when_they_come_and_change(
    instance: Instance, model: HistoryModel
) -> None:
    for client in ("codex", "Claude", "amp"):
        put(instance, client=client)
    await until(lambda: model.rowCount() == 3)
    model.sort(AGENT, Qt.SortOrder.AscendingOrder)
    await until(lambda: ids(model) == [3, 2, 1])
    (row,) = put(instance, client="bolt")
    await until(lambda: ids(model) == [3, 4, 2, 1])
    model.sort(OUTCOME, Qt.SortOrder.DescendingOrder)
    await until(lambda: ids(model) == [4, 3, 2, 1])
    row.state, row.code = "cancelled", "CANCELLED"
    instance.history.settle(row)
    await until(lambda: ids(model) == [3, 2, 1, 4])
    model.sort(TIME, Qt.SortOrder.AscendingOrder)
    await until(lambda: ids(model) == [1, 2, 3, 4])
    put(instance, client="last")
    await until(lambda: ids(model) == [1, 2, 3, 4, 5])
    model.set_filter("agent:co")
    await until(lambda: ids(model) == [1])
    instance.history.forget("id = ?", [1])
    await until(lambda: model.rowCount() == 0)
    model.set_filter("")
    model.sort(TIME, Qt.SortOrder.DescendingOrder)
    await until(lambda: ids(model) == [5, 4, 3, 2])


@on_qt_loop
async def test_thousands_of_rows_are_put_in_order_in_slices(
    instance: Instance, subscriptions: Subscriptions, qapp: object
) -> None:
    put(instance, 1500)
    model = HistoryModel(instance.history, instance.catalogue, subscriptions)
    await until(lambda: not model.is_searching)
    model.sort(SUMMARY, Qt.SortOrder.AscendingOrder)
    assert model.is_searching
    assert [model.row_of(row_id) for row_id in ids(model)] == list(range(1500)), "a row is found though it will move"
    put(instance, client="meanwhile", summary="a first one")
    await until(lambda: not model.is_searching)
    await until(lambda: model.rowCount() == 1501)
    assert model.index(0, AGENT).data() == "meanwhile"
    assert ids(model)[1:] == list(range(1, 1501))
