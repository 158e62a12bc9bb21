"""The person's rules: shown in plain words, made, changed and removed, and what holds without them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton

from kapture_panel.core.gates.rates import Rate
from kapture_panel.core.gates.rules import Rule, Rules
from kapture_panel.window.agents.policy_view import PolicyView
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.combo_box import ComboBox
from kapture_panel.window.widgets.label import ElidedLabel
from kapture_panel.window.widgets.roles import DETAIL, ITEM, PILL
from tests.support.window.fakes import Instance
from tests.support.window.person_states import RULES
from tests.support.window.qt_loop import bury, on_qt_loop, settle


def choose(combo: ComboBox, data: object) -> None:
    """As with the mouse: `activated` comes, too."""
    known = [combo.itemData(at) for at in range(combo.count())]
    combo.setCurrentIndex(known.index(data))
    combo.activated.emit(combo.currentIndex())


def subject(view: PolicyView) -> tuple[str, str]:
    return view.subjects[view.agent.currentIndex()]


def click(view: PolicyView, button: str) -> None:
    QTest.mouseClick(getattr(view, button), Qt.MouseButton.LeftButton)


@pytest.fixture
def opened(window: MainWindow, instance: Instance) -> PolicyView:
    """The sheet, with rules kept in a file and an agent there."""
    agent = instance.add_agent("codex")
    agent.program = "/usr/bin/codex"
    window.shell.actions["policy"].trigger()
    assert window.rooms.agents.policy.isVisible()
    return window.rooms.agents.policy


@on_qt_loop
async def test_answers_for_a_session_are_seen_and_taken_back(opened: PolicyView, instance: Instance) -> None:
    assert not opened.answers.isVisible()
    client, answers = instance.clients.agents()[0], instance.router.gates.policy.answers
    client.refused.add(("shop.example", "command click"))
    client.granted |= {("", "file /tmp/pictures"), ("bank.example", "secret")}
    answers.changed.emit(client)
    await settle()
    said = [label.text() for label in opened.answers.findChildren(ElidedLabel) if label.isVisible()]
    assert said == [
        "codex: files in /tmp/pictures allowed",
        "codex on bank.example: password, card and code fields allowed",
        "codex on shop.example: “Click” denied",
    ]
    while client.granted | client.refused:
        back = next(button for button in opened.answers.findChildren(QToolButton) if button.isVisible())
        back.setFocus()
        QTest.keyClick(back, Qt.Key.Key_Space)
        await settle()
    assert not opened.answers.isVisible()
    assert opened.agent.hasFocus()
    client.granted.add(("bank.example", "secret"))
    answers.changed.emit(client)
    assert opened.answers.isVisible()
    rule = Rule("allow", client.name, client.program, "bank.example", "secret")
    instance.router.gates.policy.rules.put(rule)
    assert not opened.answers.isVisible(), "to take back the answer alone would change nothing"
    instance.router.gates.policy.rules.remove(rule)
    assert opened.answers.isVisible()
    wide = Rule("allow", "", "", "bank.example", "secret")
    instance.router.gates.policy.rules.put(wide)
    instance.router.gates.policy.rules.put(Rule("ask", client.name, client.program, "", "secret"))
    assert opened.answers.isVisible(), "it counts: the rule that allows is not the one that wins"
    instance.clients.remove(client)
    assert not opened.answers.isVisible()
    instance.clients.add(client)
    assert opened.answers.isVisible()
    instance.clients.remove(client)
    assert not opened.answers.isVisible()


@on_qt_loop
async def test_rules_are_said_in_plain_words_the_narrowest_first(opened: PolicyView, instance: Instance) -> None:
    assert opened.nothing.isVisible()
    for rule in reversed(RULES):
        instance.router.gates.policy.rules.put(rule)
    model = opened.list.model()
    said = [
        [model.index(row, 0).data(role) for role in (Qt.ItemDataRole.DisplayRole, DETAIL, PILL)] for row in range(3)
    ]
    assert said == [
        [
            "claude-code on shop.example",
            "Running code: without a question · started by /usr/bin/claude",
            ("allow", "ok"),
        ],
        [
            "claude-code on any site",
            "Asks about secret fields, sites other than the tab's, code and files · started by /usr/bin/claude",
            ("careful", "warn"),
        ],
        ["Every agent on bank.example", "Only looking is allowed", ("read-only", "neutral")],
    ]
    assert not opened.nothing.isVisible()
    spoken = model.index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Every agent on bank.example, Read-only, Only looking is allowed"


@on_qt_loop
async def test_a_rule_is_made_changed_and_removed(opened: PolicyView, instance: Instance) -> None:
    rules = instance.router.gates.policy.rules
    assert [opened.agent.itemText(row) for row in range(2)] == ["Every agent", "codex (/usr/bin/codex)"]
    opened.agent.setCurrentIndex(1)
    opened.site.setText("https://Shop.example/cart")
    choose(opened.decision, "read-only")
    assert opened.meaning.text() == "Only looking is allowed."
    click(opened, "add")
    made = Rule("read-only", "codex", "/usr/bin/codex", "shop.example")
    assert (list(rules), opened.chosen) == ([made], made)

    choose(opened.matter, ("execute", ""))
    assert [opened.decision.itemData(row) for row in range(opened.decision.count())] == ["allow", "ask", "block"]
    choose(opened.decision, "block")
    opened.site.clear()
    click(opened, "change")
    changed = Rule("block", "codex", "/usr/bin/codex", "", "execute")
    assert (list(rules), opened.chosen) == ([changed], changed)

    assert opened.heading.text() == "The chosen rule"
    click(opened, "remove")
    assert (list(rules), opened.chosen) == ([], None)
    assert [part.isVisible() for part in (opened.change, opened.remove, opened.order)] == [False] * 3
    assert opened.heading.text() == "New rule"
    assert opened.nothing.isVisible()


@on_qt_loop
async def test_a_rule_that_is_added_without_a_choice_gives_no_more_freedom(
    opened: PolicyView, instance: Instance
) -> None:
    def form() -> tuple[object, ...]:
        return (
            opened.agent.currentIndex(),
            opened.site.text(),
            opened.matter.currentData(),
            opened.decision.currentText(),
        )

    rules = instance.router.gates.policy.rules
    assert form() == (0, "", ("", ""), "Read-only")
    assert opened.meaning.text() == "Only looking is allowed."
    choose(opened.matter, ("execute", ""))
    assert opened.decision.currentText() == "Block"
    freest = Rule("trusting", "codex", "/usr/bin/codex", "shop.example")
    rules.put(freest)
    opened.list.setCurrentIndex(opened.list.model().index(0, 0))
    assert form() == (1, "shop.example", ("", ""), "Trusting")
    click(opened, "remove")
    assert form() == (0, "", ("", ""), "Read-only"), "what was taken away is not offered again"
    rules.put(freest)
    opened.list.setCurrentIndex(opened.list.model().index(0, 0))
    opened.open_for(instance.add_agent("other"))
    assert form() == (0, "", ("", ""), "Read-only")
    choose(opened.decision, "trusting")
    opened.dismiss()
    opened.open()
    assert form() == (0, "", ("", ""), "Read-only")


@on_qt_loop
async def test_choosing_a_rule_fills_the_form(opened: PolicyView, instance: Instance) -> None:
    for rule in RULES:
        instance.router.gates.policy.rules.put(rule)
    opened.list.setFocus()
    for row, rule in enumerate(RULES):
        if row:
            QTest.keyClick(opened.list, Qt.Key.Key_Down)
        else:
            opened.list.setCurrentIndex(opened.list.model().index(0, 0))
        shown = (opened.decision.currentData(), *subject(opened), opened.site.text(), opened.matter.currentData())
        assert shown == (rule.decision, rule.client, rule.program, rule.site, rule.matter)
        assert opened.chosen == rule


@on_qt_loop
async def test_what_holds_without_a_rule_is_chosen_for_each_kind_of_browser(
    opened: PolicyView, instance: Instance
) -> None:
    policy = instance.router.gates.policy
    assert {kind: combo.currentData() for kind, combo in opened.defaults.items()} == {
        "managed": "trusting",
        "own": "careful",
    }
    choose(opened.defaults["own"], "read-only")
    choose(opened.defaults["managed"], "careful")
    assert (policy.preset, policy.own_preset) == ("careful", "read-only")
    assert policy.rules.default("own") == "read-only"


@on_qt_loop
async def test_a_preset_says_below_itself_what_it_means_and_a_change_that_it_is_saved(
    opened: PolicyView, instance: Instance, tmp_path: Path
) -> None:
    assert opened.said["own"].text() == (
        "Asks about secret fields, sites other than the tab's, code and files. "
        "Nothing else, such as a click, needs a question."
    )
    assert not opened.saved.isVisible()
    choose(opened.defaults["own"], "read-only")
    assert opened.said["own"].text() == "Only looking is allowed."
    assert opened.said["own"].y() > opened.defaults["own"].y()
    assert opened.saved.isVisible()
    opened.dismiss()
    opened.open()
    assert not opened.saved.isVisible()
    click(opened, "add")
    assert opened.saved.isVisible()
    QTest.keyClick(opened.decision, Qt.Key.Key_Up)
    assert not opened.saved.isVisible(), "what stands there now is not"
    instance.router.gates.policy.rules._path = tmp_path / "gone" / "policy.json"
    click(opened, "remove")
    assert (opened.saved.isVisible(), opened.problem.isVisible()) == (False, True)


@on_qt_loop
async def test_an_agents_menu_leads_to_its_rules(window: MainWindow, instance: Instance) -> None:
    agent = instance.add_agent("claude-code")
    (entry, *_rest) = window.rooms.agents.view.menu_for(agent).actions()
    assert entry.text() == "What it may do …"
    entry.trigger()
    assert window.rooms.agents.policy.isVisible()
    assert "is not known" in window.rooms.agents.policy.problem.text()
    agent.program = "/usr/bin/claude"
    window.rooms.agents.policy.dismiss()
    window.rooms.agents.view.policy_asked.emit(agent)
    assert subject(window.rooms.agents.policy) == ("claude-code", "/usr/bin/claude")
    for rule in RULES:
        instance.router.gates.policy.rules.put(rule)
    window.rooms.agents.policy.dismiss()
    window.rooms.agents.view.policy_asked.emit(agent)
    assert window.rooms.agents.policy.chosen == RULES[1]


@on_qt_loop
async def test_what_cannot_be_kept_is_said_and_does_not_hold(
    opened: PolicyView, instance: Instance, tmp_path: Path
) -> None:
    policy = instance.router.gates.policy
    policy.rules._path = tmp_path / "gone" / "policy.json"
    click(opened, "add")
    assert (len(policy.rules), opened.problem.isVisible()) == (0, True)
    assert opened.problem.text().startswith("It could not be saved")
    choose(opened.defaults["own"], "trusting")
    assert (policy.own_preset, opened.defaults["own"].currentData()) == ("careful", "careful")


@on_qt_loop
async def test_a_damaged_file_of_rules_is_told_as_soon_as_the_window_is_there(
    instance: Instance, tmp_path: Path
) -> None:
    path = tmp_path / "policy.json"
    path.write_text(json.dumps([1]))
    instance.router.gates.policy.rules = Rules(path)
    window = MainWindow(instance.core, instance.backend)
    try:
        notices = window.shell.toasts.notices
        told = [notices.index(row, 0).data(ITEM).title for row in range(notices.rowCount())]
        assert "Your rules for agents could not be read" in told
        window.rooms.agents.policy.open()
        assert "policy.damaged.json" in window.rooms.agents.policy.problem.text()
    finally:
        window.release()
        bury(window)


@on_qt_loop
async def test_how_fast_each_agent_may_be_is_chosen_and_holds_at_once(opened: PolicyView, instance: Instance) -> None:
    rules = instance.router.gates.policy.rules
    assert (opened.rate.currentData(), opened.rate.currentText()) == (100, "100 commands a second")
    choose(opened.rate, 5)
    assert (rules.rate.per_s, rules.rate.burst) == (5, 10)
    rules.set_rate(Rate(37, 40))
    opened.hide()
    opened.open()
    assert opened.rate.currentData() == 37


@pytest.mark.parametrize("size", [(1440, 900), (1000, 700), (800, 600)])
@pytest.mark.parametrize("rules", [(), RULES])
@on_qt_loop
async def test_nothing_is_cut_or_half_empty_and_it_says_which_rule_wins(
    window: MainWindow, instance: Instance, rules: tuple[Rule, ...], size: tuple[int, int]
) -> None:
    window.resize(*size)
    agent = instance.add_agent("an-agent-with-a-name-of-some-length")
    agent.program = "/home/me/.local/share/some/where/deep/in/the/disk/bin/agent"
    for rule in rules:
        instance.router.gates.policy.rules.put(rule)
    view = window.rooms.agents.policy
    view.open_for(agent)
    await settle()
    assert view.order.text().startswith("The most specific rule wins: agent and site, then agent, then site")
    for combo in (*view.defaults.values(), view.rate, view.agent, view.matter, view.decision):
        assert combo.width() >= combo.sizeHint().width(), combo.accessibleName()
        assert view.rect().contains(combo.geometry()), combo.accessibleName()
    for button in (view.add, *((view.change, view.remove) if rules else ())):
        assert button.width() >= button.sizeHint().width()
        gap_px = button.mapTo(view, QPoint()).y() - view.decision.mapTo(view, QPoint()).y()
        assert gap_px < 3 * button.height(), "beside the fields they act on, wherever those are scrolled to"
    if rules and size[1] == 900:
        row = view.list.sizeHintForRow(0)
        assert 0 <= view.list.viewport().height() - len(rules) * row < row
    assert view.height() - view.area.geometry().bottom() < 30
    assert view.geometry().bottom() < window.statusBar().y()


@on_qt_loop
async def test_a_rule_can_be_about_one_command(opened: PolicyView, instance: Instance) -> None:
    rules = instance.router.gates.policy.rules
    choose(opened.matter, ("", "upload_file"))
    assert opened.matter.currentText() == "Command: Upload file"
    assert [opened.decision.itemData(row) for row in range(opened.decision.count())] == ["allow", "ask", "block"]
    choose(opened.decision, "ask")
    click(opened, "add")
    assert list(rules) == [Rule("ask", command="upload_file")]
    row = opened.list.model().index(0, 0)
    assert row.data(DETAIL) == "Upload file: each time, unless your answer holds for longer"
    gone = Rule("block", command="teleport")
    rules.put(gone)
    opened.list.setCurrentIndex(opened.list.model().index(1, 0))
    opened.list.setCurrentIndex(opened.list.model().index(0, 0))
    for at in range(2):
        opened.list.setCurrentIndex(opened.list.model().index(at, 0))
        assert opened.chosen is not None
        assert opened.matter.currentData() == opened.chosen.matter


@on_qt_loop
async def test_folders_are_opened_and_closed_here(opened: PolicyView, instance: Instance, tmp_path: Path) -> None:
    policy = instance.router.gates.policy
    real, link = tmp_path / "invoices", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    nothing = opened.folders.nothing
    assert (nothing.isVisible(), nothing.text()) == (True, "No folder of yours yet")
    dialog = opened.folders.ask()
    dialog.fileSelected.emit(str(link))
    dialog.close()
    assert policy.rules.folders == (real,), "where the link leads now, not where it may lead later"
    assert not nothing.isVisible()
    await settle()
    height = opened.height()
    closes = [found for found in opened.folders.findChildren(QToolButton) if found.isVisible()]
    assert [found.accessibleName() for found in closes] == [f"Close {real}"]
    opened.folders.ask().fileSelected.emit(str(tmp_path / "gone"))
    assert "could not be saved" in opened.problem.text()
    closes[0].click()
    assert policy.folders == ()
    await settle()
    assert opened.height() < height


@on_qt_loop
async def test_a_folder_of_the_command_line_cannot_be_closed_here(window: MainWindow, instance: Instance) -> None:
    instance.router.gates.policy.allow_dirs = (Path("/srv/shared"),)
    window.shell.actions["policy"].trigger()
    view = window.rooms.agents.policy.folders
    assert [label.text() for label in view.findChildren(QLabel) if label.isVisible()] == [
        "/srv/shared (from the command line)"
    ]
    assert not view.findChildren(QToolButton)
