"""An answer is seen in the ways that fit it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.wire.effects import Effects
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
    made.resize(600, 400)
    made.show()
    yield made
    pictures.close()


def test_an_action_shows_its_effects_in_words_and_as_a_tree(view: ResultView, instance: Instance) -> None:
    answer = Answer(
        instance.catalogue.get("click"), {"clicked": True}, effects=Effects(url="http://x/thanks", requests=3), ms=12
    )
    view.show_answer(answer)
    assert view.head.pill.text() == "✓ done"
    assert view.head.ms.text() == "12 ms"
    assert view.head.summary.text() == "navigated to /thanks · 3 requests"
    assert view.offered == ["Tree", "Raw"]
    model = view.tree.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["result", "effects"]


def test_records_open_as_a_table(view: ResultView, instance: Instance) -> None:
    view.show_answer(Answer(instance.catalogue.get("list_tabs"), {"tabs": [{"tabId": "t1"}, {"tabId": "t2"}]}))
    assert (view.shown, view.offered) == ("Table", ["Tree", "Table", "Raw"])
    assert view.table.model().rowCount() == 2


def test_a_small_table_moves_neither_way(view: ResultView, instance: Instance) -> None:
    view.resize(300, 200)
    records = [{"name": "sid", "value": 1}, {"name": "b", "value": 2}]
    view.show_answer(Answer(instance.catalogue.get("list_tabs"), {"tabs": records}))
    QApplication.processEvents()
    assert view.table.horizontalScrollBar().maximum() == 0


def test_what_was_answered_is_read_before_the_tools_stand_beside_it(view: ResultView, instance: Instance) -> None:
    view.show_answer(Answer(instance.catalogue.get("click"), {}, effects=Effects(url="http://x/thanks", requests=3)))
    for width_px in range(300, 700, 20):
        view.resize(width_px, 300)
        QApplication.processEvents()
        assert view.head.summary.width() >= min(view.head.summary.sizeHint().width(), 140)


def test_the_values_of_a_tree_begin_behind_its_longest_key(view: ResultView, instance: Instance) -> None:
    left_px = []
    for key in ("a", "a much longer key"):
        view.show_answer(Answer(instance.catalogue.get("evaluate"), {key: 1}))
        left_px.append(view.tree.columnWidth(0))
    assert left_px[0] < left_px[1] <= view.tree.viewport().width() // 2


def test_an_empty_table_falls_back_to_the_tree(view: ResultView, instance: Instance) -> None:
    view.show_answer(Answer(instance.catalogue.get("list_tabs"), {"tabs": []}))
    assert (view.shown, view.offered) == ("Tree", ["Tree", "Raw"])


def test_a_snapshot_opens_as_plain_text(view: ResultView, instance: Instance) -> None:
    view.show_answer(Answer(instance.catalogue.get("snapshot"), {"text": '- button "<b>\u202ePay</b>" [ref=e1]'}))
    assert view.shown == "Text"
    assert view.text.toPlainText() == '- button "<b>Pay</b>" [ref=e1]'


def test_the_snapshot_of_an_action_is_offered(view: ResultView, instance: Instance) -> None:
    view.show_answer(Answer(instance.catalogue.get("click"), {}, effects=Effects(), snapshot="- link"))
    assert view.shown == "Tree"
    assert view.offered == ["Tree", "Text", "Raw"]


def test_a_screenshot_opens_as_a_picture(view: ResultView, instance: Instance, qtbot: QtBot) -> None:
    shot = instance.shots.add(png(80, 40), name="a", tab_id="t1", format="png", width=80, height=40)
    view.show_answer(Answer(instance.catalogue.get("screenshot"), {"format": "png"}, shot=shot))
    assert view.shown == "Image"
    qtbot.waitUntil(lambda: view.picture.image.width() == 80)
    opened: list[object] = []
    view.shot_opened.connect(opened.append)
    view.picture.opened.emit()
    assert opened == [shot]


def test_raw_is_the_whole_answer_made_when_it_is_looked_at(view: ResultView, instance: Instance) -> None:
    view.show_answer(Answer(instance.catalogue.get("evaluate"), {"value": 42}, effects=Effects()))
    assert view.raw.toPlainText() == ""
    view.head.views.buttons[4].click()
    assert '"value": 42' in view.raw.toPlainText()


def test_an_error_shows_code_and_message_as_they_are(view: ResultView) -> None:
    view.show_error(KaptureError("ELEMENT_NOT_FOUND", "nothing matches <b>#x</b>\u202e"), 804)
    assert view.head.pill.text() == "✗ ELEMENT_NOT_FOUND"
    assert view.message.text().startswith("nothing matches <b>#x</b>. Check the target")
    assert view.head.summary.text() == ""
    assert view.offered == ["Tree", "Raw"] or view.head.views.isHidden()


def test_an_error_with_details_shows_them(view: ResultView) -> None:
    view.show_error(KaptureError("NAVIGATION_FAILED", "no", netError="ERR_X"), 1)
    assert not view.head.views.isHidden()


def test_a_success_after_an_error_leaves_nothing_of_it(view: ResultView, instance: Instance) -> None:
    view.show_error(KaptureError("INTERNAL", "broken"), 1)
    view.show_answer(Answer(instance.catalogue.get("evaluate"), 1, effects=Effects()))
    assert view.message.isHidden()
    assert view.head.views.isVisible()


def test_a_picture_of_no_store_is_decoded_elsewhere_and_opens_under_its_name(
    view: ResultView, instance: Instance, qtbot: QtBot
) -> None:
    command = instance.catalogue.get("read_image")
    view.begin(command, {"path": "/pictures/cart.png"})
    view.show_answer(Answer(command, {"width": 40, "height": 20, "path": "/pictures/cart.png"}, image=png(40, 20)))
    assert view.picture.image.isNull()
    qtbot.waitUntil(lambda: view.picture.image.width() == 40)
    with qtbot.waitSignal(view.picture_opened) as opened:
        view.picture.opened.emit()
    assert opened.args == ["cart.png", png(40, 20)]


def test_an_answer_beside_another_commands_form_says_whose_it_is(view: ResultView, instance: Instance) -> None:
    click, fill = instance.catalogue.get("click"), instance.catalogue.get("fill")
    view.begin(click, {})
    view.show_answer(Answer(click, {}, effects=Effects()))
    assert view.head.whose.isHidden()
    view.name_beside(fill)
    assert view.head.whose.isVisible()
    assert view.head.whose.text() == "Click"
    view.name_beside(click)
    assert view.head.whose.isHidden()
