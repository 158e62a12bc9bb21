"""Forgetting is asked about with what goes, does nothing by default, and says what went."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from shiboken6 import isValid

from kapture_panel.core.stores.forgetting import KINDS, Amount, Scope
from kapture_panel.core.stores.shots import Shot
from kapture_panel.core.wire.events import ConsoleSaid
from kapture_panel.window.history.entries import ENTRIES, FORGET
from kapture_panel.window.history.forget_question import told
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.core.fakes import CATALOGUE, picture
from tests.support.window.fakes import Instance, png
from tests.support.window.history import choose, put, said, shown
from tests.support.window.qt_loop import on_qt_loop, settle, until


def fill(instance: Instance) -> None:
    """Two agents in two tabs; one command still runs."""
    instance.add_tab("t1", "Checkout")
    for number in range(2):
        taken = instance.shots.add(png(), name="one", tab_id="t1", format="png").path.name
        put(instance, "screenshot", shot=taken, client="claude", site="shop.example", ms=float(number))
    put(instance, "click", tab_id="t2", client="codex", site="bank.example")
    put(instance, "click", tab_id="t2", client="codex", site="bank.example", state="running")
    instance.console.append("t1", [ConsoleSaid(at=1, text="hello")])


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (Amount(), "nothing"),
        (Amount(rows=1), "1 history row"),
        (Amount(rows=2, pictures=1), "2 history rows and 1 picture"),
        (Amount(rows=1200, answers=1, requests=2), "1\u202f200 history rows, 1 long answer and 2 requests"),
    ],
)  # fmt: skip
def test_an_amount_is_said_in_words(amount: Amount, words: str) -> None:
    assert told(amount) == words


@on_qt_loop
async def test_it_says_what_goes_and_cancels_by_default(window: MainWindow, instance: Instance) -> None:
    window.activateWindow()
    fill(instance)
    window.shell.actions["forget_everything"].trigger()
    question = window.rooms.history.forget
    assert question.isVisible()
    assert question.cancel.hasFocus()
    assert question.title.text() == "Forget everything?"
    assert question.words.text() == (
        "This deletes 3 history rows, 2 pictures and 1 console line for good. You cannot undo it. Downloaded and "
        "exported files and the browser's own history stay. 1 running command is kept."
    )
    QTest.keyClick(question.cancel, Qt.Key.Key_Return)
    assert question.isHidden()
    window.shell.actions["forget_everything"].trigger()
    QTest.keyClick(question, Qt.Key.Key_Escape)
    assert len(instance.history) == 4
    assert said(window) == []


@on_qt_loop
async def test_yes_forgets_and_says_what_went(window: MainWindow, instance: Instance) -> None:
    fill(instance)
    await until(lambda: len(shown(window)) == 4)
    window.shell.actions["forget_everything"].trigger()
    QTest.mouseClick(window.rooms.history.forget.go_on, Qt.MouseButton.LeftButton)
    assert window.rooms.history.forget.isHidden()
    assert [row.state for row in instance.history.rows()] == ["running"]
    assert len(instance.shots) == 0
    assert said(window) == ["Forgotten"]
    assert window.shell.toasts.shown[0].accessibleName() == "Forgotten: 3 history rows, 2 pictures and 1 console line."
    await until(lambda: len(shown(window)) == 1)
    await settle()
    assert window.rooms.page.console.table.model().rowCount() == 0


@on_qt_loop
async def test_this_means_the_chosen_row_else_the_chosen_tab(window: MainWindow, instance: Instance) -> None:
    fill(instance)
    await settle()
    window.rooms.tabs.choose("t1")
    window.rooms.history.view.options.aboutToShow.emit()
    actions = window.shell.actions
    assert actions["forget_tab"].isEnabled()
    assert not actions["forget_agent"].isEnabled(), "no agent drives the tab"
    actions["forget_tab"].trigger()
    assert window.rooms.history.forget.title.text() == "Forget the tab “Checkout”?"
    window.rooms.history.forget.dismiss()
    await choose(window)
    window.rooms.history.view.options.aboutToShow.emit()
    for kind, words in (("tab", "the tab “t2”"), ("agent", "the agent codex"), ("site", "the site bank.example")):
        actions[f"forget_{kind}"].trigger()
        assert window.rooms.history.forget.title.text() == f"Forget {words}?"
        window.rooms.history.forget.dismiss()
    actions["forget_agent"].trigger()
    QTest.mouseClick(window.rooms.history.forget.go_on, Qt.MouseButton.LeftButton)
    assert [(row.client, row.state) for row in instance.history.rows()] == [
        ("codex", "running"), ("claude", "ok"), ("claude", "ok"),
    ]  # fmt: skip


@on_qt_loop
async def test_where_nothing_is_to_be_forgotten_it_says_so(window: MainWindow, instance: Instance) -> None:
    window.shell.actions["forget_hour"].trigger()
    assert window.rooms.history.forget.words.text() == "There is nothing to forget."
    assert not window.rooms.history.forget.go_on.isEnabled()
    window.rooms.history.forget.dismiss()
    fill(instance)
    window.shell.actions["forget_hour"].trigger()
    assert window.rooms.history.forget.go_on.isEnabled()


@on_qt_loop
async def test_a_history_that_cannot_be_written_is_told(window: MainWindow, instance: Instance) -> None:
    fill(instance)
    window.shell.actions["forget_everything"].trigger()
    instance.history._db.execute("PRAGMA query_only=ON")
    window.rooms.history.forget.go_on.click()
    assert said(window) == ["Nothing was forgotten"]
    instance.history._db.execute("PRAGMA query_only=OFF")
    assert len(instance.history) == 4


@on_qt_loop
async def test_it_is_in_historys_menu_and_in_the_palette_alone(window: MainWindow, instance: Instance) -> None:
    assert tuple(FORGET) == KINDS
    assert [action.text() for action in window.rooms.history.view.options.forget.actions()] == [
        words for words, _ in FORGET.values()
    ]
    assert all(ENTRIES[f"forget_{kind}"].places == frozenset() for kind in KINDS), "not in the tray"
    found = {find.key for find in window.rooms.finder.finds()}
    assert {"action:forget_hour", "action:forget_everything"} <= found
    assert not [command.name for command in CATALOGUE if "forget" in command.name]


@on_qt_loop
async def test_what_is_forgotten_is_shown_nowhere_any_more(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1", "Checkout")
    instance.executor.answers["screenshot"] = picture(png())
    window.rooms.command.view.open("screenshot", {"name": "secret"})
    window.rooms.command.view.run()
    await until(lambda: window.rooms.command.view.task is None)
    assert window.rooms.command.view.result.shown
    recorded = Shot(Path(), "before-1.webp", "Before screenshot", "t1", 1.0, 0)
    instance.history.settle(replace(instance.history.rows()[0], before=recorded.path.name))
    boxes = [window.rooms.shots.lightboxes.open(shot) for shot in (next(iter(instance.shots)), recorded)]
    await choose(window)
    assert window.rooms.history.view.detail.isVisible()
    window.rooms.history.view.question.ask(instance.history.rows()[0], "Run it again?", "")
    window.rooms.history.forget.ask_about(Scope("everything"), "everything")
    QTest.mouseClick(window.rooms.history.forget.go_on, Qt.MouseButton.LeftButton)
    await until(lambda: not shown(window))
    assert window.rooms.history.view.detail.isHidden()
    assert window.rooms.history.view.question.isHidden()
    assert not window.rooms.command.view.result.head.pill.isVisible()
    assert (
        window.rooms.command.view.result.picture.isHidden() or not window.rooms.command.view.result.picture.isVisible()
    )
    assert [box for box in boxes if isValid(box) and not box.isHidden()] == []
