"""The window as a whole: its parts, its end, its layout, and that everything has a name."""

from __future__ import annotations

import asyncio
import base64

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QFont
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.core.basics.signal import Signal
from kapture_panel.window.shell import window_layout
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.app import app_icon
from tests.support.patience import PATIENCE_S
from tests.support.window.fakes import Instance, png
from tests.support.window.qt_loop import bury, on_qt_loop, until

DOCKS = {"tabs", "screenshots", "agents", "console", "history"}


def named(widget: QWidget) -> str:
    """The name a screen reader says."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name)


def listeners(instance: Instance) -> int:
    """How many are connected to any store."""
    stores = (
        instance.tabs,
        instance.clients,
        instance.console,
        instance.requests,
        instance.history,
        instance.shots,
        instance.router,
    )
    return sum(len(value._listeners) for store in stores for value in vars(store).values() if isinstance(value, Signal))


def fill(instance: Instance) -> None:
    """Something in every part."""
    instance.add_tab()
    instance.add_agent()
    instance.log("one", "two")
    instance.shots.add(png(), name="one", tab_id="t1", format="png", width=40, height=20)


def test_words_have_the_designs_size_from_the_beginning(qapp: QApplication, instance: Instance) -> None:
    qapp.setFont(QFont(qapp.font().family(), 30))  # the desktop's, as the program finds it
    window = MainWindow(instance.core, instance.backend)
    window.show()
    sizes = {label.font().pixelSize() for label in window.findChildren(QLabel) if not label.property("kind")}
    assert sizes == {window.shell.theme.font().pixelSize()}
    window.release()
    bury(window)


@pytest.mark.parametrize("is_filled", [False, True])
def test_every_widget_that_takes_the_focus_has_a_name(window: MainWindow, instance: Instance, is_filled: bool) -> None:
    if is_filled:
        fill(instance)
    for command in instance.catalogue:
        window.rooms.command.view.list.choose(command.name)
    nameless = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not named(widget)
        and not widget.objectName().startswith("qt_")
        and widget.focusProxy() is None
    ]
    assert [(type(widget), widget.parent()) for widget in nameless] == []


def test_the_tab_key_goes_through_the_window_in_reading_order(window: MainWindow, instance: Instance) -> None:
    fill(instance)
    window.rooms.command.view.list.choose("kapturemcp_click")
    stops: list[str] = []
    widget: QWidget | None = window.toolbar.start_button
    while widget is not None and not (stops and widget is window.toolbar.start_button):
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            stops.append(widget.accessibleName())
        widget = widget.nextInFocusChain()
    expected = [
        "Show browser",
        "Connected tabs",
        "Filter commands",
        "Commands",
        "Target by: selector",
        "Target selector",
        "Button: left",
        "Options, hidden",
        "Run the command",
        "Screenshots",
        "Connected agents and terminals",
        "Filter console lines",
        "Console lines",
        "Filter history",
        "Command history",
    ]
    assert [name for name in stops if name in expected] == expected


def test_no_label_takes_text_for_markup(window: MainWindow, instance: Instance) -> None:
    fill(instance)
    rich = [
        label for label in window.findChildren(QLabel) if label.textFormat() != Qt.TextFormat.PlainText and label.text()
    ]
    assert rich == []


def test_stores_are_left_when_the_window_ends(qapp: QApplication, instance: Instance) -> None:
    before = listeners(instance)
    window = MainWindow(instance.core, instance.backend)
    assert listeners(instance) > before
    window.release()
    window.release()
    assert listeners(instance) == before
    fill(instance)
    window.deleteLater()
    qapp.processEvents()


def test_no_menu_or_dialog_outlives_the_window(qapp: QApplication, instance: Instance) -> None:
    window = MainWindow(instance.core, instance.backend)
    window.show()
    window.release()
    window.close()
    bury(window)
    assert qapp.topLevelWidgets() == []


def test_without_a_tray_closing_ends_the_program(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.quit_requested):
        window.close()
    assert window.isHidden()


def test_with_a_tray_closing_hides_and_says_so_once(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    told: list[str] = []
    monkeypatch.setattr(window.tray, "notify", lambda title, text: told.append(title))
    quits: list[bool] = []
    window.quit_requested.connect(lambda: quits.append(True))
    for _ in range(2):
        window.close()
        assert window.isHidden()
        window.raise_window()
        assert window.isVisible()
    assert (len(told), quits) == (1, [])
    assert instance.settings.get("window.told_about_tray") is True
    actions = {action.text(): action for action in window.tray.menu.actions()}
    assert list(filter(None, actions)) == [
        "Show panel", "Pause agents", "Copy MCP config", "Start browser", "Screenshot current tab", "Recent tabs",
        "Quit",
    ]  # fmt: skip
    actions["Quit"].trigger()
    assert quits == [True]


@on_qt_loop
async def test_a_defect_behind_a_button_is_told_and_logged(
    window: MainWindow, instance: Instance, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken() -> None:
        raise RuntimeError("boom")

    window.shell.background.start(broken(), "Sweep")
    await until(lambda: window.shell.toasts.shown)
    assert window.shell.toasts.shown[0].accessibleName() == "Sweep failed: boom"
    assert "Sweep failed" in caplog.text


@on_qt_loop
async def test_what_runs_in_the_background_ends_with_the_window(window: MainWindow, instance: Instance) -> None:
    task = window.shell.background.start(asyncio.Event().wait(), "Sleep")
    await asyncio.sleep(0)
    window.release()
    await asyncio.wait([task], timeout=PATIENCE_S)
    assert task.cancelled()


def test_an_agent_that_comes_and_goes_is_told(window: MainWindow, instance: Instance) -> None:
    agent = instance.add_agent("cod\u202eex")
    instance.clients.remove(agent)
    assert [toast.title for toast in window.shell.toasts.shown] == ["Agent “codex” connected", "Agent “codex” left"]


def test_the_layout_comes_back(qapp: QApplication, instance: Instance) -> None:
    first = MainWindow(instance.core, instance.backend)
    first.show()
    first.shell.leave_page()
    first.resize(first.width(), 560)
    docks = {dock.objectName(): dock for dock in first.findChildren(QDockWidget)}
    assert docks.keys() >= DOCKS
    docks["history"].hide()
    first.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks["agents"])
    first.release()
    second = MainWindow(instance.core, instance.backend)
    second.show()
    assert second.rooms.command.view.isHidden()  # nothing was ever run
    second.shell.leave_page()
    docks = {dock.objectName(): dock for dock in second.findChildren(QDockWidget)}
    assert second.height() == 560
    assert docks["history"].isHidden()
    assert second.dockWidgetArea(docks["agents"]) == Qt.DockWidgetArea.LeftDockWidgetArea
    second.reset_layout()
    assert docks["history"].isVisible()
    assert second.dockWidgetArea(docks["agents"]) == Qt.DockWidgetArea.RightDockWidgetArea
    second.release()
    for window in (first, second):
        window.close()
        window.deleteLater()
    qapp.processEvents()


@pytest.mark.parametrize("kept", ["", "not base64 §", base64.b64encode(b"other bytes").decode(), 17])
def test_a_damaged_layout_is_the_first_one(kept: object, qapp: QApplication, instance: Instance) -> None:
    instance.settings.set("window.state", kept)
    instance.settings.set("window.geometry", kept)
    window = MainWindow(instance.core, instance.backend)
    window.shell.leave_page()
    docks = {dock.objectName(): dock.isHidden() for dock in window.findChildren(QDockWidget)}
    assert docks.keys() >= DOCKS
    assert {name for name, is_hidden in docks.items() if is_hidden} == {"approvals"}
    window.release()
    window.deleteLater()


@pytest.mark.parametrize("at", [QPoint(-5000, 100), QPoint(100, 9000), QPoint(100, -300), QPoint(9000, 0)])
def test_a_window_from_a_vanished_monitor_comes_back(at: QPoint, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setGeometry(QRect(at, window.sizeHint()))
    window.resize(400, 300)
    window.move(at)
    window_layout.bring_back(window)
    screen = QApplication.primaryScreen().availableGeometry()
    assert screen.contains(window.frameGeometry().topLeft())
    assert screen.intersected(window.frameGeometry()).width() >= 400


def test_a_window_in_sight_stays_where_it_is(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setGeometry(50, 60, 300, 200)
    window_layout.bring_back(window)
    assert window.geometry() == QRect(50, 60, 300, 200)


def test_docks_are_toggled_from_the_view_menu(window: MainWindow) -> None:
    actions = {action.text(): action for action in window.view_menu.actions()}
    assert {"Tabs", "Screenshots", "Agents", "Console", "History", "Reset layout"} <= actions.keys()
    actions["Console"].trigger()
    assert window.rooms.page.console.isHidden() or not window.rooms.page.console.isVisible()
    actions["Reset layout"].trigger()
    assert window.rooms.page.console.isVisible()


def test_what_can_be_exported_is_offered_in_the_history(window: MainWindow) -> None:
    window.shell.actions["export_history"].trigger()
    menu = window.rooms.history.view.exports.menu
    assert menu.isVisible()
    assert [entry.text() for entry in menu.actions() if entry.isVisible() and entry.text()] == [
        "All rows of the history",
        "Save requests as HTTP archive …",
    ]
    menu.close()


def test_clearing_the_console_clears_the_store(window: MainWindow, instance: Instance) -> None:
    instance.log("one")
    window.rooms.page.console.cleared.emit()
    assert instance.console.lines() == []


def test_the_icon_has_every_size() -> None:
    assert {size.width() for size in app_icon().availableSizes()} == {16, 32, 48, 128, 256}


def test_nothing_takes_the_focus_by_itself(window: MainWindow, instance: Instance, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.rooms.page.console.filter.setFocus()
    fill(instance)
    window.shell.toasts.tell("Something", "happened", "error")
    qtbot.wait(80)
    assert window.isActiveWindow()
    assert QApplication.focusWidget() is window.rooms.page.console.filter


def test_no_form_takes_the_focus_while_it_is_made(window: MainWindow, instance: Instance, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.rooms.page.console.filter.setFocus()
    for command in instance.catalogue:
        window.rooms.command.view.list.choose(command.name)
        QApplication.processEvents()
        assert QApplication.focusWidget() is window.rooms.page.console.filter, command.name


def test_both_looks_can_be_shown_while_the_window_is_open(window: MainWindow, instance: Instance) -> None:
    fill(instance)
    for mode in ("dark", "light", "system"):
        window.shell.theme.set_mode(mode)
        assert not window.grab().isNull()
