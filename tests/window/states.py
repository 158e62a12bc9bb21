"""The states a person meets the window in, each as a function that leads there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from kapture_panel.core import tasks
from kapture_panel.core.doctor import Check
from kapture_panel.core.errors import KaptureError
from kapture_panel.window.main_window import MainWindow
from tests.window.fakes import Instance, failed, ok, picture, png
from tests.window.forms.test_target_field import PICKED
from tests.window.qt_loop import settle, until
from tests.window.views.test_history_view import choose, put

State = Callable[[MainWindow, Instance], Awaitable[QWidget]]


def fill(instance: Instance, text: str = "Checkout – a shop with a name of some length") -> None:
    """Something in every store, with `text` wherever a page or an agent says something."""
    instance.add_tab("t1", text, "https://shop.example/checkout/step/2?basket=12")
    instance.add_tab("t2", text)
    instance.add_agent(text)
    levels = ("log", "info", "warn", "error", "debug")
    instance.console.append(
        "t1",
        [{"at": at, "level": level, "text": text, "source": f"{text}.js:7"} for at, level in enumerate(levels)],
    )
    request = {"method": "GET", "type": "fetch", "url": f"https://shop.example/{text}"}
    answers: list[dict[str, Any]] = [{"status": 200, "finished": True}, {"status": 404, "finished": True}, {}]
    instance.requests.take("t1", [request | {"id": f"r{at}", "at": at} | more for at, more in enumerate(answers)])
    instance.shots.add(png(), name=text, tab_id="t1", format="png", width=40, height=20)
    put(instance, "click", {"selector": text}, client=text, site=text, summary=text)
    put(instance, "fill", {"selector": "#a", "value": "b"}, state="error", code="STALE_REF", summary=text)


async def first_page(window: MainWindow, _instance: Instance) -> QWidget:
    """Nothing was ever done."""
    window.show_welcome()
    return window


async def busy(window: MainWindow, instance: Instance) -> QWidget:
    """Something in every part."""
    fill(instance)
    await settle()
    window.tabs.choose("t1")
    return window


async def network(window: MainWindow, instance: Instance) -> QWidget:
    """A request with its details."""
    instance.executor.answers["get_request"] = ok("r0 GET https://shop.example/\nstatus: 200")
    fill(instance)
    window.logs.show_page("network")
    await until(lambda: window.network.table.model().rowCount() == 3, "requests")
    window.network.table.setFocus()
    window.network.table.selectRow(0)
    QTest.keyClick(window.network.table, Qt.Key.Key_Return)
    await until(lambda: "r0 GET" in window.network.detail.text.toPlainText(), "details")
    return window


async def result_of(window: MainWindow, instance: Instance, answer: Any) -> QWidget:
    """A command was run from the form."""
    fill(instance)
    instance.executor.answers["snapshot"] = answer
    window.command.list.choose("kapturemcp_snapshot")
    await settle()
    window.tabs.choose("t1")
    window.command.run()
    await until(lambda: window.command.task is None and window.command.result.pill.isVisible(), "the answer")
    return window


async def error_result(window: MainWindow, instance: Instance) -> QWidget:
    """A command failed."""
    root = await result_of(window, instance, failed("STALE_REF", "e5 is gone; take a snapshot and use its refs"))
    assert window.command.result.message.isVisible()
    return root


async def tree_result(window: MainWindow, instance: Instance) -> QWidget:
    """A command answered a tree."""
    root = await result_of(window, instance, ok({"url": "https://shop.example", "list": [1, {"a": None}]}))
    assert window.command.result.tree.isVisible()
    return root


async def table_result(window: MainWindow, instance: Instance) -> QWidget:
    """A command answered records."""
    root = await result_of(window, instance, ok([{"name": "sid", "value": 1}, {"name": "b", "value": 2}]))
    views = window.command.result.views.buttons
    next(button for button in views if button.text() == "Table").click()
    assert window.command.result.table.isVisible()
    assert window.command.result.table.model().rowCount() == 2
    return root


async def picture_result(window: MainWindow, instance: Instance) -> QWidget:
    """A screenshot was taken."""
    fill(instance)
    instance.executor.answers["screenshot"] = picture(png(400, 300), 400, 300)
    window.command.list.choose("kapturemcp_screenshot")
    window.command.params.fill({"name": "checkout"})
    await settle()
    window.tabs.choose("t1")
    window.command.run()
    await until(lambda: not window.command.result.picture.image.isNull(), "the picture")
    assert window.command.result.picture.isVisible()
    return window


async def json_form(window: MainWindow, instance: Instance) -> QWidget:
    """Parameters as JSON."""
    fill(instance)
    window.command.list.choose("kapturemcp_fill_form")
    window.command.toggle_json()
    assert window.command.params.json.isVisible()
    return window


async def invalid_form(window: MainWindow, instance: Instance) -> QWidget:
    """A form with what is wrong in it."""
    fill(instance)
    window.command.list.choose("kapturemcp_click")
    window.command.run()
    form = window.command.params.form
    assert form is not None
    assert [field.names for field in form.fields if field.error]
    return window


async def palette(window: MainWindow, instance: Instance) -> QWidget:
    """The command palette."""
    fill(instance)
    window.palette_view.open()
    return window.palette_view


async def shortcuts(window: MainWindow, _instance: Instance) -> QWidget:
    """The sheet of F1."""
    window.shortcuts.open()
    return window.shortcuts


async def notices(window: MainWindow, _instance: Instance) -> QWidget:
    """What was told."""
    window.toasts.tell("Saving failed", "The disk is full.", "error")
    window.toasts.tell("Console saved", "120 lines in console.txt", "ok")
    window.notices.open()
    return window.notices


async def toasts(window: MainWindow, _instance: Instance) -> QWidget:
    """Messages over the window."""
    window.toasts.tell("Saving failed", "The disk is full. " * 4, "error")
    window.toasts.tell("History exported", "12 rows", "ok", deed=("Open folder", lambda: None))
    await settle()
    return window


async def lightbox(window: MainWindow, instance: Instance) -> QWidget:
    """A screenshot in its own window."""
    fill(instance)
    (shot,) = list(instance.shots)
    box = window.open_lightbox(shot)
    await until(lambda: not box.canvas.image.isNull(), "the picture")
    return box


async def doctor(window: MainWindow, instance: Instance) -> QWidget:
    """The doctor has found something."""
    instance.checks = [
        Check("panel", "ok", "listens on 127.0.0.1:61822", ms=1.0),
        Check("worker", "failed", "no extension answers", fix="Load the extension and pair it with the panel."),
    ]
    window.doctor.open()
    await until(window.doctor.again.isEnabled, "the doctor")
    return window.doctor


async def approvals(window: MainWindow, instance: Instance) -> QWidget:
    """An agent asks for something."""
    agent = instance.add_agent("claude-code")

    async def asking() -> None:
        try:
            await instance.router.approvals.ask(
                agent, instance.catalogue.get("connect_tab"), {"browserTabId": 7},
                site="shop.example", where="Cart – https://shop.example/?q=1", timeout_s=20,
            )  # fmt: skip
        except KaptureError:
            return  # the window went with the question

    tasks.spawn(asking(), "ask")
    await until(lambda: window.approvals.card is not None and window.approvals.card.allow.isEnabled(), "the card")
    return window


async def pairing(window: MainWindow, instance: Instance) -> QWidget:
    """A browser wants to be paired."""
    fill(instance)
    instance.pairing.show(instance.pairing.begin("one", "Chrome 156"), "123456")
    await until(lambda: window.pairing.card is not None and window.pairing.card.pair.isEnabled(), "the card")
    return window


async def pairing_expired(window: MainWindow, instance: Instance) -> QWidget:
    """Nobody compared the codes."""
    instance.pairing.expiry_s = 0.0
    instance.pairing.show(instance.pairing.begin("one", "Chrome 156"), "123456")
    await until(lambda: window.pairing.card is not None and window.pairing.card.close_button.isVisible(), "the end")
    return window


async def own_browser(window: MainWindow, _instance: Instance) -> QWidget:
    """The guide to the person's own browser."""
    window.show_own_browser()
    return window


async def browsers(window: MainWindow, instance: Instance) -> QWidget:
    """Paired browsers, and the question before one of them is taken off."""
    instance.paired.add("one", "ab" * 32, "Google Chrome 156")
    instance.paired.add("two", "cd" * 32, "Microsoft Edge 156")
    instance.paired.see("two", is_here=True)
    window.toasts.clear()
    window.browsers.open()
    window.browsers.unpair.click()
    assert window.browsers.yes.isVisible()
    return window.browsers


async def history_question(window: MainWindow, instance: Instance) -> QWidget:
    """A row with its details, and the question before it is run again."""
    fill(instance)
    await choose(window)
    window.history.ask_to_run(next(row for row in instance.history.rows() if row.command == "click"))
    await until(window.history.question.isVisible, "the question")
    return window


async def template_dialog(window: MainWindow, instance: Instance) -> QWidget:
    """What a template is to be called."""
    fill(instance)
    window.command.list.choose("kapturemcp_fill")
    window.command.params.fill({"selector": "#a", "value": "secret"})
    dialog = window.command.save_template()
    assert dialog is not None
    return dialog


async def picks(window: MainWindow, instance: Instance) -> QWidget:
    """An element was picked in the page."""
    fill(instance)
    window.command.list.choose("kapturemcp_click")
    await settle()
    window.tabs.choose("t1")
    form = window.command.params.form
    assert form is not None
    assert form.target is not None
    form.target.pick_button.click()
    await until(lambda: hasattr(instance, "picked"), "the picking")
    instance.picked.set_result(PICKED)
    await until(form.target.picks.isVisible, "what the element can be called")
    return window


STATES: dict[str, State] = {
    state.__name__: state
    for state in (
        first_page, busy, network, error_result, tree_result, table_result, picture_result, json_form, invalid_form,
        palette, shortcuts, notices, toasts, lightbox, doctor, approvals, pairing, pairing_expired, own_browser,
        browsers, history_question, template_dialog, picks,
    )
}  # fmt: skip
