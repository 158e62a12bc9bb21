"""Cards of questions that nobody can answer any more, or whose call has ended, and what the person is told of them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.approvals import Scene
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle
from tests.support.window.questions import ask, ask_to_run, card_of


@on_qt_loop
async def test_one_that_expired_says_so_until_it_is_dismissed_behind_what_can_be_answered(
    window: MainWindow, instance: Instance
) -> None:
    instance.router.gates.approvals.expiry_s = 0.05
    _agent, late = ask_to_run(instance)
    assert (await late).startswith("APPROVAL_EXPIRED")
    instance.router.gates.approvals.expiry_s = 600.0
    await settle()
    card = window.rooms.agents.approvals.card
    assert card is not None
    assert "the question expired. Nothing was done" in card.words
    assert not card.yes
    assert "question" not in window.tray.tooltip
    assert window.rooms.agents.approvals.title_bar.word == ""
    asking = ask(instance)
    answerable = await card_of(window)
    assert window.rooms.agents.approvals.title_bar.word == "1", "what nobody can answer waits for nobody"
    QTest.mouseClick(answerable.deny, Qt.MouseButton.LeftButton)
    await asking
    card = window.rooms.agents.approvals.card
    assert card is not None
    QTest.mouseClick(card.dismiss, Qt.MouseButton.LeftButton)
    assert not window.rooms.agents.approvals.isVisible()


@on_qt_loop
async def test_a_question_whose_page_was_left_says_so_and_cannot_be_pressed(
    window: MainWindow, instance: Instance
) -> None:
    tab = instance.add_tab(url="https://shop.example/cart")
    _agent, asking = ask_to_run(instance, scene=Scene(tab, (tab.url,)))
    await card_of(window)
    instance.tabs.update(tab, url="https://other.example/")
    assert (await asking).startswith("APPROVAL_EXPIRED")
    await settle()
    card = window.rooms.agents.approvals.card
    assert card is not None
    assert "The question is out of date: the page was left for other.example. Nothing was done." in card.words
    assert not card.yes
    assert [button.text() for button in card.findChildren(QPushButton)] == ["Dismiss"]
    assert not card.because.isVisible()
    assert card.property("kind") == "card", "without the edge of what calls for an answer"
    card.dismiss.click()
    assert not window.rooms.agents.approvals.isVisible()


@on_qt_loop
async def test_a_yes_after_the_call_has_ended_does_nothing_and_says_so(window: MainWindow, instance: Instance) -> None:
    asking = tasks.spawn(
        instance.router.gates.approvals.ask(
            instance.add_agent("claude-code"), instance.catalogue.get("evaluate"), {"code": "1"}, site="shop.example",
            where="Cart", timeout_s=0.01,
        ), "ask",
    )  # fmt: skip
    with pytest.raises(KaptureError, match="has not decided yet"):
        await asking
    card = await card_of(window)
    assert "Its call ended, nothing was done; it may ask again until" in card.words
    card.more.click()
    assert "If claude-code gives up waiting and asks again before" in card.words
    card.allow.click()
    notices = window.shell.toasts.notices
    said = notices.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Allowed, but nothing was done yet" in said
    assert "makes the same call again before" in said
    assert instance.executor.sent == []


@on_qt_loop
async def test_a_call_that_is_made_again_is_waited_for(window: MainWindow, instance: Instance) -> None:
    agent, asking = ask_to_run(instance)
    card = await card_of(window)
    assert "You can answer until" in card.words
    assert "Waits for you" not in card.words, "the agent may give its call up long before"
    card.more.click()
    await settle()
    before = card.text.wanted_px
    card.ask.waiting -= 1
    instance.router.gates.approvals.waited.emit(card.ask)
    assert "Its call ended" in card.words
    assert card.text.wanted_px == before, "nothing below it moves"
    assert agent.name == "claude-code"
    card.ask.waiting += 1
    instance.router.gates.approvals.waited.emit(card.ask)
    assert "You can answer until" in card.words
    await tasks.end(asking)


@on_qt_loop
async def test_who_takes_a_question_back_is_told(window: MainWindow, instance: Instance) -> None:
    _agent, asking = ask_to_run(instance)
    await card_of(window)
    await tasks.end(asking)
    await settle()
    assert "claude-code withdrew its question" in told(window)


@on_qt_loop
async def test_a_question_that_the_pause_ends_was_withdrawn_by_nobody(window: MainWindow, instance: Instance) -> None:
    _agent, asking = ask_to_run(instance)
    await card_of(window)
    instance.router.gates.pause.hold()
    await tasks.end(asking)  # as the pause cuts off what runs
    await settle()
    assert "The pause ended claude-code's question" in told(window)
    assert "withdrew" not in told(window)


@on_qt_loop
async def test_who_was_told_no_or_cut_off_drives_nothing(window: MainWindow, instance: Instance) -> None:
    activity, gates = window.rooms.agents.activity, instance.router.gates
    for end in (lambda ask: gates.approvals.deny(ask), lambda _ask: gates.pause.hold()):
        agent, asking = ask_to_run(instance)
        agent.running = 1
        instance.clients.changed.emit(agent)
        end((await card_of(window)).ask)
        await tasks.end(asking)
        agent.running = 0
        instance.clients.changed.emit(agent)
        gates.pause.lift()
        assert activity.state_of(agent) == "idle"


@on_qt_loop
async def test_a_refused_call_drives_nothing(window: MainWindow, instance: Instance) -> None:
    agent = instance.add_agent()
    with pytest.raises(KaptureError):
        await instance.router.run(agent, "clik", {})
    assert window.rooms.agents.activity.state_of(agent) == "idle"


def told(window: MainWindow) -> str:
    """All that was told."""
    notices = window.shell.toasts.notices
    role = Qt.ItemDataRole.AccessibleTextRole
    return "\n".join(notices.index(row, 0).data(role) for row in range(notices.rowCount()))
