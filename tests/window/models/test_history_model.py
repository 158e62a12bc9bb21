"""History comes in pages, newest first, and follows what happens."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester

from kapture_panel.core.history import Row
from kapture_panel.window.links import Links
from kapture_panel.window.models.history_model import PAGE_ROWS, HistoryModel
from kapture_panel.window.models.roles import ITEM, TONE
from tests.window.fakes import Instance
from tests.window.qt_loop import on_qt_loop, settle, until


def put(instance: Instance, number: int = 1, **fields: Any) -> list[Row]:
    given = {"client": "codex", "kind": "agent", "command": "click", "summary": "did it", **fields}
    rows = []
    for _ in range(number):
        row = Row(0, time.time(), tab_id="t1", site="shop.example", url="", params={}, **given)
        instance.history.begin(row, durable=False)
        row.state, row.ms = fields.get("state", "ok"), 12
        instance.history.settle(row)
        rows.append(row)
    return rows


def ids(model: HistoryModel) -> list[int]:
    return [model.index(row, 0).data(ITEM).id for row in range(model.rowCount())]


@on_qt_loop
async def test_pages_are_fetched_when_they_are_asked_for(instance: Instance, links: Links, qapp: object) -> None:
    put(instance, 450)
    model = HistoryModel(instance.history, links)
    assert model.rowCount() == PAGE_ROWS
    assert model.canFetchMore(QModelIndex())
    model.fetchMore(QModelIndex())
    model.fetchMore(QModelIndex())
    assert ids(model) == list(range(450, 0, -1))
    assert not model.canFetchMore(QModelIndex())
    assert model.total == 450


@on_qt_loop
async def test_new_rows_come_in_at_the_top_once_and_change_when_they_settle(
    instance: Instance, links: Links, qapp: object
) -> None:
    put(instance, 3)
    model = HistoryModel(instance.history, links)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    row = Row(0, time.time(), "person", "person", "t1", "s", "", "click", {})
    instance.history.begin(row, durable=True)
    await until(lambda: model.rowCount() == 4)
    assert model.index(0, 1).data() == "you"
    assert model.index(0, 2).data() == "…"
    row.state, row.code, row.summary = "error", "STALE_REF", "gone"
    instance.history.settle(row)
    await until(lambda: model.index(0, 2).data() == "✗")
    assert model.index(0, 4).data() == "STALE_REF gone"
    assert model.index(0, 4).data(TONE) == "error"
    put(instance, 2)
    await until(lambda: model.rowCount() == 6)
    assert ids(model) == [6, 5, 4, 3, 2, 1]
    tester.deleteLater()


@on_qt_loop
async def test_a_burst_is_one_insertion(instance: Instance, links: Links, qapp: object) -> None:
    model = HistoryModel(instance.history, links)
    inserted: list[int] = []
    model.inserted.connect(inserted.append)
    put(instance, 300)
    await settle()
    assert inserted == [300]


@on_qt_loop
async def test_the_filter_looks_through_the_whole_store_and_at_what_comes(
    instance: Instance, links: Links, qapp: object
) -> None:
    put(instance, 1, summary="100% off_er")
    put(instance, 500)
    model = HistoryModel(instance.history, links)
    model.set_filter("100% off_ CODEX")
    assert ids(model) == [1]
    model.set_filter("%")
    assert ids(model) == [1]
    put(instance, 1, summary="200% more")
    put(instance, 1, summary="other")
    await settle()
    assert ids(model) == [502, 1]
    model.set_filter("")
    assert model.rowCount() == PAGE_ROWS


@on_qt_loop
async def test_a_row_a_new_filter_took_does_not_come_twice(instance: Instance, links: Links, qapp: object) -> None:
    model = HistoryModel(instance.history, links)
    put(instance, 2)
    model.set_filter("click")
    await settle()
    assert ids(model) == [2, 1]


@on_qt_loop
async def test_page_text_in_a_summary_is_plain(instance: Instance, links: Links, qapp: object) -> None:
    put(instance, 1, summary="a\u202eb\nc<b>")
    model = HistoryModel(instance.history, links)
    assert model.index(0, 4).data() == "ab c<b>"
