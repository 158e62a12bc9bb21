"""The executor: finds the link of a tab or browser, keeps the registry true to what is connected."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.gates.pause import Pause
from kapture_panel.core.registry.paired import PairedBrowser, PairedBrowsers
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.console import Console
from kapture_panel.core.stores.requests import Requests
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.core.wire.protocol import EVERYTHING, NOTHING, DialogRule, Grant, Response
from kapture_panel.hub.browsers import downloads
from kapture_panel.hub.browsers.managed import Launch, ManagedBrowser, new_pairing
from kapture_panel.hub.extension_door.link import Link
from kapture_panel.hub.extension_door.listener import Listener
from kapture_panel.hub.extension_door.pairing import Pairer

log = logging.getLogger(__name__)

#: What a selector matches is only asked beside typing: late it is of no use.
_COUNT_TIMEOUT_MS = 3000
#: After the key is handed over, the first tab is connected within a fraction of a second.
FIRST_TAB_S = 15.0
#: The sockets of a browser that dies break before its process is gone: so long a broken one waits for that. Whoever
#: gave the command waits along, and is told of the break alone when a busy machine takes longer.
DEATH_S = 0.25


class Links:
    """All links of the extension, and the managed browsers behind some of them (a `core.registry.executor.Executor`).

    Args:
        tabs: kept in step with the tab links.
        console: gets the console events.
        requests: gets the requests of tabs.
        paired: the person's own browsers; their extensions are let in as long as they are in it.
        pairer: what makes a browser one of them.
        launch: how to start the managed browser of a session ("" the shared one), given the listener's port.
        pause: while it is on, a person's own browsers let go of their tabs; popups put it on and lift it.
        reads: the names of the commands that only look.
    """

    def __init__(
        self,
        tabs: Tabs,
        console: Console,
        requests: Requests,
        launch: Callable[[int, str], Launch],
        paired: PairedBrowsers,
        pairer: Pairer,
        pause: Pause | None = None,
        reads: frozenset[str] = frozenset(),
    ) -> None:
        self._tabs = tabs
        self._console = console
        self._requests = requests
        self._launch = launch
        self._reads = reads
        self._paired = paired
        self._pairings = {browser.install: Pairing(browser.install, browser.key) for browser in paired}
        paired.added.connect(self._on_paired)
        paired.removed.connect(self._on_unpaired)
        self._tab_links: dict[str, Link] = {}
        self._browser_links: dict[str, Link] = {}
        self._browsers: dict[str, ManagedBrowser] = {}
        self._starting: dict[str, asyncio.Task[Tab]] = {}
        self._tab_came = asyncio.Event()
        self._had_tabs: set[str] = set()
        #: (link, install, what): the person ran or gave up something in the extension's own pages of that browser.
        self.asked: Signal[Link, str, protocol.Run | protocol.Cancel] = Signal()
        #: A link is over.
        self.left: Signal[Link] = Signal()
        tabs.changed.connect(self._tell_driver)
        self.listener = Listener(self._pairings, self._register, self._unregister, pairer)
        self._pause = Pause() if pause is None else pause
        self._pause.changed.connect(self._tell_pause)
        self.listener.settings = protocol.Settings(paused=self._pause.is_on)

    @property
    def browser(self) -> ManagedBrowser | None:
        """The managed browser that conversations share, while it runs."""
        return self.browser_of("")

    def browser_of(self, session: str) -> ManagedBrowser | None:
        """The managed browser of a session, while it runs."""
        return self._browsers.get(session)

    @property
    def of_browsers(self) -> list[Link]:
        """The links of the connected browsers' workers."""
        return list(self._browser_links.values())

    @property
    def of_tabs(self) -> dict[str, Link]:
        """The links of the connected tabs, by tabId."""
        return dict(self._tab_links)

    def apply(self, settings: protocol.Settings) -> None:
        """Tell what is connected, and what will be, what the person chose; whether agents are paused stays as it is."""
        self.listener.settings = msgspec.structs.replace(settings, paused=self._pause.is_on)
        for link in self._tab_links.values():
            self._tell(link)

    def _tell_pause(self) -> None:
        self.listener.settings = msgspec.structs.replace(self.listener.settings, paused=self._pause.is_on)
        for link in self._browser_links.values():
            self._tell(link)

    def _tell_driver(self, tab: Tab) -> None:
        """Its browser shows on the tab who drives it."""
        link = self._tab_links.get(tab.tab_id)
        if link is not None and link.driver != tab.driver:
            link.driver = tab.driver
            self._tell(link)

    def _tell(self, link: Link) -> None:
        link.post(msgspec.structs.replace(self.listener.settings, driver=link.driver))

    async def close(self) -> None:
        """End the managed browsers and close every link."""
        await asyncio.gather(*(self.end_browser(session) for session in self._browsers.keys() | self._starting.keys()))
        await self.listener.close()

    async def end_browser(self, session: str) -> None:
        """End the session's browser, or its start; one that does not run is no error."""
        starting = self._starting.pop(session, None)
        if starting is not None:
            await tasks.end(starting)
        browser = self._browsers.get(session)
        if browser is not None:
            await browser.end()

    async def run_in_tab(
        self,
        tab: Tab,
        command: str,
        params: dict[str, Any],
        timeout_ms: int,
        dialogs: DialogRule = "",
        grant: Grant = NOTHING,
    ) -> Response:
        """Send to the tab's link and wait for its response."""
        link = self._link_of(tab)
        response = await self._alive(tab.install, command, link.run(command, params, timeout_ms, dialogs, grant))
        await self._complete_downloads(tab, response)
        return response

    async def pick(self, tab: Tab) -> dict[str, Any]:
        """Let the person choose an element of the tab, as `core.services.Services.pick` says."""
        response = await self._link_of(tab).pick()
        if not response.success:
            raise KaptureError.from_wire(response.error or {})
        result: dict[str, Any] = response.result
        return result

    async def count(self, tab: Tab, selector: str) -> int:
        """How many elements `selector` matches, as `core.services.Services.count` says."""
        response = await self._link_of(tab).run("kapturemcp_count_elements", {"selector": selector}, _COUNT_TIMEOUT_MS)
        if not response.success:
            raise KaptureError.from_wire(response.error or {})
        return int(response.result["count"])

    def _link_of(self, tab: Tab) -> Link:
        link = self._tab_links.get(tab.tab_id)
        if link is None and tab.state == "paused":
            raise KaptureError(
                "PAUSED",
                "the agents are paused, and your own browser is let go of for that long: resume to use this tab",
            )
        if link is None:
            raise KaptureError(
                "TAB_DISCONNECTED", f"the tab {tab.tab_id} was closed or disconnected; {self._tabs.listing()}"
            )
        return link

    def _managed(self, install: str) -> ManagedBrowser | None:
        return next((known for known in self._browsers.values() if known.pairing.install == install), None)

    async def _alive(self, install: str, command: str, sending: Awaitable[Response]) -> Response:
        """What is answered while the person keeps the keyboard; a browser of ours that dies is told as that."""
        browser = self._managed(install)
        guarding = browser.guard.during(acts=command not in self._reads) if browser and browser.guard else nullcontext()
        try:
            async with guarding:
                return await sending
        except KaptureError as error:
            if browser is None or error.code not in ("OUTCOME_UNKNOWN", "NOT_SENT"):
                raise
            with suppress(TimeoutError):
                async with asyncio.timeout(DEATH_S):
                    await browser.gone.wait()
            if not browser.died:
                raise
            raise KaptureError(
                error.code,
                f"the panel's browser {browser.died} under this command, with all its tabs; "
                "kapturemcp_navigate or kapturemcp_new_tab starts it again",
            ) from None

    async def _complete_downloads(self, tab: Tab, response: Response) -> None:
        """Say of each reported download where its file is: a managed browser tells us, the extension cannot know."""
        browser = self._managed(tab.install)
        for seen, wait_s in ((response.effects, downloads.WAIT_S), (response.lateEffects, 0.0)):
            for download in (seen or {}).get("downloads", ()):
                guid = download.pop("guid", "")
                if browser is not None:
                    download |= await browser.downloads.of(guid, wait_s)

    async def run_in_browser(
        self,
        session: str,
        command: str,
        params: dict[str, Any],
        timeout_ms: int,
        dialogs: DialogRule = "",
        grant: Grant = NOTHING,
    ) -> Response:
        """Send to the session's browser that connected last and wait for its response.

        A new tab is opened in a managed browser where there is one: a person's own is for the tabs its person shares.
        Open tabs are those of every browser, and one is connected in the browser that has it.
        """
        installs = self._installs_for(session, command)
        if not installs:
            raise KaptureError(
                "TAB_NOT_FOUND",
                "no browser is connected: start one with kapturemcp_navigate, or a person can start their own",
            )

        async def send(install: str) -> Response:
            link = self._browser_links[install]
            return await self._alive(install, command, link.run(command, params, timeout_ms, dialogs, grant))

        if command == "kapturemcp_list_browser_tabs":
            return _together(await asyncio.gather(*map(send, installs)))
        response = await send(installs.pop())
        while (
            installs and command == "kapturemcp_connect_tab" and (response.error or {}).get("code") == "TAB_NOT_FOUND"
        ):
            response = await send(installs.pop())
        # The tab tells where it is over a link of its own, which this answer may overtake.
        if isinstance(response.result, dict) and (tab := self._tabs.find(str(response.result.get("tabId")))):
            self._tabs.update(
                tab, **{name: response.result[name] for name in ("url", "title") if name in response.result}
            )
            await self._complete_downloads(tab, response)
        return response

    def _installs_for(self, session: str, command: str) -> list[str]:
        """The session's browsers, the one the command is for last."""
        installs = [install for install in self._browser_links if self._session_of(install) == session]
        if command == "kapturemcp_new_tab":
            installs.sort(key=self._is_managed)
        elif command == "kapturemcp_connect_tab":  # the tabs of a managed one are connected
            installs.sort(key=self._is_managed, reverse=True)
        return installs

    def is_managed(self, session: str, command: str) -> bool:
        """Whether `run_in_browser` would go to a browser the panel started; without any, it will have to start one."""
        installs = self._installs_for(session, command)
        return not installs or self._is_managed(installs[-1])

    def _is_managed(self, install: str) -> bool:
        pairing = self._pairings.get(install)
        return pairing is not None and pairing.managed

    def _session_of(self, install: str) -> str:
        pairing = self._pairings.get(install)
        return pairing.session if pairing else ""

    async def open_browser(self, session: str = "", *, in_front: bool = False) -> Tab:
        """Start the session's managed browser, or find it running, and return a connected tab of it.

        `in_front` as `Launch` has it.

        Several callers at once start one browser; one that gives up does not take it from the others.
        """
        starting = self._starting.get(session)
        if starting is None or starting.done():
            starting = self._starting[session] = tasks.spawn(
                self._open_browser(session, in_front), "start a managed browser"
            )
        return await asyncio.shield(starting)

    async def _open_browser(self, session: str, in_front: bool) -> Tab:
        browser = self._browsers.get(session)
        if browser is not None:
            tab = await self._tab_in(browser)
            if tab is not None:
                return tab
        browser = await self._start_browser(session, in_front)
        tab = await self._tab_in(browser)
        if tab is None:
            raise KaptureError("INTERNAL", f"the browser {browser.died or 'ended'} before a tab was connected")
        return tab

    async def _start_browser(self, session: str, in_front: bool) -> ManagedBrowser:
        pairing = new_pairing(session)
        self._pairings[pairing.install] = pairing
        launch = replace(self._launch(self.listener.port, session), in_front=in_front)
        browser = ManagedBrowser(launch, pairing, lambda: self._browser_ended(browser))
        try:
            await browser.start()
        except BaseException:
            self._pairings.pop(pairing.install, None)
            raise
        self._browsers[session] = browser
        return browser

    async def _tab_in(self, browser: ManagedBrowser) -> Tab | None:
        """A connected tab of the managed browser; one whose tabs were all closed or disconnected gets a new one.

        Returns:
            None when the browser ended meanwhile.
        """
        install = browser.pairing.install
        is_asked = False
        try:
            async with asyncio.timeout(FIRST_TAB_S):
                while (tab := self._tab_of(install)) is None and not browser.gone.is_set():
                    self._tab_came.clear()
                    link = self._browser_links.get(install)
                    if is_asked or link is None or install not in self._had_tabs:
                        await self._tab_came.wait()
                        continue
                    is_asked = True
                    blank = {"url": "about:blank", "background": False}
                    try:
                        opened = await link.run("kapturemcp_new_tab", blank, 10_000, grant=EVERYTHING)
                    except KaptureError as error:  # its link broke: it dies, or comes back
                        log.info("no answer to a new tab: %s", error.message)
                        continue
                    if not opened.success:
                        raise KaptureError.from_wire(opened.error or {})
                return tab
        except TimeoutError:
            raise KaptureError(
                "INTERNAL", f"the browser runs, but no tab connected within {FIRST_TAB_S:.0f} s"
            ) from None

    def _tab_of(self, install: str) -> Tab | None:
        return next((tab for tab in self._tabs if tab.install == install), None)

    def _browser_ended(self, browser: ManagedBrowser) -> None:
        self._pairings.pop(browser.pairing.install, None)
        if self._browsers.get(browser.pairing.session) is browser:
            del self._browsers[browser.pairing.session]
            self._tab_came.set()
            self._tabs.browser_ended.emit(browser.pairing.session)

    def _on_paired(self, browser: PairedBrowser) -> None:
        self._pairings[browser.install] = Pairing(browser.install, browser.key)

    def _on_unpaired(self, browser: PairedBrowser) -> None:
        """Let nobody in with that key any more, and show out whoever is in."""
        self._pairings.pop(browser.install, None)
        leaving = [self._browser_links.pop(browser.install, None)]
        for tab in [tab for tab in self._tabs if tab.install == browser.install]:
            leaving.append(self._tab_links.pop(tab.tab_id, None))
            self._tabs.remove(tab)
        for link in leaving:
            if link is not None:
                tasks.spawn(link.dismiss(), "show out")

    def _register(
        self,
        pairing: Pairing,
        hello: protocol.Hello,
        register: protocol.Register,
        connection: ServerConnection,
    ) -> Link:
        if self._pairings.get(pairing.install) is not pairing:
            raise KaptureError("DENIED", "this browser was unpaired while it was greeted")
        if hello.role == "browser":
            on_unpair = None if pairing.managed else partial(self._paired.remove, pairing.install)
            link = Link(
                connection, partial(self._on_browser_events, pairing.install), on_unpair,
                partial(self._on_asked, pairing.install),
            )  # fmt: skip
            self._browser_links[pairing.install] = link
            self._paired.see(pairing.install, register.browser, is_here=True)
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
            session=pairing.session,
        )
        link = Link(connection, lambda events: self._on_events(tab, events))
        link.driver = known.driver if known is not None else ""
        self._tab_links[tab.tab_id] = link
        self._had_tabs.add(pairing.install)
        self._tabs.add(tab)
        self._tab_came.set()
        return link

    def _unregister(self, link: Link) -> None:
        for install, known in tuple(self._browser_links.items()):
            if known is link:
                del self._browser_links[install]
                self._paired.see(install, is_here=False)
                self._forget_held(install)
        self.left.emit(link)
        for tab_id, known in tuple(self._tab_links.items()):
            if known is link:
                del self._tab_links[tab_id]
                tab = self._tabs.find(tab_id)
                if tab is not None and tab.state != "paused":
                    self._tabs.remove(tab)

    def _on_asked(self, install: str, link: Link, message: protocol.Run | protocol.Cancel | protocol.Brake) -> None:
        if not isinstance(message, protocol.Brake):
            self.asked.emit(link, install, message)
        elif message.on:
            self._pause.hold()
        else:
            self._pause.lift()

    def _on_browser_events(self, install: str, events: list[dict[str, Any]]) -> None:
        """What a browser tells of the tabs it has let go of: one was closed, or all that come back are back."""
        for event in events:
            if event.get("kind") == "closed":
                self._forget_held(install, str(event.get("tabId")))
            elif event.get("kind") == "back":
                self._forget_held(install)

    def _forget_held(self, install: str, tab_id: str = "") -> None:
        """Take the tabs that were let go of out of the registry, or the one that is named."""
        for tab in [tab for tab in self._tabs if tab.install == install and tab.state == "paused"]:
            if tab_id in ("", tab.tab_id):
                self._tabs.remove(tab)

    def _on_events(self, tab: Tab, events: list[dict[str, Any]]) -> None:
        for cleared, batch in groupby(events, key=lambda event: event.get("kind") == "cleared"):
            lines = [event for event in batch if event.get("kind") == "console"]
            if lines:
                self._console.append(tab.tab_id, lines)
            if cleared:
                self._console.clear(tab.tab_id)
        requests = [event for event in events if event.get("kind") == "request"]
        if requests:
            self._requests.take(tab.tab_id, requests)
        for event in events:
            match event.get("kind"):
                case "tab":
                    fields = {name: str(event[name]) for name in ("url", "title", "favicon") if name in event}
                    self._tabs.update(tab, **fields)
                    if event.get("navigated"):
                        self._tabs.navigated.emit(tab)
                case "dialog":
                    self._tabs.show_dialog(tab, is_open=bool(event.get("open")))
                case "closed":
                    self._tabs.remove(tab)
                case "held":
                    self._tabs.update(tab, state="paused")
                case "crash":
                    log.warning("the tab %s crashed", tab.tab_id)
                    self._tabs.crashed.emit(tab)


def _together(responses: list[Response]) -> Response:
    """The open tabs of several browsers as one answer; a browser that could not say is told."""
    failed = next((response for response in responses if not response.success), None)
    if failed is not None or len(responses) == 1:
        return failed or responses[0]
    tabs = [tab for response in responses for tab in response.result["tabs"]]
    return msgspec.structs.replace(responses[0], result={"tabs": tabs}, ms=max(one.ms for one in responses))
