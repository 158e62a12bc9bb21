"""Exporting from the window: what is offered, where it goes, how far it is, how it ended."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_query import Query
from kapture_panel.export import FORMATS
from kapture_panel.window.history.history_export import HistoryExport, Made, Wanted
from kapture_panel.window.history.history_export_bar import HistoryExportBar
from kapture_panel.window.history.history_model import HistoryModel
from kapture_panel.window.widgets import figures
from kapture_panel.window.widgets.buttons import text_button
from kapture_panel.window.widgets.save_dialog import SaveDialog
from kapture_panel.window.widgets.theme import Theme


class HistoryExports(QObject):
    """`button` opens `menu`; `bar` shows how far `work` is.

    `exported` carries the path and what was `Made`; `told` a title, words and their tone.

    Args:
        chosen: the ids of the rows that are chosen.
        shots_folder: where the pictures of rows are.
        parent: the widget dialogs belong to.
    """

    exported = Signal(str, object)
    told = Signal(str, str, str)

    def __init__(
        self,
        model: HistoryModel,
        history: History,
        shots_folder: Path,
        catalogue: Catalogue,
        chosen: Callable[[], tuple[int, ...]],
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._history = history
        self._chosen = chosen
        self._parent = parent
        self.menu = QMenu(parent)
        self.menu.setAccessibleName("Export history")
        self._of_chosen, self._of_all = self.menu.addMenu(""), self.menu.addMenu("")
        self.button: QPushButton = text_button(theme, "mdi6.export-variant", "Export", self.show_menu)
        self.button.setProperty("kind", "flat-small")
        self.button.setAccessibleName("Export history")
        self.bar = HistoryExportBar()
        self.work = HistoryExport(history.path, shots_folder, catalogue, self)
        self.bar.cancelled.connect(self.work.cancel)
        self.work.progress.connect(self.bar.show_progress)
        self.work.written.connect(self._on_written)
        self.work.failed.connect(self._on_failed)
        self.work.cancelled.connect(self._on_cancelled)

    def offer_beside(self, action: QAction) -> None:
        """Offer an export of something else in the same menu."""
        self.menu.addSeparator()
        self.menu.addAction(action)

    def show_menu(self) -> None:
        """Offer what can be exported, and as what."""
        self.fill_menu()
        self.menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height() + 2)))

    def fill_menu(self) -> None:
        """Put into the menu what can be exported now."""
        chosen = self._chosen()
        self._of_chosen.setTitle("The chosen row" if len(chosen) == 1 else f"The chosen {len(chosen)} rows")
        self._of_chosen.menuAction().setVisible(bool(chosen))
        self._add_formats(self._of_chosen, chosen)
        self._of_all.setTitle(self._words_of_all())
        self._of_all.setEnabled(self._model.rowCount() > 0)
        self._add_formats(self._of_all, None)

    def ask_where(self, key: str, ids: tuple[int, ...] | None) -> SaveDialog | None:
        """Ask for a file and write the rows with `ids`, or all that the filter finds, as the format `key`."""
        return self._ask_where(self._wanted(key, ids))

    def _ask_where(self, wanted: Wanted) -> SaveDialog | None:
        if self.work.is_working:
            self.told.emit("The export is still running", "Cancel it, or wait until it is done.", "warn")
            return None
        title, suffix, _ = FORMATS[wanted.key]
        what = f"Export {figures.count(wanted.rows, 'row')}" if wanted.rows is not None else "Export"
        name = f"kapture-history{suffix}"
        dialog = SaveDialog(self._parent, f"{what} as {title}", name, suffix, f"{title} (*{suffix})")
        dialog.fileSelected.connect(lambda path: self.begin(Path(path), wanted))
        dialog.open()
        return dialog

    def begin(self, path: Path, wanted: Wanted) -> None:
        """Write a file; `exported` or a message tells when it is done."""
        self.bar.begin(wanted.rows)
        self.work.begin(path, wanted)

    def _add_formats(self, menu: QMenu, ids: tuple[int, ...] | None) -> None:
        menu.clear()
        for key, (title, _, _) in FORMATS.items():
            # Made now: what an agent does while the menu is open is not among the rows whose number it says.
            menu.addAction(title).triggered.connect(partial(self._on_format, self._wanted(key, ids)))

    def _wanted(self, key: str, ids: tuple[int, ...] | None) -> Wanted:
        """The rows with `ids`, or all that are found."""
        model = self._model
        if ids is not None:
            return Wanted(key, Query(), ids, self._history.span[1], len(ids))
        return Wanted(key, model.query, None, model.end, None if model.is_searching else model.rowCount())

    def _words_of_all(self) -> str:
        model = self._model
        rows = 0 if model.is_searching else model.rowCount()
        number = f"{figures.number(rows)} " if rows else ""
        if number == "1 ":
            return "The one row that matches" if model.query else "The one row of the history"
        return f"All {number}rows {'that match' if model.query else 'of the history'}"

    def _on_format(self, wanted: Wanted, _checked: bool = False) -> None:
        self._ask_where(wanted)

    def _on_written(self, path: str, made: Made) -> None:
        self.bar.hide()
        self.exported.emit(path, made)

    def _on_failed(self, path: str, why: str) -> None:
        self.bar.hide()
        self.told.emit("Export failed", f"{path} was not written: {why}", "error")

    def _on_cancelled(self) -> None:
        self.bar.hide()
        self.told.emit("Export cancelled", "No file was written.", "info")
