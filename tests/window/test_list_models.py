"""Tabs, agents, screenshots and commands as rows."""

from __future__ import annotations

import time
from dataclasses import replace

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from kapture_panel.core.gates.rules import Rule
from kapture_panel.window.agents.activity import Activity
from kapture_panel.window.agents.agents_model import AgentsModel
from kapture_panel.window.command.commands_model import CommandsModel
from kapture_panel.window.shots.shots_model import ShotsModel
from kapture_panel.window.tabs.tabs_model import TabsModel
from kapture_panel.window.widgets.browser_names import BrowserNames
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.roles import ASIDE, DETAIL, ITEM, PILL, TONE
from kapture_panel.window.widgets.subscriptions import Subscriptions
from tests.support.window.fakes import Instance, png

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
NAMES = BrowserNames(lambda _install: "")


def test_a_tab_of_a_conversations_own_browser_says_so(instance: Instance, subscriptions: Subscriptions) -> None:
    model = TabsModel(instance.tabs, instance.router.gates.leases, instance.person, NAMES, subscriptions)
    instance.add_tab("t1", "Shop", "http://127.0.0.1:8123/x").session = "s1"
    assert model.index(0).data(DETAIL) == "127.0.0.1:8123"


def test_a_tab_says_who_holds_it(instance: Instance, subscriptions: Subscriptions, qtbot: QtBot) -> None:
    leases = instance.router.gates.leases
    model = TabsModel(instance.tabs, leases, instance.person, NAMES, subscriptions)
    instance.add_tab("t1", "Shop", "http://127.0.0.1:8123/x")
    changes: list[int] = []
    model.dataChanged.connect(lambda first, *_: changes.append(first.row()))
    leases.give(instance.add_agent("codex"), "t1")
    qtbot.waitUntil(lambda: changes == [0])
    assert model.index(0).data(DETAIL) == "held by codex · 127.0.0.1:8123"
    leases.release("t1")
    assert model.index(0).data(DETAIL) == "127.0.0.1:8123"


def test_tabs_come_change_and_go(instance: Instance, subscriptions: Subscriptions, qtbot: QtBot) -> None:
    model = TabsModel(instance.tabs, instance.router.gates.leases, instance.person, NAMES, subscriptions)
    tester = QAbstractItemModelTester(model, FATAL)
    tab = instance.add_tab("t1", "Shop", "http://127.0.0.1:8123/x")
    instance.add_tab("t2", "Other")
    assert [model.index(row).data() for row in range(model.rowCount())] == ["Shop", "Other"]
    assert model.index(0).data(DETAIL) == "127.0.0.1:8123"
    changes: list[int] = []
    model.dataChanged.connect(lambda first, *_: changes.append(first.row()))
    for _ in range(50):
        instance.tabs.update(tab, state="executing", driver="codex")
        instance.tabs.update(tab, state="connected")
    instance.tabs.update(tab, state="executing")
    qtbot.waitUntil(lambda: changes != [])
    assert changes == [0]
    assert model.index(0).data(TONE) == "driving"
    assert model.index(0).data(PILL) == ("codex", "driving")
    instance.tabs.update(tab, state="dialog")
    assert model.index(0).data(PILL) == ("dialog open", "warn")
    instance.tabs.remove(tab)
    assert model.row_of("t1") == -1
    tester.deleteLater()


def test_a_tab_that_comes_back_is_the_same_row(instance: Instance, subscriptions: Subscriptions, qtbot: QtBot) -> None:
    model = TabsModel(instance.tabs, instance.router.gates.leases, instance.person, NAMES, subscriptions)
    tab = instance.add_tab("t1")
    again = replace(tab, title="Again")
    instance.tabs.add(again)
    assert model.rowCount() == 1
    qtbot.waitUntil(lambda: model.index(0).data() == "Again")
    assert model.index(0).data(ITEM) is again


def test_a_hostile_title_is_plain_everywhere(instance: Instance, subscriptions: Subscriptions) -> None:
    model = TabsModel(instance.tabs, instance.router.gates.leases, instance.person, NAMES, subscriptions)
    instance.add_tab("t1", "<b>" + "\u202e\x00x" * 10_000, "http://evil\u202e.example/<img>")
    title = model.index(0).data()
    assert len(title) <= 1000
    assert not set(title) & {"\u202e", "\x00"}
    assert "<b>" not in model.index(0).data(Qt.ItemDataRole.ToolTipRole)
    assert "\u202e" not in model.index(0).data(DETAIL)


def test_only_agents_are_listed_and_their_work_counts(
    instance: Instance, subscriptions: Subscriptions, qtbot: QtBot
) -> None:
    parent = QObject()
    activity = Activity(instance.clients, instance.tabs, instance.core.gates, subscriptions, parent)
    model = AgentsModel(instance.clients, activity, instance.core.gates, subscriptions)
    tester = QAbstractItemModelTester(model, FATAL)
    agent = instance.add_agent("claude-code", 4182)
    assert model.rowCount() == 1
    assert model.index(0).data(DETAIL) == "0 calls · 0 errors · 0 tokens · pid 4182"
    assert model.index(0).data(PILL) == ("idle", "neutral")
    tab = instance.add_tab("t1", "Checkout")
    agent.calls, agent.errors, agent.running, agent.result_bytes = 31, 1, 1, 50_000
    agent.current_tab, agent.parent = tab.tab_id, "code <b>"
    instance.clients.changed.emit(agent)
    qtbot.waitUntil(lambda: model.index(0).data(PILL) == ("driving", "driving"))
    assert model.index(0).data(DETAIL) == "Checkout · 31 calls · 1 error · ≈ 12k tokens · pid 4182"
    heard = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert heard.startswith(
        "claude-code (as it calls itself), started by code <b>, driving, Trusting, Checkout, 31 calls"
    )
    instance.clients.remove(agent)
    assert model.rowCount() == 0
    tester.deleteLater()


def test_the_row_of_an_agent_is_told_when_it_calls(
    instance: Instance, subscriptions: Subscriptions, qtbot: QtBot
) -> None:
    parent = QObject()
    activity = Activity(instance.clients, instance.tabs, instance.core.gates, subscriptions, parent)
    model = AgentsModel(instance.clients, activity, instance.core.gates, subscriptions)
    agents = [instance.add_agent(f"agent-{number}") for number in range(4)]
    changes: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last, *_: changes.append((first.row(), last.row())))
    for agent in agents[1:3]:
        agent.calls += 1
        instance.clients.changed.emit(agent)
    qtbot.waitUntil(lambda: changes != [])
    assert changes == [(1, 2)]
    instance.core.gates.policy.rules.put(Rule("read-only"))
    qtbot.waitUntil(lambda: len(changes) > 1)
    assert changes == [(1, 2), (0, 3)]


def test_shots_are_newest_first_and_their_pictures_come_later(
    instance: Instance, subscriptions: Subscriptions, qtbot: QtBot
) -> None:
    parent = QObject()
    pictures = Pictures(parent)
    old = instance.shots.add(png(), name="old", tab_id="t1", format="png", width=40, height=20)
    model = ShotsModel(instance.shots, instance.tabs, pictures, subscriptions)
    tester = QAbstractItemModelTester(model, FATAL)
    instance.shots.add(png(2000, 1000), name="new", tab_id="t1", format="png", width=2000, height=1000)
    assert [model.index(row).data() for row in range(2)] == ["new", "old"]
    role = int(Qt.ItemDataRole.DecorationRole)
    assert model.index(0).data(role) is None
    qtbot.waitUntil(lambda: isinstance(model.index(0).data(role), QImage))
    assert model.index(0).data(role).width() < 400
    instance.shots.remove(old)
    assert model.rowCount() == 1
    pictures.close()
    tester.deleteLater()


def test_a_picture_that_is_no_picture_stays_empty(
    instance: Instance, subscriptions: Subscriptions, qtbot: QtBot
) -> None:
    parent = QObject()
    pictures = Pictures(parent)
    instance.shots.add(b"not a picture", name="x", tab_id="t1", format="png")
    model = ShotsModel(instance.shots, instance.tabs, pictures, subscriptions)
    role = int(Qt.ItemDataRole.DecorationRole)
    model.index(0).data(role)
    qtbot.waitUntil(lambda: model.index(0).data(role) is not None)
    assert model.index(0).data(role).isNull()
    pictures.close()


def test_commands_stand_under_their_groups_and_are_found_by_words(instance: Instance) -> None:
    model = CommandsModel(instance.catalogue)
    assert model.rowCount() == len(instance.catalogue) + len(instance.catalogue.groups)
    assert not model.flags(model.index(0)) & Qt.ItemFlag.ItemIsSelectable
    model.set_filter("press KEY")
    assert [model.index(row).data() for row in range(model.rowCount())] == ["Interaction", "Press key"]
    model.set_filter("no such thing")
    assert model.rowCount() == 0
    assert model.first_command() == -1


def test_the_age_of_a_tab_is_told(instance: Instance, subscriptions: Subscriptions) -> None:
    model = TabsModel(instance.tabs, instance.router.gates.leases, instance.person, NAMES, subscriptions)
    instance.add_tab().connected_at = time.time() - 840
    assert model.index(0).data(ASIDE) == "14 min"
