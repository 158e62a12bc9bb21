"""Toasts, toolbar, tabs, agents, screenshots, history: what each says and asks for."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.core.wire.protocol import Response
from kapture_panel.window.agents import activity
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.flow_layout import FlowLayout
from kapture_panel.window.widgets.label import ElidedLabel, Label
from kapture_panel.window.widgets.roles import DETAIL, PILL
from kapture_panel.window.widgets.theme import Theme
from kapture_panel.window.widgets.toasts import MAX_SHOWN, Toast, Toasts
from tests.support.window.fakes import Instance, failed, ok, png
from tests.support.window.qt_loop import on_qt_loop, settle, until


def texts(toasts: Toasts) -> list[str]:
    return [toast.accessibleName() for toast in toasts.shown]


@pytest.fixture
def toasts(theme: Theme, qtbot: QtBot) -> Toasts:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(1200, 800)
    host.show()
    made = Toasts(host, theme)
    made.setProperty("host", host)
    return made


def test_an_error_stays_and_the_rest_goes(toasts: Toasts, qtbot: QtBot) -> None:
    toasts.tell("Copied", tone="ok")
    toasts.tell("Failed", "why", "error")
    note, error = toasts.shown
    for toast in (note, error):
        QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))  # wherever an earlier test left the cursor
    assert (note.life.isActive(), error.life.isActive()) == (True, False)
    note.life.setInterval(1)
    note.life.start()
    qtbot.waitUntil(lambda: len(toasts.shown) == 1)
    assert texts(toasts) == ["Failed: why"]
    close = error.findChild(QToolButton)
    assert isinstance(close, QToolButton)
    close.click()
    qtbot.waitUntil(toasts.isHidden)


def test_the_same_message_is_counted_not_stacked(toasts: Toasts) -> None:
    for _ in range(3):
        toasts.tell("Failed", "why", "error")
    assert len(toasts.shown) == 1
    assert "×3" in toasts.shown[0].title


def test_there_are_never_too_many_and_errors_outlive_notes(toasts: Toasts) -> None:
    toasts.tell("Bad", "", "error")
    for number in range(10):
        toasts.tell(f"Note {number}")
    assert len(toasts.shown) == MAX_SHOWN
    assert texts(toasts)[0].startswith("Bad")


def test_no_error_is_lost_when_there_are_many(toasts: Toasts, qtbot: QtBot) -> None:
    for number in range(MAX_SHOWN + 2):
        toasts.tell(f"Bad {number}", "", "error")
    toasts.tell("Just a note")
    read: list[str] = []
    while toasts.shown:
        first = toasts.shown[0]
        read.append(first.title)
        with qtbot.waitSignal(first.destroyed):
            first.close()
    assert read == [*(f"Bad {number}" for number in range(MAX_SHOWN + 2)), "Just a note"]


def test_an_error_that_waited_for_room_keeps_its_button(toasts: Toasts, qtbot: QtBot) -> None:
    done: list[str] = []
    for number in range(MAX_SHOWN):
        toasts.tell(f"Bad {number}", "", "error")
    toasts.tell("Late", "", "error", action=("Mend", lambda: done.append("mended")))
    first = toasts.shown[0]
    with qtbot.waitSignal(first.destroyed):
        first.close()
    (late,) = [toast for toast in toasts.shown if toast.title == "Late"]
    next(button for button in late.findChildren(QPushButton) if button.text() == "Mend").click()
    assert done == ["mended"]


def test_messages_take_no_focus_and_no_markup(toasts: Toasts, qtbot: QtBot) -> None:
    toasts.tell("<b>bold</b>\u202e", "<img src=x>", "error")
    assert toasts.shown[0].title == "<b>bold</b>"
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in toasts.shown[0].findChildren(Label))
    assert QApplication.focusWidget() is None or not isinstance(QApplication.focusWidget(), Toast)


def test_messages_stay_in_the_corner_when_the_window_changes(toasts: Toasts, qtbot: QtBot) -> None:
    toasts.tell("One", "two", "error")
    host = toasts.parentWidget()
    assert isinstance(host, QWidget)
    host.resize(500, 400)
    assert host.rect().contains(toasts.geometry())


@on_qt_loop
async def test_the_toolbar_tells_who_is_driving(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "LINGER_S", 60.0)
    tab = instance.add_tab("t1", "Checkout <b>")
    agent = instance.add_agent()
    assert not window.toolbar.driving.isVisible()
    await instance.router.run(agent, "click", {"selector": "#a", "tabId": tab.tab_id})
    await until(window.toolbar.driving.isVisible)
    assert window.toolbar.driving.text() == "● claude-code is driving “Checkout <b>”"
    assert "claude-code" in window.tray.tooltip
    monkeypatch.setattr(activity, "LINGER_S", 0.05)
    await until(lambda: not window.toolbar.driving.isVisible())
    assert window.tray.tooltip == "Kapture Panel"


@on_qt_loop
async def test_the_person_is_not_announced_as_driving(window: MainWindow, instance: Instance) -> None:
    tab = instance.add_tab()
    await instance.router.run(instance.person, "click", {"selector": "#a", "tabId": tab.tab_id})
    await settle()
    assert not window.toolbar.driving.isVisible()


@on_qt_loop
async def test_a_tab_says_its_site_and_how_long_its_last_command_took(window: MainWindow, instance: Instance) -> None:
    tab = instance.add_tab("t1", "Checkout", "https://shop.example/x")
    instance.tabs.update(tab, last_ms=12.0, driver="codex")
    index = window.rooms.tabs.view.list.model().index(0, 0)
    assert index.data(DETAIL) == "shop.example"
    assert "last command took 12 ms" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert index.data(PILL) == ("codex", "neutral")
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Checkout, codex, connected, shop.example, last command took 12 ms, connected now, Panel's browser"


@on_qt_loop
async def test_the_plus_opens_a_tab_and_chooses_it(window: MainWindow, instance: Instance) -> None:
    assert window.rooms.tabs.view.add.isHidden()
    instance.add_tab("t1", "One")

    async def opens(_command: str, _params: dict[str, Any]) -> Response:
        instance.add_tab("t2", "Two")
        return ok({"tabId": "t2", "url": "about:blank"})

    instance.executor.answers["new_tab"] = opens
    window.rooms.tabs.view.add.click()
    await until(
        lambda: window.rooms.tabs.current is not None and window.rooms.tabs.current.tab_id == "t2", "the new tab chosen"
    )


@on_qt_loop
async def test_tabs_of_a_browser_that_are_not_connected_are_listed_by_site_and_connected(
    window: MainWindow, instance: Instance
) -> None:
    unconnected = window.rooms.tabs.view.unconnected
    assert unconnected.isHidden()
    instance.paired.add("one", "ab" * 32, "Google Chrome 156")
    instance.paired.see("one", is_here=True)
    assert unconnected.isHidden(), "asking would start the panel's own browser"
    instance.add_tab("t1", "One")
    assert unconnected.isVisible()
    tabs = [
        {"browserTabId": 1, "connected": True, "tabId": "t1", "title": "One"},
        {"browserTabId": 2, "connected": False, "host": "mail.<b>example\u202e"},
        {"browserTabId": 3, "connected": False, "host": ""},
        {"browserTabId": 4, "connected": False, "host": "bank.example"},
    ]
    instance.executor.answers["list_browser_tabs"] = ok({"tabs": tabs})
    assert instance.executor.sent == [], "it was asked before the person wanted to know"
    unconnected.choose.click()
    await until(lambda: unconnected.model.rowCount() == 2)
    assert [unconnected.model.index(row).data() for row in range(2)] == ["mail.<b>example", "bank.example"]
    assert unconnected.list.hasFocus()
    assert list(instance.history.rows()) == [], "looking is not doing"

    async def connects(_command: str, params: dict[str, Any]) -> Response:
        instance.add_tab("t4", "Bank")
        return ok({"tabId": "t4", "url": "https://bank.example/", "title": "Bank"})

    instance.executor.answers["connect_tab"] = connects
    unconnected.list.setCurrentIndex(unconnected.model.index(1))
    QTest.keyClick(unconnected.list, Qt.Key.Key_Return)
    await until(
        lambda: window.rooms.tabs.current is not None and window.rooms.tabs.current.tab_id == "t4", "the tab connected"
    )
    assert instance.executor.sent[-1][2]["browserTabId"] == 4
    assert unconnected.model.rowCount() == 1
    instance.paired.see("one", is_here=False)
    assert unconnected.isHidden()


def test_the_buttons_of_the_toolbar_have_words_where_there_is_room(window: MainWindow, qtbot: QtBot) -> None:
    buttons = [one for one in window.toolbar.findChildren(QToolButton) if one.menu() is not None]
    for width, style in (
        (1440, Qt.ToolButtonStyle.ToolButtonTextBesideIcon),
        (1000, Qt.ToolButtonStyle.ToolButtonIconOnly),
    ):
        window.resize(width, 800)
        qtbot.waitUntil(lambda width=width: window.toolbar.width() == width)  # type: ignore[misc]
        assert [one.text() for one in buttons] == ["Theme", "Mouse", "Menu"]
        assert all(one.toolButtonStyle() == style and one.toolTip() for one in buttons)


@pytest.mark.parametrize("size", [QSize(1440, 900), QSize(1000, 700)])
@on_qt_loop
async def test_messages_cover_nothing_that_could_be_pressed(
    size: QSize, window: MainWindow, instance: Instance
) -> None:
    window.resize(size)
    window.reset_layout()
    instance.add_tab()
    window.shell.toasts.tell("Saving failed", "The disk is full.", "error")
    window.shell.toasts.tell("History exported", "8 rows", "ok", action=("Open folder", lambda: None))
    await settle()
    assert window.shell.toasts.isVisible()
    assert not window.shell.toasts.geometry().intersects(window.shell.middle.geometry()), "the answer stays in sight"

    def pressed() -> list[str]:
        over = window.shell.toasts.geometry()
        buttons = [one for one in window.findChildren(QAbstractButton) if one.isVisible() and one.window() is window]
        return [
            one.accessibleName() or one.text()
            for one in buttons
            if not window.shell.toasts.isAncestorOf(one)
            and over.intersects(QRect(one.mapTo(window, QPoint()), one.size()))
        ]

    assert pressed() == []
    for number in range(4):
        window.shell.toasts.tell(f"Export {number} failed", "The disk is full.", "error")
    await settle()
    assert pressed() == [], "the errors there is no room for wait"
    window.shell.docks["console"].hide()
    await settle()
    assert pressed() == []


@on_qt_loop
async def test_the_configuration_of_an_agent_is_shown_whole_or_not_at_all(
    window: MainWindow, instance: Instance
) -> None:
    window.shell.leave_page()
    config = window.rooms.agents.view.config
    for size, is_shown in ((QSize(1440, 1000), True), (QSize(1000, 640), False)):
        window.resize(size)
        window.reset_layout()
        await settle()
        assert config.isVisible() == is_shown
        assert not is_shown or config.verticalScrollBar().maximum() == 0


@on_qt_loop
async def test_the_first_tab_is_chosen_and_the_choice_survives_the_others(
    window: MainWindow, instance: Instance
) -> None:
    assert window.rooms.tabs.current is None
    assert window.rooms.tabs.view.start_button.isVisible()
    first, second = instance.add_tab("t1", "One"), instance.add_tab("t2", "Two")
    assert window.rooms.tabs.current is first
    assert not window.rooms.tabs.view.start_button.isVisible()
    window.rooms.tabs.choose("t2")
    instance.tabs.remove(first)
    assert window.rooms.tabs.current is second
    instance.tabs.remove(second)
    assert window.rooms.tabs.current is None
    assert not window.rooms.tabs.choose("gone")


@on_qt_loop
async def test_the_command_header_follows_the_title_of_the_tab(window: MainWindow, instance: Instance) -> None:
    tab = instance.add_tab("t1", "Old")
    instance.tabs.update(tab, title="New \u202etitle")
    await until(lambda: window.rooms.command.view.title_bar.word == "Navigate on “New title”")


@on_qt_loop
async def test_the_menu_of_a_tab_acts_through_the_router(window: MainWindow, instance: Instance) -> None:
    tab = instance.add_tab("t1", "One", "http://x/y")
    menu = window.rooms.tabs.view.menu_for(tab)
    actions = {action.text(): action for action in menu.actions() if action.text()}
    actions["Copy address"].trigger()
    assert QApplication.clipboard().text() == "http://x/y"
    actions["Copy tabId"].trigger()
    assert QApplication.clipboard().text() == "t1"
    actions["Reload"].trigger()
    await until(lambda: instance.executor.sent != [])
    assert instance.executor.sent[-1][:2] == ("t1", "kapturemcp_reload")
    assert instance.history.rows()[0].kind == "person"
    instance.executor.answers["close_tab"] = failed("TAB_CRASHED", "it is gone")
    actions["Close tab"].trigger()
    await until(lambda: any("Close tab failed: TAB_CRASHED" in text for text in texts(window.shell.toasts)))


def test_with_no_agent_the_configuration_can_be_copied(window: MainWindow, instance: Instance) -> None:
    buttons = [one for one in window.rooms.agents.view.findChildren(QPushButton) if one.isVisible()]
    button = next(one for one in buttons if one.text() == "Copy MCP config")
    button.click()
    assert QApplication.clipboard().text() == instance.backend.mcp_config
    shown = window.rooms.agents.view.findChild(QPlainTextEdit)
    assert isinstance(shown, QPlainTextEdit)
    assert shown.toPlainText() == instance.backend.mcp_config
    agent = instance.add_agent()
    assert not button.isVisible()
    instance.clients.remove(agent)
    assert button.isVisible()


def test_opening_a_thumbnail_opens_the_lightbox(window: MainWindow, instance: Instance, qtbot: QtBot) -> None:
    instance.shots.add(png(), name="one", tab_id="t1", format="png", width=40, height=20)
    view = window.rooms.shots.view.view
    view.setCurrentIndex(view.model().index(0, 0))
    before = set(QApplication.topLevelWidgets())
    view.activated.emit(view.currentIndex())
    fresh = [widget for widget in set(QApplication.topLevelWidgets()) - before if widget.isVisible()]
    assert [widget.windowTitle() for widget in fresh] == ["one – Kapture Panel"]
    for widget in fresh:
        widget.close()


def test_a_flow_wraps_and_what_expands_fills_its_line(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    flow = FlowLayout(10, 5)
    for width in (100, 100):
        part = QWidget()
        part.setFixedSize(width, 20)
        flow.addWidget(part)
    greedy = QPlainTextEdit()
    greedy.setMinimumWidth(60)
    greedy.setFixedHeight(20)
    flow.addWidget(greedy)
    host.setLayout(flow)
    host.resize(400, 100)
    host.show()
    assert greedy.geometry().topLeft() == QPoint(220, 0)
    assert greedy.width() == 180
    host.resize(230, 100)
    qtbot.waitUntil(lambda: greedy.geometry().topLeft() == QPoint(0, 25))
    assert flow.heightForWidth(120) == 70


def test_an_elided_label_shows_all_in_its_tooltip_only_when_it_is_cut(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.resize(400, 20)
    label.show()
    label.show_line("short")
    assert label.toolTip() == ""
    label.show_line("<b>long</b> " * 40)
    assert "&lt;b&gt;long" in label.toolTip()
