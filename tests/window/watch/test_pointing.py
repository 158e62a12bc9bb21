"""Pointing at a place of the watched page."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.watch.watch_view import WatchView
from tests.support.window.fakes import Instance
from tests.support.window.history import said
from tests.support.window.qt_loop import on_qt_loop, settle, until
from tests.support.window.watching import picture

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


async def watched(window: MainWindow, instance: Instance) -> WatchView:
    """A page that is seen."""
    instance.add_tab("t1", "Checkout")
    await settle()
    window.activateWindow()
    window.shell.show_way(window.rooms.watch.view)
    number = instance.watching.show("t1", picture())
    await until(lambda: ("t1", number) in instance.watching.was_painted)
    return window.rooms.watch.view


def place(view: WatchView, x: float, y: float) -> QPoint:
    return view.page.shown(QPointF(x, y)).toPoint()


@on_qt_loop
async def test_a_press_with_control_takes_a_note_about_the_place(window: MainWindow, instance: Instance) -> None:
    view = await watched(window, instance)
    QTest.mouseClick(view.page, LEFT, pos=place(view, 640, 360))
    assert view.note.isHidden(), "a press alone is none"
    QTest.mouseClick(view.page, LEFT, CONTROL, place(view, 640, 360))
    assert view.note.words.hasFocus()
    before, middle = view.page.grab().toImage(), place(view, 640, 360)
    QTest.keyClicks(view.note.words, "this button")
    QTest.keyClick(view.note.words, Qt.Key.Key_Return)
    await until(lambda: instance.pointing.said)
    ((tab_id, x, y, words),) = instance.pointing.said
    assert (tab_id, words) == ("t1", "this button")
    assert abs(x - 640) <= 4
    assert abs(y - 360) <= 4
    assert view.note.isHidden()
    await until(lambda: "Note sent" in said(window))
    after = view.page.grab().toImage()
    assert after != before, "the ring is gone"
    assert after.pixelColor(middle) == before.pixelColor(middle), "it covered nothing of what it was around"


@on_qt_loop
async def test_a_button_and_a_key_lead_there_without_the_modifier(window: MainWindow, instance: Instance) -> None:
    view = await watched(window, instance)
    for begin in (view.point_button.click, window.shell.actions["point"].trigger):
        begin()
        QTest.mouseClick(view.page, LEFT, pos=place(view, 100, 100))
        assert view.note.isVisible()
        QTest.keyClick(view.note.words, Qt.Key.Key_Escape)
        assert view.note.isHidden()
    await until(lambda: len(instance.pointing.said) == 2)
    assert {words for _tab, _x, _y, words in instance.pointing.said} == {""}, "nothing is kept"


@on_qt_loop
async def test_a_note_ends_with_its_tab_and_what_fails_is_told(window: MainWindow, instance: Instance) -> None:
    view = await watched(window, instance)
    QTest.mouseClick(view.page, LEFT, CONTROL, place(view, 10, 10))
    instance.add_tab("t2", "Other")
    window.rooms.tabs.choose("t2")
    assert view.note.isHidden()
    await until(lambda: [one[3] for one in instance.pointing.said] == [""])
    instance.pointing.error = KaptureError("COMMAND_TIMEOUT", "the tab did not show the place")
    number = instance.watching.show("t2", picture())
    await until(lambda: ("t2", number) in instance.watching.was_painted)
    QTest.mouseClick(view.page, LEFT, CONTROL, place(view, 10, 10))
    await until(lambda: "Note failed: COMMAND_TIMEOUT" in said(window))
    assert view.note.isHidden()


@on_qt_loop
async def test_who_has_stepped_in_presses_the_page(window: MainWindow, instance: Instance) -> None:
    view = await watched(window, instance)
    view.step_button.click()
    await until(lambda: view.hands.is_on)
    QTest.mouseClick(view.page, LEFT, CONTROL, place(view, 10, 10))
    assert view.note.isHidden()
    assert instance.hands.given != []
