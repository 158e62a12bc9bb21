"""The states of the window in which a form has more in it than one line."""

from __future__ import annotations

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from kapture_panel.core.basics.free_json import Params
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.contents import fill
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import settle, until

STEPS = [
    {"command": "click", "params": {"selector": "#add-to-basket"}},
    {"command": "fill", "params": {"selector": "#full-name", "value": "Ada Lovelace"}},
    {"command": "evaluate", "params": {"code": "return document.title"}},
]
FIELDS = [
    {"selector": "#full-name", "value": "Ada Lovelace"},
    {"ref": "e12", "value": "12 Example Street"},
    {"selector": "#country", "value": "GB"},
]


async def _filled(window: MainWindow, instance: Instance, command: str, params: Params) -> QWidget:
    fill(instance)
    window.rooms.command.view.list.choose(command)
    window.rooms.command.view.params.fill(params)
    await settle()
    assert window.rooms.command.view.params.read() == params
    return window


async def batch_rows(window: MainWindow, instance: Instance) -> QWidget:
    """Several steps, each with its own form."""
    return await _filled(window, instance, "kapturemcp_batch", {"steps": STEPS})


async def fill_form_rows(window: MainWindow, instance: Instance) -> QWidget:
    """Several fields of a form."""
    return await _filled(window, instance, "kapturemcp_fill_form", {"fields": FIELDS})


async def bad_address(window: MainWindow, instance: Instance) -> QWidget:
    """An address that is none, as it is written."""
    fill(instance)
    window.rooms.command.view.list.choose("kapturemcp_navigate")
    form = window.rooms.command.view.params.form
    assert form is not None
    edit = form.findChild(QLineEdit)
    assert edit is not None
    edit.setFocus()
    QTest.keyClicks(edit, "http//shop.example")
    await until(lambda: any(field.error for field in form.fields), "what is wrong with the address")
    return window
