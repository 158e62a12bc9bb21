"""All tabs at a glance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kapture_panel.core.gates.approvals import Ask, Scene
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.watch.grid_model import GridModel
from kapture_panel.window.watch.grid_view import GridView
from kapture_panel.window.watch.live_grid import EVERY_MS
from kapture_panel.window.widgets.roles import DETAIL, ITEM, PILL, Index
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle, until
from tests.support.window.watching import picture, row_of


async def at_a_glance(window: MainWindow, instance: Instance, number: int = 3) -> GridView:
    """Tabs t1, t2 … that are all looked at."""
    for at in range(1, number + 1):
        instance.add_tab(f"t{at}", f"Page {at}")
    await settle()
    window.activateWindow()
    window.shell.actions["all_tabs"].trigger()
    await until(lambda: instance.watching.wanted)
    return window.rooms.watch.view.grid


def shown(grid: GridView, tab_id: str, role: int) -> object:
    """What the card of a tab says."""
    model = grid.model()
    return next(model.index(row, 0).data(role) for row in range(model.rowCount())
                if model.index(row, 0).data(ITEM).tab_id == tab_id)  # fmt: skip


def asked(instance: Instance, tab: Tab) -> Ask:
    """A question about a tab."""
    command = instance.catalogue.get("kapturemcp_click")
    ask = Ask("1", instance.add_agent(), command, {}, tab.site, "", 0, scene=Scene(tab))
    instance.core.gates.approvals._asks[ask.client, "1"] = ask
    instance.core.gates.approvals.added.emit(ask)
    return ask


@on_qt_loop
async def test_each_tab_is_looked_at_once_a_second_as_long_as_the_grid_is_seen(
    window: MainWindow, instance: Instance
) -> None:
    grid = await at_a_glance(window, instance)
    assert {tab: every for tab, (_w, _h, every) in instance.watching.wanted.items()} == dict.fromkeys(
        ("t1", "t2", "t3"), EVERY_MS
    )
    width, _height, _every = instance.watching.wanted["t1"]
    assert width == round(grid.visualRect(grid.model().index(0, 0)).width() * grid.devicePixelRatioF())
    ways_away: list[Callable[[], object]] = [
        lambda: window.shell.show_way(window.rooms.command.view), window.hide, window.rooms.welcome.show,
    ]  # fmt: skip
    for look_away in ways_away:
        look_away()
        assert instance.watching.wanted == {}
        window.show()
        window.shell.show_way(window.rooms.watch.view)
        await until(lambda: len(instance.watching.wanted) == 3)


@on_qt_loop
async def test_one_tab_and_all_never_look_at_the_same_time(window: MainWindow, instance: Instance) -> None:
    await at_a_glance(window, instance)
    view = window.rooms.watch.view
    view.all.click()
    assert [(tab, every) for tab, (_w, _h, every) in instance.watching.wanted.items()] == [("t1", 0)]
    view.all.click()
    await until(lambda: len(instance.watching.wanted) == 3)
    assert instance.watching.wanted["t1"][2] == EVERY_MS


@on_qt_loop
async def test_pictures_are_shown_on_their_cards_and_acknowledged(window: MainWindow, instance: Instance) -> None:
    grid = await at_a_glance(window, instance)
    numbers = {
        tab: instance.watching.show(tab, picture(color)) for tab, color in (("t1", "#ff0000"), ("t2", "#0000ff"))
    }
    await until(lambda: set(numbers.items()) <= set(instance.watching.was_painted))
    seen = grid.viewport().grab().toImage()
    middles = [grid.visualRect(grid.model().index(row, 0)).center() * grid.devicePixelRatioF() for row in range(3)]
    assert [seen.pixelColor(at).name()[1:3] > "c0" for at in middles[:2]] == [True, False]
    assert seen.pixelColor(middles[1]).blue() > 200


@on_qt_loop
async def test_only_cards_in_sight_are_looked_at(window: MainWindow, instance: Instance) -> None:
    grid = await at_a_glance(window, instance, 60)
    await settle()
    first = set(instance.watching.wanted)
    assert 3 < len(first) < 60
    grid.scrollToBottom()
    await until(lambda: "t60" in instance.watching.wanted)
    assert "t1" not in instance.watching.wanted


@on_qt_loop
async def test_a_card_says_who_drives_it_what_is_done_and_what_waits(window: MainWindow, instance: Instance) -> None:
    grid = await at_a_glance(window, instance)
    tab = instance.tabs.get("t2")
    instance.tabs.update(tab, driver="claude-code", state="executing")
    assert shown(grid, "t2", PILL) == ("claude-code", "driving")
    row = row_of(tab, "fill")
    instance.history.begin(row, durable=False)
    assert shown(grid, "t2", DETAIL) == "Fill a field"
    row.state = "ok"
    instance.history.settle(row)
    ask = asked(instance, tab)
    assert shown(grid, "t2", PILL) == ("asks you", "warn")
    assert str(shown(grid, "t2", DETAIL)).startswith("claude-code · ")
    assert str(shown(grid, "t2", Qt.ItemDataRole.AccessibleTextRole)).startswith("asks you, ")
    instance.core.gates.approvals.deny(ask)
    assert shown(grid, "t2", PILL) == ("claude-code", "driving")
    instance.tabs.show_dialog(tab, is_open=True)
    assert shown(grid, "t2", PILL) == ("dialog open", "warn")


@on_qt_loop
async def test_what_is_done_in_one_of_many_tabs_costs_no_look_at_the_others(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(200):
        instance.add_tab(f"t{number}")
    await settle()
    asked: list[int] = []
    told: list[int] = []
    data = GridModel.data

    def on_data(model: GridModel, index: Index, role: int = 0) -> Any:
        asked.append(index.row())
        return data(model, index, role)

    monkeypatch.setattr(GridModel, "data", on_data)
    window.rooms.watch.view.grid.model().dataChanged.connect(lambda first, _last: told.append(first.row()))
    for tab in list(instance.tabs)[-3:]:
        instance.history.begin(row_of(tab), durable=False)
    assert told == [197, 198, 199]
    assert len(asked) < 20


@on_qt_loop
async def test_a_click_and_a_key_open_a_tab_and_one_comes_back(window: MainWindow, instance: Instance) -> None:
    grid = await at_a_glance(window, instance)
    view = window.rooms.watch.view
    at = grid.visualRect(grid.model().index(1, 0)).center()
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert (view.tab, view.page.isVisible()) == (instance.tabs.get("t2"), True)
    QTest.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert grid.hasFocus()
    assert grid.currentIndex().data(ITEM) is instance.tabs.get("t2"), "where one came from"
    QTest.keyClick(grid, Qt.Key.Key_Right)
    QTest.keyClick(grid, Qt.Key.Key_Return)
    assert (view.tab, view.page.isVisible()) == (instance.tabs.get("t3"), True)
    view.all.click()
    QTest.keyClick(grid, Qt.Key.Key_Escape)
    assert (view.page.isVisible(), view.all.isChecked(), view.all.hasFocus()) == (True, False, True)


@on_qt_loop
async def test_tabs_come_and_go_pause_and_crash(window: MainWindow, instance: Instance) -> None:
    grid = await at_a_glance(window, instance)
    number = instance.watching.show("t1", picture())
    await until(lambda: ("t1", number) in instance.watching.was_painted)
    tab = instance.tabs.get("t1")
    instance.tabs.crashed.emit(tab)
    assert shown(grid, "t1", Qt.ItemDataRole.DecorationRole) is None, "what was seen before is not what is there"
    instance.tabs.navigated.emit(tab)
    number = instance.watching.show("t1", picture())
    await until(lambda: ("t1", number) in instance.watching.was_painted)
    assert shown(grid, "t1", Qt.ItemDataRole.DecorationRole) is not None
    instance.tabs.update(tab, state="paused")
    await until(lambda: "t1" not in instance.watching.wanted)
    assert shown(grid, "t1", Qt.ItemDataRole.DecorationRole) is None
    instance.add_tab("t4", "Another")
    await until(lambda: "t4" in instance.watching.wanted)
    for tab in tuple(instance.tabs):
        instance.tabs.remove(tab)
    await until(lambda: instance.watching.wanted == {})
    assert window.rooms.watch.view.start_button.isVisible()
    assert not window.rooms.watch.view.all.isEnabled()
