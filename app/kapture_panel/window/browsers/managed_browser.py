"""The panel's own browser as the person starts and closes it: once at a time, and what fails is told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from PySide6.QtCore import QObject, Signal

from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.window.widgets.background import Background


class ManagedBrowser(QObject):
    """`starting` tells whether it is being started; `started` carries the tabId of its first tab, `found` that of one
    when it ran already.

    Args:
        tabs: all that are connected, which tell whether it runs.
        open_browser: opens it before the person, or returns a tab of the one that runs.
        end_browser: closes it, as its own window's button does.
    """

    starting = Signal(bool)
    started = Signal(str)
    found = Signal(str)

    def __init__(
        self,
        tabs: Tabs,
        open_browser: Callable[[], Awaitable[Tab]],
        end_browser: Callable[[], Coroutine[Any, Any, None]],
        background: Background,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._tabs = tabs
        self._open_browser = open_browser
        self._end_browser = end_browser
        self._background = background
        self._is_starting = False

    @property
    def is_open(self) -> bool:
        """Whether it runs, as far as one can see."""
        return any(tab.managed and not tab.session for tab in self._tabs)

    def start(self) -> None:
        """Start it, or find it running; once is enough while it is starting."""
        if not self._is_starting:
            self._set_starting(True)
            self._background.start(self._start(), "Start browser")

    def close(self) -> None:
        """Close it."""
        self._background.start(self._end_browser(), "Close browser")

    async def _start(self) -> None:
        was_open = self.is_open
        try:
            tab = await self._open_browser()
            (self.found if was_open else self.started).emit(tab.tab_id)
        finally:
            self._set_starting(False)

    def _set_starting(self, is_starting: bool) -> None:
        self._is_starting = is_starting
        self.starting.emit(is_starting)
