"""The links of the extension: which tabs and browsers are connected, and what each is told."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import msgspec
from websockets.asyncio.server import ServerConnection

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.gates.pause import Pause
from kapture_panel.core.registry.paired import PairedBrowser, PairedBrowsers
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.stores.offers import Offers
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.core.wire.watching import LivePicture
from kapture_panel.hub.extension_door.link import Link
from kapture_panel.hub.extension_door.listener import Listener
from kapture_panel.hub.extension_door.open_frames import OpenFrames
from kapture_panel.hub.extension_door.pairing import Pairer
from kapture_panel.hub.extension_door.tab_events import TabEvents


class Connections:
    """All that is connected; keeps the registry of tabs true to it.

    Args:
        tabs: kept in step with the tab links.
        events: gets what tabs and browsers tell.
        paired: the person's own browsers; their extensions are let in as long as they are in it.
        pairer: what makes a browser one of them.
        pause: while it is on, a person's own browsers let go of their tabs; popups put it on and lift it.
        open_frames: tabId and id of commands whose answers an earlier panel lost.
    """

    def __init__(
        self,
        tabs: Tabs,
        events: TabEvents,
        paired: PairedBrowsers,
        pairer: Pairer,
        pause: Pause | None = None,
        open_frames: Iterable[tuple[str, str]] = (),
    ) -> None:
        self._tabs = tabs
        self._events = events
        self._paired = paired
        self._pairings = {browser.install: Pairing(browser.install, browser.key) for browser in paired}
        paired.added.connect(self._on_paired)
        paired.removed.connect(self._on_unpaired)
        #: The files of uploads that are under way.
        self.offers = Offers()
        self._open = OpenFrames(open_frames)
        #: What became of a command whose answer was lost.
        self.settled: Signal[protocol.Response] = Signal()
        self._of_tabs: dict[str, Link] = {}
        self._of_browsers: dict[str, Link] = {}
        #: (link, install, what): the person ran or gave up something in the extension's own pages of that browser.
        self.asked: Signal[Link, str, protocol.DevToolsCommand | protocol.Cancel] = Signal()
        #: The worker of the browser with this pairing gets a link.
        self.browser_linked: Signal[Pairing, Link] = Signal()
        #: A link is over.
        self.left: Signal[Link] = Signal()
        #: A tab of the browser with this pairing is connected.
        self.tab_came: Signal[Pairing] = Signal()
        #: The tab with this tabId gets a link, for the first time or again; it may be told something.
        self.tab_linked: Signal[str, Link] = Signal()
        #: (tabId, picture): how a tab that is watched looks now.
        self.pictured: Signal[str, LivePicture] = Signal()
        tabs.changed.connect(self._tell_driver)
        self.listener = Listener(self._pairings, self._register, self._unregister, pairer)
        self._pause = Pause() if pause is None else pause
        self._pause.changed.connect(self._tell_pause)
        self.listener.settings = protocol.Settings(paused=self._pause.is_on)

    @property
    def of_browsers(self) -> dict[str, Link]:
        """The links of the connected browsers' workers, by install, the one that connected last at the end."""
        return dict(self._of_browsers)

    @property
    def of_tabs(self) -> dict[str, Link]:
        """The links of the connected tabs, by tabId."""
        return dict(self._of_tabs)

    @property
    def declined(self) -> list[str]:
        """The last tabs, by tabId, that a person shares no more; those that are connected again are none of them."""
        return [tab_id for tab_id in dict.fromkeys(self._events.declined) if self._tabs.find(tab_id) is None]

    def pairing(self, install: str) -> Pairing | None:
        """What is known of a browser that may come in."""
        return self._pairings.get(install)

    def let_in(self, pairing: Pairing) -> None:
        """Trust a browser from now on."""
        self._pairings[pairing.install] = pairing

    def shut_out(self, pairing: Pairing) -> None:
        """Trust it no more."""
        self._pairings.pop(pairing.install, None)

    def apply(self, settings: protocol.Settings) -> None:
        """Tell what is connected, and what will be, what the person chose; whether agents are paused stays as it is."""
        self.listener.settings = msgspec.structs.replace(settings, paused=self._pause.is_on)
        for link in self._of_tabs.values():
            self._tell(link)

    async def close(self) -> None:
        """Close every link and listen no more."""
        await self.listener.close()

    def post(self, tab_id: str, message: protocol.FromPanel) -> None:
        """Tell a tab something that nobody answers; one without a link is not told."""
        link = self._of_tabs.get(tab_id)
        if link is not None:
            link.post(message)

    def let_go(self, tab_id: str) -> None:
        """Have the keys go up that whoever held the tab until now holds down there."""
        self.post(tab_id, protocol.LetGo())

    def disconnect(self, tab_id: str) -> None:
        """Have the extension share a tab no more, as the person wants."""
        self.post(tab_id, protocol.Disconnect())

    def _tell_pause(self) -> None:
        self.listener.settings = msgspec.structs.replace(self.listener.settings, paused=self._pause.is_on)
        for link in self._of_browsers.values():
            self._tell(link)

    def _tell_driver(self, tab: Tab) -> None:
        """Its browser shows on the tab who drives it."""
        link = self._of_tabs.get(tab.tab_id)
        if link is not None and link.driver != tab.driver:
            link.driver = tab.driver
            self._tell(link)

    def _tell(self, link: Link) -> None:
        link.post(msgspec.structs.replace(self.listener.settings, driver=link.driver))

    def _on_paired(self, browser: PairedBrowser) -> None:
        self.let_in(Pairing(browser.install, browser.key))

    def _on_unpaired(self, browser: PairedBrowser) -> None:
        """Let nobody in with that key any more, and show out whoever is in."""
        self._pairings.pop(browser.install, None)
        leaving = [self._of_browsers.pop(browser.install, None)]
        for tab in [tab for tab in self._tabs if tab.install == browser.install]:
            leaving.append(self._of_tabs.pop(tab.tab_id, None))
            self._tabs.remove(tab)
        for link in leaving:
            if link is not None:
                tasks.spawn(link.dismiss(), "show out")

    def _register(
        self, pairing: Pairing, hello: protocol.Hello, register: protocol.Register, connection: ServerConnection
    ) -> Link:
        if self._pairings.get(pairing.install) is not pairing:
            raise KaptureError("DENIED", "this browser was unpaired while it was greeted")
        if hello.role == "browser":
            return self._register_browser(pairing, register, connection)
        return self._register_tab(pairing, hello, register, connection)

    def _register_browser(self, pairing: Pairing, register: protocol.Register, connection: ServerConnection) -> Link:
        link = Link(
            connection,
            partial(self._events.of_browser, pairing.install),
            None if pairing.managed else partial(self._paired.remove, pairing.install),
            # A person sits at a browser here. Whoever has another machine is none: it may press no button of the popup,
            # and run nothing as the person in DevTools.
            None if pairing.place else partial(self._on_asked, pairing.install),
        )
        self._of_browsers[pairing.install] = link
        self._paired.see(pairing.install, register.browser, is_here=True)
        self.browser_linked.emit(pairing, link)
        return link

    def _register_tab(
        self, pairing: Pairing, hello: protocol.Hello, register: protocol.Register, connection: ServerConnection
    ) -> Link:
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
            browser=f"{register.browser} · {pairing.place}" if pairing.place else register.browser,
            favicon=register.favicon,
            managed=pairing.managed,
            session=pairing.session,
            place=pairing.place,
            memory=register.memory,
        )
        link = Link(
            connection,
            partial(self._events.of_tab, tab),
            offers=self.offers,
            on_late=partial(self._on_late, tab.tab_id),
            on_picture=partial(self.pictured.emit, tab.tab_id),
            on_given_up=lambda frame_id: self._open.lose(tab.tab_id, [frame_id]),
        )
        if (before := self._of_tabs.get(tab.tab_id)) is not None:  # it broke, and only the extension knows
            before.replace()
            self._open.lose(tab.tab_id, before.lost)
        link.open = self._open.of(tab.tab_id)
        link.driver = known.driver if known is not None else ""
        self._of_tabs[tab.tab_id] = link
        self._tabs.add(tab)
        self.tab_linked.emit(tab.tab_id, link)
        self.tab_came.emit(pairing)
        return link

    def _unregister(self, link: Link) -> None:
        for install, known in tuple(self._of_browsers.items()):
            if known is link:
                del self._of_browsers[install]
                self._paired.see(install, is_here=False)
                self._events.forget_held(install)
        self.left.emit(link)
        for tab_id, known in tuple(self._of_tabs.items()):
            if known is link:
                del self._of_tabs[tab_id]
                self._open.lose(tab_id, link.lost)
                tab = self._tabs.find(tab_id)
                if tab is not None and tab.state != "paused":
                    self._tabs.remove(tab)

    def _on_late(self, tab_id: str, response: protocol.Response) -> None:
        if self._open.settle(tab_id, response.id):
            self.settled.emit(response)

    def _on_asked(
        self, install: str, link: Link, message: protocol.DevToolsCommand | protocol.Cancel | protocol.PauseAgents
    ) -> None:
        if not isinstance(message, protocol.PauseAgents):
            self.asked.emit(link, install, message)
        elif message.on:
            self._pause.hold()
        else:
            self._pause.lift()
