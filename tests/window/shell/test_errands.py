"""What the buttons have done: started, taken, opened, copied, and said so."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtWidgets import QApplication, QPushButton

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.stores.shots import Shot
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance, ok, picture, png
from tests.support.window.qt_loop import on_qt_loop, settle, until


@on_qt_loop
async def test_the_browser_is_started_once_and_its_tab_chosen(window: MainWindow, instance: Instance) -> None:
    instance.executor.may_open.clear()
    window.toolbar.start_button.click()
    window.rooms.tabs.view.start_button.click()
    assert not window.toolbar.start_button.isEnabled()
    assert window.toolbar.start_button.text() == "Starting …"
    instance.executor.may_open.set()
    await until(window.toolbar.start_button.isEnabled)
    assert instance.executor.opened == 1
    assert window.rooms.tabs.current is not None


@on_qt_loop
async def test_a_browser_that_does_not_start_is_told_until_it_is_read(window: MainWindow, instance: Instance) -> None:
    instance.executor.open_error = KaptureError("INTERNAL", "no Chromium was found; install one")
    window.rooms.browsers.managed.start()
    await until(window.toolbar.start_button.isEnabled)
    await settle()
    (toast,) = window.shell.toasts.shown
    assert toast.accessibleName() == "Start browser failed: INTERNAL: no Chromium was found; install one"
    assert toast.is_error


@on_qt_loop
async def test_a_picture_is_taken_of_the_tab_there_is(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance.executor.answers["screenshot"] = picture(png(40, 30), 40, 30)
    told: list[str] = []
    monkeypatch.setattr(window.tray, "notify", lambda _title, text: told.append(text))
    window.rooms.shots.commands.take(None)
    await until(lambda: window.shell.toasts.shown)
    assert "TAB_NOT_FOUND" in window.shell.toasts.shown[0].accessibleName()
    instance.add_tab("t1", "Checkout")
    window.rooms.shots.commands.take(None)
    await until(lambda: len(list(instance.shots)) == 1, "the picture")
    assert told == []
    window.hide()
    window.rooms.shots.commands.take(instance.tabs.get("t1"))
    await until(lambda: told == ["Checkout"], "the words in the tray")


@on_qt_loop
async def test_a_kept_picture_opens_in_a_tab_and_a_tab_is_closed(window: MainWindow, instance: Instance) -> None:
    shot = instance.shots.add(png(), name="pay", tab_id="t1", format="png", width=40, height=20)
    window.rooms.shots.commands.open(shot)
    await until(lambda: any(command == "kapturemcp_new_tab" for _, command, _ in instance.executor.sent))
    assert instance.executor.sent[-1][2]["url"] == shot.path.resolve().as_uri()
    tab = instance.add_tab("t1")
    window.rooms.tabs.run_on(tab, "kapturemcp_close_tab")
    await until(lambda: instance.executor.sent[-1][:2] == ("t1", "kapturemcp_close_tab"))


def test_an_agent_is_shown_out_from_its_menu(window: MainWindow, instance: Instance) -> None:
    agent = instance.add_agent("codex")
    shown_out: list[str] = []
    agent.disconnect = lambda: shown_out.append(agent.name)
    actions = {action.text(): action for action in window.rooms.agents.view.menu_for(agent).actions()}
    assert list(actions) == ["What it may do …", "Disconnect"]
    actions["Disconnect"].trigger()
    assert shown_out == ["codex"]
    assert window.shell.toasts.shown[-1].title == "codex is disconnected"


def test_what_is_copied_is_said(window: MainWindow) -> None:
    window.shell.copy("abc", "Address copied")
    assert QApplication.clipboard().text() == "abc"
    assert [toast.title for toast in window.shell.toasts.shown] == ["Address copied"]


def whole_page(instance: Instance, scrolled: float) -> Shot:
    """A screenshot of a whole page whose tab is scrolled so far down by now."""
    tab = instance.add_tab("t1")
    instance.executor.answers["get_page_metadata"] = ok({"title": "a", "scroll": {"x": 0, "y": scrolled}})
    return instance.shots.add(
        png(500, 1568), name="full", tab_id=tab.tab_id, format="png", width=500, height=1568, scale=0.5, y=-200,
        scroll_y=200, view_width=1000, view_height=500,
    )  # fmt: skip


@on_qt_loop
async def test_a_place_in_sight_is_told_in_its_viewport_and_nothing_is_done(
    window: MainWindow, instance: Instance
) -> None:
    shot = whole_page(instance, scrolled=1800)
    window.rooms.command.view.list.choose("kapturemcp_click")
    box = window.rooms.shots.lightboxes.open(shot)
    box.canvas.clicked.emit(QPointF(10, 1000))
    target = window.rooms.command.view.params
    await until(lambda: target.read().get("x") is not None, "the place")
    assert (target.read()["x"], target.read()["y"]) == (20, 200)
    assert [command for _tab, command, _params in instance.executor.sent] == ["kapturemcp_get_page_metadata"]
    assert len(instance.history) == 0
    box.close()


@on_qt_loop
async def test_a_place_out_of_sight_is_scrolled_to_only_when_the_person_says_so(
    window: MainWindow, instance: Instance
) -> None:
    shot = whole_page(instance, scrolled=200)
    instance.executor.answers["scroll"] = ok({"x": 0, "y": 1750}, {})
    window.rooms.command.view.list.choose("kapturemcp_click")
    box = window.rooms.shots.lightboxes.open(shot)
    box.canvas.clicked.emit(QPointF(10, 990))
    await until(lambda: box.toasts.shown, "the first message")
    for toast in box.toasts.shown:  # one that the mouse is over stays
        QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    box.canvas.clicked.emit(QPointF(10, 1000))
    await until(lambda: "y 2000" in box.toasts.shown[-1].title, "the message")
    assert box.toasts.shown[-1].title == "x 20, y 2000 of the page is out of sight"
    assert {command for _tab, command, _params in instance.executor.sent} == {"kapturemcp_get_page_metadata"}
    assert len(instance.history) == 0
    (scroll,) = [one for one in box.toasts.shown[-1].findChildren(QPushButton) if one.text() == "Scroll there"]
    scroll.click()
    target = window.rooms.command.view.params
    await until(lambda: target.read().get("x") is not None, "the place")
    assert (target.read()["x"], target.read()["y"]) == (20, 250)
    assert instance.executor.sent[-1][2].items() >= {"toX": 0.0, "toY": 1750.0}.items()
    assert [row.command for row in instance.history.rows()] == ["scroll"]
    box.close()


@on_qt_loop
async def test_a_place_in_a_tab_that_went_says_so(window: MainWindow, instance: Instance) -> None:
    shot = instance.shots.add(png(), name="a", tab_id="gone", format="png", width=40, height=20)
    window.rooms.shots.commands.find_place(shot, 1, 2, lambda _at: None)
    await until(lambda: window.shell.toasts.shown, "the message")
    assert "gone" in window.shell.toasts.shown[0].accessibleName()


@on_qt_loop
async def test_a_browser_that_runs_is_shown_not_started(window: MainWindow, instance: Instance) -> None:
    button, action = window.toolbar.start_button, window.shell.actions["start_browser"]
    assert (button.text(), action.text()) == ("Start browser", "Start browser")
    instance.add_tab("t1")
    assert (button.text(), action.text()) == ("Show browser", "Show browser")

    async def running(*, in_front: bool = False) -> Tab:
        return instance.tabs.get("t1")

    window.rooms.browsers.managed._open_browser = running
    button.click()
    await until(lambda: instance.shown, "the tab is shown")
    assert (instance.shown, instance.executor.sent) == ([instance.tabs.get("t1")], [])
    instance.tabs.remove(instance.tabs.get("t1"))
    assert button.text() == "Start browser"
