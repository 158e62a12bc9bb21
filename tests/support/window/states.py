"""The states a person meets the window in, each as a function that leads there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from kapture_panel.core.doctor import Check
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.stores.history import Trouble
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.contents import REQUEST, fill, fill_requests, fill_shop, page_picture
from tests.support.window.fakes import Instance, failed, ok, picture, png
from tests.support.window.forms.picked import PICKED
from tests.support.window.person_states import (
    approval_expired,
    approval_outdated,
    approval_with_scopes,
    approvals,
    at_work,
    browsers,
    change_made,
    change_offered,
    examined,
    forget,
    history_question,
    own_browser,
    pairing,
    pairing_expired,
    policy,
    question_details,
    question_reason,
    questions,
    template_dialog,
    unconnected,
)
from tests.support.window.qt_loop import settle, until

State = Callable[[MainWindow, Instance], Awaitable[QWidget]]


async def first_page(window: MainWindow, _instance: Instance) -> QWidget:
    """Nothing was ever done."""
    window.rooms.welcome.show()
    return window


async def busy(window: MainWindow, instance: Instance) -> QWidget:
    """Something in every part."""
    fill(instance)
    await settle()
    window.rooms.tabs.choose("t1")
    return window


async def shop(window: MainWindow, instance: Instance) -> QWidget:
    """Two agents at work, a command just run by the person."""
    fill_shop(instance)
    window.rooms.tabs.choose("t1")
    window.rooms.command.view.list.choose("kapturemcp_click")
    window.rooms.command.view.params.fill({"selector": "#place-order"})
    effects = {"url": "http://127.0.0.1:8123/thanks?order=1042", "title": "Thank you – Corner Shop", "requests": 3}
    instance.executor.answers["click"] = ok({"clicked": True, "selector": "#place-order"}, effects)
    await settle()
    window.rooms.command.view.run()
    await until(
        lambda: window.rooms.command.view.task is None and window.rooms.command.view.result.head.pill.isVisible(),
        "the answer",
    )
    assert window.rooms.command.view.result.tree.isVisible()
    agent = instance.clients.agents()[0]
    agent.running = 1
    instance.clients.changed.emit(agent)
    instance.tabs.update(instance.tabs.get("t1"), state="executing", driver=agent.name, last_ms=12.0)
    window.shell.toasts.clear()
    await until(window.toolbar.driving.isVisible, "who is driving")
    return window


def own_tab(instance: Instance, tab_id: str, title: str, install: str) -> Tab:
    """Connect a tab of a browser of the person's."""
    tab = Tab(tab_id, f"https://{title.lower()}.example/", title, install, browser="Google Chrome 156")
    instance.tabs.add(tab)
    return tab


async def tabs_of_browsers(window: MainWindow, instance: Instance) -> QWidget:
    """Tabs of the panel's browser and of two of the person's."""
    fill(instance)
    for number, install in enumerate(("work", "home", "work")):
        own_tab(instance, f"p{number}", f"Page{number}", install)
    await settle()
    window.rooms.tabs.choose("p0")
    return window


async def watched(window: MainWindow, instance: Instance) -> QWidget:
    """A page that is seen, what was done there below it, and a note about a place of it being written."""
    fill(instance)
    window.rooms.tabs.choose("t1")
    view = window.rooms.watch.view
    window.shell.show_way(view)
    image = QImage.fromData(page_picture("Checkout", "#f0ddc8"))
    await until(lambda: "t1" in instance.watching.wanted)
    number = instance.watching.show("t1", image)
    await until(lambda: ("t1", number) in instance.watching.was_painted, "the page")
    await until(view.timeline.isVisible, "what was done")
    view.page.pointed.emit(QPointF(100, 100))
    assert view.note.isVisible()
    return window


async def all_tabs(window: MainWindow, instance: Instance) -> QWidget:
    """Every tab at a glance."""
    fill(instance)
    await settle()
    window.shell.actions["all_tabs"].trigger()
    await until(lambda: len(instance.watching.wanted) == 2)
    return window


async def network(window: MainWindow, instance: Instance) -> QWidget:
    """A request with its details."""
    instance.executor.answers["get_request"] = ok(REQUEST)
    fill(instance)
    window.rooms.page.logs.show_page("network")
    await until(lambda: window.rooms.page.network.table.model().rowCount() == 3, "requests")
    window.rooms.page.network.table.setFocus()
    window.rooms.page.network.table.selectRow(0)
    QTest.keyClick(window.rooms.page.network.table, Qt.Key.Key_Return)
    await until(lambda: "r0 GET" in window.rooms.page.network.detail.told, "details")
    return window


async def waterfall(window: MainWindow, instance: Instance) -> QWidget:
    """What a page loaded, with when each began and ended."""
    fill_shop(instance)
    fill_requests(instance)
    window.rooms.page.logs.show_page("network")
    await until(lambda: window.rooms.page.network.table.model().rowCount() == 7, "requests")
    window.shell.toasts.clear()
    return window


async def result_of(window: MainWindow, instance: Instance, answer: Any) -> QWidget:
    """A command was run from the form."""
    fill(instance)
    instance.executor.answers["snapshot"] = answer
    window.rooms.command.view.list.choose("kapturemcp_snapshot")
    await settle()
    window.rooms.tabs.choose("t1")
    window.rooms.command.view.run()
    await until(
        lambda: window.rooms.command.view.task is None and window.rooms.command.view.result.head.pill.isVisible(),
        "the answer",
    )
    return window


async def error_result(window: MainWindow, instance: Instance) -> QWidget:
    """A command failed."""
    root = await result_of(
        window, instance, failed("STALE_REF", "e5 is gone", nextStep="take a snapshot and use its refs")
    )
    assert window.rooms.command.view.result.message.isVisible()
    return root


async def tree_result(window: MainWindow, instance: Instance) -> QWidget:
    """A command answered a tree."""
    root = await result_of(window, instance, ok({"url": "https://shop.example", "list": [1, {"a": None}]}))
    assert window.rooms.command.view.result.tree.isVisible()
    return root


async def table_result(window: MainWindow, instance: Instance) -> QWidget:
    """A command answered records."""
    root = await result_of(window, instance, ok([{"name": "sid", "value": 1}, {"name": "b", "value": 2}]))
    views = window.rooms.command.view.result.head.views.buttons
    next(button for button in views if button.text() == "Table").click()
    assert window.rooms.command.view.result.table.isVisible()
    assert window.rooms.command.view.result.table.model().rowCount() == 2
    return root


async def picture_result(window: MainWindow, instance: Instance) -> QWidget:
    """A screenshot was taken."""
    fill(instance)
    instance.executor.answers["screenshot"] = picture(png(400, 300), 400, 300)
    window.rooms.command.view.list.choose("kapturemcp_screenshot")
    window.rooms.command.view.params.fill({"name": "checkout"})
    await settle()
    window.rooms.tabs.choose("t1")
    window.rooms.command.view.run()
    await until(lambda: not window.rooms.command.view.result.picture.image.isNull(), "the picture")
    assert window.rooms.command.view.result.picture.isVisible()
    return window


async def json_form(window: MainWindow, instance: Instance) -> QWidget:
    """Parameters as JSON."""
    fill(instance)
    window.rooms.command.view.list.choose("kapturemcp_fill_form")
    window.rooms.command.view.toggle_json()
    assert window.rooms.command.view.params.json.isVisible()
    return window


async def invalid_form(window: MainWindow, instance: Instance) -> QWidget:
    """A form with what is wrong in it."""
    fill(instance)
    window.rooms.command.view.list.choose("kapturemcp_click")
    window.rooms.command.view.run()
    form = window.rooms.command.view.params.form
    assert form is not None
    assert [field.names for field in form.fields if field.error]
    return window


async def palette(window: MainWindow, instance: Instance) -> QWidget:
    """The command palette."""
    fill(instance)
    window.rooms.finder.view.open()
    return window.rooms.finder.view


async def shortcuts(window: MainWindow, _instance: Instance) -> QWidget:
    """The sheet of F1."""
    window.shortcuts.open()
    return window.shortcuts


async def notices(window: MainWindow, _instance: Instance) -> QWidget:
    """What was told."""
    window.shell.toasts.tell("Saving failed", "The disk is full.", "error")
    window.shell.toasts.tell("Console saved", "120 lines in console.txt", "ok")
    window.notices.view.open()
    return window.notices.view


async def toasts(window: MainWindow, _instance: Instance) -> QWidget:
    """Messages over the window."""
    window.shell.toasts.tell("Saving failed", "The disk is full. " * 4, "error")
    window.shell.toasts.tell("History exported", "12 rows", "ok", action=("Open folder", lambda: None))
    await settle()
    return window


async def disk_full(window: MainWindow, instance: Instance) -> QWidget:
    """Nothing can be recorded."""
    fill(instance)
    full = Trouble("the disk is full", "free some space on the disk of ~/.local/share/kapture-panel")
    instance.history.trouble_changed.emit(full)
    await settle()
    return window


async def lines_dropped(window: MainWindow, instance: Instance) -> QWidget:
    """A page wrote more to its console than is kept."""
    fill(instance)
    view = window.rooms.page.console
    view._model._max_lines = 100
    instance.log(*(f"line {number}" for number in range(1000)))
    await until(view.dropped.isVisible, "that lines were dropped")
    return window


async def lightbox(window: MainWindow, instance: Instance) -> QWidget:
    """A screenshot in its own window."""
    fill(instance)
    (shot,) = list(instance.shots)
    box = window.rooms.shots.lightboxes.open(shot)
    await until(lambda: not box.canvas.image.isNull(), "the picture")
    return box


async def doctor(window: MainWindow, instance: Instance) -> QWidget:
    """The doctor has found something."""
    instance.checks = [
        Check("panel", "ok", "listens on 127.0.0.1:61822", ms=1.0),
        Check("worker", "failed", "no extension answers", fix="Load the extension and pair it with the panel."),
    ]
    window.rooms.doctor.view.open()
    await until(lambda: window.rooms.doctor.button.text() == "Doctor: 1 problem", "the doctor")
    return window.rooms.doctor.view


async def places(window: MainWindow, instance: Instance) -> QWidget:
    """A place on another machine was tested, and does not work; another one is taken out."""
    text = '[places.night]\ngrid = "https://grid.example:4444"\n\n[places.cloud]\ncdp = "wss://browsers.example/"\n'
    (instance.folder / "browsers.toml").write_text(text)
    instance.checks = [
        Check("reach", "ok", "night: grid.example:4444 answers, 3 of 10 are taken", ms=1.0),
        Check("session", "failed", "night: no browser came within 15 s", fix="try again later"),
    ]
    view = window.rooms.browsers.places
    view.open()
    view.test.click()
    await until(lambda: len(view.found.text().splitlines()) == 2 and view.test.isEnabled(), "what the test found")
    view.add.click()
    return view


async def picks(window: MainWindow, instance: Instance) -> QWidget:
    """An element was picked in the page."""
    fill(instance)
    window.rooms.command.view.list.choose("kapturemcp_click")
    await settle()
    window.rooms.tabs.choose("t1")
    form = window.rooms.command.view.params.form
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
        first_page, busy, shop, watched, all_tabs, tabs_of_browsers, network, waterfall,
        error_result, tree_result, table_result, picture_result, json_form,
        invalid_form, palette, shortcuts, notices, toasts,
        disk_full, lines_dropped, lightbox, doctor, approvals, pairing, pairing_expired,
        own_browser, browsers, places,
        approval_with_scopes, approval_expired, approval_outdated, questions, question_details, question_reason,
        policy,
        change_offered, change_made, unconnected, examined, history_question,
        template_dialog, picks, at_work, forget,
    )
}  # fmt: skip
