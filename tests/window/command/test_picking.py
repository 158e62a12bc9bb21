"""The person picks an element in the page: the form asks, shows that it waits, and takes what was chosen."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.window.command.forms.number_edit import NumberEdit
from kapture_panel.window.command.forms.target_field import TargetField
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.forms.picked import PICKED
from tests.support.window.qt_loop import on_qt_loop, until


def target(window: MainWindow, command: str = "click") -> TargetField:
    window.rooms.command.view.list.choose(f"kapturemcp_{command}")
    form = window.rooms.command.view.params.form
    assert form is not None
    assert form.target is not None
    return form.target


async def begin(window: MainWindow, instance: Instance) -> TargetField:
    instance.add_tab("t1")
    field = target(window)
    field.pick_button.click()
    await until(field.pick_button.isChecked)
    await until(lambda: hasattr(instance, "picked"))
    return field


@on_qt_loop
async def test_what_was_chosen_is_filled_in(window: MainWindow, instance: Instance) -> None:
    field = await begin(window, instance)
    instance.picked.set_result(PICKED)
    await until(lambda: field.is_offering)
    assert window.rooms.command.view.params.read() == {"selector": "#pay"}
    assert not field.pick_button.isChecked()


@on_qt_loop
async def test_the_button_again_and_escape_end_it(window: MainWindow, instance: Instance) -> None:
    field = await begin(window, instance)
    field.pick_button.click()
    await until(instance.picked.cancelled)
    await until(lambda: not field.pick_button.isChecked())
    field.pick_button.click()
    await until(field.pick_button.isChecked)
    await until(lambda: not instance.picked.done())
    window.activateWindow()
    field.setFocus()
    QTest.keyClick(field.pick_button, Qt.Key.Key_Escape)
    await until(instance.picked.cancelled)
    await until(lambda: not field.pick_button.isChecked())


@pytest.mark.parametrize("what", ["another tab", "another command", "the end of the window"])
@on_qt_loop
async def test_going_elsewhere_ends_it(what: str, window: MainWindow, instance: Instance) -> None:
    await begin(window, instance)
    if what == "another tab":
        instance.add_tab("t2")
        window.rooms.tabs.choose("t2")
    elif what == "another command":
        window.rooms.command.view.list.choose("kapturemcp_hover")
    else:
        window.release()
    await until(instance.picked.cancelled)


@on_qt_loop
async def test_without_a_tab_it_says_so(window: MainWindow, instance: Instance) -> None:
    field = target(window)
    field.pick_button.click()
    assert field.error.startswith("no tab is chosen")
    assert not field.pick_button.isChecked()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KaptureError("TAB_DISCONNECTED", "the tab was closed"), "the tab was closed"),
        (RuntimeError("boom"), "boom; see the log"),
    ],
)
@on_qt_loop
async def test_a_failure_stands_under_the_target(
    error: Exception, told: str, window: MainWindow, instance: Instance, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    field = await begin(window, instance)
    instance.picked.set_exception(error)
    await until(lambda: field.error)
    assert field.error == told
    assert not field.pick_button.isChecked()


@on_qt_loop
async def test_a_place_clicked_in_a_screenshot_aims_the_command(window: MainWindow, instance: Instance) -> None:
    target(window, "hover")
    assert window.rooms.command.view.put_position(10.2, 20.7)
    assert window.rooms.command.view.params.read() == {"x": 10, "y": 21}
    window.rooms.command.view.list.choose("kapturemcp_list_tabs")
    assert not window.rooms.command.view.put_position(1, 2)


@on_qt_loop
async def test_a_place_goes_into_the_json_too_and_never_over_what_cannot_be_read(
    window: MainWindow, instance: Instance
) -> None:
    target(window)
    window.rooms.command.view.toggle_json()
    window.rooms.command.view.params.json.show_text('{"selector": "#a", "clickCount": 2}')
    assert window.rooms.command.view.put_position(1, 2)
    assert window.rooms.command.view.params.read() == {"clickCount": 2, "x": 1, "y": 2}
    window.rooms.command.view.params.json.show_text('{"selector": ')
    assert not window.rooms.command.view.put_position(3, 4)
    assert window.rooms.command.view.params.json.text() == '{"selector": '


@on_qt_loop
async def test_what_was_run_last_is_there_in_the_next_window(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    shown: list[tuple[str, dict[str, Any]]] = [
        ("click", {"selector": "#a", "clickCount": 2}),
        ("fill", {"selector": "#card", "value": "4242"}),
    ]
    for name, params in shown:
        window.rooms.command.view.list.choose(f"kapturemcp_{name}")
        window.rooms.command.view.params.fill(params)
        window.rooms.command.view.run()
        await until(lambda: window.rooms.command.view.task is None)
    again = MainWindow(instance.core, instance.backend)
    again.rooms.command.view.list.choose("kapturemcp_click")
    assert again.rooms.command.view.params.read() == {"selector": "#a", "clickCount": 2}
    again.rooms.command.view.list.choose("kapturemcp_fill")
    assert again.rooms.command.view.params.read() == {"selector": "#card", "value": ""}
    again.release()
    again.deleteLater()


@on_qt_loop
async def test_what_is_wrong_is_told_while_it_is_typed(window: MainWindow, instance: Instance) -> None:
    window.rooms.command.view.list.choose("kapturemcp_click")
    form = window.rooms.command.view.params.form
    assert form is not None
    count = form.field("clickCount").findChild(NumberEdit)
    assert isinstance(count, NumberEdit)
    QTest.keyClicks(count, "99")
    assert form.field("clickCount").error == "at most 10"
    QTest.keyClick(count, Qt.Key.Key_Backspace)
    assert form.field("clickCount").error == ""
    window.rooms.command.view.toggle_json()
    window.rooms.command.view.params.json.show_text('{"clickCount": 11}')
    assert window.rooms.command.view.params.message.text() == "clickCount: at most 10"
    window.rooms.command.view.params.json.show_text('{"clickCount": 2')
    assert window.rooms.command.view.params.message.text().startswith("Line 1")
    window.rooms.command.view.params.json.show_text('{"clickCount": 2}')
    assert window.rooms.command.view.params.message.isHidden()


@on_qt_loop
async def test_a_template_fills_the_form_or_the_json(window: MainWindow, instance: Instance) -> None:
    window.rooms.command.view.list.choose("kapturemcp_click")
    window.rooms.command.view.templates.chosen.emit({"selector": "#t"})
    assert window.rooms.command.view.params.read() == {"selector": "#t"}
    window.rooms.command.view.toggle_json()
    window.rooms.command.view.templates.chosen.emit({"ref": "e9"})
    assert window.rooms.command.view.params.is_json
    assert window.rooms.command.view.params.read() == {"ref": "e9"}


@on_qt_loop
async def test_after_the_choice_the_next_field_that_is_needed_has_the_focus(
    window: MainWindow, instance: Instance
) -> None:
    instance.add_tab("t1")
    field = target(window, "fill")
    field.pick_button.click()
    await until(lambda: hasattr(instance, "picked"))
    instance.picked.set_result(PICKED)
    form = window.rooms.command.view.params.form
    assert form is not None
    await until(lambda: form.field("value").isAncestorOf(window.focusWidget()))


@on_qt_loop
async def test_another_page_or_another_opening_has_not_what_was_picked(window: MainWindow, instance: Instance) -> None:
    field = await begin(window, instance)
    instance.picked.set_result(PICKED)
    edit = field._edits["selector"]
    await until(lambda: edit.said == "1 match")
    tab = instance.tabs.get("t1")
    tab.title = "the same page still"
    instance.tabs.changed.emit(tab)
    assert edit.said == "1 match"
    tab.url = "https://shop.example/elsewhere"
    instance.tabs.changed.emit(tab)
    assert edit.said == ""
    assert not field.is_offering
    edit.say("1 match")
    window.rooms.command.view.list.choose("kapturemcp_hover")
    window.rooms.command.view.list.choose("kapturemcp_click")
    assert edit.said == ""


def test_another_kind_of_target_has_the_focus_at_once(window: MainWindow) -> None:
    field = target(window)
    QTest.mouseClick(field._ways.buttons[2], Qt.MouseButton.LeftButton)
    assert window.focusWidget() is field._edits["ref"]


def test_enter_and_a_click_on_a_command_go_on_to_its_form(window: MainWindow) -> None:
    field, view = target(window), window.rooms.command.view.list.list
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert window.focusWidget() is field._edits["selector"]
    row = view.currentIndex()
    view.setFocus()
    place = view.visualRect(row).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.focusWidget() is field._edits["selector"]


def test_the_first_page_leads_into_the_form(window: MainWindow) -> None:
    window.rooms.welcome.show()
    window.shell.leave_page()
    assert window.rooms.command.view.params.isAncestorOf(window.focusWidget())
