"""The tabs by their browsers: named, shown there, shared no more."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtTest import QAbstractItemModelTester, QSignalSpy
from PySide6.QtWidgets import QApplication, QLabel, QListView

from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets import paint
from kapture_panel.window.widgets.roles import ASIDE, DETAIL, HEADING, PILL, UNCUT
from kapture_panel.window.widgets.theme import Theme
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle, until
from tests.support.window.states import own_tab


def rows(window: MainWindow) -> list[tuple[str, str | None]]:
    """Each row's title and what stands above it."""
    model = window.rooms.tabs.view.list.model()
    return [(model.index(row, 0).data(), model.index(row, 0).data(HEADING)) for row in range(model.rowCount())]


def is_inked(tabs: QListView, part: QRect) -> bool:
    """Whether something is written there."""
    image = tabs.viewport().grab(part).toImage()
    return len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}) > 1


def test_tabs_stand_under_their_browser_whose_name_a_person_knows(window: MainWindow, instance: Instance) -> None:
    model = window.rooms.tabs.view.list.model()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    instance.add_tab("t1", "Checkout")
    instance.add_tab("t2", "Search")
    assert rows(window) == [("Checkout", None), ("Search", None)], "nothing but the panel's own needs no heading"
    mail = own_tab(instance, "p1", "Mail", "work")
    own_tab(instance, "p2", "News", "home")
    own_tab(instance, "p3", "Bank", "work")
    agents = Tab("a1", "https://a.example", "Of an agent", "other", managed=True, session="s1", driver="codex")
    instance.tabs.add(agents)
    instance.add_tab("t3", "Cart")
    assert rows(window) == [
        ("Checkout", "Panel's browser"),
        ("Search", None),
        ("Cart", None),
        ("Mail", "Google Chrome"),
        ("Bank", None),
        ("News", "Google Chrome (2)"),
        ("Of an agent", "codex's own browser"),
    ]
    instance.tabs.remove(mail)
    assert rows(window)[3] == ("Bank", "Google Chrome"), "the name stays"
    assert tester.model() is model


def test_the_time_stands_at_the_right_edge_and_is_never_cut(window: MainWindow, instance: Instance) -> None:
    tab = instance.add_tab("t1", "Checkout", "https://a-rather-long-name-of-a-site.shop.example/x")
    tab.connected_at -= 21 * 60
    tab.last_ms = 12.0
    index = window.rooms.tabs.view.list.model().index(0, 0)
    assert (index.data(ASIDE), index.data(DETAIL)) == ("21 min", "a-rather-long-name-of-a-site.shop.example")
    assert "last command took 12 ms" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert "connected for 21 min" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert "connected for 21 min, Panel's browser" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    tabs = window.rooms.tabs.view.list
    tabs.resize(170, 200)
    row = tabs.visualRect(index)
    assert is_inked(tabs, QRect(row.right() - 17, row.top() + 26, 9, 18)), "nothing is written at the right edge"


@on_qt_loop
async def test_a_tab_is_shown_in_its_browser(window: MainWindow, instance: Instance) -> None:
    view = window.rooms.tabs.view
    assert view.show_button.isHidden()
    instance.add_tab("t1")
    await settle()
    view.show_button.click()
    assert (instance.shown, instance.executor.sent) == ([instance.tabs.get("t1")], [])


@on_qt_loop
async def test_a_tab_of_the_persons_browser_is_disconnected_by_a_button_in_sight(
    window: MainWindow, instance: Instance
) -> None:
    view = window.rooms.tabs.view
    instance.add_tab("t1")
    own_tab(instance, "p1", "Mail", "work")
    view.choose("t1")
    assert view.disconnect_button.isHidden(), "all tabs of the panel's browser are connected"
    assert "Disconnect" not in [action.text() for action in view.menu_for(instance.tabs.get("t1")).actions()]
    view.choose("p1")
    assert view.disconnect_button.isVisible()
    assert "Disconnect" in [action.text() for action in view.menu_for(instance.tabs.get("p1")).actions()]
    view.disconnect_button.click()
    await until(lambda: instance.tabs.find("p1") is None)
    assert instance.executor.sent == []
    assert isinstance(view.list, QListView)


@on_qt_loop
async def test_who_holds_a_tab_comes_first_in_its_row_and_is_in_the_tooltip(
    window: MainWindow, instance: Instance
) -> None:
    tab = instance.add_tab("t1")
    tab.connected_at -= 3 * 3600 + 5
    instance.core.gates.leases.give(instance.add_agent("a-test-agent-at-work"), "t1")
    index = window.rooms.tabs.view.list.model().index(0, 0)
    held = "held by a-test-agent-at-work"
    assert str(index.data(DETAIL)).startswith(f"{held} · ")
    assert (index.data(UNCUT), index.data(ASIDE)) == (held, "3 h")
    tabs = window.rooms.tabs.view.list
    for width, is_written in ((320, True), (190, False)):
        tabs.resize(width, 200)
        before = tabs.viewport().grab().toImage()
        tab.connected_at -= 3600
        assert (tabs.viewport().grab().toImage() != before) is is_written, width
    assert held in index.data(Qt.ItemDataRole.ToolTipRole).splitlines()


@on_qt_loop
async def test_a_tab_that_the_person_took_names_no_other_holder(window: MainWindow, instance: Instance) -> None:
    instance.tabs.update(instance.add_tab("t1"), driver="cursor")
    index = window.rooms.tabs.view.list.model().index(0, 0)
    assert index.data(PILL) == ("cursor", "neutral")
    instance.core.gates.leases.give(instance.person, "t1")
    assert index.data(UNCUT) == f"held by {instance.person.name}"
    assert index.data(PILL) is None
    assert "cursor" not in index.data(Qt.ItemDataRole.AccessibleTextRole)
    instance.tabs.update(instance.tabs.get("t1"), state="executing")
    assert index.data(PILL) == ("cursor", "driving"), "what an agent began before still goes on"


def test_a_blank_tab_is_called_new_wherever_it_is_named(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1", "about:blank", "about:blank")
    index = window.rooms.tabs.view.list.model().index(0, 0)
    assert (index.data(), index.data(DETAIL)) == ("New tab", "blank page")
    assert "about:blank" not in index.data(Qt.ItemDataRole.ToolTipRole)
    window.rooms.tabs.choose("t1")
    assert "Navigate on “New tab”" in [label.text() for label in window.findChildren(QLabel)]
    assert "about:blank" not in window.rooms.page.console.tab.itemText(1)


def test_the_list_of_tabs_is_as_high_as_its_rows(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    instance.add_tab("t2")
    view = window.rooms.tabs.view
    tabs = view.list
    QApplication.processEvents()
    assert tabs.height() == 2 * tabs.sizeHintForRow(0) + 2 * tabs.frameWidth() < view.height()
    assert not tabs.verticalScrollBar().maximum()


@pytest.mark.parametrize(("width", "is_beside"), [(330, True), (180, False)])
def test_the_pills_of_a_list_stand_all_on_the_same_line(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch, width: int, is_beside: bool
) -> None:
    lines: list[bool] = []
    tabs = window.rooms.tabs.view.list
    for number, title in enumerate(("Inbox", "Checkout of the corner shop")):
        instance.tabs.update(instance.add_tab(f"t{number}", title), state="dialog")
    first, second = 16, 34

    def on_pill(_painter: QPainter, _theme: Theme, _right: int, y: int, *_more: Any) -> int:
        lines.append(y % tabs.sizeHintForRow(0) == first)
        assert y % tabs.sizeHintForRow(0) in (first, second)
        return 0

    monkeypatch.setattr(paint, "pill", on_pill)
    tabs.resize(width, 200)
    tabs.viewport().grab()
    assert lines == [is_beside] * 2


@on_qt_loop
async def test_the_second_line_gives_way_to_who_drives_where_the_title_needs_the_first(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: dict[str, QRect] = {}
    pills: list[tuple[int, int]] = []
    line, pill = paint.line, paint.pill

    def on_line(painter: QPainter, room: QRect, text: str, *more: Any) -> None:
        written[text] = QRect(room)
        line(painter, room, text, *more)

    def on_pill(painter: QPainter, theme: Theme, right: int, y: int, *more: Any) -> int:
        width = pill(painter, theme, right, y, *more)
        pills.append((right - width, y))
        return width

    monkeypatch.setattr(paint, "line", on_line)
    monkeypatch.setattr(paint, "pill", on_pill)
    tab = instance.add_tab("t1", "Checkout of the corner shop")
    tab.connected_at -= 21 * 60
    instance.tabs.update(tab, state="executing", driver="claude-code", last_ms=12.0)
    await settle()
    tabs = window.rooms.tabs.view.list
    row, title, detail = tabs.visualRect(tabs.model().index(0, 0)), tab.title, tab.site
    for width, is_beside in ((330, True), (180, False)):
        tabs.resize(width, 200)
        written.clear()
        pills.clear()
        tabs.viewport().grab()
        ((left, y),) = pills
        edge = tabs.viewport().width() - 10
        assert (y < row.center().y()) is is_beside
        assert written[title].center().y() < row.center().y() < written[detail].center().y()
        assert written[title].right() + 8 <= left if is_beside else written[title].right() >= edge - 2
        assert written[detail].right() < (written["21 min"].left() if is_beside else left)
        assert ("21 min" in written) is is_beside


@on_qt_loop
async def test_the_chosen_tab_is_told_again_when_it_changes_and_for_no_other(
    window: MainWindow, instance: Instance
) -> None:
    instance.add_tab("t1")
    instance.add_tab("t2")
    view = window.rooms.tabs.view
    view.choose("t1")
    await settle()
    told, changed = QSignalSpy(view.chosen), QSignalSpy(view.list.model().dataChanged)
    instance.tabs.update(instance.tabs.get("t2"), state="executing", driver="claude-code")
    await until(lambda: changed.count() == 1)
    window.rooms.tabs.rows._tell_all()  # the time since they connected
    assert (changed.count(), told.count()) == (2, 0)
    instance.tabs.update(instance.tabs.get("t1"), state="executing", driver="claude-code")
    await until(told.count)
    assert told.at(0)[0] is instance.tabs.get("t1")
