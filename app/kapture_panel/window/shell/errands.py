"""What the window has done for the person at the press of a button: each ends in a message, well or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import aclosing

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.paired import PairedBrowser
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.services import Services
from kapture_panel.core.stores.shots import Shot
from kapture_panel.window.doctor.doctor_view import DoctorView
from kapture_panel.window.shell.background import Background
from kapture_panel.window.tabs.unconnected_view import UnconnectedView
from kapture_panel.window.widgets import plain
from kapture_panel.window.widgets.toasts import Toasts


class Errands(QObject):
    """`starting` tells whether a browser is being started; `started` carries the tabId of its first tab.

    `pictured` comes with the words that name the tab a screenshot was taken of.
    """

    starting = Signal(bool)
    started = Signal(str)
    pictured = Signal(str)

    def __init__(self, services: Services, background: Background, toasts: Toasts, parent: QObject) -> None:
        super().__init__(parent)
        self._services = services
        self._background = background
        self._toasts = toasts
        self._is_starting = False

    def start_browser(self) -> None:
        """Start the managed browser; once is enough while it is starting."""
        if not self._is_starting:
            self._set_starting(True)
            self._background.start(self._start_browser(), "Start browser")

    def close_browser(self) -> None:
        """Close the managed browser, as its own window's button does."""
        self._background.start(self._services.end_browser(), "Close browser")

    def take_picture(self, tab: Tab | None) -> None:
        """Take a screenshot of `tab`; None, as one just come is not chosen yet, is the first there is."""
        self._background.start(self._take_picture(tab), "Screenshot")

    def open_picture(self, shot: Shot) -> None:
        """Show a kept screenshot in a tab of its own."""
        url = shot.path.resolve().as_uri()
        work = self._services.router.run(self._services.person, "kapturemcp_new_tab", {"url": url})
        self._background.start(work, "Open the screenshot")

    def find_place(self, shot: Shot, x: float, y: float, found: Callable[[tuple[float, float]], object]) -> None:
        """Scroll the tab of a screenshot until a place of its page is in sight, and tell where in the viewport it is.

        Args:
            x: CSS pixels from the left edge of the page.
            y: CSS pixels from its upper edge.
            found: gets both from the corner of the viewport.
        """
        self._background.start(self._find_place(shot, x, y, found), "Finding the place")

    def open_tab(self) -> None:
        """Open a tab in the panel's browser and choose it."""
        self._background.start(self._open_tab(), "New tab")

    def list_unconnected(self, view: UnconnectedView) -> None:
        """Show in `view` what else is open in the browser."""
        self._background.start(self._list_unconnected(view), "List the browser's tabs")

    def connect_tab(self, browser_tab_id: int, view: UnconnectedView) -> None:
        """Connect a tab `view` lists, and choose it."""
        self._background.start(self._connect_tab(browser_tab_id, view), "Connect the tab")

    def run_on(self, tab: Tab, name: str) -> None:
        """Run a command that takes nothing but its tab."""
        work = self._services.router.run(self._services.person, name, {"tabId": tab.tab_id})
        self._background.start(work, self._services.catalogue.get(name).title)

    def examine(self, doctor: DoctorView) -> None:
        """Try every link and have `doctor` show each as it is known."""
        self._background.start(self._examine(doctor), "Doctor")

    def disconnect_agent(self, client: Client) -> None:
        """Show an agent out; what it was doing is cancelled."""
        client.disconnect()
        words = "It can come back once its MCP server is started anew."
        self._toasts.tell(f"{plain.line(client.name, 60)} is disconnected", words, "ok")

    def install_desktop(self) -> None:
        """Write the launcher entry."""
        try:
            self._toasts.tell("Added to the launcher", self._services.install_desktop(False), "ok")
        except KaptureError as error:
            self._toasts.tell("Adding to the launcher failed", error.message, "error")

    def unpair(self, browser: PairedBrowser) -> None:
        """Trust a browser of the person's no more."""
        try:
            self._services.paired.remove(browser.install)
        except OSError as error:
            self._toasts.tell("Unpairing failed", f"It could not be written down: {error.strerror}", "error")

    def copy(self, text: str, said: str) -> None:
        """Put `text` into the clipboard and say so."""
        QApplication.clipboard().setText(text)
        self._toasts.tell(said, tone="ok", is_kept=False)

    async def _start_browser(self) -> None:
        try:
            tab = await self._services.start_browser()
            self.started.emit(tab.tab_id)
        finally:
            self._set_starting(False)

    def _set_starting(self, is_starting: bool) -> None:
        self._is_starting = is_starting
        self.starting.emit(is_starting)

    async def _take_picture(self, chosen: Tab | None) -> None:
        tabs: Iterable[Tab] = self._services.tabs
        tab = chosen or next(iter(tabs), None)
        if tab is None:
            raise KaptureError("TAB_NOT_FOUND", "no tab is connected; start the browser first")
        params = {"tabId": tab.tab_id, "name": tab.site or "screenshot"}
        await self._services.router.run(self._services.person, "screenshot", params)
        where = plain.line(tab.title or tab.site, 80)
        self._toasts.tell("Screenshot taken", where, "ok", is_kept=False)
        self.pictured.emit(where)

    async def _find_place(self, shot: Shot, x: float, y: float, found: Callable[[tuple[float, float]], object]) -> None:
        tab = self._services.tabs.find(shot.tab_id)
        if tab is None:
            raise KaptureError("TAB_NOT_FOUND", "the tab of this picture is gone; take a new one")
        left, top = await self._scroll(tab, deltaX=0, deltaY=0)  # only asks where it is
        if not (0 <= x - left < shot.view_width and 0 <= y - top < shot.view_height):
            middle = max(0.0, x - shot.view_width / 2), max(0.0, y - shot.view_height / 2)
            left, top = await self._scroll(tab, toX=middle[0], toY=middle[1])
        found((x - left, y - top))

    async def _scroll(self, tab: Tab, **how: float) -> tuple[float, float]:
        params = {"tabId": tab.tab_id, **how}
        answer = await self._services.router.run(self._services.person, "kapturemcp_scroll", params)
        return answer.result["x"], answer.result["y"]

    async def _open_tab(self) -> None:
        answer = await self._services.router.run(self._services.person, "kapturemcp_new_tab", {})
        self.started.emit(answer.tab_id)

    async def _list_unconnected(self, view: UnconnectedView) -> None:
        answer = await self._services.router.run(self._services.person, "kapturemcp_list_browser_tabs", {})
        view.show_tabs(answer.result["tabs"])

    async def _connect_tab(self, browser_tab_id: int, view: UnconnectedView) -> None:
        params = {"browserTabId": browser_tab_id}
        answer = await self._services.router.run(self._services.person, "kapturemcp_connect_tab", params)
        view.connected(browser_tab_id)
        self.started.emit(answer.tab_id)

    async def _examine(self, doctor: DoctorView) -> None:
        doctor.begin()
        try:
            async with aclosing(self._services.examine()) as checks:
                async for check in checks:
                    doctor.take(check)
        finally:
            doctor.end()
