"""Where messages stand: what a person needs stays in sight."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import on_qt_loop, settle
from tests.support.window.states import STATES


def place(part: QWidget) -> QRect:
    return QRect(part.mapTo(part.window(), QPoint()), part.size())


@pytest.mark.parametrize("size", [QSize(800, 600), QSize(800, 500)])
@on_qt_loop
async def test_no_message_lies_over_a_question(size: QSize, window: MainWindow, instance: Instance) -> None:
    window.resize(size)
    await STATES["history_question"](window, instance)
    await settle()
    toasts = window.shell.toasts
    assert toasts.isVisible()
    parts = (window.rooms.history.view.question, window.rooms.command.view.run_bar, window.toolbar)
    assert [part for part in parts if place(part).intersects(toasts.geometry())] == []


@on_qt_loop
async def test_a_button_with_the_focus_stays_in_sight(window: MainWindow) -> None:
    window.activateWindow()
    toasts = window.shell.toasts
    toasts.tell("Saving failed", "The disk is full.", "error")
    button = QPushButton("Here", window)
    button.setGeometry(toasts.geometry())
    button.show()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    await settle()
    assert toasts.isVisible()
    assert not toasts.geometry().intersects(button.geometry())


@on_qt_loop
async def test_a_small_window_shows_one_and_leads_to_the_others(window: MainWindow) -> None:
    window.resize(1440, 900)
    toasts = window.shell.toasts
    toasts.tell("Saving failed", "The disk is full.", "error")
    toasts.tell("History exported", "12 rows", "ok")
    await settle()
    assert len(toasts.shown) == 2
    window.resize(800, 500)
    await settle()
    (shown,) = toasts.shown
    assert shown.more.text() == "1 more"
    QTest.mouseClick(shown.more, Qt.MouseButton.LeftButton)
    assert window.notices.view.isVisible()
    await settle()
    assert toasts.shown == []


@on_qt_loop
async def test_a_title_alone_is_one_narrow_line_in_a_small_window(window: MainWindow) -> None:
    window.resize(800, 500)
    toasts = window.shell.toasts
    toasts.tell("Copied", tone="ok", is_kept=False)
    await settle()
    narrow = toasts.size()
    toasts.clear()
    toasts.tell("Agent “a name that is long, and says so at some length” connected")
    await settle()
    assert toasts.height() == narrow.height() < 40
    assert narrow.width() < 140 < toasts.width() < window.width() // 2


@on_qt_loop
async def test_a_message_that_finds_no_room_comes_when_there_is_some(window: MainWindow, instance: Instance) -> None:
    window.resize(800, 500)
    toasts = window.shell.toasts
    window.shell.actions["palette"].trigger()
    toasts.tell("Saving failed", "The disk is full.", "error")
    await settle()
    assert not toasts.isVisible(), "no slot beside the palette, and none over the toolbar"
    window.shell.actions["palette"].trigger()
    await settle()
    assert toasts.isVisible()


@pytest.mark.parametrize(
    ("title", "begin", "end"),
    [
        ("Agent “claude-code” connected", "“claude-code” connected", ""),
        ("Agent “claude-code-in-shop” connected", "“claude-code-in-shop”", "…"),
        ("Agent “an agent with a long name of its own” connected", "“an", "” connected"),
        ("Microsoft Edge 156 is not paired any more", "Microsoft Edge 156", "…"),
    ],
)
@on_qt_loop
async def test_a_small_window_cuts_a_name_last(title: str, begin: str, end: str, window: MainWindow) -> None:
    window.resize(800, 500)
    toasts = window.shell.toasts
    toasts.tell("Agent “codex” connected")
    toasts.tell(title)
    await settle()
    (shown,) = toasts.shown
    assert shown.more.text() == "1 more"
    (label,) = [label for label in shown.findChildren(QLabel) if label.property("kind") == "strong"]
    assert label.text().startswith(begin)
    assert label.text().endswith(end)


@on_qt_loop
async def test_a_small_window_shows_an_error_rather_than_what_came_after_it(window: MainWindow) -> None:
    window.resize(800, 500)
    toasts = window.shell.toasts
    toasts.tell("Saving failed", "The disk is full.", "error")
    toasts.tell("Agent “claude-code” connected")
    await settle()
    (shown,) = toasts.shown
    assert shown.title == "Saving failed"
    assert shown.more.text() == "1 more"
    toasts.tell("Start browser failed", "There is none.", "error")
    await settle()
    assert [toast.title for toast in toasts.shown] == ["Start browser failed"], "the one nobody has seen"


@on_qt_loop
async def test_a_title_alone_is_whole_from_the_beginning(window: MainWindow) -> None:
    toasts = window.shell.toasts
    toasts.tell("Agent “demo-agent” left")
    for _ in range(3):
        await settle()
        (label,) = [one for one in toasts.findChildren(QLabel) if "demo-agent" in one.text()]
        assert label.width() >= label.sizeHint().width()


@on_qt_loop
async def test_a_title_with_room_is_whole_however_long_the_words_below_are(window: MainWindow) -> None:
    window.resize(800, 500)
    toasts = window.shell.toasts
    toasts.tell("Agent “codex” connected")
    toasts.tell("Saving failed", "The disk is full. " * 4, "error")
    await settle()
    (shown,) = toasts.shown
    assert not shown.more.isHidden()
    assert [label for label in shown.findChildren(QLabel) if label.text() == "Saving failed"]
