"""Agents: what each does right now, and what can be done about it, in sight and whole."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QStyleOptionViewItem

from kapture_panel.core.basics import tasks
from kapture_panel.core.gates.approvals import Ask
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rules import Rule
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import SeenTabs, Tab
from kapture_panel.window.agents import activity
from kapture_panel.window.agents.agent_delegate import AgentDelegate, lines_of
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.roles import ASIDE, ITEM, PILL, Index
from kapture_panel.window.widgets.theme import Theme
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle, until
from tests.support.window.questions import ask_to_run, card_of
from tests.support.window.states import STATES, own_tab


def pills(window: MainWindow) -> list[str]:
    model = window.rooms.agents.view.list.model()
    return [model.index(row, 0).data(PILL)[0] for row in range(model.rowCount())]


def at_work(instance: Instance) -> Client:
    agent = instance.add_agent("claude-code")
    agent.running = 1
    instance.clients.changed.emit(agent)
    return agent


@on_qt_loop
async def test_a_paused_agent_never_drives(window: MainWindow, instance: Instance) -> None:
    at_work(instance)
    await until(lambda: pills(window) == ["driving"])
    instance.core.gates.pause.hold()
    await until(lambda: pills(window) == ["paused"])
    assert window.toolbar.driving.text() == "❚❚ Agents are paused"
    assert window.rooms.agents.activity.drivers() == []
    assert window.rooms.agents.activity.at_work()
    instance.core.gates.pause.lift()
    await until(lambda: pills(window) == ["driving"])


@on_qt_loop
async def test_who_waits_for_an_answer_does_not_drive(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "LINGER_S", 60.0)
    instance.core.gates.policy = Policy("careful")
    tab = instance.add_tab("t1", "Checkout", "https://shop.example/")
    agent = instance.add_agent("claude-code")
    asked: asyncio.Queue[Ask] = asyncio.Queue()
    instance.core.gates.approvals.added.connect(asked.put_nowait)
    call = tasks.spawn(instance.router.run(agent, "evaluate", {"code": "1", "tabId": tab.tab_id}), "evaluate")
    ask = await asked.get()
    await until(lambda: window.toolbar.driving.text() == "● claude-code waits for your answer")
    assert pills(window) == ["waits for you"]
    assert window.toolbar.driving.property("tone") == "warn"
    assert window.tray.state == "asking"
    at_work(instance)
    await until(lambda: window.toolbar.driving.text().endswith(" · 1 waits for you"))
    assert window.toolbar.driving.text().startswith("● claude-code is driving")
    assert window.toolbar.driving.property("tone") == "driving"
    instance.clients.remove(instance.clients.agents()[-1])
    instance.core.gates.approvals.allow(ask)
    await call
    await until(lambda: window.toolbar.driving.text() == "● claude-code is driving “Checkout”")
    assert pills(window) == ["driving"]
    assert window.toolbar.driving.property("tone") == "driving"


def test_a_row_says_what_holds_for_the_agent_where_it_works(window: MainWindow, instance: Instance) -> None:
    agent = instance.add_agent("claude-code")
    agent.program = "/usr/bin/claude"
    index = window.rooms.agents.view.list.model().index(0, 0)
    assert index.data(ASIDE) == "Trusting"
    rules = instance.core.gates.policy.rules
    rules.put(Rule("read-only", site="shop.example"))
    rules.put(Rule("ask", "claude-code", "/usr/bin/claude", permission="execute"))
    assert index.data(ASIDE) == "Trusting", "single permissions are no policy"
    agent.current_tab = instance.add_tab("t1", "Checkout", "https://shop.example/").tab_id
    assert index.data(ASIDE) == "Read-only"
    assert "Read-only: only looking is allowed" in index.data(Qt.ItemDataRole.ToolTipRole)
    rules.put(Rule("careful", "claude-code", "/usr/bin/claude"))
    assert index.data(ASIDE) == "Careful"
    instance.add_agent("codex").current_tab = own_tab(instance, "p1", "Mail", "work").tab_id
    assert window.rooms.agents.view.list.model().index(1, 0).data(ASIDE) == "Careful", "it is in a browser of theirs"


@on_qt_loop
async def test_policy_and_disconnect_are_buttons_about_the_chosen_agent(window: MainWindow, instance: Instance) -> None:
    view = window.rooms.agents.view
    assert not view.may_button.isVisible()
    first, second = instance.add_agent("claude-code"), instance.add_agent("codex", 7)
    await settle()
    assert view.chosen is first
    for button in (view.may_button, view.disconnect_button):
        assert button.isVisible()
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    view.list.setCurrentIndex(view.list.model().index(1, 0))
    asked, ended = QSignalSpy(view.policy_asked), QSignalSpy(view.disconnect_asked)
    view.may_button.click()
    view.disconnect_button.click()
    assert [spy.at(0)[0] for spy in (asked, ended)] == [second, second]
    window.rooms.agents.policy.dismiss()
    for agent in (first, second):
        instance.clients.remove(agent)
    assert not view.disconnect_button.isVisible()


def test_no_line_of_facts_ends_in_a_point_and_only_a_long_fact_is_broken(theme: Theme) -> None:
    metrics = QFontMetrics(theme.font(small=True))
    facts = "Checkout of a shop · 1,031 calls · 11 errors · 62k tokens · pid 4182"
    for width in range(80, 400, 10):
        lines = lines_of(facts, width, metrics).split("\n")
        assert not any(line.endswith("·") or line.startswith("·") for line in lines)
        assert " · ".join(lines) == facts
        assert all(metrics.horizontalAdvance(line) <= width for line in lines if " · " in line)


@on_qt_loop
async def test_the_agent_that_asks_is_in_sight_whole_and_the_choice_stays(
    window: MainWindow, instance: Instance
) -> None:
    window.resize(800, 600)
    window.reset_layout()
    others = [instance.add_agent(f"agent-{number}") for number in range(4)]
    agent, asking = ask_to_run(instance, "1;\n" * 200)
    await card_of(window)
    await settle()
    view = window.rooms.agents.view
    assert view.chosen is others[0]
    row = view.list.visualRect(view.list.model().index(4, 0))
    assert view.list.viewport().rect().contains(row)
    assert window.rooms.agents.activity.waiting() == [agent], "the toolbar tells the same"
    assert window.height() == 600
    await tasks.end(asking)


@on_qt_loop
async def test_the_agent_that_asked_stays_in_sight_beside_its_question_that_ended(
    window: MainWindow, instance: Instance
) -> None:
    window.resize(1440, 900)
    await STATES["approval_outdated"](window, instance)
    window.resize(800, 600)
    await settle()
    view, card = window.rooms.agents.view, window.rooms.agents.approvals.card
    assert card is not None
    index = next(index for row in range(2) if (index := view.list.model().index(row, 0)).data(ITEM) is card.ask.client)
    assert view.list.viewport().rect().contains(view.list.visualRect(index))


@pytest.mark.parametrize("width", [200, 300])
@on_qt_loop
async def test_all_that_is_known_of_an_agent_is_in_its_row(window: MainWindow, instance: Instance, width: int) -> None:
    tab = instance.add_tab("t1", "Checkout – a shop with a long")
    agent = instance.add_agent()
    agent.current_tab, agent.calls, agent.errors, agent.result_bytes = tab.tab_id, 1_031, 11, 250_000
    instance.clients.changed.emit(agent)
    view = window.rooms.agents.view.list
    dock = window.shell.docks["agents"]
    window.resizeDocks([dock], [width], Qt.Orientation.Horizontal)
    await settle()
    index = view.model().index(0, 0)
    row = view.visualRect(index)
    delegate = view.itemDelegate()
    assert isinstance(delegate, AgentDelegate)
    facts = delegate.facts_rect(row, index)
    assert facts.height() > view.fontMetrics().height()
    assert row.contains(facts)
    assert row.height() == delegate.sizeHint(QStyleOptionViewItem(), index).height()
    assert QRect(QPoint(), view.viewport().size()).left() <= facts.left()
    assert facts.right() <= view.viewport().width()


@on_qt_loop
async def test_a_terminal_stands_beside_the_agents_and_can_be_shown_out(window: MainWindow, instance: Instance) -> None:
    view, shown_out = window.rooms.agents.view, []
    terminal = Client("terminal", "terminal", parent="bash", disconnect=lambda: shown_out.append("terminal"))
    instance.clients.add(terminal)
    terminal.running = 1
    instance.clients.changed.emit(terminal)
    await until(lambda: pills(window) == ["driving"])
    assert view.list.model().index(0, 0).data() == "terminal (bash)"
    await until(lambda: "0 agents · 1 terminal" in window.shell.status.words)
    view.disconnect_button.click()
    assert shown_out == ["terminal"]
    assert "Its next call connects it again." in window.shell.toasts.shown[-1].accessibleName()
    instance.clients.remove(terminal)
    await until(lambda: window.shell.status.words.endswith("0 agents"))
    assert not view.list.isVisible()


@on_qt_loop
async def test_who_drives_is_told_when_that_changes_and_not_for_every_call(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "LINGER_S", 600.0)
    first, second = instance.add_tab("t1", "Checkout"), instance.add_tab("t2", "Search")
    agent, told = instance.add_agent(), QSignalSpy(window.rooms.agents.activity.changed)

    async def call(tab: Tab) -> None:
        agent.current_tab = tab.tab_id
        for running in (1, 0):
            agent.running = running
            instance.clients.changed.emit(agent)
            (instance.tabs.begin if running else instance.tabs.end)(tab, *([agent.name] if running else []))
            await settle(0.12)

    for _ in range(4):
        await call(first)
    assert told.count() == 1
    first.title = "Paid"
    await call(first)
    assert told.count() == 2
    assert window.toolbar.driving.text() == "● claude-code is driving “Paid”"
    await call(second)
    assert told.count() == 3
    assert window.toolbar.driving.text() == "● claude-code is driving “Search”"


@on_qt_loop
async def test_agents_at_work_in_a_hidden_window_cost_no_look_at_all_tabs(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    tabs = [instance.add_tab(f"t{number}", f"Page {number}") for number in range(200)]
    agents = [instance.add_agent(f"agent-{number}") for number in range(50)]
    window.hide()
    await settle()
    looks: list[SeenTabs] = []
    look = SeenTabs.__iter__

    def on_look(seen: SeenTabs) -> Iterator[Tab]:
        looks.append(seen)
        return look(seen)

    monkeypatch.setattr(SeenTabs, "__iter__", on_look)
    for agent, tab in zip(agents, tabs, strict=False):
        agent.running = 1
        instance.clients.changed.emit(agent)
        instance.tabs.begin(tab, agent.name)
    await until(lambda: window.toolbar.driving.text().endswith(" · 49 more"))
    await settle(0.2)
    assert len(looks) < 10
    assert pills(window) == ["driving"] * 50
    assert [tab for _agent, tab in window.rooms.agents.activity.connected()] == tabs[:50]
    instance.tabs.remove(tabs[0])
    instance.tabs.end(tabs[1])
    assert [tab for _agent, tab in window.rooms.agents.activity.connected()] == [None, None, *tabs[2:50]]


@on_qt_loop
async def test_agents_out_of_sight_are_measured_once_they_are_seen(
    window: MainWindow, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, view = instance.add_agent(), window.rooms.agents.view
    await settle()
    measured: list[int] = []
    kept_px = view._stack.minimumHeight()
    measure = AgentDelegate.facts_rect

    def on_measure(delegate: AgentDelegate, row: QRect, index: Index) -> QRect:
        measured.append(index.row())
        return measure(delegate, row, index)

    monkeypatch.setattr(AgentDelegate, "facts_rect", on_measure)
    window.hide()
    tab = instance.add_tab("t1", "A page with a long title " * 3)
    agent.current_tab, agent.calls, agent.result_bytes = tab.tab_id, 1_031_000, 250_000_000
    instance.clients.changed.emit(agent)
    await settle(0.2)
    assert measured == []
    window.show()
    await settle()
    row_px = view.list.sizeHintForIndex(view.list.model().index(0, 0)).height()
    assert kept_px < row_px <= view._stack.minimumHeight()
