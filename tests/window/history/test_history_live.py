"""The history dock while rows go on, and while many are chosen."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt

from kapture_panel.core.stores.history_row import Row
from kapture_panel.window.history.history_model import OUTCOME
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.history import put, shown
from tests.support.window.qt_loop import on_qt_loop, until


@pytest.mark.parametrize("is_filtered", [False, True])
@on_qt_loop
async def test_the_row_that_is_looked_at_goes_on_though_it_stands_elsewhere_then(
    window: MainWindow, instance: Instance, is_filtered: bool
) -> None:
    view = window.rooms.history.view
    put(instance, "fill")
    put(instance, "snapshot", state="error")
    row = Row(0, time.time(), client="codex", kind="agent", tab_id="t1", site="", url="", command="click", params={})
    instance.history.begin(row, durable=False)
    if is_filtered:
        view.filter.setText("status:running")
    view.table.sortByColumn(OUTCOME, Qt.SortOrder.AscendingOrder)
    await until(lambda: len(shown(window)) == (1 if is_filtered else 3))
    view.table.selectRow(shown(window).index(row.id))
    assert "took" not in view.detail.text()
    instance.history.settle(replace(row, state="ok", ms=12))
    await until(lambda: "took 12 ms" in view.detail.text(), "how it went")
    assert view.detail.isVisible()
    chosen = view.chosen
    assert (chosen and chosen.id) == (None if is_filtered else row.id)


@on_qt_loop
async def test_that_every_row_is_chosen_costs_no_look_at_each(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(100):
        put(instance, "click")
    view = window.rooms.history.view
    await until(lambda: len(shown(window)) == 100)
    view.table.selectAll()
    read: list[Any] = []
    monkeypatch.setattr(view._model, "_row", read.append)
    window.shell.actions.refresh()
    view.exports.fill_menu()
    assert (read, view.exports._of_chosen.title()) == ([], "The chosen 100 rows")


@on_qt_loop
async def test_what_was_forgotten_before_it_was_listed_does_not_come(window: MainWindow, instance: Instance) -> None:
    model = window.rooms.history.view._model
    rows = [put(instance, "click") for _ in range(5)]
    instance.history.forget("1", ())
    put(instance, "click")
    await until(lambda: shown(window))
    assert shown(window) == [rows[-1].id + 1]
    instance.history.forget("1", ())
    assert model.values() == {"agent": [], "site": [], "tab": [], "cmd": []}
