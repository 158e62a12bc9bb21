"""The browsers the panel starts: the shared one and those of isolated conversations, each once and with its tabs."""

from __future__ import annotations

import asyncio
import logging

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.core.wire.protocol import EVERYTHING
from kapture_panel.hub.browsers.browser import Browser, MakeBrowser
from kapture_panel.hub.browsers.managed import ManagedBrowser
from kapture_panel.hub.extension_door.connections import Connections

log = logging.getLogger(__name__)

#: After the key is handed over, the first tab is connected within a fraction of a second.
FIRST_TAB_S = 15.0


class PanelBrowsers:
    """Starts and ends them; each belongs to a session ("" the one that conversations share).

    Args:
        tabs: which are connected.
        connections: where their extensions come in.
        make: the browser of a session.
    """

    def __init__(self, tabs: Tabs, connections: Connections, make: MakeBrowser) -> None:
        self._tabs = tabs
        self._connections = connections
        self._make = make
        self._running: dict[str, Browser] = {}
        self._starting: dict[str, asyncio.Task[Tab]] = {}
        self._tab_came = asyncio.Event()
        self._had_tabs: set[str] = set()
        connections.tab_came.connect(self._on_tab_came)

    @property
    def shared(self) -> ManagedBrowser | None:
        """The browser that conversations share, while it runs."""
        found = self.of("")
        return found if isinstance(found, ManagedBrowser) else None

    def of(self, session: str) -> Browser | None:
        """The browser of a session, while it runs."""
        return self._running.get(session)

    def with_install(self, install: str) -> Browser | None:
        """The one whose extension has this install id, while it runs."""
        return next((known for known in self._running.values() if known.pairing.install == install), None)

    def is_starting(self, session: str) -> bool:
        """Whether the session's browser is being started, or looked for, at somebody's wish."""
        starting = self._starting.get(session)
        return starting is not None and not starting.done()

    async def open(self, session: str = "", *, in_front: bool = False) -> Tab:
        """Start the session's browser, or find it running, and return a connected tab of it.

        `in_front` as `Launch` has it.

        Several callers at once start one browser; one that gives up does not take it from the others.

        Raises:
            KaptureError: it could not be started, or was ended meanwhile.
        """
        if not self.is_starting(session):
            self._starting[session] = tasks.spawn(self._open(session, in_front), "start a managed browser")
        starting = self._starting[session]
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            waiting = asyncio.current_task()
            if waiting is None or waiting.cancelling() or not starting.cancelled():
                raise
            # `end` cancelled the start, and not whoever waits for it.
            what = "the panel's browser was closed while it started"
            raise KaptureError("NOT_SENT", what, "nothing was done; the next call starts it again") from None

    async def open_tab(self, session: str = "") -> Tab:
        """Open a blank tab in the session's browser, or start that and return its first one.

        Raises:
            KaptureError: the browser could not be started, or ended meanwhile.
        """
        running = self._running.get(session)
        first = await self.open(session)
        if running is None or running is not self._running.get(session):
            return first
        tab_id = await self._ask_for_tab(running.pairing.install)
        tab = self._tabs.find(tab_id)
        if tab is None:
            raise KaptureError("TAB_DISCONNECTED", "the new tab was closed at once", "try again")
        return tab

    async def end(self, session: str) -> None:
        """End the session's browser, or its start; one that does not run is not an error."""
        starting = self._starting.pop(session, None)
        if starting is not None:
            await tasks.end(starting)
        browser = self._running.get(session)
        if browser is not None:
            await browser.end()

    async def close(self) -> None:
        """End all of them."""
        await asyncio.gather(*(self.end(session) for session in self._running.keys() | self._starting.keys()))

    async def _open(self, session: str, in_front: bool) -> Tab:
        browser = self._running.get(session)
        if browser is not None:
            tab = await self._tab_in(browser)
            if tab is not None:
                return tab
        browser = await self._start(session, in_front)
        tab = await self._tab_in(browser)
        if tab is None:
            raise KaptureError("INTERNAL", f"the browser {browser.died or 'ended'} before a tab was connected")
        return tab

    async def _start(self, session: str, in_front: bool) -> Browser:
        port = self._connections.listener.port
        browser = self._make(session, port, lambda: self._on_ended(browser), in_front=in_front)
        pairing = browser.pairing
        self._connections.let_in(pairing)
        try:
            await browser.start()
        except BaseException:
            self._connections.shut_out(pairing)
            raise
        self._running[session] = browser
        return browser

    async def _tab_in(self, browser: Browser) -> Tab | None:
        """A connected tab of the browser; one whose tabs were all closed or disconnected gets a new one.

        Returns:
            None when the browser ended meanwhile.
        """
        install = browser.pairing.install
        is_asked = False
        try:
            async with asyncio.timeout(FIRST_TAB_S):
                while (tab := self._tab_of(install)) is None and not browser.gone.is_set():
                    self._tab_came.clear()
                    if is_asked or install not in self._connections.of_browsers or install not in self._had_tabs:
                        await self._tab_came.wait()
                        continue
                    is_asked = True
                    await self._ask_unless_gone(install)
                return tab
        except TimeoutError:
            raise KaptureError(
                "INTERNAL", f"the browser runs, but no tab connected within {FIRST_TAB_S:.0f} s"
            ) from None

    async def _ask_unless_gone(self, install: str) -> None:
        try:
            await self._ask_for_tab(install)
        except KaptureError as error:
            if error.code not in ("NOT_SENT", "OUTCOME_UNKNOWN"):
                raise
            log.info("no answer to a new tab: %s", error.message)  # its link broke: it dies, or comes back

    async def _ask_for_tab(self, install: str) -> str:
        blank = {"url": "about:blank", "background": False}
        link = self._connections.of_browsers[install]
        opened = await link.run("kapturemcp_new_tab", blank, 10_000, grant=EVERYTHING)
        if not opened.success:
            raise opened.failure
        return str(opened.result["tabId"])

    def _tab_of(self, install: str) -> Tab | None:
        return next((tab for tab in self._tabs if tab.install == install), None)

    def _on_tab_came(self, pairing: Pairing) -> None:
        self._had_tabs.add(pairing.install)
        self._tab_came.set()

    def _on_ended(self, browser: Browser) -> None:
        pairing = browser.pairing
        self._connections.shut_out(pairing)
        if self._running.get(pairing.session) is browser:
            del self._running[pairing.session]
            self._tab_came.set()
            self._tabs.browser_ended.emit(pairing.session)
