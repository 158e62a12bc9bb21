"""Stepping into the page that is watched."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QInputMethodEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kapture_panel.core.wire.watching import Composition, KeyInput, MouseInput, TextInput
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.watch.page_view import PageView
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle, until

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier


async def stepped_in(window: MainWindow, instance: Instance) -> PageView:
    """The page of a tab the person has stepped into; its picture has half the page's pixels."""
    instance.add_tab("t1", "Checkout")
    await settle()
    window.activateWindow()
    window.shell.show_way(window.rooms.watch.view)
    image = QImage(320, 180, QImage.Format.Format_RGB32)
    image.fill(QColor("#aa3300"))
    number = instance.watching.show("t1", image, 640, 360)
    await until(lambda: ("t1", number) in instance.watching.was_painted)
    window.rooms.watch.view.step_button.click()
    await until(lambda: window.rooms.watch.view.hands.is_on)
    return window.rooms.watch.view.page


def place(page: PageView, x: float, y: float) -> QPoint:
    return page.shown(QPointF(x, y)).toPoint()


def mouse(instance: Instance) -> list[MouseInput]:
    """What the mouse did."""
    return [what for _tab, what in instance.hands.given if isinstance(what, MouseInput)]


@on_qt_loop
async def test_one_steps_in_and_gives_back(window: MainWindow, instance: Instance) -> None:
    page = await stepped_in(window, instance)
    view = window.rooms.watch.view
    assert page.hasFocus()
    assert instance.core.gates.leases.holder("t1") is instance.person
    assert (view.band.isVisible(), view.step_button.isVisible()) == (True, False)
    view.band.buttons[0].click()
    await until(lambda: instance.core.gates.leases.holder("t1") is None)
    assert (view.band.isVisible(), view.step_button.isVisible(), view.hands.is_on) == (False, True, False)
    QTest.mouseClick(page, LEFT, pos=place(page, 100, 100))
    QTest.keyClick(page, Qt.Key.Key_A)
    assert instance.hands.given == []


@on_qt_loop
async def test_the_mouse_is_where_it_is_in_the_page(window: MainWindow, instance: Instance) -> None:
    page = await stepped_in(window, instance)
    at = place(page, 320, 180)
    QTest.mouseClick(page, LEFT, Qt.KeyboardModifier.ShiftModifier, at)
    down, up = [one for one in mouse(instance) if one.act != "move"]
    assert (down.act, down.button, down.buttons, down.count, down.modifiers) == ("down", "left", 1, 1, 8)
    assert abs(down.x - 320) <= 2
    assert abs(down.y - 180) <= 2
    assert (up.act, up.buttons) == ("up", 0)
    QTest.mouseDClick(page, LEFT, PLAIN, at)
    assert max(one.count for one in mouse(instance)) >= 2
    instance.hands.given.clear()
    QTest.mousePress(page, LEFT, PLAIN, QPoint(page.width() - 2, page.height() - 2))
    assert [one.act for one in mouse(instance)] == [], "there is no page"


@on_qt_loop
async def test_moves_are_told_a_few_times_a_second_and_before_what_follows(
    window: MainWindow, instance: Instance
) -> None:
    page = await stepped_in(window, instance)
    for x in range(100, 120):
        QTest.mouseMove(page, place(page, x * 2, 50))
    QTest.mousePress(page, LEFT, PLAIN, place(page, 238, 50))
    told = mouse(instance)
    assert told[-1].act == "down"
    assert len(told) < 20
    wheel = QWheelEvent(
        QPointF(place(page, 100, 100)), QPointF(), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton, PLAIN,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(page, wheel)
    turned = mouse(instance)[-1]
    assert (turned.act, turned.deltaX, turned.deltaY) == ("wheel", 0, 100)


@on_qt_loop
async def test_keys_are_the_pages_but_those_that_lead_out(window: MainWindow, instance: Instance) -> None:
    page = await stepped_in(window, instance)
    for key, modifiers, wanted in (
        (Qt.Key.Key_A, PLAIN, KeyInput(key="a", down=True)),
        (Qt.Key.Key_Tab, PLAIN, KeyInput(key="Tab", down=True)),
        (Qt.Key.Key_Escape, PLAIN, KeyInput(key="Escape", down=True)),
        (Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier, KeyInput(key="k", down=True, modifiers=2)),
        (Qt.Key.Key_F1, PLAIN, KeyInput(key="F1", down=True)),
    ):
        instance.hands.given.clear()
        QTest.keyClick(page, key, modifiers)
        assert ("t1", wanted) in instance.hands.given
        assert page.hasFocus(), "no key of the window's does anything"
    QTest.keyClick(page, Qt.Key.Key_F4)
    assert window.rooms.command.view.isVisible()
    assert instance.core.gates.leases.holder("t1") is instance.person, "who looks elsewhere has not given back"
    QTest.keyClick(window, Qt.Key.Key_F4, Qt.KeyboardModifier.ShiftModifier)
    await until(lambda: instance.core.gates.leases.holder("t1") is None)


@on_qt_loop
async def test_an_input_method_and_the_clipboard_write(window: MainWindow, instance: Instance) -> None:
    page = await stepped_in(window, instance)
    assert page.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
    QApplication.sendEvent(page, QInputMethodEvent("ni", []))
    commit = QInputMethodEvent("", [])
    commit.setCommitString("你")
    QApplication.sendEvent(page, commit)
    QApplication.clipboard().setText("from elsewhere")
    QTest.keyClick(page, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert [what for _tab, what in instance.hands.given if not isinstance(what, KeyInput)] == [
        Composition(text="ni", start=2, end=2),
        TextInput(text="你"),
        TextInput(text="from elsewhere", pasted=True),
    ]
