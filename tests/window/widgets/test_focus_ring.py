"""One ring around what has the focus, wherever that goes."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QPushButton, QScrollArea, QVBoxLayout, QWidget

from kapture_panel import paths
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.focus_ring import Ring
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import bury, on_qt_loop, settle
from tests.support.window.states import STATES

#: Qt paints 5 ms after it was asked to, so a window that asks again with each paint paints in every round, however busy
#: the machine is.
LONGER_THAN_A_PAINT_WAITS_S = 0.015
CALM_ROUNDS, MOST_ROUNDS = 20, 2000


def ring_of(window: QWidget) -> QRect:
    """Where the ring of a window is."""
    QApplication.processEvents()
    (ring,) = window.findChildren(Ring, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return ring.geometry() if ring.isVisible() else QRect()


def place_of(widget: QWidget) -> QRect:
    return QRect(widget.mapTo(widget.window(), QPoint()), widget.size())


def test_the_ring_goes_round_what_has_the_focus_and_takes_no_click(window: MainWindow) -> None:
    window.activateWindow()
    button = window.toolbar.start_button
    clicked: list[bool] = []
    button.clicked.connect(clicked.append)
    button.setFocus()
    around = place_of(button).adjusted(-3, -3, 3, 3)
    assert ring_of(window) == around
    under = window.childAt(around.center())
    assert under is button
    QTest.keyClick(button, Qt.Key.Key_Tab)
    assert ring_of(window) != around
    window.rooms.tabs.view.start_button.setFocus()
    window.resize(1200, 800)
    assert ring_of(window) == place_of(window.rooms.tabs.view.start_button).adjusted(-3, -3, 3, 3)


@on_qt_loop
async def test_every_window_has_its_own_and_the_others_is_gone(window: MainWindow, instance: Instance) -> None:
    window.activateWindow()
    window.toolbar.start_button.setFocus()
    box = await STATES["lightbox"](window, instance)
    box.activateWindow()
    button = next(one for one in box.findChildren(QPushButton) if one.isVisible())
    button.setFocus()
    await settle()
    assert ring_of(window).isNull()
    assert ring_of(box).contains(place_of(button))
    box.close()


class Paints(QObject):
    """Counts how often a window is asked to paint."""

    number = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.number += event.type() == QEvent.Type.UpdateRequest
        return False


@pytest.mark.parametrize("is_covered", [False, True])
@on_qt_loop
async def test_a_window_comes_to_rest_and_does_not_paint(
    is_covered: bool, window: MainWindow, instance: Instance
) -> None:
    window.activateWindow()
    window.resize(1440, 900)
    if is_covered:  # the ring has its place under the card, not on top
        await STATES["pairing"](window, instance)
    window.rooms.command.view.run_bar.run_button.setFocus()
    paints, calm = Paints(window), 0
    window.installEventFilter(paints)
    for _ in range(MOST_ROUNDS):
        before = paints.number
        await settle(LONGER_THAN_A_PAINT_WAITS_S)
        calm = calm + 1 if paints.number == before else 0
        if calm == CALM_ROUNDS:
            break
    window.removeEventFilter(paints)
    assert calm == CALM_ROUNDS


def test_what_is_scrolled_away_has_no_ring_and_what_is_deleted_neither(window: MainWindow) -> None:
    window.activateWindow()
    area, inner = QScrollArea(window), QWidget()
    column = QVBoxLayout(inner)
    buttons = [QPushButton(f"Button {number}") for number in range(20)]
    for button in buttons:
        column.addWidget(button)
    area.setWidget(inner)
    area.setGeometry(300, 200, 200, 120)
    area.show()
    buttons[0].setFocus()
    assert ring_of(window).contains(place_of(buttons[0]))
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    assert ring_of(window).isNull()
    area.verticalScrollBar().setValue(0)
    assert not ring_of(window).isNull()
    bury(area)
    assert not ring_of(window).intersects(QRect(300, 200, 200, 120))


def test_nothing_else_tells_the_focus_in_its_own_way() -> None:
    sheet = (paths.resources() / "theme" / "panel.qss").read_text(encoding="utf-8")
    own = [line for line in re.findall(r"[^\n]*:focus[^\n]*", sheet) if 'invalid="true"' not in line]
    assert own == []


@on_qt_loop
async def test_what_lies_over_the_window_hides_the_ring_of_what_it_covers(
    window: MainWindow, instance: Instance
) -> None:
    window.activateWindow()
    window.resize(1440, 900)
    await STATES["pairing"](window, instance)
    window.rooms.command.view.list.list.setFocus()
    ring_of(window)
    (ring,) = window.findChildren(Ring, options=Qt.FindChildOption.FindDirectChildrenOnly)
    card = window.rooms.browsers.pairing
    window.rooms.command.view.run_bar.run_button.setFocus()
    ring_of(window)
    parts = window.children()
    assert parts.index(ring) < parts.index(card)
    assert card.card is not None
    card.card.refuse.setFocus()
    ring_of(window)
    parts = window.children()
    assert parts.index(ring) > parts.index(card), "its own ring lies over it"


def test_the_ring_is_around_what_is_seen_and_stays_in_its_part_of_the_window(window: MainWindow) -> None:
    window.activateWindow()
    window.resize(1440, 900)
    area, inner = QScrollArea(window), QWidget()
    column = QVBoxLayout(inner)
    buttons = [QPushButton(f"Button {number}") for number in range(20)]
    for button in buttons:
        column.addWidget(button)
    area.setWidget(inner)
    area.setGeometry(300, 200, 200, 120)
    area.show()
    buttons[0].setFocus()
    area.verticalScrollBar().setValue(buttons[0].geometry().center().y())
    seen = place_of(buttons[0]) & place_of(area.viewport())
    assert 0 < seen.height() < buttons[0].height()
    assert ring_of(window) == seen.adjusted(-3, -3, 3, 3) & area.geometry()
    assert ring_of(window).top() == area.geometry().top(), "cut there: above is something else"
    bury(area)
    # A list fills its dock to the edge: beside it another begins.
    part = window.rooms.history.view.table
    part.setFocus()
    dock = next(one for one in window.findChildren(QDockWidget) if one.isAncestorOf(part))
    assert place_of(part).right() == dock.geometry().right()
    assert dock.geometry().contains(ring_of(window))
    assert ring_of(window).left() <= place_of(part).left()
    assert ring_of(window).top() < place_of(part).top()


def test_the_ring_does_not_lie_over_the_title_above(window: MainWindow, instance: Instance) -> None:
    window.activateWindow()
    instance.add_tab()
    part = window.rooms.tabs.view.list
    part.setFocus()
    title = window.shell.docks["tabs"].titleBarWidget()
    assert place_of(part).top() == place_of(title).bottom() + 1 == ring_of(window).top()
