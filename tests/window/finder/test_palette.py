"""The palette by its keys: find, open, run, close, and leave the focus where it was."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.core.wire.protocol import Response
from kapture_panel.window.finder.finds import fitting
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.roles import ITEM
from tests.support.window.fakes import Instance, ok
from tests.support.window.qt_loop import on_qt_loop, until

CTRL = Qt.KeyboardModifier.ControlModifier
K = Qt.Key


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(focused(), key, modifiers)


def rows(window: MainWindow) -> list[str]:
    model = window.rooms.finder.view.list.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def find(window: MainWindow, query: str) -> None:
    if window.rooms.finder.view.isHidden():
        press(K.Key_K, CTRL)
    window.rooms.finder.view.edit.clear()
    QTest.keyClicks(focused(), query)


@pytest.fixture
def panel(window: MainWindow, qtbot: QtBot) -> MainWindow:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.rooms.command.view.list.filter.setFocus()
    return window


def test_ctrl_k_opens_it_from_any_field_and_escape_goes_back(panel: MainWindow) -> None:
    for field in (
        panel.rooms.command.view.list.filter,
        panel.rooms.command.view.list.list,
        panel.rooms.page.console.filter,
        panel.rooms.history.view.table,
    ):
        field.setFocus()
        press(K.Key_K, CTRL)
        assert panel.rooms.finder.view.isVisible()
        assert focused() is panel.rooms.finder.view.edit
        press(K.Key_Escape)
        assert panel.rooms.finder.view.isHidden()
        assert focused() is field
    panel.rooms.command.view.list.choose("kapturemcp_evaluate")
    panel.rooms.command.view.params.focus_first()
    code = focused()
    press(K.Key_K, CTRL)
    assert panel.rooms.finder.view.isVisible()
    press(K.Key_K, CTRL)
    assert panel.rooms.finder.view.isHidden()
    assert focused() is code


def test_it_blocks_nothing_and_closes_when_one_goes_elsewhere(panel: MainWindow) -> None:
    press(K.Key_K, CTRL)
    assert QApplication.activeModalWidget() is None
    assert QApplication.activePopupWidget() is None
    panel.rooms.page.console.filter.setFocus()
    assert panel.rooms.finder.view.isHidden()
    assert focused() is panel.rooms.page.console.filter


def test_every_command_and_every_action_is_in_it(panel: MainWindow, instance: Instance, qtbot: QtBot) -> None:
    instance.add_tab("t1", "Checkout \u202e<b>")
    qtbot.waitUntil(panel.shell.actions["shoot"].isEnabled)
    press(K.Key_K, CTRL)
    shown = rows(panel)
    assert {command.title for command in instance.catalogue} <= set(shown)
    hidden = {"Find a command, tab or action", "Show panel"}
    # Nothing runs, nothing was answered, no row is chosen, and no agent drives the tab.
    idle = {"Cancel the running command", "Search in the result", "Copy call or answer", "Run the chosen row again",
            "Forget this agent"}  # fmt: skip
    # With a tab there is a browser.
    other = {"Pick the target in the page", "Start browser"}
    assert {one.title for one, _ in panel.shell.actions} - set(shown) - other == hidden | idle
    assert "Show browser" in shown
    assert {"Run the command", "Save as a template", "Copy the chosen lines", "Record pictures"} <= set(shown)
    assert "Checkout <b>" in shown


def test_enter_opens_the_form_of_a_command(panel: MainWindow) -> None:
    find(panel, "clik")
    assert rows(panel)[0] == "Click"
    press(K.Key_Return)
    assert panel.rooms.finder.view.isHidden()
    assert panel.rooms.command.view.command.short_name == "click"
    assert panel.rooms.command.view.params.isAncestorOf(focused())


@on_qt_loop
async def test_ctrl_enter_runs_a_command_that_needs_nothing(window: MainWindow, instance: Instance) -> None:
    window.activateWindow()
    await until(window.isActiveWindow)
    window.rooms.command.view.list.filter.setFocus()
    tab = instance.add_tab()
    instance.executor.answers["snapshot"] = ok({"text": "- button"})
    find(window, "snapshot")
    press(K.Key_Return, CTRL)
    await until(lambda: instance.executor.sent != [] and window.rooms.command.view.task is None)
    assert instance.executor.sent[0][:2] == (tab.tab_id, "kapturemcp_snapshot")
    find(window, "navigate")
    assert "runs it at once" not in window.rooms.finder.view.hint.text()
    press(K.Key_Return, CTRL)
    assert window.rooms.finder.view.isVisible()  # it needs an address: nothing is run, nothing is closed
    assert len(instance.executor.sent) == 1


def test_an_action_is_done(panel: MainWindow, instance: Instance) -> None:
    find(panel, "copy mcp")
    press(K.Key_Enter)
    assert QApplication.clipboard().text() == instance.backend.mcp_config
    assert focused() is panel.rooms.command.view.list.filter
    find(panel, "hide console")
    press(K.Key_Return)
    assert panel.shell.docks["console"].isHidden()


def test_a_tab_is_chosen(panel: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1", "Checkout")
    instance.add_tab("t2", "Inbox")
    find(panel, "inbox")
    press(K.Key_Return)
    assert panel.rooms.tabs.view.current is instance.tabs.get("t2")
    assert instance.settings.get("palette.recent") is None  # what is open is nobody's business later


def test_what_was_used_last_comes_first(panel: MainWindow, instance: Instance) -> None:
    for query in ("hover", "screenshot"):
        find(panel, query)
        press(K.Key_Return)
    press(K.Key_K, CTRL)
    assert rows(panel)[:2] == ["Screenshot", "Hover"]
    assert instance.settings.get("palette.recent") == ["command:kapturemcp_screenshot", "command:kapturemcp_hover"]
    instance.settings.set("palette.recent", "damaged")
    assert panel.rooms.finder.view.recent == []


def test_the_arrows_go_round_and_pages_do_not(panel: MainWindow) -> None:
    press(K.Key_K, CTRL)
    last = len(rows(panel)) - 1

    def row() -> int:
        return panel.rooms.finder.view.list.currentIndex().row()

    for key, expected in ((K.Key_Up, last), (K.Key_Down, 0), (K.Key_PageDown, 11), (K.Key_PageUp, 0)):
        press(key)
        assert row() == expected
    assert panel.rooms.finder.view.edit.accessibleDescription() == "Keyboard shortcuts, Panel, F1"
    press(K.Key_Tab)
    assert focused() is panel.rooms.finder.view.edit


def test_nothing_found_says_so_and_does_nothing(panel: MainWindow) -> None:
    find(panel, "qqqq")
    assert panel.rooms.finder.view.nothing.isVisible()
    press(K.Key_Return)
    assert panel.rooms.finder.view.isVisible()


def test_a_click_on_a_row_takes_it(panel: MainWindow) -> None:
    find(panel, "hover")
    view = panel.rooms.finder.view.list
    assert view.currentIndex().data(ITEM).find.words == "Hover"
    at = view.visualRect(view.currentIndex()).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert panel.rooms.command.view.command.short_name == "hover"


def test_it_fits_into_a_small_window(panel: MainWindow) -> None:
    panel.resize(700, 480)
    press(K.Key_K, CTRL)
    assert panel.rect().contains(panel.rooms.finder.view.geometry())
    panel.resize(900, 600)
    assert panel.rect().contains(panel.rooms.finder.view.geometry())
    panel.toolbar.finder.click()
    assert panel.rooms.finder.view.isHidden()


@on_qt_loop
async def test_what_a_part_does_is_done_from_here_too(window: MainWindow, instance: Instance) -> None:
    window.activateWindow()
    await until(window.isActiveWindow)
    window.rooms.command.view.list.filter.setFocus()
    tab = instance.add_tab()
    window.rooms.command.view.list.choose("kapturemcp_snapshot")
    for query, title in (("run the command", "Run the command"), ("record pic", "Record pictures")):
        find(window, query)
        assert rows(window)[0] == title
        press(K.Key_Return)
    await until(lambda: instance.executor.sent != [] and window.rooms.command.view.task is None)
    assert instance.executor.sent[0][:2] == (tab.tab_id, "kapturemcp_snapshot")
    assert window.rooms.history.view.options.record.isChecked()
    press(K.Key_K, CTRL)
    assert {"Search in the result", "Copy call or answer"} <= set(rows(window))
    press(K.Key_Escape)
    window.rooms.command.view.list.choose("kapturemcp_click")
    find(window, "pick the target")
    press(K.Key_Return)
    await until(lambda: hasattr(instance, "picked"), "the picking")


def test_what_was_typed_as_it_is_comes_before_letters_here_and_there(window: MainWindow) -> None:
    words = [hit.find.words for hit in fitting("shot", window.rooms.finder.finds(), ())]
    assert "Show or hide tabs" in words
    assert all("shot" in one.lower() for one in words[: words.index("Show or hide tabs")])
    assert words.index("Screenshot") < words.index("Show or hide tabs")


@on_qt_loop
async def test_other_words_for_a_thing_find_it_first(window: MainWindow, instance: Instance) -> None:
    window.activateWindow()
    await instance.executor.open_browser()
    running = asyncio.Event()

    async def forever(_command: str, _params: dict[str, Any]) -> Response:
        running.set()
        await asyncio.Event().wait()
        raise AssertionError

    instance.executor.answers["reload"] = forever
    window.rooms.command.view.list.choose("kapturemcp_reload")
    window.rooms.command.view.run()
    await running.wait()
    window.rooms.finder.view.open()
    wanted = {
        "stop": {"Cancel the running command", "Close browser", "Quit Kapture Panel", "Close tab"},
        "disconnect": {"Your browsers", "Go to agents", "Close tab"},
        "quit": {"Quit Kapture Panel", "Close browser"},
        "save": {"Save as a template", "Save console lines", "Export history"},
        "picture": {"Screenshot", "Record pictures"},
        "javascript": {"Run code"},
    }
    for query, words in wanted.items():
        window.rooms.finder.view.edit.setText(query)
        assert words <= set(rows(window)[: len(words) + 4]), query
    window.rooms.finder.view.edit.setText("fill")
    assert rows(window)[:2] == ["Fill a field", "Fill form"]
    # Before letters that are found here and there.
    window.rooms.finder.view.edit.setText("stop")
    assert set(rows(window)[:6]) == wanted["stop"] | {"Wait", "Pause or resume agents"}
    window.rooms.command.view.cancel()
    await until(lambda: window.rooms.command.view.task is None)


def test_a_dock_that_was_hidden_says_so_and_comes_back(panel: MainWindow) -> None:
    toggle = panel.shell.actions["dock_tabs"]
    toggle.trigger()
    assert panel.shell.docks["tabs"].isHidden()
    (toast,) = panel.shell.toasts.shown
    assert toast.title == "Tabs hidden"
    (show,) = [button for button in toast.findChildren(QPushButton) if button.text() == "Show"]
    show.click()
    assert panel.shell.docks["tabs"].isVisible()
    panel.shell.toasts.clear()
    toggle.trigger()
    panel.shell.toasts.clear()
    QApplication.processEvents()
    toggle.trigger()  # shown: one sees that
    panel.rooms.welcome.show()
    panel.shell.leave_page()
    assert [one.title for one in panel.shell.toasts.shown if not one.isHidden()] == []
