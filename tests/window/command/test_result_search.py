"""Search in a result finds every place, whatever the view, and goes through them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from pytestqt.qtbot import QtBot

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.wire.effects import Effects
from kapture_panel.window.command.result_head import RAW, TABLE, TREE
from kapture_panel.window.command.result_search import MAX_PLACES, SearchedText
from kapture_panel.window.command.result_view import ResultView
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.theme import Theme
from tests.support.window.fakes import Instance, png


@pytest.fixture
def view(theme: Theme, instance: Instance, qtbot: QtBot) -> Iterator[ResultView]:
    parent = QObject()
    pictures = Pictures(parent)
    made = ResultView(theme, pictures, instance.backend.mcp_config)
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    made.begin(instance.catalogue.get("click"), {"selector": "#pay"})
    yield made
    pictures.close()


def search(view: ResultView, words: str) -> str:
    """How many places it tells of."""
    view.search()
    view.search_bar.line.setText(words)
    QTest.keyClick(view.search_bar.line, Qt.Key.Key_Return)
    return view.search_bar.count.text()


def test_ctrl_f_opens_it_and_escape_closes_it(view: ResultView, instance: Instance) -> None:
    view.show_answer(Answer(instance.catalogue.get("evaluate"), {"value": 1}, effects=Effects()))
    view.activateWindow()
    view.tree.setFocus()
    QTest.keyClick(view.tree, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert view.search_bar.isVisible()
    assert view.search_bar.line.hasFocus()
    QTest.keyClick(view.search_bar.line, Qt.Key.Key_Escape)
    assert view.search_bar.isHidden()


def test_the_next_answer_is_not_searched_for_what_was_looked_for_in_the_last(
    view: ResultView, instance: Instance
) -> None:
    evaluate = instance.catalogue.get("evaluate")
    view.show_answer(Answer(evaluate, {"value": 1}, effects=Effects()))
    assert search(view, "nowhere") == "nothing found"
    view.begin(evaluate, {"code": "2"})
    view.show_answer(Answer(evaluate, {"value": 2}, effects=Effects()))
    assert view.search_bar.isHidden()
    view.search()
    assert (view.search_bar.line.text(), view.search_bar.count.text()) == ("", "")


def test_in_a_tree_it_opens_the_branch_of_each_place(view: ResultView, instance: Instance) -> None:
    deep = {"a": {"b": [{"Needle": 1}, {"c": "a NEEDLE here"}]}, "needle": None}
    view.show_answer(Answer(instance.catalogue.get("evaluate"), deep, effects=Effects()))
    assert search(view, "needle") == "1 of 3"
    keys = []
    for _ in range(3):
        keys.append(view.tree.currentIndex().siblingAtColumn(0).data())
        assert view.tree.visualRect(view.tree.currentIndex()).isValid()
        view.search_bar.go_next()
    assert keys == ["Needle", "c", "needle"]
    assert view.search_bar.count.text() == "1 of 3"
    QTest.keyClick(view.search_bar.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert view.search_bar.count.text() == "3 of 3"


def test_in_a_table_it_goes_to_the_cell(view: ResultView, instance: Instance) -> None:
    tabs = [{"tabId": "t1", "title": "Shop"}, {"tabId": "t2", "title": "Work shop"}]
    view.show_answer(Answer(instance.catalogue.get("list_tabs"), {"tabs": tabs}))
    assert search(view, "SHOP") == "1 of 2"
    assert view.table.currentIndex().row() == 0
    view.search_bar.go_next()
    assert (view.table.currentIndex().row(), view.table.currentIndex().column()) == (1, 1)


def test_another_view_is_searched_for_the_same_words(view: ResultView, instance: Instance) -> None:
    tabs = [{"tabId": "t1", "title": "Shop"}, {"tabId": "t2", "title": "Shop"}]
    view.show_answer(Answer(instance.catalogue.get("list_tabs"), {"tabs": tabs}))
    assert search(view, "title") == "nothing found"
    view.head.views.buttons[TREE].click()
    assert view.search_bar.count.text() == "1 of 2"
    view.head.views.buttons[RAW].click()
    assert view.search_bar.count.text() == "1 of 2"
    assert view.raw.textCursor().selectedText() == "title"
    assert len(view.raw.extraSelections()) == 2
    view.search_bar.close_search()
    assert view.raw.extraSelections() == []
    view.head.views.buttons[TABLE].click()


def test_a_picture_cannot_be_searched_and_an_error_has_nothing_to(view: ResultView, instance: Instance) -> None:
    shot = instance.shots.add(png(), name="a", tab_id="t1", format="png", width=40, height=20)
    view.show_answer(Answer(instance.catalogue.get("screenshot"), {"format": "png"}, shot=shot))
    assert not view.head.search_button.isEnabled()
    view.show_error(KaptureError("INTERNAL", "broken"), 1)
    assert not view.head.search_button.isVisible()
    view.search()
    assert view.search_bar.isHidden()


@given(st.lists(st.sampled_from(["pay", "PAY", "𝄞", "\n", "é", "İ", " "]), max_size=30).map("".join))
def test_every_place_of_a_text_is_marked_as_it_stands_there(text: str) -> None:
    assert QApplication.instance() is not None
    pane = QPlainTextEdit()
    pane.setPlainText(text)
    searched = SearchedText(pane, lambda: QColor("#ff0"))
    places = searched.find("Pay")
    searched.show(places, 0)
    marked = [selection.cursor.selectedText().lower() for selection in pane.extraSelections()]
    assert marked == ["pay"] * text.lower().count("pay")
    pane.deleteLater()


def test_a_large_text_is_searched_up_to_a_bound(qapp: QApplication) -> None:
    pane = QPlainTextEdit()
    pane.setPlainText("ab " * 200_000)
    searched = SearchedText(pane, lambda: QColor("#ff0"))
    places = searched.find("ab")
    assert len(places) == MAX_PLACES
    searched.show(places, 5000)
    assert len(pane.extraSelections()) == 500
    pane.deleteLater()


def copied(view: ResultView, words: str) -> str:
    view.fill_copy_menu()
    next(action for action in view.head.copy_menu.actions() if action.text() == words).trigger()
    return QApplication.clipboard().text()


def test_copy_as_offers_the_call_and_its_answer(view: ResultView, instance: Instance, qtbot: QtBot) -> None:
    view.show_answer(Answer(instance.catalogue.get("click"), {"clicked": True}, effects=Effects()))
    with qtbot.waitSignal(view.copied):
        assert copied(view, "Shell").endswith("call click 'selector=#pay'")
    assert '"kapturemcp_click"' in copied(view, "MCP call (JSON)")
    assert "call_tool('kapturemcp_click', {'selector': '#pay'})" in copied(view, "Python")
    assert '"clicked": true' in copied(view, "Answer as JSON")
    view.show_error(KaptureError("STALE_REF", "e5 is gone"), 1)
    assert copied(view, "Error as text") == "STALE_REF: e5 is gone"
    assert copied(view, "Shell").endswith("call click 'selector=#pay'")
