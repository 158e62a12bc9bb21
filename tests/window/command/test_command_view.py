"""A person chooses a command, fills it in, runs it and sees the answer."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kapture_panel.core.wire.protocol import Response
from kapture_panel.window.command.command_view import CommandView
from kapture_panel.window.command.ways import Ways
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance, failed, ok
from tests.support.window.qt_loop import bury, on_qt_loop, settle, until


async def run(window: MainWindow) -> None:
    window.rooms.command.view.run()
    await until(lambda: window.rooms.command.view.task is None, "the end of the run")


def show(window: MainWindow, name: str, **params: Any) -> None:
    window.rooms.command.view.list.choose(f"kapturemcp_{name}")
    assert window.rooms.command.view.params.form is not None
    assert window.rooms.command.view.params.form.write(params) == ""


@on_qt_loop
async def test_a_run_goes_to_the_chosen_tab_as_the_person(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    instance.add_tab("t2", "Second")
    window.rooms.tabs.choose("t2")
    instance.executor.answers["click"] = ok({"clicked": True}, {"url": "http://x/thanks"})
    show(window, "click", selector="#pay")
    await run(window)
    tab_id, command, params = instance.executor.sent[-1]
    assert (tab_id, command) == ("t2", "kapturemcp_click")
    assert params["selector"] == "#pay"
    assert window.rooms.command.view.result.head.pill.text() == "✓ done"
    assert instance.history.rows()[0].client == "person"


@on_qt_loop
async def test_ctrl_enter_runs_from_a_field_and_from_an_editor(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    show(window, "fill", selector="#a", value="x")
    assert window.rooms.command.view.params.form is not None
    window.activateWindow()
    for number, name in enumerate(("selector", "value"), 1):
        widget = window.rooms.command.view.params.form.field(name).focusProxy()
        assert widget is not None
        QTest.keyClick(widget, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: len(instance.executor.sent) == number and window.rooms.command.view.task is None)  # noqa: B023


@on_qt_loop
async def test_invalid_parameters_are_told_at_their_field_and_nothing_is_sent(
    window: MainWindow, instance: Instance
) -> None:
    instance.add_tab("t1")
    show(window, "click", selector="#a", clickCount=11)
    window.rooms.command.view.run()
    assert window.rooms.command.view.task is None
    assert window.rooms.command.view.params.form is not None
    assert window.rooms.command.view.params.form.field("clickCount").error == "at most 10"
    show(window, "navigate")
    window.rooms.command.view.run()
    assert window.rooms.command.view.params.form.field("url").error == "Enter a URL"
    show(window, "hover")
    window.rooms.command.view.run()
    assert window.rooms.command.view.params.form.field("selector").error.startswith("Enter a selector, or press Pick")
    show(window, "wait")
    window.rooms.command.view.run()
    assert window.rooms.command.view.params.message.text() == "Fill in Target, Time, Text, URL contains or Expression"
    assert instance.executor.sent == []


@on_qt_loop
async def test_the_cursor_goes_to_what_is_missing(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    window.activateWindow()
    show(window, "fill", selector="#a")
    show(window, "navigate")
    window.rooms.command.view.run_bar.run_button.setFocus()
    window.rooms.command.view.run()
    focused = QApplication.focusWidget()
    assert focused is not None
    assert focused.accessibleName() == "URL"


@on_qt_loop
async def test_an_error_stays_until_the_next_run(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    instance.executor.answers["click"] = failed("STALE_REF", "e5 is gone", nextStep="take a snapshot")
    show(window, "click", ref="e5")
    await run(window)
    assert window.rooms.command.view.result.head.pill.text() == "✗ STALE_REF"
    show(window, "hover", selector="#a")
    assert window.rooms.command.view.result.head.pill.isVisible()
    assert (
        window.rooms.command.view.result.message.text() == "e5 is gone. Press Pick and click the element in the page."
    )
    await run(window)
    assert window.rooms.command.view.result.head.pill.text() == "✓ done"


@on_qt_loop
async def test_a_defect_is_shown_and_the_next_command_runs(
    window: MainWindow, instance: Instance, caplog: pytest.LogCaptureFixture
) -> None:
    instance.add_tab("t1")

    async def broken(_command: str, _params: dict[str, Any]) -> Response:
        raise RuntimeError("boom")

    instance.executor.answers["hover"] = broken
    show(window, "hover", selector="#a")
    await run(window)
    assert window.rooms.command.view.result.head.pill.text() == "✗ INTERNAL"
    assert "hover failed" in caplog.text
    instance.executor.answers.clear()
    await run(window)
    assert window.rooms.command.view.result.head.pill.text() == "✓ done"


@on_qt_loop
async def test_long_work_shows_its_time_and_can_be_cancelled(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    cancelled = asyncio.Event()

    async def forever(_command: str, _params: dict[str, Any]) -> Response:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        raise AssertionError

    instance.executor.answers["wait"] = forever
    show(window, "wait", time=60_000)
    window.rooms.command.view.run()
    bar = window.rooms.command.view.run_bar
    assert bar.cancel_button.isHidden()
    assert not bar.run_button.isEnabled()
    window.rooms.command.view.run()  # a second one does not begin
    await until(lambda: bar.cancel_button.isVisible())
    assert bar.elapsed_ms >= 300
    assert bar.elapsed.text().endswith(("ms", " s"))
    bar.cancel_button.click()
    await until(lambda: window.rooms.command.view.task is None)
    assert cancelled.is_set()
    assert window.rooms.command.view.result.head.pill.text() == "cancelled"
    assert bar.run_button.isEnabled()
    assert instance.history.rows()[0].state == "cancelled"


@on_qt_loop
async def test_json_and_form_hold_the_same_parameters(window: MainWindow, instance: Instance) -> None:
    view = window.rooms.command.view
    show(window, "click", selector="#a", clickCount=2)
    view.mode.buttons[1].click()
    assert view.params.is_json
    assert '"clickCount": 2' in view.params.json.text()
    view.params.json.show_text('{"xpath": "//b", "button": "right"}')
    view.mode.buttons[0].click()
    assert not view.params.is_json
    assert view.params.read() == {"xpath": "//b", "button": "right"}


@on_qt_loop
async def test_wrong_json_says_where_and_keeps_its_text(window: MainWindow, instance: Instance) -> None:
    view = window.rooms.command.view
    instance.add_tab("t1")
    show(window, "click")
    view.mode.buttons[1].click()
    text = '{\n  "selector": oops\n}'
    view.params.json.show_text(text)
    view.mode.buttons[0].click()
    assert view.params.is_json
    assert view.mode.chosen == [1]
    assert view.params.message.text().startswith("Line 2, column 15")
    view.run()
    assert view.task is None
    assert view.params.json.text() == text
    view.params.json.show_text('{"selector": "#a"}')
    assert view.params.message.isHidden()
    await run(window)
    assert instance.executor.sent[-1][2]["selector"] == "#a"


@on_qt_loop
async def test_json_the_form_cannot_show_stays_json(window: MainWindow, instance: Instance) -> None:
    view = window.rooms.command.view
    show(window, "click")
    view.mode.buttons[1].click()
    view.params.json.show_text('{"selector": "#a", "tabId": "t9"}')
    view.mode.buttons[0].click()
    assert view.params.is_json
    assert "chosen under Tabs" in view.params.message.text()
    assert "t9" in view.params.json.text()


@on_qt_loop
async def test_a_form_keeps_what_was_entered_while_another_is_shown(window: MainWindow, instance: Instance) -> None:
    show(window, "click", selector="#a")
    window.rooms.command.view.list.choose("kapturemcp_hover")
    window.rooms.command.view.list.choose("kapturemcp_click")
    assert window.rooms.command.view.params.read() == {"selector": "#a"}


@on_qt_loop
async def test_a_new_tab_becomes_the_chosen_one(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")

    async def open_tab(_command: str, _params: dict[str, Any]) -> Response:
        instance.add_tab("t2", "New")
        return ok({"tabId": "t2"}, {})

    instance.executor.answers["new_tab"] = open_tab
    show(window, "new_tab")
    await run(window)
    assert window.rooms.tabs.current is instance.tabs.get("t2")


@on_qt_loop
async def test_the_filter_finds_a_command_and_enter_goes_to_it(window: MainWindow, instance: Instance) -> None:
    filtering = window.rooms.command.view.list.filter
    QTest.keyClicks(filtering, "evalu")
    QTest.keyClick(filtering, Qt.Key.Key_Return)
    assert window.rooms.command.view.command.short_name == "evaluate"
    window.rooms.command.view.list.choose("kapturemcp_click")
    assert filtering.text() == ""
    assert window.rooms.command.view.command.short_name == "click"


@on_qt_loop
async def test_the_form_keeps_its_height_when_an_error_arrives(window: MainWindow, instance: Instance) -> None:
    window.resize(1000, 700)
    instance.add_tab("t1")
    show(window, "screenshot", clip={"x": 0, "y": 0, "width": 5, "height": 5})
    window.rooms.command.view.params.fill({"name": "a"})
    assert window.rooms.command.view.params.form is not None
    window.rooms.command.view.params.form.open_options()
    await settle()
    instance.executor.answers["screenshot"] = ok({})
    await run(window)
    await settle()
    before = window.rooms.command.view.params.height()
    words = "a long explanation of what went wrong in the page " * 12
    instance.executor.answers["screenshot"] = failed("EXECUTION_ERROR", words, line=3, column=4)
    await run(window)
    await settle()
    assert window.rooms.command.view.result.message.isVisible()
    assert window.rooms.command.view.params.height() >= before


@on_qt_loop
async def test_an_error_is_said_once(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    instance.executor.answers["click"] = failed("ELEMENT_NOT_FOUND", "nothing matches #a", tabId="t9")
    show(window, "click", selector="#a")
    await run(window)
    result = window.rooms.command.view.result
    result.head.views.buttons[4].click()
    said = [result.head.pill.text(), result.head.summary.text(), result.message.text(), result.raw.toPlainText()]
    assert sum("nothing matches" in text for text in said) == 1
    assert '"tabId"' in result.raw.toPlainText()


@on_qt_loop
async def test_options_stay_as_they_were_left(window: MainWindow, instance: Instance) -> None:
    show(window, "click")
    show(window, "hover")
    assert window.rooms.command.view.params.form is not None
    window.rooms.command.view.params.form.options.click()
    ways = Ways(partial(instance.router.run, instance.person), instance.pick, instance.count)
    again = CommandView(instance.catalogue, instance.settings, "{}", ways, window.shell.theme, window.shell.pictures)
    for name, is_open in (("hover", True), ("click", False)):
        again.list.choose(f"kapturemcp_{name}")
        assert again.params.form is not None
        assert again.params.form.options.isChecked() == is_open
    bury(again)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://shop.example/checkout", "checkout"),
        ("https://shop.example/a/thanks.html?order=1", "thanks"),
        ("https://shop.example/", "shop.example"),
        ("about:blank", "blank"),
    ],
)
def test_a_screenshot_is_called_like_its_page_unless_told_otherwise(
    url: str, name: str, window: MainWindow, instance: Instance
) -> None:
    instance.add_tab("t1", url=url)
    window.rooms.tabs.choose("t1")
    window.rooms.command.view.list.choose("kapturemcp_screenshot")
    assert window.rooms.command.view.params.read() == {"name": name}
    window.activateWindow()
    window.rooms.command.view.params.focus_first()
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClicks(focused, "mine")
    assert window.rooms.command.view.params.read() == {"name": "mine"}


def test_in_the_smallest_window_labels_stand_above_the_fields_and_no_form_moves_sideways(
    window: MainWindow, instance: Instance
) -> None:
    instance.add_tab("t1")
    window.resize(800, 600)
    view = window.rooms.command.view
    bar, sideways = view.params.horizontalScrollBar(), set()
    for command in instance.catalogue:
        view.list.choose(command.name)
        assert view.params.form is not None
        view.params.form.open_options()
        QApplication.processEvents()
        if bar.maximum():
            sideways.add(command.short_name)
    view.list.choose("kapturemcp_batch")
    batch = view.params.form
    assert batch is not None
    for command in instance.catalogue:
        batch.write({"steps": [{"command": command.short_name}]})
        QApplication.processEvents()
        if bar.maximum():
            sideways.add(f"{command.short_name} as a step")
    assert not sideways
    view.list.choose("kapturemcp_hover")
    form = view.params.form
    assert form is not None
    narrow_px = form.field_left_px
    window.resize(1440, 900)
    QApplication.processEvents()
    assert narrow_px < form.field_left_px


@pytest.mark.parametrize("height", [600, 500])
@on_qt_loop
async def test_in_a_low_window_the_form_has_the_room_of_an_answer_until_there_is_one(
    height: int, window: MainWindow, instance: Instance
) -> None:
    instance.add_tab("t1")
    window.resize(800, height)
    window.reset_layout()
    show(window, "navigate", url="https://shop.example/")
    await settle()
    view = window.rooms.command.view
    form = view.params.form
    assert form is not None
    wait_until = form.field("waitUntil")
    shown = view.params.viewport().rect()
    assert shown.contains(wait_until.mapTo(view.params.viewport(), wait_until.rect().bottomLeft()))
    assert view.result._hint.isHidden() or view.result.height() >= view.result._hint.sizeHint().height()
    instance.executor.answers["navigate"] = ok({"a": 1})
    await run(window)
    await settle()
    assert view.result.height() >= 110
    assert view.result.tree.isVisible()
