"""Lists of objects are built from rows."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.window.command.forms.command_form import CommandForm
from kapture_panel.window.command.forms.rows_field import RowsField
from kapture_panel.window.widgets import tab_order
from kapture_panel.window.widgets.theme import Theme
from tests.support.window.forms.form import button, click, edit, form_of


def rows_of(form: CommandForm) -> RowsField:
    field = form.fields[0]
    assert isinstance(field, RowsField)
    return field


def named(root: QWidget, name: str) -> QToolButton:
    return next(found for found in root.findChildren(QToolButton) if found.accessibleName() == name)


def value(row: QWidget) -> QPlainTextEdit:
    return next(found for found in row.findChildren(QPlainTextEdit) if found.accessibleName() == "Value")


@pytest.fixture
def fields(theme: Theme, qtbot: QtBot) -> CommandForm:
    form = form_of("fill_form", qtbot)
    form.wear(theme)
    form.show()
    return form


@pytest.fixture
def batch(theme: Theme, qtbot: QtBot) -> CommandForm:
    form = form_of("batch", qtbot)
    form.wear(theme)
    form.show()
    return form


def test_a_row_is_offered_and_counts_once_it_is_edited(fields: CommandForm) -> None:
    assert len(rows_of(fields).rows) == 1
    assert fields.read() == {}
    QTest.keyClicks(edit(fields, "Target selector"), "#name")
    QTest.keyClicks(value(fields), "Ada")
    assert fields.read() == {"fields": [{"selector": "#name", "value": "Ada"}]}


def test_rows_are_added_moved_up_and_taken_away(fields: CommandForm) -> None:
    items = [{"selector": "#a", "value": "1"}, {"ref": "e5", "value": "2"}]
    assert fields.write({"fields": items}) == ""
    click(button(fields, "Add a field"))
    rows = rows_of(fields).rows
    QTest.keyClicks(value(rows[2]), "3")
    named(rows[1], "Move field up").click()
    assert fields.read() == {"fields": [items[1], items[0], {"value": "3"}]}
    assert not named(rows[0], "Move field up").isEnabled()
    named(rows[1], "Remove field").click()
    assert fields.read() == {"fields": [items[1], {"value": "3"}]}
    for row in list(rows_of(fields).rows):
        named(row, "Remove field").click()
    assert fields.read() == {}
    assert len(rows_of(fields).rows) == 1


def test_tab_goes_through_the_rows_in_their_order(fields: CommandForm, qtbot: QtBot) -> None:
    fields.write({"fields": [{"selector": f"#{at}", "value": ""} for at in range(3)]})
    rows = rows_of(fields).rows
    named(rows[2], "Move field up").click()
    fields.activateWindow()
    tab_order.stops(rows[0])[0].setFocus(Qt.FocusReason.TabFocusReason)
    passed: list[QWidget] = []
    while (focused := fields.focusWidget()) is not button(fields, "Add a field"):
        assert focused is not None
        assert focused not in passed
        passed.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    assert [passed.index(value(row)) for row in rows] == sorted(passed.index(value(row)) for row in rows)


def test_a_step_has_the_form_of_its_command(batch: CommandForm) -> None:
    (row,) = rows_of(batch).rows
    choice = row.findChild(QComboBox)
    assert isinstance(choice, QComboBox)
    at = choice.findText("Click")
    choice.setCurrentIndex(at)
    choice.activated.emit(at)
    QTest.keyClicks(edit(row, "Target selector"), "#pay")
    click(button(batch, "Button: right"))
    assert batch.read() == {"steps": [{"command": "click", "params": {"selector": "#pay", "button": "right"}}]}
    assert choice.findText("Batch") < 0, "a batch holds no other one"


@pytest.mark.parametrize(
    "step",
    [
        {"command": "reload"},
        {"command": "reload", "params": {}},
        {"command": "kapturemcp_click", "params": {"ref": "e5"}},
        {"command": "click", "params": {"selector": "#a", "tabId": "t9"}},
        {"command": "teleport", "params": {"x": [1, {"y": None}]}},
        {"command": ""},
    ],
)
def test_a_step_comes_out_as_it_went_in(step: dict[str, Any], batch: CommandForm) -> None:
    assert batch.write({"steps": [step]}) == ""
    assert batch.read() == {"steps": [step]}


def test_what_is_wrong_in_a_row_is_said_under_the_field(batch: CommandForm) -> None:
    batch.write({"steps": [{"command": "click", "params": {"tabId": "t9"}}]})
    (row,) = rows_of(batch).rows
    json = next(found for found in row.findChildren(QPlainTextEdit) if found.isVisible())
    json.setPlainText("[1]")
    assert "steps.0.params" in rows_of(batch).error
    json.setPlainText("{}")
    assert rows_of(batch).error == ""


def test_the_targets_of_rows_can_be_picked(batch: CommandForm, qtbot: QtBot) -> None:
    batch.write({"steps": [{"command": "click", "params": {"selector": "#a"}}]})
    (target,) = batch.targets
    with qtbot.waitSignal(batch.pick_asked) as asked:
        target.pick_button.click()
    assert asked.args == [target]
    assert batch.target is None, "the batch itself is about no element"


def test_a_value_of_a_step_that_was_not_kept_is_asked_for_again(batch: CommandForm) -> None:
    kept = {"command": "fill", "params": {"selector": "#a", "value": {"redacted": 7}}}
    asking = batch.open_again({"steps": [{"command": "reload"}, kept]})
    assert asking is rows_of(batch)
    assert batch.read() == {"steps": [{"command": "reload"}, {"command": "fill", "params": {"selector": "#a"}}]}
    assert "7 characters" in next(
        found.placeholderText() for found in batch.findChildren(QPlainTextEdit) if found.placeholderText()
    )
