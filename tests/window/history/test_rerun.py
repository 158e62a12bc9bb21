"""Commands of the history, run again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance, ok
from tests.support.window.history import choose, put, said
from tests.support.window.qt_loop import on_qt_loop, settle, until


def focused() -> QWidget:
    """What the next key goes to."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


@on_qt_loop
async def test_a_read_of_the_past_runs_at_once_in_its_tab(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    instance.add_tab("t2")
    instance.executor.answers["snapshot"] = ok({"text": "- button"})
    put(instance, "snapshot", {"interactiveOnly": True, "tabId": "t2"}, "t2")
    await choose(window)
    QTest.keyClick(window.rooms.history.view.table, Qt.Key.Key_Return)
    await until(lambda: instance.executor.sent != [] and window.rooms.command.view.task is None)
    tab_id, command, params = instance.executor.sent[-1]
    assert window.rooms.history.view.table.hasFocus(), "the next row can be run again as well"
    assert (tab_id, command, params["interactiveOnly"]) == ("t2", "kapturemcp_snapshot", True)
    assert window.rooms.command.view.result.text.toPlainText() == "- button"


@on_qt_loop
async def test_an_action_asks_first_and_a_second_enter_does_nothing(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1", "Checkout")
    put(instance, "click", {"selector": "#pay"})
    await choose(window)
    QTest.keyClick(window.rooms.history.view.table, Qt.Key.Key_Return)
    question = window.rooms.history.view.question
    assert question.isVisible()
    assert question.words.text() == "Run Click again?"
    assert question.where.text() == "selector #pay · on “Checkout”"
    assert question.leave_button.hasFocus()
    QTest.keyClick(question.leave_button, Qt.Key.Key_Escape)
    assert question.isHidden()
    assert window.rooms.history.view.table.hasFocus()
    QTest.keyClick(window.rooms.history.view.table, Qt.Key.Key_Return)
    await settle()
    assert instance.executor.sent == []
    QTest.mouseClick(question.run_button, Qt.MouseButton.LeftButton)
    await until(lambda: instance.executor.sent != [] and window.rooms.command.view.task is None)
    tab_id, command, params = instance.executor.sent[-1]
    assert (tab_id, command, params["selector"]) == ("t1", "kapturemcp_click", "#pay")
    assert question.isHidden()


@on_qt_loop
async def test_it_may_be_edited_first(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    put(instance, "click", {"selector": "#pay", "button": "right"})
    await choose(window)
    QTest.keyClick(window.rooms.history.view.table, Qt.Key.Key_Return)
    QTest.mouseClick(window.rooms.history.view.question.edit_button, Qt.MouseButton.LeftButton)
    assert window.rooms.command.view.command.short_name == "click"
    assert window.rooms.command.view.params.read() == {"selector": "#pay", "button": "right"}
    assert instance.executor.sent == []
    form = window.rooms.command.view.params.form
    assert form is not None
    assert form.target is not None
    assert form.target.isAncestorOf(window.focusWidget()), "one types on in the first field"


@on_qt_loop
async def test_a_row_of_a_tab_that_is_gone_runs_on_the_chosen_one(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    put(instance, "click", {"selector": "#pay"}, "gone")
    await choose(window)
    QTest.keyClick(window.rooms.history.view.table, Qt.Key.Key_Return)
    assert window.rooms.history.view.question.where.text().endswith(
        "its tab is gone; it runs on the tab chosen under Tabs"
    )
    QTest.mouseClick(window.rooms.history.view.question.run_button, Qt.MouseButton.LeftButton)
    await until(lambda: instance.executor.sent != [] and window.rooms.command.view.task is None)
    assert instance.executor.sent[-1][0] == "t1"


@on_qt_loop
async def test_a_question_whose_tab_goes_is_left_and_nothing_is_done_in_another(
    window: MainWindow, instance: Instance
) -> None:
    for tab_id in ("t1", "t2"):
        instance.add_tab(tab_id)
    put(instance, "click", {"selector": "#pay"})
    await choose(window)
    table, question = window.rooms.history.view.table, window.rooms.history.view.question
    QTest.keyClick(table, Qt.Key.Key_Return)
    instance.tabs.remove(instance.tabs.get("t2"))
    assert question.isVisible(), "it is about another one"
    window.rooms.command.view.list.setFocus()
    instance.tabs.remove(instance.tabs.get("t1"))
    assert question.isHidden()
    assert "The tab of this row has gone" in said(window)
    assert not table.hasFocus(), "the person went on elsewhere"
    assert question.row is None


@on_qt_loop
async def test_what_was_typed_opens_with_that_field_empty_and_focused(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    put(instance, "fill", {"selector": "#card", "value": {"redacted": 16}})
    await choose(window)
    window.activateWindow()
    QTest.keyClick(window.rooms.history.view.table, Qt.Key.Key_Return)
    assert window.rooms.history.view.question.isHidden()
    assert instance.executor.sent == []
    assert window.rooms.command.view.params.read() == {"selector": "#card"}
    QTest.keyClicks(focused(), "4111")
    assert window.rooms.command.view.params.read() == {"selector": "#card", "value": "4111"}


@on_qt_loop
async def test_a_list_of_typed_values_asks_for_each_again(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    fields = [{"selector": "#a", "value": {"redacted": 3}}, {"selector": "#b", "value": {"redacted": 2}}]
    put(instance, "fill_form", {"fields": fields})
    await choose(window)
    window.activateWindow()
    QTest.keyClick(window.rooms.history.view.table, Qt.Key.Key_Return)
    assert window.rooms.command.view.params.read() == {"fields": [{"selector": "#a"}, {"selector": "#b"}]}
    window.rooms.command.view.run()
    assert instance.executor.sent == [], "what is still missing is not typed as nothing"
    QTest.keyClicks(focused(), "Ada")
    assert window.rooms.command.view.params.read() == {
        "fields": [{"selector": "#a", "value": "Ada"}, {"selector": "#b"}]
    }


@pytest.mark.parametrize("params", [{"urlContains": "https://x/?token=***"}, {"text": "y" * 2000}])
@on_qt_loop
async def test_a_read_that_was_not_kept_whole_is_looked_at_first(
    params: dict[str, Any], window: MainWindow, instance: Instance
) -> None:
    instance.add_tab("t1")
    put(instance, "wait", params)
    await choose(window)
    QTest.keyClick(window.rooms.history.view.table, Qt.Key.Key_Return)
    await settle()
    assert instance.executor.sent == []
    assert window.rooms.command.view.command.short_name == "wait"


@on_qt_loop
async def test_a_command_that_is_gone_is_told(window: MainWindow, instance: Instance) -> None:
    row = put(instance, "teleport")
    window.rooms.history.view.ask_to_run(row)
    window.rooms.history.view.edit_again.emit(row)
    assert said(window) == ["This command no longer exists ×2"]


@on_qt_loop
async def test_while_a_command_runs_no_row_does(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    await settle()
    window.rooms.command.view.run()
    window.rooms.history.view.run_again.emit(put(instance, "snapshot"))
    window.rooms.command.view.open("navigate", {"url": "http://127.0.0.1:1/"})
    window.rooms.command.view.run()
    window.rooms.history.view.run_again.emit(put(instance, "snapshot"))
    assert "A command is running" in said(window)
    await until(lambda: window.rooms.command.view.task is None)


@on_qt_loop
async def test_the_menu_of_a_row_copies_it(window: MainWindow, instance: Instance) -> None:
    row = put(instance, "click", {"selector": "#pay"})
    menu = window.rooms.history.view.menu_for(row)
    actions = {action.text(): action for action in menu.actions()}
    assert list(actions) == ["Run again", "Edit and run again", "Copy as JSON"]
    actions["Copy as JSON"].trigger()
    assert json.loads(QApplication.clipboard().text())["params"] == {"selector": "#pay"}
