"""Tabs not connected: what else is open in the person's browser, each tab to be connected on their word."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListView, QPushButton, QVBoxLayout, QWidget

from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.window.tabs.unconnected_model import UnconnectedModel
from kapture_panel.window.widgets.label import Label
from kapture_panel.window.widgets.roles import ITEM
from kapture_panel.window.widgets.subscriptions import Subscriptions

_HOW = "You share the tabs of your browser one by one: press Connect in its toolbar, or choose one here."
_NONE = "Every tab with a page is connected."
_MOST_ROWS = 6


class UnconnectedView(QWidget):
    """In sight beside connected tabs while a browser of the person's is here; the browser is asked only when they want
    to see its tabs.

    `list_asked` wants `show_tabs` to be called; `connect_asked` carries the browser's number of a tab.
    """

    list_asked = Signal()
    connect_asked = Signal(int)

    def __init__(self, paired: PairedBrowsers, subscriptions: Subscriptions) -> None:
        super().__init__()
        self._paired = paired
        self._can_list = False
        self._is_listed = False
        self.model = UnconnectedModel(self)
        self.words = Label(_HOW, kind="small")
        self.words.setWordWrap(True)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setProperty("kind", "rows")
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Tabs that are not connected")
        self.list.activated.connect(lambda index: self.connect_asked.emit(index.data(ITEM)))
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.choose = _small("Choose …", "Show the tabs that are not connected")
        self.choose.clicked.connect(self.list_asked)
        self.connect_button = _small("Connect", "Connect the chosen tab")
        self.connect_button.clicked.connect(lambda: self.connect_asked.emit(self.list.currentIndex().data(ITEM)))
        row = QHBoxLayout()
        row.setContentsMargins(10, 0, 10, 0)
        row.setSpacing(6)
        row.addWidget(self.connect_button)
        row.addWidget(self.choose)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 8)
        column.setSpacing(8)
        head = QVBoxLayout()
        head.setContentsMargins(10, 0, 10, 0)
        head.setSpacing(2)
        head.addWidget(Label("Tabs not connected", kind="strong"))
        head.addWidget(self.words)
        column.addLayout(head)
        framed = QHBoxLayout()
        framed.setContentsMargins(4, 0, 4, 0)
        framed.addWidget(self.list)
        column.addLayout(framed)
        column.addLayout(row)
        for signal in (paired.added, paired.removed, paired.changed):
            subscriptions.connect(signal, lambda _browser: self._show())
        self._show()

    def offer(self, can_list: bool) -> None:
        """Say whether the browser can be asked: without any connected tab a list would start the panel's own."""
        self._can_list = can_list
        self._show()

    def show_tabs(self, tabs: list[dict[str, object]]) -> None:
        """Show what the browser listed."""
        self.model.show(tabs)
        self._is_listed = True
        self._show()
        if self.model.rowCount():
            self.list.setCurrentIndex(self.model.index(0))
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def connected(self, browser_tab_id: int) -> None:
        """One of them is connected now."""
        self.model.remove(browser_tab_id)
        self._show()

    def _on_current(self, current: QModelIndex) -> None:
        self.connect_button.setEnabled(current.isValid())

    def _show(self) -> None:
        is_here = any(self._paired.is_here(browser.install) for browser in self._paired)
        if not is_here:
            self._is_listed = False
        rows = self.model.rowCount() if self._is_listed else 0
        said = _NONE if self._is_listed and not rows else _HOW
        self.words.setText(said)
        self.words.setVisible(not rows)
        self.choose.setText("Refresh" if self._is_listed else "Choose …")
        self.list.setVisible(rows > 0)
        self.connect_button.setVisible(rows > 0)
        if rows:
            self.list.ensurePolished()
            self.list.setFixedHeight(min(rows, _MOST_ROWS) * self.list.sizeHintForRow(0) + 2)
        self.setVisible(is_here and self._can_list)


def _small(words: str, name: str) -> QPushButton:
    button = QPushButton(words)
    button.setProperty("kind", "flat-small")
    button.setAccessibleName(name)
    return button
