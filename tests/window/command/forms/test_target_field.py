"""Choosing an element in the page, as the form shows it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from kapture_panel.core.wire.results import Picked
from kapture_panel.window.command.forms.match_edit import MatchEdit
from kapture_panel.window.command.forms.picks_list import PicksList
from kapture_panel.window.command.forms.target_field import TargetField
from tests.support.window.forms.form import form_of
from tests.support.window.forms.picked import PICKED
from tests.support.window.forms.samples import CATALOGUE


@pytest.fixture
def field(qtbot: QtBot) -> TargetField:
    made = TargetField(CATALOGUE.get("click").target_properties, is_required=True)
    qtbot.addWidget(made)
    made.resize(640, 300)
    made.show()
    return made


def rows(picks: PicksList) -> list[list[str]]:
    items = [picks.topLevelItem(row) for row in range(picks.topLevelItemCount())]
    return [[item.text(column) for column in range(3)] for item in items if item is not None]


def test_the_button_asks_and_shows_what_happens_not_what_was_clicked(field: TargetField, qtbot: QtBot) -> None:
    with qtbot.waitSignal(field.pick_asked):
        field.pick_button.click()
    assert not field.pick_button.isChecked()
    field.show_picking(True)
    assert field.pick_button.isChecked()
    assert field.note.text() == "Click an element in the page. Esc stops picking."
    field.show_picking(False)
    assert (field.pick_button.isChecked(), field.note.isVisible()) == (False, False)


def test_the_best_name_is_filled_in_and_the_others_offered_with_their_counts(field: TargetField) -> None:
    field.show_picked(PICKED)
    assert field.read() == {"selector": "#pay"}
    assert rows(field.picks) == [
        ["#pay", "id", "1 match"],
        ['//button[normalize-space()="Pay"]', "text", "first of 2"],
        ["button.wide", "class", "not first of 12"],
    ]
    assert field.note.text() == "button “Pay <b>now</b>” can be named in these ways:"
    assert field.picks.height() >= 3 * 24


def test_the_arrow_keys_try_the_others_and_enter_takes_one(field: TargetField) -> None:
    field.show_picked(PICKED)
    QTest.keyClick(field.picks, Qt.Key.Key_Down)
    assert field.read() == {"xpath": '//button[normalize-space()="Pay"]'}
    QTest.keyClick(field.picks, Qt.Key.Key_Return)
    assert not field.is_offering
    assert field.read() == {"xpath": '//button[normalize-space()="Pay"]'}


def test_a_click_takes_one(field: TargetField) -> None:
    field.show_picked(PICKED)
    row = field.picks.visualItemRect(field.picks.topLevelItem(2) or pytest.fail("no row"))
    QTest.mouseClick(field.picks.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    assert field.read() == {"selector": "button.wide"}
    assert not field.is_offering


def test_the_count_stands_in_the_line_until_that_is_edited(field: TargetField) -> None:
    field.show_picked(PICKED)
    line = next(edit for edit in field.findChildren(MatchEdit) if edit.text() == "#pay")
    assert line.said == "1 match"
    QTest.keyClicks(line, "x")
    assert line.said == ""
    assert not field.is_offering


@pytest.mark.parametrize(
    ("picked", "note"),
    [
        (Picked(ended="escape"), ""),
        (Picked(ended="left"), "The page has changed"),
        (replace(PICKED, reachable=False, candidates=[]), "Use a ref from a snapshot"),
    ],
)
def test_without_a_name_it_says_why_and_leaves_the_target(picked: Picked, note: str, field: TargetField) -> None:
    field.write({"ref": "e5"})
    field.show_picked(picked)
    assert field.read() == {"ref": "e5"}
    assert note in field.note.text()
    assert not field.is_offering


def test_a_place_of_a_screenshot_becomes_the_position(field: TargetField, qtbot: QtBot) -> None:
    field.show_picked(PICKED)
    with qtbot.waitSignal(field.edited):
        field.put_position(12.4, 99.6)
    assert field.read() == {"x": 12, "y": 100}
    assert not field.is_offering


def test_where_a_drag_ends_is_a_target_like_the_first(qtbot: QtBot) -> None:
    form = form_of("drag", qtbot)
    first, last = form.targets
    assert form.target is first
    last.show_picked(PICKED)
    first.write({"ref": "e5"})
    assert form.read() == {"ref": "e5", "toSelector": "#pay"}
    last.put_position(3.4, 5)
    assert form.read() == {"ref": "e5", "toX": 3, "toY": 5}
    assert form.write({"xpath": "//a", "toXpath": "//b"}) == ""
    assert form.read() == {"xpath": "//a", "toXpath": "//b"}
    form.write({"ref": "e5"})
    assert form.missing({"ref": "e5"}) == ("toSelector", last.asks)
