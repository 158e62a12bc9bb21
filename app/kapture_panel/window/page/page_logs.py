"""What pages say and what they load, one beside the other in one dock."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from kapture_panel.window.page.console_view import ConsoleView
from kapture_panel.window.page.network_view import NetworkView
from kapture_panel.window.widgets.dock import TitleBar
from kapture_panel.window.widgets.segments import Segments
from kapture_panel.window.widgets.theme import Theme


class PageLogs(QWidget):
    """Console and network; the title chooses between them and holds the tools of the one in sight."""

    def __init__(self, console: ConsoleView, network: NetworkView, theme: Theme) -> None:
        super().__init__()
        self._pages: Mapping[str, ConsoleView | NetworkView] = {"console": console, "network": network}
        self._stack = QStackedWidget()
        for page in self._pages.values():
            self._stack.addWidget(page)
        self.switch = Segments([name.title() for name in self._pages], "Show")
        self.switch.picked.connect(lambda at: self.show_page(list(self._pages)[at]))
        self.title_bar = _SwitchBar(self.switch, theme)
        for page in self._pages.values():
            self.title_bar.add(page.tools)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        self.show_page("console")

    def show_page(self, name: str) -> QWidget:
        """Bring "console" or "network" in sight and return it."""
        self.switch.choose([list(self._pages).index(name)])
        for one, page in self._pages.items():
            page.tools.setVisible(one == name)
        self._stack.setCurrentWidget(self._pages[name])
        return self._pages[name]


class _SwitchBar(TitleBar):
    """The switch stands where the title of other docks does."""

    def __init__(self, switch: Segments, theme: Theme) -> None:
        super().__init__("", theme)
        self._row.insertWidget(0, switch)
        self._row.insertStretch(1, 1)
        self._word.hide()  # it says nothing here, and would keep room from the tools
