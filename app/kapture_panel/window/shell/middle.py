"""The middle of the window: the form between the docks, or a page that fills the whole window for a while."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from kapture_panel.window.shell import window_layout
from kapture_panel.window.shell.docks import Docks


class Middle(QStackedWidget):
    """Its first widget is the one that stands between the docks; while a page is shown these are hidden."""

    def __init__(self, window: QMainWindow, docks: Docks) -> None:
        super().__init__()
        self._window = window
        self._docks = docks
        self._on_return: Callable[[], object] = lambda: None
        #: How the docks were before a page took their room.
        self.docks_behind: QByteArray | None = None

    def set_view(self, view: QWidget, on_return: Callable[[], object]) -> None:
        """Let `view` stand between the docks; `on_return` is called when a page is left for it."""
        self.insertWidget(0, view)
        self.setCurrentIndex(0)
        self._on_return = on_return

    def show_page(self, page: QWidget, first: QWidget) -> None:
        """Let `page` fill the window; `first` gets the focus unless it is there already."""
        if self.docks_behind is None:
            self.docks_behind = self._window.saveState(window_layout.VERSION)
            self._docks.hide()
        if self.currentWidget() is not page:
            self.setCurrentWidget(page)
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave_page(self) -> None:
        """Go back, the docks as they were."""
        if self.docks_behind is not None:
            docks, self.docks_behind = self.docks_behind, None
            self.setCurrentIndex(0)
            self._window.restoreState(docks, window_layout.VERSION)
            self._docks.show_wanted()
            self._docks.share_room()
            self._on_return()
