"""Popups in the corner: as high as what is in them, and no message lies over them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.overlay import CornerOverlay, Overlay
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle
from tests.support.window.states import STATES


@on_qt_loop
async def test_a_popup_is_as_high_as_its_rows(window: MainWindow, instance: Instance) -> None:
    window.resize(1440, 900)
    view = window.notices.view
    view.open()
    await settle()
    assert view.height() < 80, "nothing but its words"
    view.dismiss()
    heights = []
    for number in range(3):
        window.shell.toasts.tell(f"Saved {number}", "in a file", "ok")
        view.open()
        await settle()
        heights.append(view.height())
        assert not view.list.verticalScrollBar().isVisible()
        view.dismiss()
    row = heights[2] - heights[1]
    assert heights[1] - heights[0] == row > 30
    for number in range(40):
        window.shell.toasts.tell(f"Again {number}", "", "ok")
    view.open()
    await settle()
    assert view.height() == 460
    assert view.list.verticalScrollBar().isVisible()


@pytest.mark.parametrize("state", ["doctor", "notices", "browsers"])
@pytest.mark.parametrize("size", [QSize(1440, 900), QSize(1000, 700), QSize(860, 600)])
@on_qt_loop
async def test_no_message_lies_over_a_popup(state: str, size: QSize, window: MainWindow, instance: Instance) -> None:
    window.resize(size)
    root = await STATES[state](window, instance)
    popup = root if isinstance(root, CornerOverlay) else next(
        one for one in window.findChildren(CornerOverlay) if one.isVisible()
    )  # fmt: skip
    for number in range(3):
        window.shell.toasts.tell(f"Saving failed {number}", "The disk is full. " * 6, "error")
    await settle()
    toasts, room = window.shell.toasts, popup.geometry()
    for x in range(room.left() + 4, room.right(), 12):
        for y in range(room.top() + 4, room.bottom(), 12):
            there = window.childAt(x, y)
            assert there is None or not (there is toasts or toasts.isAncestorOf(there)), f"over {x}, {y}"
    assert window.rect().contains(QRect(toasts.pos(), toasts.size()))
    popup.dismiss()
    await settle()
    assert toasts.geometry().right() > window.width() // 2, "back in its corner"


@pytest.mark.parametrize("size", [QSize(1440, 900), QSize(800, 500)])
@pytest.mark.parametrize("name", ["notices", "doctor", "browsers", "shortcuts", "places", "policy"])
@on_qt_loop
async def test_every_sheet_has_the_same_button_that_closes_it(name: str, size: QSize, window: MainWindow) -> None:
    window.resize(size)
    window.shell.actions[name].trigger()
    await settle()
    (sheet,) = [one for one in window.findChildren(Overlay) if one.isVisible()]
    (close,) = [one for one in sheet.findChildren(QToolButton) if one.accessibleName().startswith("Close ")]
    assert close.accessibleName() == f"Close {sheet.accessibleName()} (Esc)"
    at = close.mapTo(sheet, close.rect().topRight())
    assert 0 < at.y() < 16, "at the top"
    assert 0 < sheet.width() - at.x() < 20, "at the right"
    QTest.mouseClick(close, Qt.MouseButton.LeftButton)
    assert not sheet.isVisible()


@pytest.mark.parametrize("size", [QSize(1440, 900), QSize(800, 500)])
@on_qt_loop
async def test_what_lies_over_the_window_leaves_its_bars_in_sight(
    size: QSize, window: MainWindow, instance: Instance
) -> None:
    window.resize(size)
    await settle()
    below, above = window.toolbar.geometry().bottom() + 1, window.statusBar().geometry().top()
    for name in ("palette", "places", "policy", "shortcuts"):
        window.shell.actions[name].trigger()
        (sheet,) = [one for one in window.findChildren(Overlay) if one.isVisible()]
        assert sheet.geometry().top() == below, name
        assert sheet.geometry().bottom() < above, name
        sheet.dismiss()
    window.shell.actions["browsers"].trigger()
    popup = window.rooms.browsers.view.geometry()
    assert above - popup.bottom() == window.width() - popup.right(), "as far from the bar as from the edge"
