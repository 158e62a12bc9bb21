"""The person's paired browsers: who is there, when the others were seen, and taking one off."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kapture_panel.window.browsers.browsers_view import BrowsersView
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.roles import DETAIL, HEADING, PILL
from tests.support.window.fakes import Instance
from tests.support.window.states import own_tab


def opened(window: MainWindow) -> BrowsersView:
    window.activateWindow()
    window.shell.actions["browsers"].trigger()
    QApplication.processEvents()
    return window.rooms.browsers.view


def test_it_says_who_is_here_and_when_the_others_were_seen(window: MainWindow, instance: Instance) -> None:
    here = instance.paired.add("one", "ab" * 32, "Google Chrome 156")
    away = instance.paired.add("two", "cd" * 32, "<b>Edge</b>\u202e")
    instance.paired.see("one", is_here=True)
    away.seen_at = time.time() - 3 * 3600 - 5
    model = opened(window).list.model()
    rows = [[model.index(row, 0).data(role) for role in (0, DETAIL, PILL)] for row in range(2)]
    day = time.strftime("%Y-%m-%d", time.localtime(here.paired_at))
    assert rows == [
        ["Google Chrome 156", f"paired {day}", ("connected", "ok")],
        ["<b>Edge</b>", f"last seen 3 h ago · paired {day}", ("away", "neutral")],
    ]


def test_the_name_a_person_gives_stands_in_the_list_above_its_tabs_and_is_kept(
    window: MainWindow, instance: Instance
) -> None:
    for name in ("one", "two"):
        instance.paired.add(name, "ab" * 32, "Google Chrome 156").seen_at = time.time() - 3 * 3600 - 5
    own_tab(instance, "p1", "Mail", "two")
    tabs = window.rooms.tabs.view.list.model()
    assert tabs.index(0, 0).data(HEADING) == "Google Chrome"
    view = opened(window)
    view.list.setCurrentIndex(view.list.model().index(1, 0))
    assert (view.name.text(), view.name.placeholderText()) == ("", "Google Chrome 156")
    view.name.setFocus()
    QTest.keyClicks(view.name, " Chrome - Work ")
    QTest.keyClick(view.name, Qt.Key.Key_Return)
    assert instance.paired.given_name("two") == "Chrome - Work"
    row = view.list.model().index(1, 0)
    assert row.data() == "Chrome - Work"
    assert str(row.data(DETAIL)).startswith("last seen 3 h ago · Google Chrome 156 · paired ")
    assert tabs.index(0, 0).data(HEADING) == "Chrome - Work"
    view.list.setCurrentIndex(view.list.model().index(0, 0))
    assert (view.name.text(), instance.paired.given_name("one")) == ("", "")


def test_a_name_that_is_being_typed_stays_when_a_browser_comes(window: MainWindow, instance: Instance) -> None:
    for name in ("one", "two"):
        instance.paired.add(name, "ab" * 32, "Google Chrome 156")
    view = opened(window)
    view.list.setCurrentIndex(view.list.model().index(1, 0))
    view.name.setFocus()
    QTest.keyClicks(view.name, "Chrome - W")
    instance.paired.add("three", "ef" * 32, "Microsoft Edge 156")
    QTest.keyClicks(view.name, "ork")
    QTest.keyClick(view.name, Qt.Key.Key_Return)
    assert [instance.paired.given_name(name) for name in ("one", "two", "three")] == ["", "Chrome - Work", ""]


def test_unpairing_is_asked_about_and_done_for_the_chosen_one(window: MainWindow, instance: Instance) -> None:
    for name in ("one", "two"):
        instance.paired.add(name, "ab" * 32, f"Chrome {name}")
    view = opened(window)
    view.list.setCurrentIndex(view.list.model().index(1, 0))
    QTest.mouseClick(view.unpair, Qt.MouseButton.LeftButton)
    assert "Unpair Chrome two?" in view.question.text()
    assert view.no.hasFocus()
    QTest.mouseClick(view.no, Qt.MouseButton.LeftButton)
    assert len(instance.paired) == 2
    assert view.isVisible()
    QTest.mouseClick(view.unpair, Qt.MouseButton.LeftButton)
    QTest.mouseClick(view.yes, Qt.MouseButton.LeftButton)
    assert [browser.install for browser in instance.paired] == ["one"]
    assert "Chrome two is not paired any more" in [toast.title for toast in window.shell.toasts.shown]
    assert view.list.model().rowCount() == 1


def test_without_any_it_leads_to_the_guide(window: MainWindow) -> None:
    view = opened(window)
    assert view.nothing.isVisible()
    assert not view.unpair.isVisible()
    QTest.mouseClick(view.add, Qt.MouseButton.LeftButton)
    assert window.rooms.browsers.browser_setup.isVisible()
    assert not view.isVisible()


def test_one_that_is_paired_while_one_looks_is_shown(window: MainWindow, instance: Instance) -> None:
    view = opened(window)
    instance.paired.add("one", "ab" * 32, "Google Chrome 156")
    assert view.list.isVisible()
    assert view.unpair.isVisible()
    assert not view.nothing.isVisible()


def test_the_question_and_its_buttons_are_one_block(window: MainWindow, instance: Instance) -> None:
    instance.paired.add("one", "ab" * 32, "Google Chrome 156").seen_at = time.time()
    view = opened(window)
    assert str(view.list.model().index(0, 0).data(DETAIL)).startswith("last seen just now · ")
    view.unpair.click()
    QApplication.processEvents()
    assert view.no.y() == view.yes.y() < view.add.y() == view.places.y()
