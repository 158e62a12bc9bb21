"""Messages can be read again; errors are unread until somebody looked."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.shots.lightbox import Lightbox


def offered(window: MainWindow) -> list[QPushButton]:
    """The buttons of the chosen message."""
    return [button for button in window.notices.view.ways.findChildren(QPushButton) if button.isVisible()]


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


def test_a_message_can_do_in_the_list_what_it_could_do_when_it_came(window: MainWindow, qtbot: QtBot) -> None:
    done: list[str] = []
    window.shell.toasts.tell("Plain")
    open_it, record = ("Open", lambda: done.append("opened")), ("Record", lambda: done.append("recorded"))
    window.shell.toasts.tell("Exported", "1 row", "ok", action=open_it, also=record)
    window.shell.toasts.tell("Exported", "1 row", "ok", action=open_it, also=record)
    view = window.notices.view
    window.notices.bell.click()
    qtbot.waitUntil(lambda: window.shell.toasts.shown == [])

    assert titles(window) == ["Exported ×2", "Plain"]
    assert [button.text() for button in offered(window)] == ["Record", "Open"]
    assert all(view.rect().contains(button.mapTo(view, button.rect().bottomRight())) for button in offered(window))
    QTest.keyClick(view.list, Qt.Key.Key_Tab)
    QTest.keyClick(view.copy, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is offered(window)[0]
    for button in offered(window):
        button.click()
    assert done == ["recorded", "opened"]
    assert view.isVisible()
    QTest.keyClick(view.list, Qt.Key.Key_Down)
    assert offered(window) == []
    QTest.keyClick(view.list, Qt.Key.Key_Up)
    assert [button.text() for button in offered(window)] == ["Record", "Open"]


def test_the_folder_of_a_saved_picture_is_opened_from_the_list_once_its_window_is_closed(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    picture = window.grab().toImage()
    picture.save(str(tmp_path / "a.png"))
    box = window.rooms.shots.lightboxes.open_data("a.png", (tmp_path / "a.png").read_bytes())
    box.save(str(tmp_path / "saved.png"))
    qtbot.waitUntil(lambda: titles(window) == ["Picture saved"])
    box.close()
    qtbot.waitUntil(lambda: not window.findChildren(Lightbox))
    window.notices.bell.click()
    (button,) = offered(window)
    assert button.text() == "Show in folder"
    button.click()
    assert opened == [str(tmp_path)]


def test_an_empty_list_says_so(window: MainWindow) -> None:
    window.notices.bell.click()
    assert window.notices.view.nothing.isVisible()
    assert not window.notices.view.copy.isVisible()
    assert window.rect().contains(window.notices.view.geometry())
