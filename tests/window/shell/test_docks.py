"""Docks are shown, hidden, floated and put back, also by keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollBar, QToolButton
from pytestqt.qtbot import QtBot

from kapture_panel.window.shell import window_layout
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.contents import fill
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle, until
from tests.support.window.states import STATES


@pytest.mark.parametrize("name", ["tabs", "screenshots", "agents", "console", "history"])
def test_a_dock_floats_and_comes_back(name: str, window: MainWindow) -> None:
    dock = window.shell.docks[name]
    assert dock.features() & dock.DockWidgetFeature.DockWidgetMovable
    window.shell.actions[f"float_{name}"].trigger()
    assert dock.isFloating()
    assert dock.isVisible()
    window.shell.actions[f"float_{name}"].trigger()
    assert not dock.isFloating()
    window.shell.actions[f"float_{name}"].trigger()
    window.shell.actions["reset_layout"].trigger()
    assert not dock.isFloating()
    assert dock.isVisible()


def test_a_part_is_reached_by_its_key_even_when_it_is_hidden(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.shell.docks["history"].hide()
    for key, part in (
        (Qt.Key.Key_6, window.rooms.history.view),
        (Qt.Key.Key_2, window.rooms.command.view.list),
        (Qt.Key.Key_5, window.rooms.page.console),
        (Qt.Key.Key_1, window.rooms.tabs.view),
        (Qt.Key.Key_4, window.rooms.agents.view),
        (Qt.Key.Key_3, window.rooms.shots.view),
    ):
        QTest.keyClick(QApplication.focusWidget() or window, key, Qt.KeyboardModifier.ControlModifier)
        focused = QApplication.focusWidget()
        assert focused is not None
        assert part.isAncestorOf(focused)


def test_a_floating_dock_of_a_vanished_monitor_comes_back(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.shell.actions["float_console"].trigger()
    window.shell.docks["console"].move(5000, 5000)
    window_layout.save(window, instance.settings)
    monkeypatch.setattr(window_layout, "_screens", lambda: [QRect(0, 0, 1280, 720)])
    assert window_layout.restore(window, instance.settings)
    dock = window.shell.docks["console"]
    assert dock.isFloating()
    assert QRect(0, 0, 1280, 720).contains(dock.frameGeometry().topLeft())


@pytest.mark.parametrize("screen", [QRect(0, 0, 1000, 700), QRect(-1280, 40, 1280, 680)])
def test_a_window_larger_than_its_screen_is_made_to_fit(
    screen: QRect, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_layout, "_screens", lambda: [screen])
    window.setGeometry(QRect(screen.topLeft() + QPoint(10, 10), QSize(2560, 1400)))
    window_layout.bring_back(window)
    assert screen.contains(window.frameGeometry())


@pytest.mark.parametrize("command", ["click", "navigate", "screenshot", "type"])
def test_a_small_window_shows_the_run_button_and_some_of_the_answer(
    command: str, window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1000, 700)
    window.reset_layout()
    window.rooms.command.view.list.choose(f"kapturemcp_{command}")
    button = window.rooms.command.view.run_bar.run_button
    qtbot.waitUntil(lambda: window.rooms.command.view.result.height() >= 100)
    corner = button.mapTo(window.rooms.command.view, button.rect().bottomRight())
    assert window.rooms.command.view.rect().contains(corner)
    if command in ("click", "navigate"):
        bar: QScrollBar = window.rooms.command.view.params.verticalScrollBar()
        qtbot.waitUntil(lambda: bar.maximum() == 0)


def test_the_toolbar_keeps_all_its_buttons_in_a_small_window(window: MainWindow, instance: Instance) -> None:
    window.resize(1000, 700)
    window.toolbar.driving.setText("● " + "an-agent-with-a-long-name is driving “A page with a long title indeed”")
    window.toolbar._driving_action.setVisible(True)
    QApplication.processEvents()
    assert window.toolbar.menu_button.isVisible()
    assert window.toolbar.rect().contains(window.toolbar.menu_button.geometry())


@pytest.mark.parametrize("width", [1200, 1250, 1300, 1440])
@on_qt_loop
async def test_who_is_driving_takes_no_button_its_place(window: MainWindow, instance: Instance, width: int) -> None:
    instance.add_tab("t1", "A page with a title that is longer than the room that is left for it")
    agent = instance.add_agent("an-agent-with-a-name-of-some-length")
    agent.running, agent.current_tab = 1, "t1"
    instance.clients.changed.emit(agent)
    await until(window.toolbar.driving.isVisible, "who is driving")
    before = window.toolbar.finder.x()
    window.resize(width, 800)
    await settle()
    menu = window.toolbar.menu_button
    assert menu.isVisible()
    assert menu.mapTo(window, menu.rect().bottomRight()).x() < width
    assert window.toolbar.driving.text().endswith("…")
    instance.router.gates.pause.hold()
    await settle()
    assert window.toolbar.finder.x() == before, "the buttons keep their places"


def test_a_window_made_smaller_takes_from_its_docks_before_a_form_is_cut(window: MainWindow) -> None:
    tabs, shots = window.shell.docks["tabs"], window.shell.docks["screenshots"]
    before = tabs.width(), shots.width()
    window.resize(1000, 700)
    QApplication.processEvents()
    assert window.rooms.command.view.width() >= 600
    for command in ("navigate", "click", "logs"):
        window.rooms.command.view.list.choose(f"kapturemcp_{command}")
        QApplication.processEvents()
        assert window.rooms.command.view.params.horizontalScrollBar().maximum() == 0
    window.resize(1400, 880)
    QApplication.processEvents()
    assert (tabs.width(), shots.width()) == pytest.approx(before, abs=4)


def test_a_dock_moved_by_hand_stays_as_it_is_when_the_window_grows(window: MainWindow) -> None:
    window.resize(1000, 700)
    window.resizeDocks([window.shell.docks["tabs"]], [185], Qt.Orientation.Horizontal)
    QApplication.processEvents()
    window.resize(1400, 880)
    QApplication.processEvents()
    assert window.shell.docks["tabs"].width() == 185


@on_qt_loop
async def test_docks_stay_side_by_side_when_details_and_a_question_come(window: MainWindow, instance: Instance) -> None:
    window.resize(1000, 700)
    await settle()
    before = {name: window.shell.docks[name].width() for name in ("console", "history")}
    await STATES["history_question"](window, instance)
    await settle()
    docks = [window.shell.docks[name].geometry() for name in before]
    assert not docks[0].intersects(docks[1])
    assert {name: window.shell.docks[name].width() for name in before} == before


@pytest.mark.parametrize("state", ["busy", "shop", "questions", "network", "json_form", "watched", "all_tabs"])
@on_qt_loop
async def test_the_window_can_be_800_pixels_wide(state: str, window: MainWindow, instance: Instance) -> None:
    await STATES[state](window, instance)
    await settle()
    window.resize(800, 600)
    await settle()
    assert window.width() == 800
    tools = window.rooms.page.console.chips
    assert all(chip.width() >= chip.sizeHint().width() for chip in tools.values() if chip.isVisible())
    menu = window.toolbar.menu_button
    assert menu.isVisible()
    assert menu.mapTo(window, menu.rect().bottomRight()).x() < 800
    finder = window.toolbar.finder.width()
    window.shell.toasts.clear()
    agent = instance.add_agent("an-agent-with-a-name-of-some-length")
    agent.running, agent.current_tab = 1, "t1"
    instance.clients.changed.emit(agent)
    await until(window.toolbar.driving.isVisible, "who is driving")
    await settle()
    assert window.toolbar.finder.width() == finder, "it keeps its size"
    assert menu.isVisible()


@on_qt_loop
async def test_a_chip_that_hides_lines_never_goes(window: MainWindow, instance: Instance) -> None:
    fill(instance)
    await settle()
    chips = window.rooms.page.console.chips
    window.resize(800, 600)
    await settle()
    assert not chips["debug"].isVisible()
    window.resize(1400, 800)
    await settle()
    chips["debug"].setChecked(False)
    window.resize(800, 600)
    await settle()
    assert chips["debug"].isVisible()


@on_qt_loop
async def test_a_dock_that_floats_has_a_frame_and_can_be_put_back_and_closed(
    window: MainWindow, instance: Instance
) -> None:
    dock = window.shell.docks["agents"]
    buttons = {found.accessibleName(): found for found in dock.titleBarWidget().findChildren(QToolButton)}
    back, close = buttons["Put Agents back"], buttons["Close Agents"]
    assert not back.isVisible()
    dock.setFloating(True)
    dock.resize(400, 240)
    await settle()
    image = dock.grab().toImage()
    frame = window.shell.theme.color("text_muted").rgb()
    corners = [(0, 120), (399, 120), (200, 0), (200, 239)]
    assert [image.pixel(x, y) for x, y in corners] == [frame] * 4
    back.click()
    assert not dock.isFloating()
    assert not close.isVisible()
    dock.setFloating(True)
    close.click()
    assert not dock.isVisible()


@pytest.mark.parametrize("size", [QSize(1440, 900), QSize(1000, 700)])
def test_the_agents_begin_where_the_console_does(size: QSize, window: MainWindow) -> None:
    window.resize(size)
    window.reset_layout()
    QApplication.processEvents()
    docks = window.shell.docks
    assert docks["agents"].y() == docks["console"].y() == docks["history"].y()


@on_qt_loop
async def test_another_look_takes_nothing_from_the_middle_of_a_small_window(
    window: MainWindow, instance: Instance
) -> None:
    window.resize(800, 500)
    await settle()
    await STATES["busy"](window, instance)
    await settle()
    before = window.shell.middle.size()
    for mode in ("light", "dark"):
        window.shell.theme.set_mode(mode)
        await settle()
        assert window.shell.middle.size() == before
