"""The sheet of shortcuts shows all of them, and finds one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.roles import ITEM


def shown(window: MainWindow) -> list[str]:
    model = window.shortcuts.list.model()
    items = [model.index(row, 0).data(ITEM) for row in range(model.rowCount())]
    return [item.name for item in items if item is not None]


def test_f1_shows_every_shortcut_of_the_table(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.rooms.page.console.filter.setFocus()
    QTest.keyClick(window.rooms.page.console.filter, Qt.Key.Key_F1)
    assert window.shortcuts.isVisible()
    assert sorted(shown(window)) == sorted(one.name for one in window.shell.actions.entries if one.keys)
    assert QApplication.focusWidget() is window.shortcuts.filter
    QTest.keyClicks(window.shortcuts.filter, "ctrl+k")
    assert shown(window) == ["palette"]
    stops = []
    for _ in range(3):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        stops.append(QApplication.focusWidget())
    assert stops == [window.shortcuts.list, window.shortcuts.close_button, window.shortcuts.filter]
    QTest.keyClick(window.shortcuts.filter, Qt.Key.Key_Escape)
    assert window.shortcuts.isHidden()
    assert QApplication.focusWidget() is window.rooms.page.console.filter


def test_what_is_typed_once_is_gone_the_next_time(window: MainWindow) -> None:
    window.shortcuts.open()
    window.shortcuts.filter.setText("nothing like this")
    assert shown(window) == []
    window.shortcuts.dismiss()
    window.shortcuts.open()
    assert len(shown(window)) > 10
