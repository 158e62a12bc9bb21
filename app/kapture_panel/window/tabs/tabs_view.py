"""The connected tabs; the chosen one is what the forms are about."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QItemSelection, QModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import QListView, QMenu, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.window.tabs.tabs_model import TabsModel
from kapture_panel.window.tabs.unconnected_view import UnconnectedView
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.buttons import icon_button, text_button
from kapture_panel.window.widgets.dock import TitleBar
from kapture_panel.window.widgets.empty_state import EmptyState
from kapture_panel.window.widgets.roles import ASIDE, HEADING, ITEM
from kapture_panel.window.widgets.row_delegate import RowDelegate
from kapture_panel.window.widgets.subscriptions import Subscriptions
from kapture_panel.window.widgets.theme import Theme

#: Context actions: what is asked for, its words, its icon; None is a line between.
ACTIONS = (
    ("show", "Show in browser", "mdi6.open-in-app"),
    ("reload", "Reload", "mdi6.refresh"),
    ("copy_url", "Copy address", "mdi6.link-variant"),
    ("copy_tab_id", "Copy tabId", "mdi6.identifier"),
    None,
    ("disconnect", "Disconnect", "mdi6.link-off"),
    ("close_tab", "Close tab", "mdi6.tab-remove"),
)
#: More rows than any dock is high.
_MOST_FITTED = 60
#: As Qt's QWIDGETSIZE_MAX: as high as there is room.
_ANY_PX = (1 << 24) - 1
_EMPTY = (
    "No tab is connected",
    "Start a browser here, or press Connect in the Kapture extension of your own browser.",
)


class TabsView(QWidget):
    """Tells the chosen tab (or None) and what a person asks of a tab, or asks for another one.

    `hands` says who holds a tab and which agents it could be handed to; `handed` carries the tab and the one that is to
    hold it, None for nobody.
    """

    chosen = Signal(object)
    asked = Signal(str, object)
    handed = Signal(object, object)
    start_browser = Signal()
    new_tab = Signal()

    def __init__(self, model: TabsModel, paired: PairedBrowsers, subscriptions: Subscriptions, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self.hands: Callable[[Tab], tuple[Client | None, list[Client]]] = lambda _tab: (None, [])
        self._theme = theme
        self._tab: Tab | None = None
        self.title_bar = TitleBar("Tabs", theme)
        self.add = icon_button(theme, "mdi6.plus", "New tab", self.new_tab.emit)
        self.show_button = icon_button(theme, "mdi6.open-in-app", "Show in browser", self._on_show)
        self.disconnect_button = icon_button(theme, "mdi6.link-off", "Disconnect this tab", self._on_disconnect)
        for button in (self.disconnect_button, self.show_button, self.add):
            self.title_bar.add(button)
        self.list = QListView()
        self.list.setModel(model)
        self.list.setItemDelegate(RowDelegate(theme, self.list))
        self.list.setMouseTracking(True)
        self.list.setAccessibleName("Connected tabs")
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._on_menu)
        self.list.selectionModel().selectionChanged.connect(self._on_selected)
        self.start_button: QPushButton = text_button(
            theme, "mdi6.application-outline", "Start browser", self.start_browser.emit
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(EmptyState(*_EMPTY, self.start_button))
        self._stack.addWidget(self.list)
        self.unconnected = UnconnectedView(paired, subscriptions)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addWidget(self.unconnected)
        column.addStretch()
        model.rowsInserted.connect(self._on_rows)
        model.rowsRemoved.connect(self._on_rows)
        model.dataChanged.connect(self._on_changed)
        self._on_rows()

    @property
    def current(self) -> Tab | None:
        """The chosen tab."""
        return self._tab

    def choose(self, tab_id: str) -> bool:
        """Choose a tab.

        Returns:
            Whether it is connected.
        """
        row = self._model.row_of(tab_id)
        if row >= 0:
            self.list.setCurrentIndex(self._model.index(row))
        return row >= 0

    def menu_for(self, tab: Tab) -> QMenu:
        """What can be done with a tab."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for entry in ACTIONS:
            if entry is None:
                menu.addSeparator()
                continue
            name, words, icon = entry
            if name == "disconnect" and tab.managed:
                continue  # all tabs of the panel's browser are connected as long as they are open
            action = menu.addAction(self._theme.icon(icon), words)
            action.triggered.connect(partial(self._ask, name, tab))
        self._offer_hands(menu, tab)
        return menu

    def _offer_hands(self, menu: QMenu, tab: Tab) -> None:
        holder, others = self.hands(tab)
        if holder is None and not others:
            return
        menu.addSeparator()
        if others:
            choices = menu.addMenu(self._theme.icon("mdi6.account-arrow-right-outline"), "Hand over to")
            for client in others:
                # An ampersand would be taken for the mark of a key.
                action = choices.addAction(safe_text.line(client.name, 40).replace("&", "&&"))
                action.triggered.connect(partial(self._hand, tab, client))
        if holder is not None:
            name = safe_text.line(holder.name, 40).replace("&", "&&")
            action = menu.addAction(self._theme.icon("mdi6.lock-open-variant-outline"), f"Release from {name}")
            action.triggered.connect(partial(self._hand, tab, None))

    def _on_show(self) -> None:
        if self._tab is not None:
            self.asked.emit("show", self._tab)

    def _on_disconnect(self) -> None:
        if self._tab is not None:
            self.asked.emit("disconnect", self._tab)

    def _hand(self, tab: Tab, client: Client | None, _checked: bool = False) -> None:
        self.handed.emit(tab, client)

    def _ask(self, name: str, tab: Tab, _checked: bool = False) -> None:
        self.asked.emit(name, tab)

    def _on_menu(self, at: QPoint) -> None:
        index = self.list.indexAt(at)
        if index.isValid():
            self.menu_for(index.data(ITEM)).popup(self.list.viewport().mapToGlobal(at))

    def _on_rows(self) -> None:
        number = self._model.rowCount()
        self.title_bar.say(str(number) if number else "")
        self._stack.setCurrentIndex(1 if number else 0)
        self._fit()
        self.add.setVisible(number > 0)
        self.unconnected.offer(number > 0)
        if number and not self.list.selectionModel().hasSelection():
            self.list.setCurrentIndex(self._model.index(0))
        self._follow()

    def _fit(self) -> None:
        """No higher than its rows: what is not connected stands right below them."""
        rows = min(self._model.rowCount(), _MOST_FITTED)
        height = sum(map(self.list.sizeHintForRow, range(rows))) + 2 * self.list.frameWidth()
        self._stack.setMaximumHeight(height if 0 < rows < _MOST_FITTED else _ANY_PX)

    def _on_changed(self, first: QModelIndex, last: QModelIndex, roles: list[int]) -> None:
        if HEADING in roles:
            self._fit()
        chosen = self.list.selectionModel().selectedRows()
        if roles != [ASIDE] and any(first.row() <= index.row() <= last.row() for index in chosen):
            self._follow()

    def _on_selected(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        self._follow()

    def _follow(self) -> None:
        """Tell the chosen tab again whenever it, or what it shows, may be another."""
        rows = self.list.selectionModel().selectedRows()
        self._tab = rows[0].data(ITEM) if rows else None
        self.show_button.setVisible(self._tab is not None)
        self.disconnect_button.setVisible(self._tab is not None and not self._tab.managed)
        self.chosen.emit(self._tab)
