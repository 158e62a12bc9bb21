"""What is done about screenshots in the tabs themselves, as the person: each ends in a message, well or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.shots import Shot
from kapture_panel.window.widgets import safe_text
from kapture_panel.window.widgets.background import Background
from kapture_panel.window.widgets.shell import RunCommand


class ShotCommands(QObject):
    """`taken` comes with the words that name the tab a screenshot was taken of."""

    taken = Signal(str)

    def __init__(self, run: RunCommand, tabs: Tabs, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._run = run
        self._tabs = tabs
        self._background = background

    def take(self, tab: Tab | None) -> None:
        """Take a screenshot of `tab`; None, as one just come is not chosen yet, is the first there is."""
        self._background.start(self._take(tab), "Screenshot")

    def open(self, shot: Shot) -> None:
        """Show a kept screenshot in a tab of its own."""
        url = shot.path.resolve().as_uri()
        self._background.start(self._run("kapturemcp_new_tab", {"url": url}), "Open the screenshot")

    def find_place(self, shot: Shot, x: float, y: float, found: Callable[[tuple[float, float]], object]) -> None:
        """Scroll the tab of a screenshot until a place of its page is in sight, and tell where in the viewport it is.

        Args:
            x: CSS pixels from the left edge of the page.
            y: CSS pixels from its upper edge.
            found: gets both from the corner of the viewport.
        """
        self._background.start(self._find_place(shot, x, y, found), "Finding the place")

    async def _take(self, chosen: Tab | None) -> None:
        tabs: Iterable[Tab] = self._tabs
        tab = chosen or next(iter(tabs), None)
        if tab is None:
            raise KaptureError("TAB_NOT_FOUND", "no tab is connected", "start the browser first")
        await self._run("screenshot", {"tabId": tab.tab_id, "name": tab.site or "screenshot"})
        self.taken.emit(safe_text.line(tab.title or tab.site, 80))

    async def _find_place(self, shot: Shot, x: float, y: float, found: Callable[[tuple[float, float]], object]) -> None:
        tab = self._tabs.find(shot.tab_id)
        if tab is None:
            raise KaptureError("TAB_NOT_FOUND", "the tab of this picture is gone", "take a new one")
        left, top = await self._scroll(tab, deltaX=0, deltaY=0)  # only asks where it is
        if not (0 <= x - left < shot.view_width and 0 <= y - top < shot.view_height):
            middle = max(0.0, x - shot.view_width / 2), max(0.0, y - shot.view_height / 2)
            left, top = await self._scroll(tab, toX=middle[0], toY=middle[1])
        found((x - left, y - top))

    async def _scroll(self, tab: Tab, **how: float) -> tuple[float, float]:
        answer = await self._run("kapturemcp_scroll", {"tabId": tab.tab_id, **how})
        return answer.result["x"], answer.result["y"]
