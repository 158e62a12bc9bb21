"""The history dock: searched by keys, looked at, run again after a question, exported, recorded."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kapture_panel.core.basics.settings import RECORD_PICTURES, RECORD_TYPED
from kapture_panel.core.stores import recorder
from kapture_panel.window.history.history_model import OUTCOME, SUMMARY
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.contents import page_picture
from tests.support.window.fakes import Instance
from tests.support.window.history import choose, put, shown
from tests.support.window.qt_loop import on_qt_loop, settle, until
from tests.support.window.states import STATES


@on_qt_loop
async def test_the_filter_finds_as_it_is_typed_and_explains_what_is_wrong(
    window: MainWindow, instance: Instance
) -> None:
    put(instance, "click", client="ÄGENT")
    put(instance, "fill", state="error", code="STALE_REF", summary="gone")
    put(instance, "snapshot")
    await until(lambda: shown(window) == [3, 2, 1])
    field = window.rooms.history.view.filter
    field.setFocus()
    QTest.keyClicks(field, "status:err")
    await until(lambda: shown(window) == [2])
    assert window.rooms.history.view.title_bar.word == "1 of 3"
    field.clear()
    QTest.keyClicks(field, "-cmd:snapshot ")
    field.insert("ägent")
    await until(lambda: shown(window) == [1])
    field.clear()
    QTest.keyClicks(field, "status:bad cmd:fill")
    await until(lambda: shown(window) == [2])
    assert "not bad" in field.problem.text()
    assert field.problem.isVisible()
    assert field.accessibleDescription() == field.problem.text()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    await until(lambda: shown(window) == [3, 2, 1])
    assert field.problem.isHidden()


@on_qt_loop
async def test_keys_and_values_are_completed_with_the_keyboard(window: MainWindow, instance: Instance) -> None:
    put(instance, "click")
    field = window.rooms.history.view.filter
    window.activateWindow()
    field.setFocus()
    QTest.keyClicks(field, "st")
    await until(field.popup.isVisible)
    QTest.keyClick(field.popup, Qt.Key.Key_Down)
    QTest.keyClick(field.popup, Qt.Key.Key_Return)
    assert field.text() == "status:"
    await until(field.popup.isVisible)
    QTest.keyClicks(field, "e")
    QTest.keyClick(field.popup, Qt.Key.Key_Down)
    QTest.keyClick(field.popup, Qt.Key.Key_Return)
    assert field.text() == "status:error "
    QTest.keyClicks(field, "cmd:clic")
    assert field.popup.model().index(0, 0).data() == "cmd:click"
    field.popup.hide()


@on_qt_loop
async def test_a_filter_that_finds_nothing_says_so(window: MainWindow, instance: Instance) -> None:
    put(instance, "click")
    await until(lambda: shown(window) == [1])
    window.rooms.history.view.filter.setText("nothing")
    await until(lambda: shown(window) == [])
    assert window.rooms.history.view.table._empty_text == "No command matches the filter."


@on_qt_loop
async def test_a_chosen_row_is_told_in_words(window: MainWindow, instance: Instance) -> None:
    instance.shots.folder.joinpath(recorder.FOLDER).mkdir(exist_ok=True)
    for name in ("b.jpg", "a.jpg"):
        image = QImage(96, 54, QImage.Format.Format_RGB32)
        image.fill(0xFFFFFF)
        image.save(str(instance.shots.folder / recorder.FOLDER / name))
    put(
        instance, "click", {"selector": "#pay", "value": {"redacted": 16}}, state="error", code="ELEMENT_NOT_FOUND",
        summary="nothing matches #pay", next_step="take a snapshot", targets=[{"role": "button", "name": "Pay <b>"}],
        effects={"dialogs": [{"message": "Sure?"}]}, before="b.jpg", after="a.jpg", ms=12.0, waited_ms=18_840,
    )  # fmt: skip
    await choose(window)
    detail = window.rooms.history.view.detail
    assert detail.isVisible()
    text = detail.text()
    for words in (
        "ELEMENT_NOT_FOUND nothing matches #pay", "Next: take a snapshot", "16 characters, not kept",
        "button “Pay <b>”", "Sure?", "codex (agent)", ", took 12 ms, plus 18.8 s of waiting for your answer",
    ):  # fmt: skip
        assert words in text
    before, after = detail.pictures
    assert (before.text(), after.text()) == ("Before", "After")
    await until(lambda: not before.image.isNull() and not after.image.isNull())
    assert before.y() == after.y()
    assert before.x() < after.x()
    others = set(QApplication.topLevelWidgets())
    QTest.mouseClick(before, Qt.MouseButton.LeftButton, pos=QPoint(20, 40))
    (box,) = [widget for widget in set(QApplication.topLevelWidgets()) - others if widget.isVisible()]
    assert box.windowTitle() == "Click, before – Kapture Panel"
    box.close()
    QTest.keyClick(detail.area, Qt.Key.Key_Escape)
    assert detail.isHidden()


@on_qt_loop
async def test_details_that_were_closed_stay_closed_until_a_person_wants_them(
    window: MainWindow, instance: Instance
) -> None:
    put(instance, "click")
    put(instance, "fill")
    await until(lambda: shown(window) == [2, 1])
    view = window.rooms.history.view
    view.table.selectRow(0)
    assert view.detail.isVisible()
    view.detail.closed.emit()
    put(instance, "snapshot")
    await until(lambda: shown(window) == [3, 2, 1])
    assert view.detail.isHidden()
    assert view.chosen is not None, "it stays chosen"
    (number,) = view.table.selected_rows()
    middle = view.table.visualRect(view.table.model().index(number, OUTCOME)).center()
    QTest.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert view.detail.isVisible()


@on_qt_loop
async def test_the_details_begin_with_what_a_person_knows_and_end_with_the_exact_names(
    window: MainWindow, instance: Instance
) -> None:
    row = put(instance, "evaluate", {"code": "1"}, "fdbmh", summary="1")
    row.url = "https://shop.example/cart"
    await choose(window)
    facts = [(name.text(), words.text()) for name, words in window.rooms.history.view.detail._facts]
    assert [name for name, _ in facts] == ["When", "By", "Address", "code", "Result", "Filter by"]
    assert facts[2][1] == "https://shop.example/cart"
    assert facts[-1][1] == "cmd:evaluate tab:fdbmh"
    window.rooms.history.view.filter.setText(facts[-1][1])
    put(instance, "click", {}, "fdbmh")
    await settle(0.3)
    assert shown(window) == [row.id], "they are the words that find such rows"


@on_qt_loop
async def test_a_picture_of_an_isolated_conversation_is_there(window: MainWindow, instance: Instance) -> None:
    shot = instance.recordings.add(
        page_picture("page", "#ff0000"), name="t1", tab_id="t1", format="png", session="0123456789ab"
    )
    put(instance, "click", before=shot.path.name)
    await choose(window)
    (picture,) = window.rooms.history.view.detail.pictures
    await until(lambda: not picture.image.isNull())


@on_qt_loop
async def test_a_picture_that_is_gone_is_said_and_opens_nothing(window: MainWindow, instance: Instance) -> None:
    put(instance, "click", before="../../gone.jpg")
    await choose(window)
    (picture,) = window.rooms.history.view.detail.pictures
    await until(lambda: not picture.isEnabled())


@on_qt_loop
async def test_the_row_that_is_looked_at_follows_what_happens_to_it(window: MainWindow, instance: Instance) -> None:
    row = put(instance, "click", state="running")
    await choose(window)
    assert (
        "running" in window.rooms.history.view.detail.text()
        or window.rooms.history.view.detail._state.text() == "… running"
    )
    row.state, row.summary = "ok", "page changed"
    instance.history.settle(row)
    await until(lambda: "page changed" in window.rooms.history.view.detail.text())
    window.rooms.history.view.filter.setText("cmd:click")
    await settle(0.3)
    assert window.rooms.history.view.detail.isVisible()
    window.rooms.history.view.filter.setText("cmd:fill")
    await until(window.rooms.history.view.detail.isHidden)


@on_qt_loop
async def test_a_row_read_further_down_keeps_its_place(window: MainWindow, instance: Instance) -> None:
    for _ in range(60):
        put(instance, "click")
    await until(lambda: window.rooms.history.view.table.model().rowCount() == 60)
    bar = window.rooms.history.view.table.verticalScrollBar()
    await until(lambda: bar.maximum() > 20)
    bar.setValue(20)
    put(instance, "click")
    put(instance, "click")
    await until(lambda: window.rooms.history.view.table.model().rowCount() == 62)
    assert bar.value() == 22
    assert window.rooms.history.view.new_pill.text() == "↑ 2 new"
    QTest.mouseClick(window.rooms.history.view.new_pill, Qt.MouseButton.LeftButton)
    assert bar.value() == 0
    assert window.rooms.history.view.new_pill.isHidden()


def test_typed_text_is_kept_when_the_person_says_so(window: MainWindow, instance: Instance) -> None:
    typed = window.rooms.history.view.options.record_typed
    assert not typed.isChecked()
    assert "only the length is ever kept" in typed.toolTip()
    typed.trigger()
    assert instance.settings.get(RECORD_TYPED) is True
    window.shell.actions["record_typed"].trigger()
    assert instance.settings.get(RECORD_TYPED) is False


def test_pictures_are_recorded_when_the_person_says_so(window: MainWindow, instance: Instance) -> None:
    record = window.rooms.history.view.options.record
    assert not record.isChecked()
    assert "Pictures show what the page shows" in record.toolTip()
    icon = window.rooms.history.view.options.button.icon().cacheKey()
    record.trigger()
    assert instance.settings.get(RECORD_PICTURES) is True
    options = window.rooms.history.view.options
    assert "pictures are recorded" in options.button.accessibleName()
    assert options.recording.isVisible()
    assert options.recording.text() == "● rec"
    assert options.button.icon().cacheKey() == icon, "the menu keeps its sign"
    QTest.mouseClick(options.recording, Qt.MouseButton.LeftButton)
    assert options.recording.isHidden()
    assert not record.isChecked()
    assert instance.settings.get(RECORD_PICTURES) is False


@on_qt_loop
async def test_a_question_has_the_height_its_words_need(window: MainWindow, instance: Instance) -> None:
    window.resize(1000, 700)
    window.reset_layout()
    instance.add_tab("t1", "Checkout – a shop with a name of some length")
    row = put(instance, "click", {"selector": "#a-form-with-a-long-name > fieldset > label:nth-of-type(3)"})
    await choose(window)
    window.rooms.history.view.ask_to_run(row)
    await settle()
    where = window.rooms.history.view.question.where
    assert where.heightForWidth(where.width()) > where.fontMetrics().height() + 4, "it is of one line"
    needed = where.heightForWidth(where.width())
    assert where.height() >= needed
    window.resize(1440, 900)
    await settle()
    assert where.minimumHeight() < needed, "it needs less in more room"


@on_qt_loop
async def test_a_question_is_about_the_row_that_is_chosen(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    row = put(instance, "click", {"selector": "#a"})
    put(instance, "fill", {"selector": "#b", "value": "c"})
    await choose(window)
    view = window.rooms.history.view
    assert view.chosen is not None
    assert view.chosen.id != row.id
    view.ask_to_run(row)
    assert (view.chosen.id, view.question.isVisible()) == (row.id, True)
    assert view.detail.row is not None
    assert view.detail.row.id == row.id


@on_qt_loop
async def test_a_narrow_title_says_how_many_rows_there_are_and_no_more(window: MainWindow, instance: Instance) -> None:
    window.resize(1440, 900)
    put(instance, "click", {"selector": "#a"})
    view = window.rooms.history.view
    await until(lambda: view.title_bar.word == "1 · newest first")
    window.resize(800, 600)
    await until(lambda: view.title_bar.word == "1")


@on_qt_loop
async def test_the_next_step_after_a_persons_own_mistake_is_one_for_the_window(
    window: MainWindow, instance: Instance
) -> None:
    put(
        instance, "click", {"ref": "e5"}, kind="person", client="person", state="error", code="STALE_REF",
        summary="e5 is gone", next_step="take a new snapshot",
    )  # fmt: skip
    await choose(window)
    assert "Next: Press Pick and click the element in the page" in window.rooms.history.view.detail.text()


@pytest.mark.parametrize(
    ("code", "summary", "is_explained"),
    [("DENIED", "a person refused click on shop.example", False), ("OUTCOME_UNKNOWN", "", True)],
)
@on_qt_loop
async def test_an_error_is_explained_only_where_nothing_was_said_of_it(
    window: MainWindow, instance: Instance, code: str, summary: str, is_explained: bool
) -> None:
    put(instance, "click", {"selector": "#a"}, state="error", code=code, summary=summary)
    await choose(window)
    assert ("That is: " in window.rooms.history.view.detail.text()) == is_explained


@pytest.mark.parametrize(
    ("command", "fields", "is_said"),
    [
        ("snapshot", {"summary": "- main …"}, True),
        ("evaluate", {"summary": "text of 900 characters"}, True),
        ("click", {"summary": "page changed"}, False),
        ("screenshot", {"summary": "800 × 600 png", "shot": "a.png"}, False),
        ("batch", {"summary": "3 steps"}, False),
    ],
)
@on_qt_loop
async def test_it_says_of_what_was_read_that_it_is_not_kept_whole(
    window: MainWindow, instance: Instance, command: str, fields: dict[str, Any], is_said: bool
) -> None:
    put(instance, command, **fields)
    await choose(window)
    assert ("does not keep the whole answer" in window.rooms.history.view.detail.text()) == is_said


@on_qt_loop
async def test_details_made_narrow_have_the_words_of_a_fact_below_its_name(
    window: MainWindow, instance: Instance
) -> None:
    window.resize(1440, 900)
    await STATES["history_question"](window, instance)
    detail = window.rooms.history.view.detail
    by, who = next(pair for pair in detail._facts if pair[0].text() == "By")
    assert who.x() > by.geometry().right()
    window.rooms.history.view._split.setSizes([1000, 1])
    await settle()
    assert who.y() > by.geometry().bottom()
    assert who.width() > detail.width() // 2
    assert detail._state.width() >= detail._state.sizeHint().width()


@on_qt_loop
async def test_rows_and_details_give_way_to_a_question_where_there_is_too_little_room(
    window: MainWindow, instance: Instance
) -> None:
    await STATES["history_question"](window, instance)
    await settle()
    view = window.rooms.history.view
    least = view.minimumSizeHint().height()
    view.resize(view.width(), least)
    assert (view.question.isVisible(), view.detail.isVisible()) == (True, False)
    view.resize(view.width(), 2 * least)
    assert view.detail.isVisible()
    view.resize(view.width(), least)
    view.question.leave()
    assert view.detail.isVisible()


@on_qt_loop
async def test_the_list_beside_the_details_can_be_read_or_makes_way_for_them(
    window: MainWindow, instance: Instance
) -> None:
    window.resize(1440, 900)
    await STATES["history_question"](window, instance)
    await settle()
    view = window.rooms.history.view
    table = view.table
    assert table.isVisible()
    assert not table.isColumnHidden(OUTCOME)
    assert table.columnWidth(SUMMARY) >= 100, "what came of a command can be read"
    view.question.leave()
    window.resize(800, 600)
    await settle()
    assert not table.isVisible()
    assert view.detail.width() > 260
    view.detail.setFocus()
    view.close_detail()
    assert table.isVisible()
