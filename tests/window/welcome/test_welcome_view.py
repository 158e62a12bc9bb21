"""The first page: when it is there, what ticks, and how one goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets import tab_order
from kapture_panel.window.widgets.entries import Entry
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import bury, on_qt_loop, until


@pytest.fixture
def fresh(qapp: QApplication, instance: Instance) -> Iterator[MainWindow]:
    """The window as it is at the very first start."""
    made = MainWindow(instance.core, instance.backend)
    made.resize(1000, 700)
    made.show()
    qapp.processEvents()
    yield made
    made.release()
    made.close()
    bury(made)


@pytest.fixture
def mac_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortcuts are written as macOS does."""
    written = property(lambda one: one.keys[0].replace("Ctrl+", "⌘") if one.keys else "")
    monkeypatch.setattr(Entry, "shown_keys", written)


@pytest.mark.usefixtures("mac_keys")
def test_the_key_that_pauses_agents_is_the_systems(request: pytest.FixtureRequest) -> None:
    window: MainWindow = request.getfixturevalue("fresh")
    assert "Pause agents (⌘.) stops them at once" in window.rooms.welcome.view.next.text()


@on_qt_loop
async def test_each_step_ticks_when_it_happens(fresh: MainWindow, instance: Instance) -> None:
    page = fresh.rooms.welcome.view
    assert page.isVisible()
    steps = (page.browser, page.agent, page.command)
    assert [step.badge.text() for step in steps] == ["1", "2", "3"]
    page.start_button.click()
    await until(lambda: page.browser.is_done)
    assert not page.start_button.isVisible()
    assert not page.next.isVisible()
    agent = instance.add_agent()
    assert page.agent.badge.text() == "✓"
    assert not page.command.is_done
    await instance.router.run(agent, "snapshot", {})
    assert page.command.accessibleName().startswith("Run a first command: done")
    assert page.headline.text() == "All set"
    assert page.next.isVisible()
    assert page.go_button.text() == "Show the whole panel"
    for word in ("Watch", "Step in", "Pause agents", "History", "Export"):
        assert word in page.next.text()
    assert page.isVisible()  # the person goes on, not the page
    assert page.agent.how.text().startswith("An agent is connected.")
    instance.core.state.clients.remove(agent)
    assert page.agent.how.text().startswith("An agent was connected.")


@on_qt_loop
async def test_after_start_browser_the_focus_goes_to_the_next_step(fresh: MainWindow, instance: Instance) -> None:
    page, programs = fresh.rooms.welcome.view, fresh.rooms.agents.setup.list
    page.start_button.setFocus()
    QTest.keyClick(page.start_button, Qt.Key.Key_Space)
    assert programs.hasFocus()
    await until(lambda: page.browser.is_done)
    assert programs.hasFocus()


def test_the_focus_goes_to_the_next_step_when_a_tab_connects_by_itself(fresh: MainWindow, instance: Instance) -> None:
    page = fresh.rooms.welcome.view
    page.start_button.setFocus()
    instance.add_tab()
    assert page.browser.is_done
    assert fresh.rooms.agents.setup.list.hasFocus()


def test_the_smallest_window_shows_all_steps_without_scrolling(fresh: MainWindow) -> None:
    fresh.resize(800, 600)
    QApplication.processEvents()
    assert fresh.rooms.welcome.view.verticalScrollBar().maximum() == 0


def test_going_on_shows_the_parts_and_the_layout_is_kept_as_if_it_was_never_there(
    fresh: MainWindow, instance: Instance
) -> None:
    assert all(fresh.shell.docks[name].isHidden() for name in ("tabs", "console", "agents"))
    fresh.rooms.welcome.view.go_button.click()
    assert fresh.rooms.command.view.isVisible()
    assert all(fresh.shell.docks[name].isVisible() for name in ("tabs", "console", "agents"))
    fresh.shell.docks["agents"].hide()
    fresh.shell.actions["welcome"].trigger()
    assert fresh.rooms.welcome.view.isVisible()
    fresh.release()
    second = MainWindow(instance.core, instance.backend)
    second.show()
    second.shell.leave_page()
    assert second.shell.docks["agents"].isHidden()
    assert second.shell.docks["tabs"].isVisible()
    second.release()
    second.close()
    bury(second)


@on_qt_loop
async def test_whoever_ran_something_before_does_not_see_it(
    qapp: QApplication, fresh: MainWindow, instance: Instance
) -> None:
    instance.add_tab()
    await instance.router.run(instance.person, "snapshot", {})
    second = MainWindow(instance.core, instance.backend)
    second.show()
    assert second.rooms.command.view.isVisible()
    second.release()
    second.close()
    bury(second)


def test_what_a_client_wants_is_copied(fresh: MainWindow) -> None:
    setup = fresh.rooms.agents.setup
    setup.choose("Claude Code")
    setup.list.setFocus()
    QTest.keyClick(setup.list, Qt.Key.Key_Down)
    assert setup.where.text().endswith("Press Add, or do it by hand. Put this into ~/.cursor/mcp.json:")
    assert setup.copy.accessibleName() == "Copy for Cursor"
    setup.copy.click()
    assert QApplication.clipboard().text() == setup.snippet.toPlainText()
    setup.choose("Codex")
    assert "[mcp_servers.kapture]" in setup.snippet.toPlainText()


def test_a_command_found_in_the_palette_leaves_it(fresh: MainWindow) -> None:
    fresh.rooms.finder.view.open()
    QTest.keyClicks(fresh.rooms.finder.view.edit, "evaluate")
    QTest.keyClick(fresh.rooms.finder.view.edit, Qt.Key.Key_Return)
    assert fresh.rooms.command.view.isVisible()
    assert fresh.rooms.command.view.command.short_name == "evaluate"


def test_all_of_it_is_seen_in_a_small_window(fresh: MainWindow) -> None:
    assert fresh.rooms.welcome.view.verticalScrollBar().maximum() == 0
    assert fresh.rooms.welcome.view.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("size", [(1000, 700), (1440, 900)])
def test_the_steps_are_read_in_their_order_and_the_page_stands_in_the_middle(
    size: tuple[int, int], fresh: MainWindow
) -> None:
    fresh.resize(*size)
    QApplication.processEvents()
    page = fresh.rooms.welcome.view
    places = [step.mapTo(page, step.rect().topLeft()) for step in (page.browser, page.agent, page.command)]
    assert places == sorted(places, key=lambda place: (place.y(), place.x()))
    assert [step.badge.text() for step in (page.browser, page.agent, page.command)] == ["1", "2", "3"]
    end = page.command.mapTo(page, page.command.rect().bottomLeft()).y()
    assert end > page.height() * 0.7
    stops = [page.start_button, page.setup_button, fresh.rooms.agents.setup.list, page.go_button]
    ring = [widget for widget in tab_order.stops(page) if widget in stops]
    assert ring == stops


@pytest.mark.parametrize("size", [(1440, 900), (800, 600)])
@on_qt_loop
async def test_a_command_to_paste_is_seen_whole_and_its_box_is_as_high_as_it(
    size: tuple[int, int], fresh: MainWindow
) -> None:
    fresh.resize(*size)
    setup = fresh.rooms.agents.setup
    setup.choose("Claude Code")
    snippet, line_px = setup.snippet, setup.snippet.fontMetrics().lineSpacing()
    await until(lambda: snippet.viewport().height() >= snippet.document().size().height() * line_px, "all lines")
    one_line = snippet.height()
    assert snippet.verticalScrollBar().value() == 0
    assert setup.snippet.horizontalScrollBar().maximum() == 0
    assert setup.copy.isVisible()
    assert one_line < 80
    setup.choose("Cursor")
    await until(lambda: setup.snippet.height() > one_line, "a higher box")
    assert not setup.snippet.verticalScrollBar().isVisible()


@on_qt_loop
async def test_the_demo_runs_beside_it_one_at_a_time_and_a_failure_is_told(
    fresh: MainWindow, instance: Instance
) -> None:
    demo, said = fresh.shell.actions["demo"], fresh.shell.toasts
    demo.trigger()
    await until(lambda: instance.demo.ended, "the demo")
    assert not demo.isEnabled()
    assert instance.demo.ended is not None
    instance.demo.ended.set_result("another demo runs")
    await until(demo.isEnabled, "its end")
    assert [one.title for one in said.shown] == ["The demo begins", "The demo failed"]
