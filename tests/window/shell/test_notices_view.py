"""Messages can be read again; errors are unread until somebody looked."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from kapture_panel.window.shell.main_window import MainWindow


def titles(window: MainWindow) -> list[str]:
    model = window.notices.view.list.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_the_bell_counts_unread_errors_and_opens_the_list(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.rooms.page.console.filter.setFocus()
    assert window.notices.bell.accessibleName() == "Notices"
    window.shell.toasts.tell("Hello")
    window.shell.toasts.tell("Failed", "why <b>\u202e", "error")
    assert window.notices.bell.accessibleName() == "Notices: 1 unread error"
    assert QApplication.focusWidget() is window.rooms.page.console.filter
    QTest.keyClick(window.rooms.page.console.filter, Qt.Key.Key_F8)
    assert window.notices.view.isVisible()
    assert titles(window) == ["Failed", "Hello"]
    assert window.notices.view.whole.text() == "Failed\nwhy <b>"
    assert window.notices.bell.accessibleName() == "Notices"
    qtbot.waitUntil(lambda: window.shell.toasts.shown == [])  # read here
    assert QApplication.focusWidget() is window.notices.view.list
    QTest.keyClick(window.notices.view.list, Qt.Key.Key_Down)
    assert window.notices.view.whole.text() == "Hello"
    QTest.keyClick(window.notices.view.list, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is window.notices.view.copy
    window.notices.view.copy.click()
    assert QApplication.clipboard().text() == "Hello"
    assert titles(window) == ["Failed", "Hello"]  # a copied text is nothing to read again
    QTest.keyClick(window.notices.view.copy, Qt.Key.Key_Escape)
    assert window.notices.view.isHidden()
    assert QApplication.focusWidget() is window.rooms.page.console.filter


def test_closing_an_error_counts_as_reading_it(window: MainWindow) -> None:
    window.shell.toasts.tell("Failed", "why", "error")
    close = window.shell.toasts.shown[0].findChild(QToolButton)
    assert isinstance(close, QToolButton)
    close.click()
    assert window.shell.toasts.notices.unread == 0
    assert titles(window) == ["Failed"]


def test_an_empty_list_says_so(window: MainWindow) -> None:
    window.notices.bell.click()
    assert window.notices.view.nothing.isVisible()
    assert not window.notices.view.copy.isVisible()
    assert window.rect().contains(window.notices.view.geometry())
