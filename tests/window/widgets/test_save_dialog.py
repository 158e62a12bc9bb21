"""Saving begins among the downloads, and then where the person saved last, after a restart too."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from kapture_panel.window.shell.main_window import MainWindow
from kapture_panel.window.widgets import save_dialog
from kapture_panel.window.widgets.app import Application
from kapture_panel.window.widgets.save_dialog import SaveDialog
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import bury


def test_it_begins_among_the_downloads(
    qapp: Application, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda place: str(tmp_path / place.name))
    (tmp_path / "DocumentsLocation").mkdir()
    qapp.save_folder = None
    assert save_dialog.folder() == tmp_path / "DocumentsLocation"
    (tmp_path / "DownloadLocation").mkdir()
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = SaveDialog(parent, "Save", "shop.example.png", ".png")
    assert dialog.directory().absolutePath() == str(tmp_path / "DownloadLocation")
    assert dialog.defaultSuffix() == "png"
    dialog.reject()


def test_it_begins_where_something_was_saved_last(window: MainWindow, instance: Instance, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    dialog = window.rooms.history.view.exports.ask_where("json", None)
    assert dialog is not None
    assert Path(dialog.directory().absolutePath()) != Path.cwd()
    dialog.fileSelected.disconnect()
    dialog.fileSelected.connect(dialog._on_selected)
    dialog.fileSelected.emit(str(folder / "rows.json"))
    dialog.close()
    assert save_dialog.folder() == folder
    assert instance.settings.get("window.save_folder") == str(folder)
    app = QApplication.instance()
    assert isinstance(app, Application)
    app.save_folder = None
    second = MainWindow(instance.core, instance.backend)
    assert save_dialog.folder() == folder
    folder.rmdir()
    assert save_dialog.folder() != folder
    second.release()
    bury(second)
