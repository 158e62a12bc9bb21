"""Console and network share a dock: the title switches, each has its own tools there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets import tab_order


def test_the_title_switches_the_page_and_its_tools(window: MainWindow) -> None:
    logs = window.rooms.page.logs
    assert (window.rooms.page.console.isVisible(), window.rooms.page.network.isVisible()) == (True, False)
    QTest.mouseClick(logs.switch.buttons[1], Qt.MouseButton.LeftButton)
    assert (window.rooms.page.console.isVisible(), window.rooms.page.network.isVisible()) == (False, True)
    assert (window.rooms.page.console.tools.isVisible(), window.rooms.page.network.tools.isVisible()) == (False, True)
    assert logs.switch.chosen == [1]


def test_shortcuts_bring_each_in_sight_with_the_focus_in_it(window: MainWindow) -> None:
    window.activateWindow()
    for name, view in (("network", window.rooms.page.network), ("console", window.rooms.page.console)):
        window.shell.docks["console"].hide()
        window.shell.actions[f"go_{name}"].trigger()
        focus = QApplication.focusWidget()
        assert view.isVisible()
        assert focus is not None
        assert view.isAncestorOf(focus)


def test_everything_in_both_is_reached_by_tab_and_named(window: MainWindow) -> None:
    for name in ("console", "network"):
        window.rooms.page.logs.show_page(name)
        stops = [widget for widget in tab_order.stops(window.rooms.page.logs) if widget.isVisible()]
        assert all(widget.accessibleName() for widget in stops)
        assert len(stops) >= 6


def test_the_dock_stays_as_narrow_as_a_half_of_a_small_window(window: MainWindow) -> None:
    for name in ("console", "network"):
        window.rooms.page.logs.show_page(name)
        QApplication.processEvents()
        assert window.rooms.page.logs.minimumSizeHint().width() <= 440
        assert window.rooms.page.logs.title_bar.minimumSizeHint().width() <= 440
