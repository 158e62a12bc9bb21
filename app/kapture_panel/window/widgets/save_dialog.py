"""The dialog that asks where to save: it begins where the person saved last, at first among the downloads."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from kapture_panel.window.widgets.app import Application

_PLACES = (
    QStandardPaths.StandardLocation.DownloadLocation,
    QStandardPaths.StandardLocation.DocumentsLocation,
    QStandardPaths.StandardLocation.HomeLocation,
)


class SaveDialog(QFileDialog):
    """Opened with `open`; `fileSelected` carries the path.

    Args:
        name: what the file is called unless the person says otherwise.
        suffix: what a name without one gets, such as ".json".
        kinds: a name filter such as "JSON (*.json)".
    """

    def __init__(self, parent: QWidget, title: str, name: str, suffix: str, kinds: str = "") -> None:
        super().__init__(parent, title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        if kinds:
            self.setNameFilter(kinds)
        self.setDefaultSuffix(suffix.removeprefix("."))
        self.setDirectory(str(folder()))
        self.selectFile(name)
        self.fileSelected.connect(self._on_selected)

    def _on_selected(self, path: str) -> None:
        app = QApplication.instance()
        assert isinstance(app, Application)
        app.set_save_folder(Path(path).parent)


def folder() -> Path:
    """Where to begin: a folder that is there."""
    app = QApplication.instance()
    last = app.save_folder if isinstance(app, Application) else None
    if last is not None and last.is_dir():
        return last
    known = (Path(QStandardPaths.writableLocation(place)) for place in _PLACES)
    return next((place for place in known if place.is_dir()), Path.home())
