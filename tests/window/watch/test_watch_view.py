"""Watching a tab in the middle of the window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtTest import QTest

from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.events import PointerAt, TargetMeant
from kapture_panel.core.wire.targets import Target
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.history import put
from tests.support.window.qt_loop import on_qt_loop, settle, until
from tests.support.window.watching import picture, row_of


async def watched(window: MainWindow, instance: Instance) -> Tab:
    """A tab that is watched."""
    tab = instance.add_tab("t1", "Checkout")
    await settle()
    window.shell.show_way(window.rooms.watch.view)
    await until(lambda: "t1" in instance.watching.wanted)
    return tab


async def shown(window: MainWindow, instance: Instance, color: str = "#aa3300") -> None:
    number = instance.watching.show("t1", picture(color))
    await until(lambda: ("t1", number) in instance.watching.was_painted)


@on_qt_loop
async def test_a_picture_is_asked_for_painted_and_acknowledged(window: MainWindow, instance: Instance) -> None:
    await watched(window, instance)
    page = window.rooms.watch.view.page
    width, height, every_ms = instance.watching.wanted["t1"]
    assert (width, height, every_ms) == (page.room.width(), page.room.height(), 0)
    assert instance.watching.was_painted == []
    await shown(window, instance)
    ground = page.grab().toImage()
    assert ground.pixelColor(page.target.center().toPoint()).red() > 150


@on_qt_loop
async def test_one_key_changes_between_the_command_and_the_page_and_the_choice_is_kept(
    window: MainWindow, instance: Instance
) -> None:
    instance.add_tab("t1")
    window.activateWindow()
    command, watch = window.rooms.command.view, window.rooms.watch.view
    assert (command.isVisible(), watch.isVisible()) == (True, False)
    QTest.keyClick(window, Qt.Key.Key_F4)
    assert (watch.isVisible(), instance.settings.get("window.middle")) == (True, "Watch")
    QTest.keyClick(window, Qt.Key.Key_F4)
    assert (command.isVisible(), instance.settings.get("window.middle")) == (True, "Command")


@on_qt_loop
async def test_nothing_is_asked_for_while_the_page_is_out_of_sight(window: MainWindow, instance: Instance) -> None:
    await watched(window, instance)
    window.shell.show_way(window.rooms.command.view)
    assert instance.watching.wanted == {}
    window.shell.show_way(window.rooms.watch.view)
    assert list(instance.watching.wanted) == ["t1"]
    window.hide()
    assert instance.watching.wanted == {}
    window.show()
    await until(lambda: instance.watching.wanted)
    window.rooms.welcome.show()
    assert instance.watching.wanted == {}


@on_qt_loop
async def test_another_tab_is_watched_instead_and_a_closed_one_no_more(window: MainWindow, instance: Instance) -> None:
    tab = await watched(window, instance)
    await shown(window, instance)
    instance.add_tab("t2", "Other")
    window.rooms.tabs.choose("t2")
    assert list(instance.watching.wanted) == ["t2"]
    assert window.rooms.watch.view.page.image.isNull(), "what is seen is never another tab's"
    instance.watching.show("t1", picture())  # one that was on its way
    instance.tabs.remove(instance.tabs.get("t2"))
    await until(lambda: list(instance.watching.wanted) == ["t1"])
    instance.tabs.remove(tab)
    await until(lambda: instance.watching.wanted == {})
    assert window.rooms.watch.view.start_button.isVisible()


@on_qt_loop
async def test_of_pictures_that_come_at_once_the_newest_is_shown(window: MainWindow, instance: Instance) -> None:
    await watched(window, instance)
    numbers = [instance.watching.show("t1", picture(color)) for color in ("#ff0000", "#00ff00", "#0000ff")]
    await until(lambda: ("t1", numbers[-1]) in instance.watching.was_painted)
    assert ("t1", numbers[1]) not in instance.watching.was_painted, "one that is old already is not even decoded"
    assert window.rooms.watch.view.page.image.pixelColor(5, 5).blue() > 200


@on_qt_loop
async def test_what_was_done_before_one_looked_has_the_same_words(window: MainWindow, instance: Instance) -> None:
    tab = instance.add_tab("t1", "Checkout")
    row = row_of(tab)
    instance.history.begin(row, durable=False)
    # The place of an element is told only while somebody looks.
    row.state, row.targets = "ok", [Target(role="textbox", name="Days")]
    instance.history.settle(row)
    window.shell.show_way(window.rooms.watch.view)
    view = window.rooms.watch.view
    await until(lambda: view.line.who.isVisible(), "what was done")
    assert view.line.what.text() == "Fill a field “Days”"


@on_qt_loop
async def test_where_something_is_done_is_marked_with_who_and_what_came_of_it(
    window: MainWindow, instance: Instance
) -> None:
    tab = await watched(window, instance)
    await shown(window, instance)
    view = window.rooms.watch.view
    row = row_of(tab)
    instance.history.begin(row, durable=False)
    instance.tabs.acted.emit(
        tab, TargetMeant(id="m.1", role="textbox", name="Email", x=100, y=50, width=200, height=40)
    )
    instance.tabs.acted.emit(tab, PointerAt(x=200, y=70, pressed=True))
    assert (view.line.who.text(), view.line.what.text()) == ("claude-code", "Fill a field “Email”")
    assert view.line.outcome.isHidden()
    image, at = view.page.grab().toImage(), view.page.shown(QPointF(200, 70)).toPoint()
    assert image.pixelColor(at) != image.pixelColor(view.page.target.center().toPoint()), "the mouse is shown"
    row.state, row.ms = "error", 42.0
    row.code = "ELEMENT_NOT_FOUND"
    instance.history.settle(row)
    assert view.line.outcome.text() == "✗ failed 42 ms"
    assert "ELEMENT_NOT_FOUND" in view.line.outcome.toolTip()
    instance.tabs.navigated.emit(tab)
    assert view.line.act is not None
    assert view.line.act.target is None, "another page has not that element"
    instance.history.removed.emit([row.id], [])
    assert view.line.who.isHidden(), "what was forgotten is not shown either"


@on_qt_loop
async def test_a_point_of_the_picture_is_a_point_of_the_page(window: MainWindow, instance: Instance) -> None:
    await watched(window, instance)
    await shown(window, instance)
    page = window.rooms.watch.view.page
    target: QRectF = page.target
    assert page.in_page(target.topLeft()) == QPointF(0, 0)
    assert page.in_page(target.bottomRight()) == QPointF(1280, 720)
    assert page.in_page(page.shown(QPointF(640, 360))) == QPointF(640, 360)


@on_qt_loop
async def test_with_follow_agents_the_tab_is_shown_that_an_agent_acts_in(
    window: MainWindow, instance: Instance
) -> None:
    await watched(window, instance)
    other = instance.add_tab("t2", "Other")
    instance.history.begin(row_of(other), durable=False)
    assert list(instance.watching.wanted) == ["t1"], "nobody follows"
    window.rooms.watch.view.follow.click()
    assert instance.settings.get("watch.follow") is True
    instance.history.begin(row_of(other, "snapshot"), durable=False)
    instance.history.begin(row_of(other, "click", kind="person"), durable=False)
    assert list(instance.watching.wanted) == ["t1"], "looking is not a driving, and the person knows where they are"
    instance.history.begin(row_of(other), durable=False)
    assert list(instance.watching.wanted) == ["t2"]
    window.shell.show_way(window.rooms.command.view)
    instance.history.begin(row_of(instance.tabs.get("t1")), durable=False)
    assert window.rooms.tabs.current is other, "the tab of the form is the person's to choose"


@on_qt_loop
async def test_a_dialog_a_crash_and_a_pause_are_said_with_the_way_on(window: MainWindow, instance: Instance) -> None:
    tab = await watched(window, instance)
    await shown(window, instance)
    view = window.rooms.watch.view
    assert view.band.isHidden()
    instance.tabs.show_dialog(tab, is_open=True)
    await until(view.band.isVisible)
    next(button for button in view.band.buttons if button.text() == "OK").click()
    await until(lambda: instance.executor.sent)
    assert instance.executor.sent[-1] == ("t1", "kapturemcp_handle_dialog", {"snapshot": "none", "accept": True})
    instance.tabs.show_dialog(tab, is_open=False)
    await until(view.band.isHidden)
    instance.tabs.crashed.emit(tab)
    assert view.band.isVisible()
    view.band.buttons[0].click()
    await until(lambda: instance.executor.sent[-1][1] == "kapturemcp_reload")
    instance.tabs.navigated.emit(tab)
    await until(view.band.isHidden)
    instance.tabs.update(tab, state="paused")
    await until(lambda: instance.watching.wanted == {})
    assert view.page.image.isNull(), "what was seen before is not what is there"


@on_qt_loop
async def test_a_message_lies_over_nothing_that_can_be_pressed_below_the_page(
    window: MainWindow, instance: Instance
) -> None:
    await watched(window, instance)
    view, toasts = window.rooms.watch.view, window.shell.toasts
    put(instance, "click")
    await until(view.timeline.isVisible)
    toasts.tell("History exported", "12 rows", "ok")
    assert toasts.isVisible()
    for part in (view.step_button, view.timeline):
        assert not toasts.geometry().intersects(QRect(part.mapTo(window, QPoint()), part.size()))
    window.shell.show_way(window.rooms.command.view)
    assert toasts.geometry().bottom() > view.line.mapTo(window, QPoint()).y(), "there it stands in the corner again"


@on_qt_loop
async def test_a_dialog_is_answered_in_the_tab_that_is_seen(window: MainWindow, instance: Instance) -> None:
    tabs = [await watched(window, instance), instance.add_tab("t2", "Other")]
    for tab in tabs:
        instance.tabs.show_dialog(tab, is_open=True)
    view = window.rooms.watch.view
    await until(view.band.isVisible)
    window.rooms.tabs.choose("t2")
    next(button for button in view.band.buttons if button.text() == "OK").click()
    await until(lambda: instance.executor.sent)
    assert instance.executor.sent[-1][0] == "t2"
