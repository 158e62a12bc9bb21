"""What is done about screenshots in the tabs themselves, as the person: each ends in a message, well or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.shots import Shot
from kapture_panel.window.widgets import tab_names
from kapture_panel.window.widgets.background import Background
from kapture_panel.window.widgets.shell import RunCommand


class ShotCommands(QObject):
    """`taken` comes with the words that name the tab a screenshot was taken of, `out_of_sight` with a
    screenshot, words about the place that was looked for, and what scrolls there."""

    taken = Signal(str)
    out_of_sight = Signal(object, str, object)

    def __init__(self, run: RunCommand, look: RunCommand, tabs: Tabs, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._run, self._look = run, look
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
        """Tell where in the viewport a place of the page of a screenshot is, or that it is out of sight: looking
        scrolls no page.

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
        self.taken.emit(tab_names.name(tab, 80))

    async def _find_place(self, shot: Shot, x: float, y: float, found: Callable[[tuple[float, float]], object]) -> None:
        tab = self._tabs.find(shot.tab_id)
        if tab is None:
            raise KaptureError("TAB_NOT_FOUND", "the tab of this picture is gone", "take a new one")
        metadata = (await self._look("kapturemcp_get_page_metadata", {"tabId": tab.tab_id})).result
        scrolled = metadata.get("scroll", {"x": 0, "y": 0})  # a page at its beginning says nothing of it
        left, top = scrolled["x"], scrolled["y"]
        if 0 <= x - left < shot.view_width and 0 <= y - top < shot.view_height:
            found((x - left, y - top))
        else:
            place = f"x {x:.0f}, y {y:.0f} of the page is out of sight"
            self.out_of_sight.emit(
                shot, place, lambda: self._background.start(self._scroll(shot, tab, x, y, found), "Scrolling")
            )

    async def _scroll(
        self, shot: Shot, tab: Tab, x: float, y: float, found: Callable[[tuple[float, float]], object]
    ) -> None:
        """Have the place in the middle of the viewport, as the person asked."""
        middle = {"toX": max(0.0, x - shot.view_width / 2), "toY": max(0.0, y - shot.view_height / 2)}
        answer = await self._run("kapturemcp_scroll", {"tabId": tab.tab_id, **middle})
        found((x - answer.result["x"], y - answer.result["y"]))
