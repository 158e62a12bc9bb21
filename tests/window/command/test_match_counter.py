"""How many elements a selector matches is said beside it while it is typed."""

from __future__ import annotations

from PySide6.QtTest import QTest

from kapture_panel.window.command.forms.match_edit import MatchEdit
from kapture_panel.window.command.forms.target_field import TargetField
from kapture_panel.window.command.match_counter import PAUSE_MS
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle, until


def target_of(window: MainWindow) -> TargetField:
    """The target in the form of a click."""
    window.rooms.command.view.list.choose("kapturemcp_click")
    form = window.rooms.command.view.params.form
    assert form is not None
    assert form.target is not None
    return form.target


def line(target: TargetField) -> MatchEdit:
    """Where the selector is typed."""
    return target._edits["selector"]


async def says(target: TargetField, words: str) -> None:
    """Wait for what stands beside the selector."""
    await until(lambda: line(target).said == words, words)


@on_qt_loop
async def test_the_count_comes_once_the_typing_pauses_and_no_row_with_it(
    window: MainWindow, instance: Instance
) -> None:
    instance.add_tab("t1")
    instance.matches.update({"#a": 1, "#ab": 3, "#abc": 0})
    target = target_of(window)
    for text, said in (("#a", "1 match"), ("b", "3 matches"), ("c", "no match")):
        QTest.keyClicks(line(target), text)
        assert line(target).said == ""
        await says(target, said)
    assert instance.counted == [("t1", "#a"), ("t1", "#ab"), ("t1", "#abc")]
    assert instance.history.rows() == []


@on_qt_loop
async def test_an_invalid_selector_says_so_under_the_field(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    target = target_of(window)
    QTest.keyClicks(line(target), "#[")
    await until(lambda: "is not a CSS selector" in target.error)
    QTest.keyClicks(line(target), "a")
    assert target.error == ""


@on_qt_loop
async def test_a_tab_that_is_busy_or_absent_is_not_asked(window: MainWindow, instance: Instance) -> None:
    target = target_of(window)
    QTest.keyClicks(line(target), "#a")
    await settle(PAUSE_MS / 1000 + 0.1)
    tab = instance.add_tab("t1")
    await settle()
    instance.tabs.update(tab, state="executing")
    QTest.keyClicks(line(target), "b")
    await settle(PAUSE_MS / 1000 + 0.1)
    assert (instance.counted, line(target).said, target.error) == ([], "", "")


@on_qt_loop
async def test_the_count_goes_with_the_page_and_with_the_form(window: MainWindow, instance: Instance) -> None:
    tab = instance.add_tab("t1")
    instance.matches.update({"#a": 1})
    target = target_of(window)

    async def count() -> None:
        line(target).clear()
        QTest.keyClicks(line(target), "#a")
        await says(target, "1 match")

    await count()
    instance.tabs.navigated.emit(tab)  # another document under the same address
    assert line(target).said == ""
    await count()
    instance.tabs.update(tab, url="http://127.0.0.1:8123/thanks")
    assert line(target).said == ""
    await count()
    window.rooms.command.view.open("kapturemcp_click", {"selector": "#a"})
    assert line(target).said == ""
    await count()
    window.rooms.command.view.list.choose("kapturemcp_hover")
    window.rooms.command.view.list.choose("kapturemcp_click")
    assert line(target).said == ""
