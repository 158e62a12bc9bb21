"""What was done, by whom, and how it went: searched, looked at, run again, exported, recorded."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
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
from kapture_panel.core.basics.settings import Settings
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row, exported
from kapture_panel.window.history import reruns
from kapture_panel.window.history.history_detail import HistoryDetail
from kapture_panel.window.history.history_exports import HistoryExports
from kapture_panel.window.history.history_model import COLUMNS, COMMAND, HistoryModel
from kapture_panel.window.history.history_options import HistoryOptions
from kapture_panel.window.history.history_query_field import QueryField
from kapture_panel.window.history.history_question import HistoryQuestion
from kapture_panel.window.history.history_table import HistoryTable
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.dock import TitleBar
from kapture_panel.window.widgets.pictures import Pictures
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.theme import Theme

_EMPTY = "What you and your agents do appears here."
_ROW_HEIGHT_PX = 30
#: The buttons of a question.
_LEAST_WIDTH_PX = 266
#: A row of the table says with this what was done, and how it went.
_LEAST_TABLE_PX = 230
#: In less, the details stand in the table's place.
_BOTH_PX = 460
#: In less the title says how many there are, and nothing of their order.
_ORDER_PX = 380
#: So little that a question above has its words whole in a small window.
_LEAST_ROWS_PX = 42


class HistoryView(QWidget):
    """Enter or a double click runs a row again: reads at once, all else after a question.

    `run_again` carries a row whose tab and parameters may be used as they are, `edit_again` one to fill in first.
    """

    run_again = Signal(object)
    edit_again = Signal(object)
    copied = Signal(str)
    picture_opened = Signal(object)
    told = Signal(str, str, str)

    def __init__(
        self,
        model: HistoryModel,
        history: History,
        catalogue: Catalogue,
        tabs: Tabs,
        settings: Settings,
        shots_folder: Path,
        pictures: Pictures,
        theme: Theme,
    ) -> None:
        super().__init__()
        self._model = model
        self._catalogue = catalogue
        self._tabs = tabs
        self._theme = theme
        self.title_bar = TitleBar("History", theme)
        self.filter = QueryField(theme, self._values)
        self.filter.asked.connect(self._apply_filter)
        self.options = HistoryOptions(settings, theme, self)
        self.options.told.connect(self.told)
        self.exports = HistoryExports(model, history, shots_folder, catalogue, self._chosen_ids, theme, self)
        self.exports.told.connect(self.told)
        self.table = HistoryTable(model, theme, settings)
        self.options.addMenu(self.table.columns)
        self._begin_table()
        self.new_pill = self._make_pill()
        self._new_rows = 0
        self.detail = HistoryDetail(catalogue, theme, pictures, shots_folder)
        self.detail.hide()
        self.question = HistoryQuestion()
        self._lay_out()
        self._connect()
        self._show_count()

    def _begin_table(self) -> None:
        table = self.table
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.say_when_empty(_EMPTY)
        table.activated.connect(self._on_activated)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._on_menu)
        table.selectionModel().selectionChanged.connect(self._on_selected)
        table.clicked.connect(lambda: self.show_detail(self.chosen) if self.chosen else None)

    def _make_pill(self) -> QPushButton:
        pill = QPushButton(self.table)
        pill.setProperty("kind", "new-lines")
        pill.setAccessibleName("Go to the newest command")
        pill.clicked.connect(self.table.scrollToTop)
        pill.hide()
        return pill

    def ask_to_run(self, row: Row) -> None:
        """Run a row again, ask first, or have it filled in: as it needs."""
        self.question.leave()
        try:
            plan = reruns.plan(row, self._catalogue)
        except KaptureError as error:
            self.told.emit("This command no longer exists", error.message, "error")
            return
        if plan.way == "ask":
            self._choose(row)
            where = reruns.where(row, self._tabs.find(row.tab_id))
            self.question.ask(row, f"Run {safe_text.line(plan.command.title)} again?", where)
        else:
            (self.run_again if plan.way == "run" else self.edit_again).emit(row)

    @property
    def chosen(self) -> Row | None:
        """The one row that is chosen."""
        numbers = self.table.selected_rows()
        row: Row | None = self._model.index(numbers[0], 0).data(ITEM) if len(numbers) == 1 else None
        return row

    def run_chosen(self) -> None:
        """Run the chosen row again."""
        row = self.chosen
        if row is not None:
            self.ask_to_run(row)

    def menu_for(self, row: Row) -> QMenu:
        """What can be done with a row."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for words, icon, act in (
            ("Run again", "mdi6.replay", self.ask_to_run),
            ("Edit and run again", "mdi6.pencil-outline", self.edit_again.emit),
            ("Copy as JSON", "mdi6.content-copy", self._copy),
        ):
            menu.addAction(self._theme.icon(icon), words).triggered.connect(partial(self._do, act, row))
        return menu

    def go_to(self, row: Row) -> None:
        """Show everything about `row`, chosen in the table; a filter that leaves it out goes."""
        is_listed = self._choose(row)
        if is_listed:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.filter.text():
            self.filter.clear()  # the row is chosen once the search has found it

    def _choose(self, row: Row) -> bool:
        """Show everything about `row`, and choose it in the table.

        Returns:
            Whether it is listed there.
        """
        self.show_detail(row)
        number = self._model.row_of(row.id)
        if number >= 0:
            self.table.selectRow(number)
            self._scroll_to_chosen()
        return number >= 0

    def show_detail(self, row: Row) -> None:
        """Show everything about `row` beside the table."""
        was_hidden = self.detail.isHidden()
        self.detail.show_row(row)
        self.detail.show()
        if was_hidden:
            width = self._split.width()
            table_px = max(_LEAST_TABLE_PX, width * 2 // 5)
            self._split.setSizes([table_px, width - table_px])
            self._share_room()
            self._scroll_to_chosen()

    def close_detail(self) -> None:
        """Give the table all the room; what is chosen stays so, and does not come back by itself."""
        had_focus = any(one.hasFocus() for one in self.detail.findChildren(QWidget))
        self.detail.hide()
        self._share_room()
        if had_focus:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def let_go(self, ids: Collection[int]) -> None:
        """Show nothing more of rows that are gone."""
        if self.question.row is not None and self.question.row.id in ids:
            self.question.leave()
        if self.detail.row is not None and self.detail.row.id in ids:
            self.close_detail()
            self.detail.row = None

    def let_go_of_tab(self, tab: Tab) -> None:
        """Ask nothing more about a tab that has gone: what was asked would be done in another one."""
        if self.question.row is not None and self.question.row.tab_id == tab.tab_id:
            self.question.leave()
            self.told.emit("The tab of this row has gone", "Run it again to have it done in the chosen tab.", "warn")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._share_room()
        return super().eventFilter(watched, event)

    def _share_room(self) -> None:
        """Show the table, unless the details need its room."""
        is_covered = not self.detail.isHidden() and self._split.width() < _BOTH_PX
        had_focus = self.table.hasFocus()
        self.table.setHidden(is_covered)
        if is_covered and had_focus:
            self.detail.area.setFocus(Qt.FocusReason.OtherFocusReason)

    def minimumSizeHint(self) -> QSize:
        # The same with details and a question as without: docks beside it do not move when these come.
        rows = 0 if self.question.isVisible() else self._least_rows_height()
        return QSize(_LEAST_WIDTH_PX, self._least_height() + rows)

    def close_work(self) -> None:
        """End what goes on in other threads."""
        self.exports.work.close()

    def _lay_out(self) -> None:
        self.title_bar.add(self.options.recording)
        self.title_bar.add(self.exports.button)
        self.title_bar.add(self.options.button)
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
        self.table.setMinimumSize(_LEAST_TABLE_PX, _LEAST_ROWS_PX)
        self._split.installEventFilter(self)
        self.detail.setMinimumHeight(_LEAST_ROWS_PX)
        self._split.addWidget(self.table)
        self._split.addWidget(self.detail)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (search, self.filter.problem, self.question, self.exports.bar):
            column.addWidget(widget)
        column.addWidget(self._split, 1)

    def _connect(self) -> None:
        model = self._model
        model.inserted.connect(self._on_inserted)
        model.counted.connect(self._show_count)
        model.modelReset.connect(self._on_reset)
        model.renewed.connect(self._on_renewed)
        bar = self.table.verticalScrollBar()
        bar.valueChanged.connect(lambda value: None if value else self._hide_pill())
        self.detail.closed.connect(self.close_detail)
        self.detail.run_again.connect(self.ask_to_run)
        self.detail.edit_again.connect(self.edit_again)
        self.detail.copied.connect(self._copy)
        self.detail.picture_opened.connect(self.picture_opened)
        for is_over in (self.question.run, self.question.edit, self.question.left):
            is_over.connect(self._share_height)
        self.question.run.connect(self.run_again)
        self.question.edit.connect(self.edit_again)
        self.question.asked.connect(self._on_asked)
        self.question.left.connect(self._on_left)

    def _on_left(self, had_focus: bool) -> None:
        if had_focus:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_asked(self) -> None:
        layout = self.layout()
        assert layout is not None
        self._share_height()
        layout.activate()
        self._scroll_to_chosen()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A question may have room for the rows now, or no more; so may the title for the order."""
        super().resizeEvent(event)
        self._share_height()
        self._show_count()

    def _share_height(self) -> None:
        """Rows and details give way to a question where there is too little room for both."""
        is_alone = self.question.isVisible() and self.height() < self._least_height() + self._least_rows_height()
        self._split.setHidden(is_alone)

    def _least_height(self) -> int:
        """Without rows and details."""
        shown = 0 if self._split.isHidden() else self._least_rows_height()
        return super().minimumSizeHint().height() - shown

    def _least_rows_height(self) -> int:
        return self._split.minimumSizeHint().height()

    def _scroll_to_chosen(self) -> None:
        # Qt scrolls to no cell of a column that is hidden.
        table, model = self.table, self._model
        table.scrollTo(model.index(table.currentIndex().row(), COMMAND))

    def _do(self, act: Callable[[Row], object], row: Row, _checked: bool = False) -> None:
        act(row)

    def _copy(self, row: Row) -> None:
        self.copied.emit(json.dumps(exported(row), indent=2, ensure_ascii=False))

    def _values(self) -> dict[str, list[str]]:
        names = [command.short_name for command in self._catalogue]
        return {**self._model.values(), "cmd": names}

    def _apply_filter(self) -> None:
        self.filter.say(self._model.set_filter(self.filter.text()))
        self._show_count()

    def _chosen_ids(self) -> tuple[int, ...]:
        return tuple(map(self._model.id_of, self.table.selected_rows()))

    def _on_selected(self) -> None:
        row = self.chosen
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
            self.detail.row = None

    def _on_renewed(self, rows: dict[int, Row]) -> None:
        """The row that is looked at went on; it may stand elsewhere now, or be listed no more."""
        row = rows.get(self.detail.row.id) if self.detail.row is not None else None
        if row is None:
            return
        self.detail.show_row(row)
        number = self._model.row_of(row.id)
        if number >= 0 and not self.detail.isHidden() and not self.table.selected_rows():
            self.table.selectRow(number)

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

    @property
    def _order(self) -> str:
        order = self._model.order
        return "newest first" if order.is_newest_first else f"by {COLUMNS[order.column].lower()}"

    def _show_count(self) -> None:
        model = self._model
        shown, total = figures.number(model.rowCount()), figures.number(model.total)
        order = f" · {self._order}" if self.width() >= _ORDER_PX else ""
        self.title_bar.say(f"{shown} of {total}" if model.query else f"{total}{order}" if model.total else "")
        self.table.say_when_empty("No command matches the filter." if model.query and model.total else _EMPTY)
