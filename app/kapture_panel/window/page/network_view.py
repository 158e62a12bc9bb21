"""The requests of all tabs, live, and one of them in detail."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.core.stores.network_log import NetworkLog, Request
from kapture_panel.window.page.entries import ENTRIES
from kapture_panel.window.page.network_saving import NetworkSaving
from kapture_panel.window.page.request_detail import RequestDetail
from kapture_panel.window.page.requests_model import (
    METHOD,
    SITE,
    SIZE,
    SOURCE,
    SOURCES,
    TIME,
    TIMELINE,
    TYPE,
    TYPES,
    RequestFilter,
    RequestsModel,
)
from kapture_panel.window.page.timeline_delegate import TimelineDelegate
from kapture_panel.window.widgets import figures, safe_text
from kapture_panel.window.widgets.buttons import icon_button
from kapture_panel.window.widgets.entries import bind
from kapture_panel.window.widgets.filter_field import FilterField
from kapture_panel.window.widgets.filter_row import FilterRow
from kapture_panel.window.widgets.label import ElidedLabel
from kapture_panel.window.widgets.shell import RunCommand
from kapture_panel.window.widgets.small_choice import SmallChoice
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.tab_choice import TabChoice
from kapture_panel.window.widgets.table import Table
from kapture_panel.window.widgets.tail import Tail
from kapture_panel.window.widgets.theme import Theme
from kapture_panel.window.widgets.throttle import Throttle

log = logging.getLogger(__name__)

#: Going along rows asks for the details of the one where the person stays.
_STAY_MS = 200
#: In less room the details of a request stand in place of the list.
_BOTH_PX = 440
#: In less the title of the dock has room for the number of requests, and not for the word.
_WORDS_PX = 370
_NOT_KEPT = "Headers and bodies are no longer kept: the tab was closed or its extension restarted."
_LOST = frozenset({"TAB_NOT_FOUND", "TAB_DISCONNECTED"})


class NetworkView(QWidget):
    """A click or Enter on a row shows its details; they are read from the tab, which leaves no row in the history.

    `tools` stand in the title of the dock: how many there are, and a chip for those that failed.
    """

    copied = Signal(str)
    cleared = Signal()

    def __init__(
        self, requests: NetworkLog, tabs: Tabs, look: RunCommand, subscriptions: Subscriptions, theme: Theme
    ) -> None:
        super().__init__()
        self._requests, self._look = requests, look
        self.saving = NetworkSaving(requests, tabs, look, self)
        self._task: asyncio.Task[Any] | None = None
        #: The request that is looked at, as it is now.
        self._wanted: Request | None = None
        #: What the model does is not the person's choice.
        self._is_changing = False
        model = self._model = RequestsModel(requests, subscriptions, self)
        self.count = ElidedLabel(kind="small")  # words in it would keep the dock wide
        self.failed_chip = QPushButton()
        self.failed_chip.setProperty("kind", "chip")
        self.failed_chip.setProperty("level", "error")
        self.failed_chip.setCheckable(True)
        theme.tint(self.failed_chip, "mdi6.close-circle-outline", "error", 13)
        self.tools = QWidget()
        row = QHBoxLayout(self.tools)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.count)
        row.addWidget(self.failed_chip)
        self.field = FilterField(theme, "Filter requests", "Filter · newest last")
        self.filter = self.field.edit
        self.tab = TabChoice(tabs, subscriptions, "Requests of which tab")
        self.types = SmallChoice("Type of request", {"All types": frozenset(), **TYPES})
        self.sources = SmallChoice("Source of the answer", {"All sources": frozenset(), **SOURCES})
        self.table = self._make_table(model, theme)
        self.detail = RequestDetail(theme)
        self.detail.hide()
        self._split = QSplitter()
        self._split.setHandleWidth(1)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.table)
        self._split.addWidget(self.detail)
        self._split.installEventFilter(self)
        self.tail = Tail(self.table, "request")
        clear = icon_button(theme, "mdi6.delete-outline", "Clear requests", self.cleared.emit)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        save = icon_button(theme, "mdi6.content-save-outline", "Save requests", self.ask_where_to_save)
        column.addWidget(FilterRow(self.field, (self.types, self.sources, self.tab), (save, clear)))
        column.addWidget(self.field.problem)
        column.addWidget(self._split, 1)
        self._connect(model, subscriptions)
        self._show_counts()

    def _make_table(self, model: RequestsModel, theme: Theme) -> Table:
        # Before the table hears of it, which moves its choice.
        for changing in (model.modelAboutToBeReset, model.rowsAboutToBeInserted, model.rowsAboutToBeRemoved):
            changing.connect(self._hold)
        table = Table(model, theme, "Requests")
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.set_columns(
            theme, (8, 6, 0, 15, 6, 7, 6, 6, 14), spare=(SITE, SOURCE, TYPE, SIZE, TIMELINE, METHOD, TIME)
        )
        table.setItemDelegateForColumn(TIMELINE, TimelineDelegate(theme, table))
        table.horizontalHeader().show()
        return table

    def open_detail(self, row: int) -> None:
        """Show everything about the request of a row."""
        request = self._model.request(row)
        was_hidden = self.detail.isHidden()
        self.detail.show_request(request)
        self.detail.show()
        if was_hidden:
            width = self._split.width()
            self._split.setSizes([width * 2 // 5, width * 3 // 5])
            self.table.scrollTo(self._model.index(row, 0))
            self._share_room()
        # What is looked at does not scroll away.
        self.tail.hold()
        self._want(request)

    def close_detail(self) -> None:
        """Give the list the whole room, and the focus if the details had it; nothing of them is kept."""
        self.cancel()
        self._wanted = None
        had_focus = self.detail.isAncestorOf(self.window().focusWidget())
        self.detail.hide()
        self.detail.let_go()
        self._share_room()
        self.tail.look()
        if had_focus:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def ask_where_to_save(self) -> None:
        """Ask for a file and save there what is listed of the chosen tab, or of all."""
        self.saving.ask_where(self.tab.tab_id)

    def cancel(self) -> None:
        """Ask for no more details."""
        self._staying.stop()
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._share_room()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_counts()

    def minimumSizeHint(self) -> QSize:
        # Hidden or not, the details make do with the room the dock has.
        return QSize(min(super().minimumSizeHint().width(), 300), super().minimumSizeHint().height())

    def _share_room(self) -> None:
        """Show the list, unless the details need its room."""
        is_covered = not self.detail.isHidden() and self._split.width() < _BOTH_PX
        had_focus = self.table.hasFocus()
        self.table.setHidden(is_covered)
        if is_covered and had_focus:
            self.detail.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _connect(self, model: RequestsModel, subscriptions: Subscriptions) -> None:
        self._staying = Throttle(self, self._ask, _STAY_MS)
        self.field.changed.connect(self._apply_filter)
        self.failed_chip.toggled.connect(lambda _on: self._apply_filter())
        for choice in (self.tab, self.types, self.sources):
            choice.currentIndexChanged.connect(lambda _at: self._apply_filter())
        self.table.activated.connect(lambda index: self.open_detail(index.row()))
        self.table.clicked.connect(lambda index: self.open_detail(index.row()))
        self.table.selectionModel().selectionChanged.connect(lambda _on, _off: self._on_selected())
        for changed in (model.modelReset, model.rowsInserted, model.rowsRemoved):
            changed.connect(self._keep)
        subscriptions.connect(self._requests.changed, self._on_changed)
        subscriptions.connect(self._requests.cleared, self._on_cleared)
        bind(ENTRIES["close_request"], self.table, self.close_detail, Qt.ShortcutContext.WidgetShortcut)
        self.detail.closed.connect(self.close_detail)
        self.detail.copied.connect(self.copied)
        model.counted.connect(self._show_counts)

    def _on_selected(self) -> None:
        rows = self.table.selected_rows()
        if rows and not self._is_changing and not self.detail.isHidden():
            self.open_detail(rows[0])

    def _hold(self) -> None:
        self._is_changing = True

    def _keep(self) -> None:
        """Rows came or went: the one that is looked at is chosen, or none."""
        if self._wanted is not None:
            row = self._model.row_of(self._wanted)
            if row is None:
                self.table.clearSelection()
            elif self.table.selected_rows() != [row]:
                self.table.selectRow(row)
                self.tail.hold()
        self._is_changing = False

    def _on_changed(self, batch: list[Request]) -> None:
        """What is looked at may have gone on."""
        wanted = self._wanted
        newest = {one.key: one for one in batch}.get(wanted.key) if wanted is not None else None
        if newest is not None and newest != wanted:
            self.detail.show_status(newest)
            self._want(newest)

    def _on_cleared(self, tab_id: str) -> None:
        if self._wanted is not None and tab_id in ("", self._wanted.tab_id):
            self.close_detail()

    def _want(self, request: Request) -> None:
        """Ask for the details of a request soon."""
        self._wanted = request
        self._staying.start()

    def _ask(self) -> None:
        request = self._wanted
        if self._task is not None:
            self._task.cancel()
        if request is not None:
            self._task = tasks.spawn(self._tell(request), f"details of {request.id}")

    async def _tell(self, request: Request) -> None:
        params = {"tabId": request.tab_id, "requestId": request.id}
        try:
            answer = await self._look("kapturemcp_get_request", params)
        except KaptureError as error:
            is_lost = error.code in _LOST or not self._requests.is_current(request)
            self.detail.show_problem(_NOT_KEPT if is_lost else error.message)
        except Exception as error:  # the outermost door of a person's command
            log.exception("the details of a request failed")
            self.detail.show_problem(f"{error}; see the log")
        else:
            # Events go before answers: an id that was given again is known by now.
            if self._requests.is_current(request):
                self.detail.show_details(str(answer.result))
            else:
                self.detail.show_problem(_NOT_KEPT)

    def _apply_filter(self) -> None:
        types, sources = self.types.currentData(), self.sources.currentData()
        self._model.set_filter(
            RequestFilter(self.field.value, types, sources, self.tab.tab_id, self.failed_chip.isChecked())
        )

    def _show_counts(self) -> None:
        total, failed = self._model.total, self._model.failed
        words = figures.count(total, "request") if self.width() >= _WORDS_PX else figures.number(total)
        self.count.show_line(words if total else "")
        self.failed_chip.setVisible(bool(failed) or self.failed_chip.isChecked())
        self.failed_chip.setText(f"{figures.number(failed)} failed")
        self.failed_chip.setAccessibleName(f"Show only {figures.count(failed, 'failed request')}")
        self.failed_chip.setToolTip(safe_text.tooltip("Show only requests that failed"))
        self.table.say_when_empty(
            "No request matches the filter." if total else "What pages and their workers load appears here."
        )
