"""The history dock: searched by keys, looked at, run again after a question, exported, recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget

from kapture_panel import export
from kapture_panel.core.basics.settings import RECORD_PICTURES, RECORD_TYPED
from kapture_panel.core.stores import recorder
from kapture_panel.core.stores.history_query import Query
from kapture_panel.window.history import history_export
from kapture_panel.window.history.history_export import Wanted
from kapture_panel.window.history.history_model import COLUMNS, COMMAND, OUTCOME, SUMMARY
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.roles import ITEM
from tests.support.window.fakes import Instance, ok
from tests.support.window.history import choose, put, said, shown
from tests.support.window.qt_loop import on_qt_loop, settle, until


def focused() -> QWidget:
    """What the next key goes to."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


# Searching


@on_qt_loop
async def test_the_filter_finds_as_it_is_typed_and_explains_what_is_wrong(
    window: MainWindow, instance: Instance
) -> None:
    put(instance, "click", client="ÄGENT")
    put(instance, "fill", state="error", code="STALE_REF", summary="gone")
    put(instance, "snapshot")
    await until(lambda: shown(window) == [3, 2, 1])
    field = window.history.filter
    field.setFocus()
    QTest.keyClicks(field, "status:err")
    await until(lambda: shown(window) == [2])
    assert window.history.title_bar.word == "1 of 3"
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
    field = window.history.filter
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
    window.history.filter.setText("nothing")
    await until(lambda: shown(window) == [])
    assert window.history.table._empty_text == "No command matches the filter."


# Looking


@on_qt_loop
async def test_a_chosen_row_is_told_in_words(window: MainWindow, instance: Instance) -> None:
    instance.shots.folder.joinpath(recorder.FOLDER).mkdir(exist_ok=True)
    for name in ("b.jpg", "a.jpg"):
        image = QImage(96, 54, QImage.Format.Format_RGB32)
        image.fill(0xFFFFFF)
        image.save(str(instance.shots.folder / recorder.FOLDER / name))
    put(
        instance, "click", {"selector": "#pay", "value": {"redacted": 16}}, state="error", code="ELEMENT_NOT_FOUND",
        summary="nothing matches #pay; take a snapshot", targets=[{"role": "button", "name": "Pay <b>"}],
        effects={"dialogs": [{"message": "Sure?"}]}, before="b.jpg", after="a.jpg",
    )  # fmt: skip
    await choose(window)
    detail = window.history.detail
    assert detail.isVisible()
    text = detail.text()
    for words in (
        "ELEMENT_NOT_FOUND nothing matches #pay", "Next: take a snapshot", "16 characters, not kept",
        "button “Pay <b>”", "Sure?", "codex (agent)",
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
    assert box.windowTitle() == "click, before – Kapture Panel"
    box.close()
    QTest.keyClick(detail.area, Qt.Key.Key_Escape)
    assert detail.isHidden()


@on_qt_loop
async def test_a_picture_that_is_gone_is_said_and_opens_nothing(window: MainWindow, instance: Instance) -> None:
    put(instance, "click", before="../../gone.jpg")
    await choose(window)
    (picture,) = window.history.detail.pictures
    await until(lambda: not picture.isEnabled())


@on_qt_loop
async def test_the_row_that_is_looked_at_follows_what_happens_to_it(window: MainWindow, instance: Instance) -> None:
    row = put(instance, "click", state="running")
    await choose(window)
    assert "running" in window.history.detail.text() or window.history.detail._state.text() == "… running"
    row.state, row.summary = "ok", "page changed"
    instance.history.settle(row)
    await until(lambda: "page changed" in window.history.detail.text())
    window.history.filter.setText("cmd:click")
    await settle(0.3)
    assert window.history.detail.isVisible()
    window.history.filter.setText("cmd:fill")
    await until(window.history.detail.isHidden)


@on_qt_loop
async def test_a_row_read_further_down_keeps_its_place(window: MainWindow, instance: Instance) -> None:
    for _ in range(60):
        put(instance, "click")
    await until(lambda: window.history.table.model().rowCount() == 60)
    bar = window.history.table.verticalScrollBar()
    await until(lambda: bar.maximum() > 20)
    bar.setValue(20)
    put(instance, "click")
    put(instance, "click")
    await until(lambda: window.history.table.model().rowCount() == 62)
    assert bar.value() == 22
    assert window.history.new_pill.text() == "↑ 2 new"
    QTest.mouseClick(window.history.new_pill, Qt.MouseButton.LeftButton)
    assert bar.value() == 0
    assert window.history.new_pill.isHidden()


# Running again


@on_qt_loop
async def test_a_read_of_the_past_runs_at_once_in_its_tab(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    instance.add_tab("t2")
    instance.executor.answers["snapshot"] = ok({"text": "- button"})
    put(instance, "snapshot", {"interactiveOnly": True, "tabId": "t2"}, "t2")
    await choose(window)
    QTest.keyClick(window.history.table, Qt.Key.Key_Return)
    await until(lambda: instance.executor.sent != [] and window.command.task is None)
    tab_id, command, params = instance.executor.sent[-1]
    assert window.history.table.hasFocus(), "the next row can be run again as well"
    assert (tab_id, command, params["interactiveOnly"]) == ("t2", "kapturemcp_snapshot", True)
    assert window.command.result.text.toPlainText() == "- button"


@on_qt_loop
async def test_an_action_asks_first_and_a_second_enter_does_nothing(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1", "Checkout")
    put(instance, "click", {"selector": "#pay"})
    await choose(window)
    QTest.keyClick(window.history.table, Qt.Key.Key_Return)
    question = window.history.question
    assert question.isVisible()
    assert question.words.text() == "Run Click again?"
    assert question.where.text() == "selector #pay · on “Checkout”"
    assert question.leave_button.hasFocus()
    QTest.keyClick(question.leave_button, Qt.Key.Key_Escape)
    assert question.isHidden()
    assert window.history.table.hasFocus()
    QTest.keyClick(window.history.table, Qt.Key.Key_Return)
    await settle()
    assert instance.executor.sent == []
    QTest.mouseClick(question.run_button, Qt.MouseButton.LeftButton)
    await until(lambda: instance.executor.sent != [] and window.command.task is None)
    tab_id, command, params = instance.executor.sent[-1]
    assert (tab_id, command, params["selector"]) == ("t1", "kapturemcp_click", "#pay")
    assert question.isHidden()


@on_qt_loop
async def test_it_may_be_edited_first(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    put(instance, "click", {"selector": "#pay", "button": "right"})
    await choose(window)
    QTest.keyClick(window.history.table, Qt.Key.Key_Return)
    QTest.mouseClick(window.history.question.edit_button, Qt.MouseButton.LeftButton)
    assert window.command.command.short_name == "click"
    assert window.command.params.read() == {"selector": "#pay", "button": "right"}
    assert instance.executor.sent == []
    form = window.command.params.form
    assert form is not None
    assert form.target is not None
    assert form.target.isAncestorOf(window.focusWidget()), "one types on in the first field"


@on_qt_loop
async def test_a_row_of_a_tab_that_is_gone_runs_on_the_chosen_one(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    put(instance, "click", {"selector": "#pay"}, "gone")
    await choose(window)
    QTest.keyClick(window.history.table, Qt.Key.Key_Return)
    assert window.history.question.where.text().endswith("its tab is gone; it runs on the tab chosen under Tabs")
    QTest.mouseClick(window.history.question.run_button, Qt.MouseButton.LeftButton)
    await until(lambda: instance.executor.sent != [] and window.command.task is None)
    assert instance.executor.sent[-1][0] == "t1"


@on_qt_loop
async def test_what_was_typed_opens_with_that_field_empty_and_focused(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    put(instance, "fill", {"selector": "#card", "value": {"redacted": 16}})
    await choose(window)
    window.activateWindow()
    QTest.keyClick(window.history.table, Qt.Key.Key_Return)
    assert window.history.question.isHidden()
    assert instance.executor.sent == []
    assert window.command.params.read() == {"selector": "#card"}
    QTest.keyClicks(focused(), "4111")
    assert window.command.params.read() == {"selector": "#card", "value": "4111"}


@on_qt_loop
async def test_a_list_of_typed_values_asks_for_each_again(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    fields = [{"selector": "#a", "value": {"redacted": 3}}, {"selector": "#b", "value": {"redacted": 2}}]
    put(instance, "fill_form", {"fields": fields})
    await choose(window)
    window.activateWindow()
    QTest.keyClick(window.history.table, Qt.Key.Key_Return)
    assert window.command.params.read() == {"fields": [{"selector": "#a"}, {"selector": "#b"}]}
    window.command.run()
    assert instance.executor.sent == [], "what is still missing is not typed as nothing"
    QTest.keyClicks(focused(), "Ada")
    assert window.command.params.read() == {"fields": [{"selector": "#a", "value": "Ada"}, {"selector": "#b"}]}


@pytest.mark.parametrize("params", [{"urlContains": "https://x/?token=***"}, {"text": "y" * 2000}])
@on_qt_loop
async def test_a_read_that_was_not_kept_whole_is_looked_at_first(
    params: dict[str, Any], window: MainWindow, instance: Instance
) -> None:
    instance.add_tab("t1")
    put(instance, "wait", params)
    await choose(window)
    QTest.keyClick(window.history.table, Qt.Key.Key_Return)
    await settle()
    assert instance.executor.sent == []
    assert window.command.command.short_name == "wait"


@on_qt_loop
async def test_a_command_that_is_gone_is_told(window: MainWindow, instance: Instance) -> None:
    row = put(instance, "teleport")
    window.history.ask_to_run(row)
    window.history.edit_again.emit(row)
    assert said(window) == ["This command is gone ×2"]


@on_qt_loop
async def test_while_a_command_runs_no_row_does(window: MainWindow, instance: Instance) -> None:
    instance.add_tab("t1")
    await settle()
    window.command.run()
    window.history.run_again.emit(put(instance, "snapshot"))
    window.command.open("navigate", {"url": "http://127.0.0.1:1/"})
    window.command.run()
    window.history.run_again.emit(put(instance, "snapshot"))
    assert "A command is running" in said(window)
    await until(lambda: window.command.task is None)


@on_qt_loop
async def test_the_menu_of_a_row_copies_it(window: MainWindow, instance: Instance) -> None:
    row = put(instance, "click", {"selector": "#pay"})
    menu = window.history.menu_for(row)
    actions = {action.text(): action for action in menu.actions()}
    assert list(actions) == ["Run again", "Edit and run again", "Copy as JSON"]
    actions["Copy as JSON"].trigger()
    assert json.loads(QApplication.clipboard().text())["params"] == {"selector": "#pay"}


# Exporting


def formats(window: MainWindow) -> dict[str, list[str]]:
    window.history._fill_export_menu()
    return {
        action.text(): [one.text() for one in action.menu().actions()]  # type: ignore[attr-defined]
        for action in window.history.export_menu.actions()
    }


@on_qt_loop
async def test_every_format_is_offered_for_the_chosen_rows_and_for_all_that_match(
    window: MainWindow, instance: Instance
) -> None:
    for _ in range(3):
        put(instance, "click")
    await choose(window, 1)
    titles = [title for title, _, _ in export.FORMATS.values()]
    assert formats(window) == {"Chosen 1 row": titles, "All 3 rows of the history": titles}
    window.history.table.selectAll()
    window.history.filter.setText("cmd:click")
    await settle(0.3)
    assert list(formats(window))[-1] == "All 3 rows that match"


@pytest.mark.parametrize("key", list(export.FORMATS))
@on_qt_loop
async def test_chosen_rows_are_written_and_the_folder_can_be_opened(
    key: str, window: MainWindow, instance: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        put(instance, "click", {"selector": f"#a{number}"}, targets=[{"selector": f"#a{number}"}])
    await until(lambda: len(shown(window)) == 3)
    dialog = window.history.ask_where_to_export(key, (1, 3))
    assert isinstance(dialog, QFileDialog)
    path = tmp_path / f"out{export.FORMATS[key][1]}"
    dialog.fileSelected.emit(str(path))
    dialog.close()
    await until(lambda: said(window) == ["History exported"])
    text = path.read_text()
    assert "#a0" in text
    assert "#a2" in text
    assert "#a1" not in text
    assert path.stat().st_mode & 0o777 == 0o600
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    (button,) = [one for one in window.toasts.shown[0].findChildren(QPushButton) if one.text() == "Open folder"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert opened == [str(tmp_path)]


@on_qt_loop
async def test_all_that_match_is_what_matched_when_it_was_asked(
    window: MainWindow, instance: Instance, tmp_path: Path
) -> None:
    for command in ("click", "fill", "click"):
        put(instance, command)
    window.history.filter.setText("cmd:click")
    await until(lambda: shown(window) == [3, 1])
    dialog = window.history.ask_where_to_export("json", None)
    assert dialog is not None
    put(instance, "click")
    dialog.fileSelected.emit(str(tmp_path / "out.json"))
    dialog.close()
    await until(lambda: said(window) == ["History exported"])
    assert [row["id"] for row in json.loads((tmp_path / "out.json").read_text())] == [1, 3]


@on_qt_loop
async def test_rows_and_the_steps_of_a_script_are_told_apart(
    window: MainWindow, instance: Instance, tmp_path: Path
) -> None:
    for command in ("click", "snapshot", "click"):
        put(instance, command, {"selector": "#a"}, targets=[{"selector": "#a"}])
    window.history.export(tmp_path / "out.json", Wanted("kapture", Query(), None, 4))
    await until(lambda: said(window) == ["History exported"])
    assert "2 steps of 3 rows in" in window.toasts.shown[0].accessibleName()
    window.toasts.clear()
    window.history.export(tmp_path / "rows.json", Wanted("json", Query(), None, 4))
    await until(lambda: any("rows.json" in toast.accessibleName() for toast in window.toasts.shown))
    assert window.toasts.shown[-1].accessibleName().startswith("History exported: 3 rows in")


@on_qt_loop
async def test_the_question_does_not_hide_the_row_it_is_about(window: MainWindow, instance: Instance) -> None:
    for number in range(30):
        put(instance, "click", {"selector": f"#a{number}"})
    await until(lambda: len(shown(window)) == 30)
    table = window.history.table
    window.history.close_detail()
    bottom = table.indexAt(QPoint(4, table.viewport().height() - 4))
    table.setCurrentIndex(bottom)
    await settle()
    window.history.ask_to_run(bottom.data(ITEM))
    await settle()
    assert window.history.question.isVisible()
    assert window.history.question.leave_button.text() == "Cancel"
    top = table.rowViewportPosition(bottom.row())
    assert 0 <= top <= table.viewport().height() - table.rowHeight(bottom.row())


@on_qt_loop
async def test_a_file_that_cannot_be_written_is_told(window: MainWindow, instance: Instance, tmp_path: Path) -> None:
    put(instance, "click")
    window.history.export(tmp_path / "no" / "out.json", Wanted("json", Query(), None, 2))
    assert window.history.export_bar.isVisible()
    await until(lambda: said(window) == ["Export failed"])
    assert window.toasts.shown[0].is_error
    assert window.history.export_bar.isHidden()


@on_qt_loop
async def test_a_large_export_is_cancelled_and_leaves_no_file(
    window: MainWindow, instance: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(30):
        put(instance, "click")
    reached: list[int] = []

    def held(rows: Any, _pictures: Path) -> str:
        for row in rows:
            reached.append(row.id)
            while not window.history.exporting._given_up.wait(5):
                raise AssertionError("nobody cancelled")
        return "all"

    monkeypatch.setitem(export.FORMATS, "json", ("JSON", ".json", held))
    window.history.export(tmp_path / "out.json", Wanted("json", Query(), None, 31))
    await until(lambda: reached == [1])
    assert window.history.ask_where_to_export("json", None) is None
    QTest.mouseClick(window.history.export_bar.cancel, Qt.MouseButton.LeftButton)
    await until(lambda: "Export cancelled" in said(window))
    assert reached == [1]
    assert not (tmp_path / "out.json").exists()
    assert window.history.export_bar.isHidden()


@on_qt_loop
async def test_progress_is_told_while_rows_are_read_and_written(
    window: MainWindow, instance: Instance, tmp_path: Path
) -> None:
    for _ in range(700):
        put(instance, "click")
    told: list[float] = []
    window.history.exporting.progress.connect(lambda done, whole: told.append(done / whole))
    window.history.export(tmp_path / "out.jsonl", Wanted("jsonl", Query(), None, 701))
    await until(lambda: said(window) == ["History exported"])
    assert told == sorted(told)
    assert told[0] < 0.5 < told[-1] <= 1
    assert history_export.HistoryExport is type(window.history.exporting)


# Recording


def test_typed_text_is_kept_when_the_person_says_so(window: MainWindow, instance: Instance) -> None:
    typed = window.history.record_typed
    assert not typed.isChecked()
    assert "only the length is ever kept" in typed.toolTip()
    typed.trigger()
    assert instance.settings.get(RECORD_TYPED) is True
    window.actions_table["record_typed"].trigger()
    assert instance.settings.get(RECORD_TYPED) is False


def test_pictures_are_recorded_when_the_person_says_so(window: MainWindow, instance: Instance) -> None:
    record = window.history.record
    assert not record.isChecked()
    assert "Pictures show what pages show" in record.toolTip()
    record.trigger()
    assert instance.settings.get(RECORD_PICTURES) is True
    assert "pictures are recorded" in window.history.options.accessibleName()
    record.trigger()
    assert instance.settings.get(RECORD_PICTURES) is False


@pytest.mark.parametrize("size", [QSize(1900, 1000), QSize(1440, 900), QSize(1000, 700)])
@on_qt_loop
async def test_no_column_goes_missing_and_the_summary_has_its_room(
    size: QSize, window: MainWindow, instance: Instance
) -> None:
    window.resize(size)
    window.reset_layout()
    put(instance, "click", {"selector": "#place-order"}, client="claude-code", summary="navigated to /thanks", ms=804)
    put(instance, "screenshot", {"name": "checkout"}, client="claude-code", site="127.0.0.1:8123", ms=12)
    table = window.history.table
    await until(lambda: table.model().rowCount() == 2)
    await settle(0.2)
    arrangement = table.arrangement
    assert arrangement.said == set(range(len(COLUMNS)))
    assert bool(arrangement.below) == (size.width() < 1900)
    metrics = table.fontMetrics()
    for above in arrangement.columns:
        for column in {above, arrangement.below.get(above, above)}:
            for row in range(2):
                words = str(table.model().index(row, column).data() or "")
                assert metrics.horizontalAdvance(words) + 14 <= table.columnWidth(above), words
    assert table.rowHeight(0) == (36 if arrangement.below else 22)


@on_qt_loop
async def test_both_lines_of_a_row_are_painted(window: MainWindow, instance: Instance) -> None:
    window.resize(1000, 700)
    window.reset_layout()
    put(instance, "click", {"selector": "#place-order"}, client="claude-code")
    table = window.history.table
    await until(lambda: table.model().rowCount() == 1)
    await settle(0.2)
    cell = table.visualRect(table.model().index(0, COMMAND))
    image = table.viewport().grab(cell).toImage()
    half = image.height() // 2
    for part in (image.copy(0, 0, image.width(), half), image.copy(0, half, image.width(), half)):
        colors = {part.pixel(x, y) for x in range(part.width()) for y in range(part.height())}
        assert len(colors) > 4, "nothing is written"


@on_qt_loop
async def test_beside_the_details_a_row_keeps_its_command_and_summary(window: MainWindow, instance: Instance) -> None:
    window.resize(1000, 700)
    window.reset_layout()
    put(instance, "click", {"selector": "#place-order"})
    await choose(window)
    await settle(0.2)
    assert window.history.detail.isVisible()
    assert window.history.table.arrangement.said >= {OUTCOME, COMMAND, SUMMARY}
    window.history.close_detail()
    await settle()
    assert window.history.table.arrangement.said == set(range(len(COLUMNS)))


@on_qt_loop
async def test_the_chosen_row_stays_in_sight_when_rows_get_two_lines(window: MainWindow, instance: Instance) -> None:
    window.resize(1900, 1000)
    window.reset_layout()
    for number in range(40):
        put(instance, "click", {"selector": f"#a{number}"})
    table = window.history.table
    await until(lambda: len(shown(window)) == 40)
    await settle(0.2)
    row = table.indexAt(QPoint(4, table.viewport().height() - 30)).row()
    table.setCurrentIndex(table.model().index(row, 0))
    window.history.close_detail()
    await settle()
    table.scrollToTop()
    assert not table.arrangement.below
    window.resize(1200, 800)
    await settle()
    assert table.arrangement.below
    assert 0 <= table.rowViewportPosition(row) <= table.viewport().height() - table.rowHeight(row)


@on_qt_loop
async def test_a_question_has_the_height_its_words_need(window: MainWindow, instance: Instance) -> None:
    window.resize(1000, 700)
    window.reset_layout()
    instance.add_tab("t1", "Checkout – a shop with a name of some length")
    row = put(instance, "click", {"selector": "#a-form-with-a-long-name > fieldset > label:nth-of-type(3)"})
    await choose(window)
    window.history.ask_to_run(row)
    await settle()
    where = window.history.question.where
    assert where.heightForWidth(where.width()) > where.fontMetrics().height() + 4, "it is of one line"
    assert where.height() >= where.heightForWidth(where.width())


@on_qt_loop
async def test_the_next_step_after_a_persons_own_mistake_is_one_for_the_window(
    window: MainWindow, instance: Instance
) -> None:
    put(
        instance, "click", {"ref": "e5"}, kind="person", client="person", state="error", code="STALE_REF",
        summary="e5 is gone; take a new snapshot",
    )  # fmt: skip
    await choose(window)
    assert "Next: Press Pick and click the element in the page" in window.history.detail.text()
