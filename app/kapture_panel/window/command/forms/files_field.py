"""Files of the person's computer: chosen in a dialog, dropped, pasted or written."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QWidget

from kapture_panel.core.basics.free_json import Schema
from kapture_panel.window.command.forms.text_fields import LinesField
from kapture_panel.window.widgets import save_dialog
from kapture_panel.window.widgets.label import ElidedLabel
from kapture_panel.window.widgets.text_edit import TextEdit
from kapture_panel.window.widgets.theme import mark


def paths_in(data: QMimeData) -> list[str]:
    """The files and folders of this computer among what is dropped or pasted."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


class _PathsEdit(TextEdit):
    """Takes files that are dropped or pasted as their paths, a line each."""

    def light(self, is_on: bool) -> None:
        """Show that what is dragged over it can be dropped."""
        mark(self, drop=is_on)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        super().dragEnterEvent(event)
        self.light(bool(paths_in(event.mimeData())))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self.light(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.light(False)
        super().dropEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return bool(paths_in(source)) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if paths := paths_in(source):
            self.add(paths)
        else:
            super().insertFromMimeData(source)

    def add(self, paths: list[str]) -> None:
        """Write `paths` below what is there."""
        before = self.text().rstrip("\n")
        self.show_text("\n".join([*([before] if before else []), *paths]))


class FilesField(LinesField):
    """Paths, one per line, with buttons that choose files or a folder; what is dropped anywhere on it is added."""

    def __init__(self, name: str, schema: Schema, *, is_required: bool = False) -> None:
        paths = _PathsEdit(min_lines=2, max_lines=8)
        super().__init__(name, schema, is_required=is_required, edit=paths)
        self._paths = paths
        self._paths.setPlaceholderText("Drop files here, or write one path per line")
        self.setAcceptDrops(True)
        row = QHBoxLayout()
        row.setContentsMargins(0, 2, 0, 0)
        row.setSpacing(8)
        for words, mode in (
            ("Files …", QFileDialog.FileMode.ExistingFiles),
            ("Folder …", QFileDialog.FileMode.Directory),
        ):
            button = QPushButton(words)
            button.setAccessibleName(f"Choose {words.lower()}")
            button.clicked.connect(lambda _checked, mode=mode: self.ask(mode))
            row.addWidget(button)
        row.addWidget(ElidedLabel("or drop them here"), 1)
        buttons = QWidget()
        buttons.setLayout(row)
        self._column.insertWidget(1, buttons)

    def ask(self, mode: QFileDialog.FileMode) -> QFileDialog:
        """Open the dialog that chooses files or a folder; what is chosen is added."""
        is_folder = mode == QFileDialog.FileMode.Directory
        dialog = QFileDialog(self, "Choose a folder to upload" if is_folder else "Choose files to upload")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(mode)
        dialog.setDirectory(str(save_dialog.folder()))
        dialog.filesSelected.connect(self._paths.add)
        dialog.open()
        return dialog

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if paths_in(event.mimeData()):
            event.acceptProposedAction()
            self._paths.light(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._paths.light(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self._paths.light(False)
        if paths := paths_in(event.mimeData()):
            self._paths.add(paths)
            event.acceptProposedAction()
