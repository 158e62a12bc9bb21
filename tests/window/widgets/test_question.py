"""Quitting, and closing the browser, ask first while agents are at work, and only then."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle, until


async def work(window: MainWindow, instance: Instance) -> None:
    """An agent with a command under way."""
    instance.add_tab("t1", "Checkout")
    agent = instance.add_agent("claude-code")
    agent.running, agent.current_tab = 1, "t1"
    instance.clients.changed.emit(agent)
    await until(window.rooms.agents.activity.at_work)


@on_qt_loop
async def test_quitting_asks_while_an_agent_is_at_work_and_does_nothing_by_default(
    window: MainWindow, instance: Instance
) -> None:
    quits: list[bool] = []
    window.quit_requested.connect(lambda: quits.append(True))
    window.activateWindow()
    await work(window, instance)
    window.shell.actions["quit"].trigger()
    question = window.rooms.agents.at_work
    assert question.isVisible()
    assert question.cancel.hasFocus()
    assert question.words.text().startswith("claude-code in “Checkout”.")
    QTest.keyClick(question.cancel, Qt.Key.Key_Return)
    assert question.isHidden()
    window.shell.actions["quit"].trigger()
    QTest.keyClick(question, Qt.Key.Key_Escape)
    assert question.isHidden()
    assert quits == []
    window.close()  # there is no tray
    assert question.isVisible()
    assert quits == []
    QTest.mouseClick(question.go_on, Qt.MouseButton.LeftButton)
    assert quits == [True]


@on_qt_loop
async def test_an_open_question_follows_who_is_at_work_and_quits_nothing_by_itself(
    window: MainWindow, instance: Instance
) -> None:
    quits: list[bool] = []
    window.quit_requested.connect(lambda: quits.append(True))
    await work(window, instance)
    window.shell.actions["quit"].trigger()
    question = window.rooms.agents.at_work
    second = instance.add_agent("codex")
    second.running = 1
    instance.clients.changed.emit(second)
    await until(lambda: question.title.text() == "2 agents are at work")
    instance.clients.remove(second)
    await until(lambda: question.title.text() == "1 agent is at work")
    instance.tabs.update(instance.tabs.get("t1"), title="Receipt")
    await until(lambda: question.words.text().startswith("claude-code in “Receipt”. Quitting stops"))
    (first,) = instance.clients.agents()
    instance.clients.remove(first)
    await until(lambda: question.title.text() == "No agent is at work any more")
    assert question.words.text().startswith("Quitting stops")
    assert "claude-code" not in question.accessibleName()
    assert (question.isVisible(), quits) == (True, [])
    QTest.mouseClick(question.go_on, Qt.MouseButton.LeftButton)
    assert quits == [True]


@on_qt_loop
async def test_an_open_question_follows_what_a_pause_cuts_off(window: MainWindow, instance: Instance) -> None:
    await work(window, instance)
    window.shell.actions["quit"].trigger()
    question = window.rooms.agents.at_work
    instance.core.gates.pause.hold()
    await settle(0.2)
    assert question.title.text() == "1 agent is at work"
    (agent,) = instance.clients.agents()
    agent.running = 0
    instance.clients.changed.emit(agent)
    await until(lambda: question.title.text() == "No agent is at work any more")


@on_qt_loop
async def test_a_question_that_was_cancelled_does_not_come_again(window: MainWindow, instance: Instance) -> None:
    await work(window, instance)
    window.shell.actions["quit"].trigger()
    question = window.rooms.agents.at_work
    question.dismiss()
    instance.add_agent("codex")
    window.rooms.agents._follows.flush()
    assert question.isHidden()


@on_qt_loop
async def test_an_agent_that_leaves_is_no_longer_said_to_be_connected(window: MainWindow, instance: Instance) -> None:
    agent = instance.add_agent("claude-code")
    window.close()  # there is no tray
    question = window.rooms.agents.at_work
    assert question.title.text() == "1 agent is connected"
    instance.clients.remove(agent)
    await until(lambda: question.title.text() == "No agent is connected any more")
    assert question.isVisible()


def test_an_idle_agent_is_a_reason_to_ask_who_closes_the_window_but_not_who_quits(
    window: MainWindow, instance: Instance
) -> None:
    quits: list[bool] = []
    window.quit_requested.connect(lambda: quits.append(True))
    instance.add_agent("claude-code")
    window.close()  # there is no tray
    question = window.rooms.agents.at_work
    assert question.isVisible()
    assert question.title.text() == "1 agent is connected"
    QTest.keyClick(question, Qt.Key.Key_Escape)
    assert quits == []
    window.shell.actions["quit"].trigger()
    assert quits == [True]


@on_qt_loop
async def test_the_browser_is_closed_after_the_same_question(window: MainWindow, instance: Instance) -> None:
    close = window.shell.actions["close_browser"]
    assert not close.isEnabled()
    await instance.executor.open_browser()
    assert close.isEnabled()
    close.trigger()
    await until(lambda: not len(instance.tabs))
    assert not close.isEnabled()
    await instance.executor.open_browser()
    await work(window, instance)
    close.trigger()
    assert window.rooms.agents.at_work.isVisible()
    assert window.rooms.agents.at_work.go_on.text() == "Close browser"
    assert len(instance.tabs)


@on_qt_loop
async def test_a_question_that_is_asked_again_is_as_high_as_its_new_words(window: MainWindow) -> None:
    question = window.rooms.agents.at_work
    question.ask("1 agent is at work", "Quitting stops it.", "Quit", lambda: None)
    await settle()
    low_px = question.height()
    question.ask("9 agents are at work", "Quitting stops what they do. " * 12, "Quit", lambda: None)
    await settle()
    assert question.height() > low_px
    assert question.words.height() >= question.words.heightForWidth(question.words.width())
    question.ask("1 agent is at work", "Quitting stops it.", "Quit", lambda: None)
    await settle()
    assert question.height() == low_px
