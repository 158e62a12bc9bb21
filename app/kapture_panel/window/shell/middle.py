"""The middle of the window: between the docks one of the ways to look at it, or a page that fills the whole window."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from kapture_panel.core.basics.settings import Settings
from kapture_panel.window.shell import window_layout
from kapture_panel.window.shell.docks import Docks
from kapture_panel.window.widgets.segments import Segments
from kapture_panel.window.widgets.shell import Way

#: Where the person's choice is kept.
CHOSEN = "window.middle"


class Middle(QStackedWidget):
    """Between the docks stands the way that was chosen last; while a page is shown the docks are hidden."""

    def __init__(self, window: QMainWindow, docks: Docks, settings: Settings) -> None:
        super().__init__()
        self._window = window
        self._docks = docks
        self._settings = settings
        self._ways: list[Way] = []
        self._chosen = 0
        self._switches: list[Segments] = []
        self._on_return: Callable[[], object] = lambda: None
        #: How the docks were before a page took their room.
        self.docks_behind: QByteArray | None = None

    def set_view(self, way: Way, on_return: Callable[[], object]) -> None:
        """Let a view stand between the docks, the first way; `on_return` is called when a page is left for it."""
        self._ways = [way]
        self.insertWidget(0, way.view)
        self.setCurrentWidget(way.view)
        self._on_return = on_return

    def add_ways(self, ways: Sequence[Way]) -> None:
        """Offer more ways, by a switch in the title of each; the one that was chosen last is taken."""
        self._ways += ways
        for way in ways:
            self.addWidget(way.view)
        for way in self._ways:
            switch = Segments([one.words for one in self._ways], "Show in the middle")
            switch.picked.connect(self._choose)
            way.title_bar.add(switch)
            self._switches.append(switch)
        kept = self._settings.get(CHOSEN, "")
        self._go(next((number for number, way in enumerate(self._ways) if way.words == kept), 0))

    def next_way(self) -> None:
        """Look at the middle in the next way."""
        self._choose((self._chosen + 1) % len(self._ways))

    def show_way(self, part: QWidget) -> None:
        """Take the way that holds a part of the window, if one does."""
        for number, way in enumerate(self._ways):
            if way.view is part or way.view.isAncestorOf(part):
                self._choose(number)

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
            self.setCurrentWidget(self._ways[self._chosen].view)
            self._window.restoreState(docks, window_layout.VERSION)
            self._docks.show_wanted()
            self._docks.share_room()
            if self._chosen == 0:
                self._on_return()

    def _choose(self, number: int) -> None:
        if number != self._chosen:
            self._settings.set(CHOSEN, self._ways[number].words)
        self.leave_page()
        self._go(number)

    def _go(self, number: int) -> None:
        self._chosen = number
        for switch in self._switches:
            switch.choose([number])
        if self.docks_behind is None:
            self.setCurrentWidget(self._ways[number].view)
