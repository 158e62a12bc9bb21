"""The executor: finds the link of a tab or browser, keeps the registry true to what is connected."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from itertools import groupby
from typing import Any

from websockets.asyncio.server import ServerConnection

from kapture_panel.core import protocol, tasks
from kapture_panel.core.console import Console
from kapture_panel.core.errors import KaptureError
from kapture_panel.core.protocol import Response
from kapture_panel.core.tabs import Tab, Tabs
from kapture_panel.hub.browsers import Launch, ManagedBrowser, new_pairing
from kapture_panel.hub.handshake import Pairing
from kapture_panel.hub.link import Link
from kapture_panel.hub.listener import Listener

log = logging.getLogger(__name__)

#: After the key is handed over, the first tab is connected within a fraction of a second.
FIRST_TAB_S = 15.0


class Links:
    """All links of the extension, and the managed browser behind some of them (a `core.router.Executor`).

    Args:
        tabs: kept in step with the tab links.
        console: gets the console events.
        launch: how to start the managed browser; the port is filled in when the listener is open.
    """

    def __init__(self, tabs: Tabs, console: Console, launch: Callable[[int], Launch]) -> None:
        self._tabs = tabs
        self._console = console
        self._launch = launch
        self._pairings: dict[str, Pairing] = {}
        self._tab_links: dict[str, Link] = {}
        self._browser_links: dict[str, Link] = {}
        self._browser: ManagedBrowser | None = None
        self._starting: asyncio.Task[Tab] | None = None
        self._tab_came = asyncio.Event()
        self._had_tabs: set[str] = set()
        self.listener = Listener(self._pairings, self._register, self._unregister)

    @property
    def browser(self) -> ManagedBrowser | None:
        """The managed browser, while it runs."""
        return self._browser

    async def close(self) -> None:
        """End the managed browser and close every link."""
        if self._starting is not None and not self._starting.done():
            self._starting.cancel()
            await asyncio.wait([self._starting])
        if self._browser is not None:
            await self._browser.end()
        await self.listener.close()

    async def run_in_tab(self, tab: Tab, command: str, params: dict[str, Any], timeout_ms: int) -> Response:
        """Send to the tab's link and wait for its response."""
        link = self._tab_links.get(tab.tab_id)
        if link is None:
            raise KaptureError(
                "TAB_DISCONNECTED", f"the tab {tab.tab_id} was closed or disconnected; {self._tabs.listing()}"
            )
        return await link.run(command, params, timeout_ms)

    async def run_in_browser(self, command: str, params: dict[str, Any], timeout_ms: int) -> Response:
        """Send to the browser that connected last and wait for its response."""
        if not self._browser_links:
            raise KaptureError("TAB_NOT_FOUND", "no browser is connected: start one with kapturemcp_navigate")
        link = list(self._browser_links.values())[-1]
        response = await link.run(command, params, timeout_ms)
        # The tab tells where it is over a link of its own, which this answer may overtake.
        if isinstance(response.result, dict) and (tab := self._tabs.find(str(response.result.get("tabId")))):
            self._tabs.update(
                tab, **{name: response.result[name] for name in ("url", "title") if name in response.result}
            )
        return response

    async def open_browser(self) -> Tab:
        """Start the managed browser, or find it running, and return a connected tab of it.

        Several callers at once start one browser; one that gives up does not take it from the others.
        """
        if self._starting is None or self._starting.done():
            self._starting = tasks.spawn(self._open_browser(), "start the managed browser")
        return await asyncio.shield(self._starting)

    async def _open_browser(self) -> Tab:
        if self._browser is None:
            pairing = new_pairing()
            self._pairings[pairing.install] = pairing
            browser = ManagedBrowser(self._launch(self.listener.port), pairing, lambda: self._browser_ended(browser))
            try:
                await browser.start()
            except BaseException:
                self._pairings.pop(pairing.install, None)
                raise
            self._browser = browser
        return await self._tab_in(self._browser.pairing.install)

    async def _tab_in(self, install: str) -> Tab:
        """A connected tab of the managed browser; one whose tabs were all closed or disconnected gets a new one."""
        try:
            async with asyncio.timeout(FIRST_TAB_S):
                while (tab := self._tab_of(install)) is None:
                    if install in self._had_tabs and (link := self._browser_links.get(install)) is not None:
                        await link.run("kapturemcp_new_tab", {"url": "about:blank", "background": False}, 10_000)
                    else:
                        self._tab_came.clear()
                        await self._tab_came.wait()
                return tab
        except TimeoutError:
            raise KaptureError(
                "INTERNAL", f"the browser runs, but no tab connected within {FIRST_TAB_S:.0f} s"
            ) from None

    def _tab_of(self, install: str) -> Tab | None:
        return next((tab for tab in self._tabs if tab.install == install), None)

    def _browser_ended(self, browser: ManagedBrowser) -> None:
        self._pairings.pop(browser.pairing.install, None)
        if self._browser is browser:
            self._browser = None

    def _register(
        self,
        pairing: Pairing,
        hello: protocol.Hello,
        register: protocol.Register,
        connection: ServerConnection,
    ) -> Link:
        if hello.role == "browser":
            link = Link(connection, lambda _events: None)
            self._browser_links[pairing.install] = link
            return link
        if not hello.tabId:
            raise KaptureError("INVALID_PARAMS", "a tab needs a tabId")
        known = self._tabs.find(hello.tabId)
        if known is not None and known.install != pairing.install:
            raise KaptureError("INVALID_PARAMS", f"the tabId {hello.tabId} is taken by another browser")
        tab = Tab(
            hello.tabId,
            register.url,
            register.title,
            pairing.install,
            browser=register.browser,
            favicon=register.favicon,
            managed=pairing.managed,
        )
        link = Link(connection, lambda events: self._on_events(tab, events))
        self._tab_links[tab.tab_id] = link
        self._had_tabs.add(pairing.install)
        self._tabs.add(tab)
        self._tab_came.set()
        return link

    def _unregister(self, link: Link) -> None:
        for install, known in tuple(self._browser_links.items()):
            if known is link:
                del self._browser_links[install]
        for tab_id, known in tuple(self._tab_links.items()):
            if known is link:
                del self._tab_links[tab_id]
                tab = self._tabs.find(tab_id)
                if tab is not None:
                    self._tabs.remove(tab)

    def _on_events(self, tab: Tab, events: list[dict[str, Any]]) -> None:
        for cleared, batch in groupby(events, key=lambda event: event.get("kind") == "cleared"):
            lines = [event for event in batch if event.get("kind") == "console"]
            if lines:
                self._console.append(tab.tab_id, lines)
            if cleared:
                self._console.clear(tab.tab_id)
        for event in events:
            match event.get("kind"):
                case "tab":
                    fields = {name: str(event[name]) for name in ("url", "title", "favicon") if name in event}
                    self._tabs.update(tab, **fields)
                case "dialog":
                    self._tabs.update(tab, state="dialog" if event.get("open") else "connected")
                case "closed":
                    self._tabs.remove(tab)
                case "crash":
                    log.warning("the tab %s crashed", tab.tab_id)
