"""What was done, by whom, and how it went: searched, looked at, run again, exported, recorded."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import asdict
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.settings import RECORD_PICTURES, RECORD_TYPED
from kapture_panel.core.services import Services
from kapture_panel.core.stores import row_words
from kapture_panel.core.stores.history_query import Query
from kapture_panel.core.stores.history_row import Row
from kapture_panel.export import FORMATS
from kapture_panel.window.history import reruns
from kapture_panel.window.history.history_detail import HistoryDetail
from kapture_panel.window.history.history_export import HistoryExport, Wanted
from kapture_panel.window.history.history_export_bar import HistoryExportBar
from kapture_panel.window.history.history_model import HistoryModel
from kapture_panel.window.history.history_query_field import QueryField
from kapture_panel.window.history.history_question import HistoryQuestion
from kapture_panel.window.history.history_table import HistoryTable
from kapture_panel.window.widgets import figures, plain
from kapture_panel.window.widgets.buttons import icon_button, text_button
from kapture_panel.window.widgets.dock import TitleBar
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.save_dialog import SaveDialog
from kapture_panel.window.widgets.theme import Theme

_EMPTY = "What you and your agents do appears here."
_ROW_HEIGHT_PX = 30
#: The table beside the details, or the buttons of a question.
_LEAST_WIDTH_PX = 290
#: So little that a question above has its words whole in a small window.
_LEAST_ROWS_PX = 50
_RECORD_TIP = (
    "Keeps a small picture before and after each action of agents and yours, for a day. Pictures show what pages show; "
    "password fields are dots in them."
)
_TYPED_TIP = (
    "Keeps what is typed into fields as it is, so that rows can be run again and exported whole. Of passwords, cards "
    "and one-time codes only the length is ever kept."
)


class HistoryView(QWidget):
    """Enter or a double click runs a row again: reads at once, all else after a question.

    `run_again` carries a row whose tab and parameters may be used as they are, `edit_again` one to fill in first.
    """

    run_again = Signal(object)
    edit_again = Signal(object)
    copied = Signal(str)
    picture_opened = Signal(object)
    told = Signal(str, str, str)
    exported = Signal(str, int, object)

    def __init__(self, model: HistoryModel, services: Services, pictures: Pictures, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self._services = services
        self._theme = theme
        self.title_bar = TitleBar("History", theme)
        self.filter = QueryField(theme, self._values)
        self.filter.asked.connect(self._apply_filter)
        self.export_menu = QMenu(self)
        self.export_menu.setAccessibleName("Export history")
        export = text_button(theme, "mdi6.export-variant", "Export", self.show_export_menu)
        export.setProperty("kind", "flat-small")
        export.setAccessibleName("Export history")
        self.export_button: QPushButton = export
        self.options = icon_button(theme, "mdi6.dots-vertical", "History options", self._show_options)
        self.options_menu = QMenu(self)
        self.options_menu.setToolTipsVisible(True)
        self.record = self.options_menu.addAction("Record pictures")
        self.record.setCheckable(True)
        self.record.setToolTip(plain.tooltip(_RECORD_TIP))
        self.record.toggled.connect(self._on_record)
        self.record_typed = self.options_menu.addAction("Keep what is typed")
        self.record_typed.setCheckable(True)
        self.record_typed.setToolTip(plain.tooltip(_TYPED_TIP))
        self.record_typed.setChecked(services.settings.get(RECORD_TYPED, False) is True)
        self.record_typed.toggled.connect(lambda is_on: services.settings.set(RECORD_TYPED, is_on))
        self.forget_menu = QMenu("Forget", self)
        self.forget_menu.setAccessibleName("Forget")
        self.options_menu.addSeparator()
        self.options_menu.addMenu(self.forget_menu)
        self.table = HistoryTable(model, theme)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.say_when_empty(_EMPTY)
        self.table.activated.connect(self._on_activated)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._on_menu)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._on_selected())
        self.new_pill = QPushButton(self.table)
        self.new_pill.setProperty("kind", "new-lines")
        self.new_pill.setAccessibleName("Go to the newest command")
        self.new_pill.clicked.connect(self.table.scrollToTop)
        self.new_pill.hide()
        self._new_rows = 0
        self.detail = HistoryDetail(theme, pictures, services.shots.folder)
        self.detail.hide()
        self.question = HistoryQuestion()
        self.export_bar = HistoryExportBar()
        self.exporting = HistoryExport(services.history.path, services.shots.folder, self)
        self._lay_out()
        self._connect()
        self.record.setChecked(services.settings.get(RECORD_PICTURES, False) is True)
        self._show_count()

    def ask_to_run(self, row: Row) -> None:
        """Run a row again, ask first, or have it filled in: as it needs."""
        self.question.leave()
        try:
            plan = reruns.plan(row, self._services.catalogue)
        except KaptureError as error:
            self.told.emit("This command is gone", error.message, "error")
            return
        if plan.way == "ask":
            self.question.ask(row, f"Run {plain.line(plan.command.title)} again?", self._where(row))
        else:
            (self.run_again if plan.way == "run" else self.edit_again).emit(row)

    @property
    def chosen(self) -> Row | None:
        """The one row that is chosen."""
        rows = self._chosen()
        return rows[0] if len(rows) == 1 else None

    @property
    def has_chosen(self) -> bool:
        """Whether one row is chosen."""
        return len(self.table.selected_rows()) == 1

    def run_chosen(self) -> None:
        """Run the chosen row again."""
        for row in self._chosen():
            self.ask_to_run(row)

    def show_export_menu(self) -> None:
        """Offer what can be exported, and as what."""
        self._fill_export_menu()
        button = self.export_button
        self.export_menu.popup(button.mapToGlobal(QPoint(0, button.height() + 2)))

    def ask_where_to_export(self, key: str, ids: tuple[int, ...] | None) -> SaveDialog | None:
        """Ask for a file and write the rows with `ids`, or all that the filter finds, as the format `key`."""
        if self.exporting.is_working:
            self.told.emit("Export is still going on", "Cancel it, or wait until it is done.", "warn")
            return None
        title, suffix, _ = FORMATS[key]
        wanted = Wanted(key, Query() if ids is not None else self._model.query, ids, self._services.history.span[1])
        dialog = SaveDialog(self, f"Export as {title}", f"kapture-history{suffix}", suffix, f"{title} (*{suffix})")
        dialog.fileSelected.connect(lambda path: self.export(Path(path), wanted))
        dialog.open()
        return dialog

    def export(self, path: Path, wanted: Wanted) -> None:
        """Write a file; `exported` or a message tells when it is done."""
        self.export_bar.begin()
        self.exporting.begin(path, wanted)

    def menu_for(self, row: Row) -> QMenu:
        """What can be done with a row."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, icon, deed in (
            ("Run again", "mdi6.replay", self.ask_to_run),
            ("Edit and run again", "mdi6.pencil-outline", self.edit_again.emit),
            ("Copy as JSON", "mdi6.content-copy", self._copy),
        ):
            menu.addAction(self._theme.icon(icon), words).triggered.connect(partial(self._do, deed, row))
        return menu

    def show_detail(self, row: Row) -> None:
        """Show everything about `row` beside the table."""
        was_hidden = self.detail.isHidden()
        self.detail.show_row(row)
        self.detail.show()
        if was_hidden:
            width = self._split.width()
            self._split.setSizes([width * 2 // 5, width * 3 // 5])
            self._scroll_to_chosen()

    def close_detail(self) -> None:
        """Give the table all the room."""
        had_focus = any(one.hasFocus() for one in self.detail.findChildren(QWidget))
        self.detail.hide()
        self.detail.row = None
        if had_focus:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def let_go(self, ids: Collection[int]) -> None:
        """Show nothing more of rows that are gone."""
        if self.question.row is not None and self.question.row.id in ids:
            self.question.leave()
        if self.detail.row is not None and self.detail.row.id in ids:
            self.close_detail()

    def minimumSizeHint(self) -> QSize:
        # The same with details and a question as without: docks beside it do not move when these come.
        return QSize(_LEAST_WIDTH_PX, super().minimumSizeHint().height())

    def close_work(self) -> None:
        """End what goes on in other threads."""
        self.exporting.close()

    def _lay_out(self) -> None:
        self.title_bar.add(self.export_button)
        self.title_bar.add(self.options)
        search = QWidget()
        search.setProperty("kind", "ruled")
        search.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        search.setFixedHeight(_ROW_HEIGHT_PX)
        line = QHBoxLayout(search)
        line.setContentsMargins(8, 0, 8, 1)
        line.addWidget(self.filter)
        self._split = QSplitter()
        self._split.setHandleWidth(1)
        self._split.setChildrenCollapsible(False)
        self.table.setMinimumSize(120, _LEAST_ROWS_PX)
        self.detail.setMinimumHeight(_LEAST_ROWS_PX)
        self._split.addWidget(self.table)
        self._split.addWidget(self.detail)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (search, self.filter.problem, self.question, self.export_bar):
            column.addWidget(widget)
        column.addWidget(self._split, 1)

    def _connect(self) -> None:
        model = self._model
        model.inserted.connect(self._on_inserted)
        model.counted.connect(self._show_count)
        model.modelReset.connect(self._on_reset)
        model.dataChanged.connect(self._on_changed)
        bar = self.table.verticalScrollBar()
        bar.valueChanged.connect(lambda value: None if value else self._hide_pill())
        self.detail.closed.connect(self.close_detail)
        self.detail.run_again.connect(self.ask_to_run)
        self.detail.edit_again.connect(self.edit_again)
        self.detail.copied.connect(self._copy)
        self.detail.picture_opened.connect(self.picture_opened)
        self.question.run.connect(self.run_again)
        self.question.edit.connect(self.edit_again)
        self.question.asked.connect(self._keep_chosen_in_sight)
        self.question.left.connect(lambda: self.table.setFocus(Qt.FocusReason.OtherFocusReason))
        self.export_bar.cancelled.connect(self.exporting.cancel)
        self.exporting.progress.connect(self.export_bar.show_progress)
        self.exporting.written.connect(self._on_written)
        self.exporting.failed.connect(self._on_failed)
        self.exporting.cancelled.connect(self._on_cancelled)

    def _keep_chosen_in_sight(self) -> None:
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self._scroll_to_chosen()

    def _scroll_to_chosen(self) -> None:
        # Qt scrolls to no cell of a column that is hidden.
        table, model = self.table, self._model
        columns = [column for column in range(model.columnCount()) if not table.isColumnHidden(column)]
        table.scrollTo(model.index(table.currentIndex().row(), columns[0]))

    def _fill_export_menu(self) -> None:
        menu = self.export_menu
        menu.clear()
        chosen = tuple(row.id for row in self._chosen())
        number = self._model.rowCount()
        found = "that match" if self._model.query else "of the history"
        if chosen:
            self._add_formats(menu.addMenu(f"Chosen {figures.count(len(chosen), 'row')}"), chosen)
        everything = menu.addMenu(f"All {figures.count(number, 'row')} {found}")
        everything.setEnabled(number > 0)
        self._add_formats(everything, None)

    def _add_formats(self, menu: QMenu, ids: tuple[int, ...] | None) -> None:
        for key, (title, _, _) in FORMATS.items():
            menu.addAction(title).triggered.connect(partial(self._on_format, key, ids))

    def _on_format(self, key: str, ids: tuple[int, ...] | None, _checked: bool = False) -> None:
        self.ask_where_to_export(key, ids)

    def _show_options(self) -> None:
        self.options_menu.popup(self.options.mapToGlobal(QPoint(0, self.options.height() + 2)))

    def _on_record(self, is_on: bool) -> None:
        self._services.settings.set(RECORD_PICTURES, is_on)
        icon, tone = ("mdi6.record-circle-outline", "error") if is_on else ("mdi6.dots-vertical", "text_secondary")
        self._theme.tint(self.options, icon, tone)
        name = "History options; pictures are recorded" if is_on else "History options"
        self.options.setAccessibleName(name)
        self.options.setToolTip(plain.tooltip(name))

    def _do(self, deed: Callable[[Row], object], row: Row, _checked: bool = False) -> None:
        deed(row)

    def _copy(self, row: Row) -> None:
        self.copied.emit(json.dumps(asdict(row), indent=2, ensure_ascii=False))

    def _where(self, row: Row) -> str:
        tab = self._services.tabs.find(row.tab_id)
        params = {name: value for name, value in row.params.items() if name != "tabId"}
        given = plain.line(row_words.value(params), 200) if params else ""
        if tab is not None:
            where = f"on “{plain.line(tab.title or tab.url, 80)}”"
        elif row.tab_id:
            where = "its tab is gone; it runs on the tab chosen under Tabs"
        else:
            where = ""
        return " · ".join(filter(None, (given, where)))

    def _values(self) -> dict[str, list[str]]:
        names = [command.short_name for command in self._services.catalogue]
        return {**self._model.values(), "cmd": names}

    def _apply_filter(self) -> None:
        self.filter.say(self._model.set_filter(self.filter.text()))
        self._show_count()

    def _chosen(self) -> list[Row]:
        model = self._model
        rows = [model.index(number, 0).data(ITEM) for number in self.table.selected_rows()]
        return [row for row in rows if row is not None]

    def _on_selected(self) -> None:
        numbers = self.table.selected_rows()
        if len(numbers) == 1:
            row = self._model.index(numbers[0], 0).data(ITEM)
            if row is not None and self.question.row is not None and self.question.row.id != row.id:
                self.question.leave()  # it is about the row that was chosen before
            if row is not None and (self.detail.row is None or self.detail.row.id != row.id):
                self.show_detail(row)

    def _on_reset(self) -> None:
        """Another search keeps the row that is looked at, where it is found."""
        self._hide_pill()
        row = self.detail.row
        number = self._model.row_of(row.id) if row is not None else -1
        if number >= 0:
            self.table.selectRow(number)
        elif row is not None:
            self.close_detail()

    def _on_changed(self, first: QModelIndex, _last: QModelIndex) -> None:
        row = first.data(ITEM)
        if row is not None and self.detail.row is not None and self.detail.row.id == row.id:
            self.detail.show_row(row)

    def _on_activated(self, index: QModelIndex) -> None:
        self.ask_to_run(index.data(ITEM))

    def _on_menu(self, at: QPoint) -> None:
        index = self.table.indexAt(at)
        if index.isValid():
            self.menu_for(index.data(ITEM)).popup(self.table.viewport().mapToGlobal(at))

    def _on_inserted(self, rows: int) -> None:
        bar = self.table.verticalScrollBar()
        if bar.value() > 0:
            bar.setValue(bar.value() + rows)
            self._new_rows += rows
            self.new_pill.setText(f"↑ {figures.number(self._new_rows)} new")
            self.new_pill.adjustSize()
            room = self.table.viewport().geometry()
            self.new_pill.move(room.x() + (room.width() - self.new_pill.width()) // 2, room.y() + 8)
            self.new_pill.show()

    def _hide_pill(self) -> None:
        self._new_rows = 0
        self.new_pill.hide()

    def _show_count(self) -> None:
        model = self._model
        shown, total = figures.number(model.rowCount()), figures.number(model.total)
        self.title_bar.say(f"{shown} of {total}" if model.query else f"{total} · newest first" if model.total else "")
        self.table.say_when_empty("No command matches the filter." if model.query and model.total else _EMPTY)

    def _on_written(self, path: str, rows: int, steps: int | None) -> None:
        self.export_bar.hide()
        self.exported.emit(path, rows, steps)

    def _on_failed(self, path: str, why: str) -> None:
        self.export_bar.hide()
        self.told.emit("Export failed", f"{path} was not written: {why}", "error")

    def _on_cancelled(self) -> None:
        self.export_bar.hide()
        self.told.emit("Export cancelled", "No file was written.", "info")
