"""The guide to the person's own browser: what it does for one, and that it goes on by itself."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.browsers.browser_setup_view import BrowserSetupView
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop


def opened(window: MainWindow) -> BrowserSetupView:
    window.activateWindow()
    window.rooms.welcome.show()
    QTest.mouseClick(window.rooms.welcome.view.setup_button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert window.rooms.browsers.browser_setup.isVisible()
    return window.rooms.browsers.browser_setup


def test_the_browser_is_opened_and_the_address_it_takes_from_nobody_else_is_copied(
    window: MainWindow, instance: Instance
) -> None:
    page = opened(window)
    assert [page.choice.itemText(row) for row in range(page.choice.count())] == ["Chrome", "Edge"]
    page.choice.setCurrentIndex(1)
    assert page.address_button.text() == "Copy edge://extensions"
    QTest.mouseClick(page.open_button, Qt.MouseButton.LeftButton)
    assert [browser.name for browser in instance.opened] == ["Edge"]
    assert QApplication.clipboard().text() == "edge://extensions"


def test_the_folder_is_shown_copied_and_opened(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(window)
    folder = str(instance.folder / "extension")
    assert page.folder.text() == folder
    QTest.mouseClick(page.folder_button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == folder
    asked: list[QUrl] = []

    def open_url(url: QUrl) -> bool:
        asked.append(url)
        return False

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    QTest.mouseClick(page.show_button, Qt.MouseButton.LeftButton)
    assert [url.toLocalFile() for url in asked] == [folder]
    assert window.shell.toasts.shown[-1].accessibleName().endswith(f"Open it yourself: {folder}")


def test_without_a_known_browser_the_address_can_still_be_copied(window: MainWindow, instance: Instance) -> None:
    instance.installed_browsers = []
    page = opened(window)
    assert not page.choice.isVisible()
    assert not page.open_button.isVisible()
    QTest.mouseClick(page.address_button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == "chrome://extensions"


def test_what_cannot_be_copied_is_told(window: MainWindow, instance: Instance) -> None:
    instance.place_error = KaptureError("INTERNAL", "the disk is full")
    page = opened(window)
    assert not page.folder_button.isEnabled()
    assert "the disk is full" in window.shell.toasts.shown[-1].accessibleName()


@on_qt_loop
async def test_each_step_ticks_itself_off(window: MainWindow, instance: Instance) -> None:
    page = opened(window)
    steps = (page.load, page.pair, page.connect_tab)
    request = instance.pairing.begin("one", "Chrome 156")
    assert [step.is_done for step in steps] == [False, False, False]
    instance.pairing.show(request, "123456")
    assert [step.is_done for step in steps] == [True, False, False]
    assert window.rooms.browsers.pairing.isVisible()
    instance.pairing.refuse(request)
    assert "“Try again”" in page.pair.how.text()
    instance.paired.add("one", "ab" * 32, "Chrome 156")
    instance.pairing.finish(request)
    assert [step.is_done for step in steps] == [True, True, False]
    instance.add_tab("managed")
    assert not page.connect_tab.is_done
    instance.tabs.add(Tab("mine1", "https://shop.example/", "Shop", "one"))
    assert page.connect_tab.is_done
    QTest.mouseClick(page.back, Qt.MouseButton.LeftButton)
    assert window.rooms.command.view.isVisible()


def test_all_of_it_is_seen_in_a_small_window(window: MainWindow) -> None:
    window.resize(1000, 700)
    page = opened(window)
    QApplication.processEvents()
    assert page.verticalScrollBar().maximum() == 0
    assert page.horizontalScrollBar().maximum() == 0
