"""Rows of the history, written as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QPushButton

from kapture_panel import export
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores.history_query import Query
from kapture_panel.core.stores.recorder import FOLDER
from kapture_panel.window.history import history_export
from kapture_panel.window.history.history_export import Wanted
from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.toasts import Toast
from tests.support.patience import PATIENCE_S
from tests.support.window.fakes import Instance
from tests.support.window.history import choose, put, said, shown
from tests.support.window.qt_loop import on_qt_loop, settle, until


def formats(window: MainWindow) -> dict[str, list[str]]:
    window.rooms.history.view.exports.fill_menu()
    menus = window.rooms.history.view.exports.menu.findChildren(QMenu)
    return {menu.title(): [one.text() for one in menu.actions()] for menu in menus if menu.menuAction().isVisible()}


@on_qt_loop
async def test_every_format_is_offered_for_the_chosen_rows_and_for_all_that_match(
    window: MainWindow, instance: Instance
) -> None:
    for _ in range(3):
        put(instance, "click")
    await choose(window, 1)
    titles = [title for title, _, _ in export.FORMATS.values()]
    assert formats(window) == {"The chosen row": titles, "All 3 rows of the history": titles}
    window.rooms.history.view.table.selectAll()
    window.rooms.history.view.filter.setText("cmd:click")
    await until(lambda: list(formats(window))[-1] == "All 3 rows that match")
    put(instance, "fill")
    window.rooms.history.view.filter.setText("cmd:fill")
    # While older rows are looked through, nobody knows how many match.
    await until(lambda: list(formats(window))[-1] == "The one row that matches")


@on_qt_loop
async def test_as_many_rows_are_exported_as_the_menu_said(
    window: MainWindow, instance: Instance, tmp_path: Path
) -> None:
    for _ in range(3):
        put(instance, "click")
    await until(lambda: len(shown(window)) == 3)
    assert "All 3 rows of the history" in formats(window)
    exports = window.rooms.history.view.exports
    put(instance, "click")  # an agent is at work while the menu is open
    await until(lambda: len(shown(window)) == 4)
    (action,) = [one for one in exports._of_all.actions() if one.text() == "JSON"]
    action.trigger()
    (dialog,) = exports._parent.findChildren(QFileDialog)
    assert dialog.windowTitle() == "Export 3 rows as JSON"
    dialog.fileSelected.emit(str(tmp_path / "out.json"))
    dialog.close()
    assert exports.bar.words.text() == "Exporting 3 rows …"
    await until(lambda: said(window) == ["History exported"])
    assert [row["id"] for row in json.loads((tmp_path / "out.json").read_text())] == [1, 2, 3]


@pytest.mark.parametrize("key", list(export.FORMATS))
@on_qt_loop
async def test_chosen_rows_are_written_and_a_recording_or_the_folder_can_be_opened(
    key: str, window: MainWindow, instance: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        put(instance, "click", {"selector": f"#a{number}"}, targets=[{"selector": f"#a{number}"}])
    await until(lambda: len(shown(window)) == 3)
    dialog = window.rooms.history.view.exports.ask_where(key, (1, 3))
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
    answers = iter((True, False))

    def open_url(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return next(answers)

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    way = "Open" if key == "html" else "Open folder"
    (button,) = [one for one in window.shell.toasts.shown[0].findChildren(QPushButton) if one.text() == way]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    place = str(path if key == "html" else tmp_path)
    assert opened == [place]
    assert said(window) == ["History exported"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    kind = "file" if key == "html" else "folder"
    assert said(window)[-1] == f"The {kind} did not open"  # of long paths there is room for one
    toast = window.shell.toasts.shown[-1]
    assert toast.accessibleName().endswith(f"Open it yourself: {place}")
    QApplication.clipboard().clear()
    toast.findChildren(QPushButton)[-1].click()
    assert QApplication.clipboard().text() == place
    assert said(window)[-1] == "Path copied"


def buttons(toast: Toast) -> list[QPushButton]:
    """Those of a message that can be seen."""
    return [button for button in toast.findChildren(QPushButton) if button.isVisible()]


@on_qt_loop
async def test_a_recording_without_pictures_says_so_and_offers_to_record(
    window: MainWindow, instance: Instance, tmp_path: Path
) -> None:
    put(instance, "click")
    record, exports = window.shell.actions["record_pictures"], window.rooms.history.view.exports
    exports.begin(tmp_path / "out.html", Wanted("html", Query(), None, 2))
    await until(lambda: said(window) == ["History exported"])
    (toast,) = window.shell.toasts.shown
    assert toast.accessibleName().endswith("out.html, without pictures: none are kept of these rows")
    offer, way = buttons(toast)
    assert (offer.text(), way.text()) == ("Record pictures from now on", "Open")
    assert toast.rect().contains(offer.geometry().united(way.geometry()))
    assert not offer.geometry().intersects(way.geometry())
    offer.click()
    assert record.isChecked()
    (answer,) = window.shell.toasts.shown
    assert answer.title == "Pictures are recorded from now on"
    assert "The next rows have pictures." in answer.accessibleName()
    assert [button.text() for button in buttons(answer)] == ["Open"], "the offer is taken; the file is still there"
    assert answer.life.isActive()

    (folder := instance.state.shots.folder / FOLDER).mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (20, 10)).save(folder / "a.jpg")
    put(instance, "click", before="a.jpg", after="a.jpg")
    for name, words in (
        ("two", "with 2 pictures, which show what was typed, too"),
        ("none", "without pictures: none are kept of these rows"),
    ):
        window.shell.toasts.clear()
        await until(lambda: not said(window))
        rows = (1, 2) if name == "two" else (1,)
        exports.begin(tmp_path / f"{name}.html", Wanted("html", Query(), rows, 3))
        await until(lambda: said(window) == ["History exported"])
        (toast,) = window.shell.toasts.shown
        assert toast.accessibleName().endswith(f"{name}.html, {words}")
        assert [button.text() for button in buttons(toast)] == ["Open"], "pictures are recorded now"


@on_qt_loop
async def test_all_that_match_is_what_matched_when_it_was_asked(
    window: MainWindow, instance: Instance, tmp_path: Path
) -> None:
    for command in ("click", "fill", "click"):
        put(instance, command)
    window.rooms.history.view.filter.setText("cmd:click")
    await until(lambda: shown(window) == [3, 1])
    dialog = window.rooms.history.view.exports.ask_where("json", None)
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
    window.rooms.history.view.exports.begin(tmp_path / "out.json", Wanted("kapture", Query(), None, 4))
    await until(lambda: said(window) == ["History exported"])
    assert "2 steps of 3 rows in" in window.shell.toasts.shown[0].accessibleName()
    assert "the file says why the others are left out" in window.shell.toasts.shown[0].accessibleName()
    window.shell.toasts.clear()
    window.rooms.history.view.exports.begin(tmp_path / "rows.json", Wanted("json", Query(), None, 4))
    await until(lambda: any("rows.json" in toast.accessibleName() for toast in window.shell.toasts.shown))
    assert window.shell.toasts.shown[-1].accessibleName().startswith("History exported: 3 rows in")


@on_qt_loop
async def test_the_question_does_not_hide_the_row_it_is_about(window: MainWindow, instance: Instance) -> None:
    for number in range(30):
        put(instance, "click", {"selector": f"#a{number}"})
    await until(lambda: len(shown(window)) == 30)
    table = window.rooms.history.view.table
    window.rooms.history.view.close_detail()
    bottom = table.indexAt(QPoint(4, table.viewport().height() - 4))
    table.setCurrentIndex(bottom)
    await settle()
    window.rooms.history.view.ask_to_run(bottom.data(ITEM))
    await settle()
    assert window.rooms.history.view.question.isVisible()
    assert window.rooms.history.view.question.leave_button.text() == "Cancel"
    top = table.rowViewportPosition(bottom.row())
    assert 0 <= top <= table.viewport().height() - table.rowHeight(bottom.row())


@on_qt_loop
async def test_a_file_that_cannot_be_written_is_told(window: MainWindow, instance: Instance, tmp_path: Path) -> None:
    put(instance, "click")
    window.rooms.history.view.exports.begin(tmp_path / "no" / "out.json", Wanted("json", Query(), None, 2))
    assert window.rooms.history.view.exports.bar.isVisible()
    await until(lambda: said(window) == ["Export failed"])
    assert window.shell.toasts.shown[0].is_error
    assert window.rooms.history.view.exports.bar.isHidden()


@on_qt_loop
async def test_a_large_export_is_cancelled_and_leaves_no_file(
    window: MainWindow, instance: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(30):
        put(instance, "click")
    reached: list[int] = []

    def held(rows: Any, _pictures: Path, _catalogue: Catalogue) -> str:
        for row in rows:
            reached.append(row.id)
            while not window.rooms.history.view.exports.work._given_up.wait(PATIENCE_S):
                raise AssertionError("nobody cancelled")
        return "all"

    monkeypatch.setitem(export.FORMATS, "json", ("JSON", ".json", held))
    window.rooms.history.view.exports.begin(tmp_path / "out.json", Wanted("json", Query(), None, 31))
    await until(lambda: reached == [1])
    assert window.rooms.history.view.exports.ask_where("json", None) is None
    QTest.mouseClick(window.rooms.history.view.exports.bar.cancel, Qt.MouseButton.LeftButton)
    await until(lambda: "Export cancelled" in said(window))
    assert reached == [1]
    assert not (tmp_path / "out.json").exists()
    assert window.rooms.history.view.exports.bar.isHidden()


@on_qt_loop
async def test_progress_is_told_while_rows_are_read_and_written(
    window: MainWindow, instance: Instance, tmp_path: Path
) -> None:
    for _ in range(700):
        put(instance, "click")
    told: list[float] = []
    window.rooms.history.view.exports.work.progress.connect(lambda done, whole: told.append(done / whole))
    window.rooms.history.view.exports.begin(tmp_path / "out.jsonl", Wanted("jsonl", Query(), None, 701))
    await until(lambda: said(window) == ["History exported"])
    assert told == sorted(told)
    assert told[0] < 0.5 < told[-1] <= 1
    assert history_export.HistoryExport is type(window.rooms.history.view.exports.work)
