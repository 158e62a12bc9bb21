"""Files to upload: chosen, dropped, pasted or written."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QPlainTextEdit
from pytestqt.qtbot import QtBot

from kapture_panel.window.command.forms.files_field import FilesField
from tests.support.window.forms.form import form_of


@pytest.fixture
def field(qtbot: QtBot) -> FilesField:
    form = form_of("upload_file", qtbot)
    form.show()
    found = form.field("paths")
    assert isinstance(found, FilesField)
    return found


def dragged(*urls: str) -> QMimeData:
    """What a file manager or a browser lets drop."""
    data = QMimeData()
    data.setUrls([QUrl(url) for url in urls])
    return data


def test_the_dialog_adds_what_is_chosen(field: FilesField) -> None:
    dialog = field.ask(QFileDialog.FileMode.ExistingFiles)
    assert dialog.isVisible()
    dialog.filesSelected.emit(["/home/me/a.pdf", "/home/me/b.pdf"])
    dialog.close()
    field.ask(QFileDialog.FileMode.Directory).filesSelected.emit(["/home/me/pictures"])
    assert field.read() == {"paths": ["/home/me/a.pdf", "/home/me/b.pdf", "/home/me/pictures"]}


def test_files_dropped_beside_the_text_are_added(field: FilesField, tmp_path: Path) -> None:
    data = dragged((tmp_path / "with space.txt").as_uri())
    actions, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), actions, data, left, none)
    QApplication.sendEvent(field, enter)
    assert enter.isAccepted()
    assert field._paths.property("drop") is True, "where it can be dropped is lit"
    QApplication.sendEvent(field, QDragLeaveEvent())
    assert field._paths.property("drop") is False
    QApplication.sendEvent(field._paths.viewport(), enter)
    assert field._paths.property("drop") is True
    QApplication.sendEvent(field, QDropEvent(QPointF(5, 5), actions, data, left, none))
    assert field.read() == {"paths": [str(tmp_path / "with space.txt")]}
    assert field._paths.property("drop") is False


def test_what_is_no_file_of_this_computer_is_not_taken(field: FilesField) -> None:
    data = dragged("https://example.com/a.pdf")
    enter = QDragEnterEvent(
        QPoint(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(field, enter)
    assert not enter.isAccepted()


def test_pasted_files_become_their_paths_below_what_is_there(field: FilesField) -> None:
    field.write({"paths": ["/home/me/a.pdf"]})
    pasted = dragged("file:///home/me/b.pdf")
    edit = field.findChild(QPlainTextEdit)
    assert isinstance(edit, QPlainTextEdit)
    assert edit.canInsertFromMimeData(pasted)
    edit.insertFromMimeData(pasted)
    assert field.read() == {"paths": ["/home/me/a.pdf", "/home/me/b.pdf"]}
