"""Rows for the history dock, and what it shows of them."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.targets import Target
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.roles import ITEM
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import until


def put(
    instance: Instance, command: str, params: dict[str, Any] | None = None, tab_id: str = "t1", **fields: Any
) -> Row:
    given: dict[str, Any] = {"client": "codex", "kind": "agent", "site": "shop.example", "state": "ok", **fields}
    given["targets"] = msgspec.convert(given.get("targets", []), list[Target])
    row = Row(0, time.time(), tab_id=tab_id, url="", command=command, params=params or {}, **given)
    instance.history.begin(row, durable=True)
    instance.history.settle(row)
    return row


def shown(window: MainWindow) -> list[int]:
    model = window.rooms.history.view.table.model()
    return [model.index(number, 0).data(ITEM).id for number in range(model.rowCount())]


async def choose(window: MainWindow, number: int = 0) -> None:
    """Choose a row with the keyboard."""
    table = window.rooms.history.view.table
    await until(lambda: table.model().rowCount() > number)
    table.setFocus()
    table.selectRow(number)


def said(window: MainWindow) -> list[str]:
    return [toast.title for toast in window.shell.toasts.shown]
