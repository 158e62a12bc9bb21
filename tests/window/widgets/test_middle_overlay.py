"""A sheet in a window too low for it: nothing of it is squeezed, and what has the focus is in sight."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit

from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle
from tests.support.window.states import STATES


@on_qt_loop
async def test_fields_keep_their_height_and_tab_scrolls_to_them(window: MainWindow, instance: Instance) -> None:
    window.resize(800, 500)
    window.activateWindow()
    await STATES["places"](window, instance)
    await settle()
    view = window.rooms.browsers.places
    fields = [one for kind in (QLineEdit, QComboBox) for one in view.form.findChildren(kind) if one.isVisible()]
    assert len(fields) == 7
    for field in fields:
        assert field.height() >= field.minimumSizeHint().height()
        field.setFocus(Qt.FocusReason.TabFocusReason)
        QApplication.processEvents()
        assert field.visibleRegion().boundingRect() == field.rect(), field.accessibleName()
    assert view.rect().contains(view.add.geometry())


@on_qt_loop
async def test_it_has_a_button_that_closes_it(window: MainWindow) -> None:
    for name, view in (("places", window.rooms.browsers.places), ("policy", window.rooms.agents.policy)):
        window.shell.actions[name].trigger()
        assert view.isVisible()
        QTest.mouseClick(view.close_button, Qt.MouseButton.LeftButton)
        assert not view.isVisible()
