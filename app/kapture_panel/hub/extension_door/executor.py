"""The executor of tabs: finds the link of a tab or browser, sends to it, and says if a browser of ours died."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, nullcontext, suppress
from functools import partial

import msgspec

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.gates.pause import Pause
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.router import GRACE_S
from kapture_panel.core.wire.effects import Effects
from kapture_panel.core.wire.protocol import NOTHING, DialogRule, Grant, Response, Show
from kapture_panel.core.wire.results import Picked, PlacePointedAt
from kapture_panel.hub.browsers import downloads
from kapture_panel.hub.browsers.browser import Browser
from kapture_panel.hub.extension_door.connections import Connections
from kapture_panel.hub.extension_door.keyboard_guards import KeyboardGuards
from kapture_panel.hub.extension_door.link import Link
from kapture_panel.hub.extension_door.panel_browsers import PanelBrowsers

#: What a selector matches is only asked beside typing: late it is of no use.
_COUNT_TIMEOUT_MS = 3000
#: The sockets of a browser that dies break before its process is gone: so long a broken one waits for that. Whoever
#: gave the command waits along, and is told of the break alone when a busy machine takes longer.
DEATH_S = 0.25


class ExtensionExecutor:
    """Where the router's commands go (a `core.registry.executor.Executor`).

    Args:
        tabs: which are connected.
        connections: their links.
        browsers: those the panel starts.
        guards: what keeps the keyboard where the person is.
        pause: what it cuts is known to have been answered, or never sent.
        reads: the names of the commands that only look.
    """

    def __init__(
        self,
        tabs: Tabs,
        connections: Connections,
        browsers: PanelBrowsers,
        guards: KeyboardGuards,
        pause: Pause,
        reads: frozenset[str] = frozenset(),
    ) -> None:
        self._tabs = tabs
        self._connections = connections
        self._browsers = browsers
        self._guards = guards
        self._pause = pause
        self._reads = reads

    async def run_in_tab(
        self,
        tab: Tab,
        command: str,
        params: Params,
        timeout_ms: int,
        dialogs: DialogRule = "",
        grant: Grant = NOTHING,
        frame_id: str = "",
        *,
        quiet: bool = False,
    ) -> Response:
        """Send to the tab's link and wait for its response."""
        told_by = _told_by(timeout_ms)
        send = partial(self._link_of(tab).run, command, params, timeout_ms, dialogs, grant, frame_id, quiet=quiet)
        response = await self._alive(tab.install, command, send)
        await self._complete_downloads(tab, response, told_by)
        return response

    async def run_in_browser(
        self,
        session: str,
        command: str,
        params: Params,
        timeout_ms: int,
        dialogs: DialogRule = "",
        grant: Grant = NOTHING,
    ) -> Response:
        """Send to the session's browser that connected last and wait for its response.

        A new tab is opened in a managed browser where there is one: a person's own is for the tabs its person shares.
        Open tabs are those of every browser, and one is connected in the browser that has it.
        """
        told_by = _told_by(timeout_ms)
        installs = self._installs_for(session, command)
        if not installs:
            raise KaptureError(
                "TAB_NOT_FOUND",
                "no browser is connected",
                "start one with kapturemcp_navigate, or a person can start their own",
            )

        async def send(install: str) -> Response:
            link = self._connections.of_browsers[install]
            run = partial(link.run, command, params, timeout_ms, dialogs, grant)
            return await self._alive(install, command, run)

        if command == "kapturemcp_list_browser_tabs":
            return _together(await asyncio.gather(*map(send, installs)))
        response = await send(installs.pop())
        while installs and command == "kapturemcp_connect_tab" and response.failure.code == "TAB_NOT_FOUND":
            response = await send(installs.pop())
        # The tab tells where it is over a link of its own, which this answer may overtake.
        if isinstance(response.result, dict) and (tab := self._tabs.find(str(response.result.get("tabId")))):
            self._tabs.update(
                tab, **{name: response.result[name] for name in ("url", "title") if name in response.result}
            )
            await self._complete_downloads(tab, response, told_by)
        return response

    def is_managed(self, session: str, command: str) -> bool:
        """Whether `run_in_browser` would go to a browser the panel started; without any, it will have to start one."""
        installs = self._installs_for(session, command)
        return not installs or self._is_managed(installs[-1])

    async def open_browser(self, session: str = "", *, in_front: bool = False) -> Tab:
        """As `PanelBrowsers.open` does; one that somebody else is starting, maybe behind, comes in front as well."""
        is_behind = in_front and self._browsers.is_starting(session)
        tab = await self._browsers.open(session, in_front=in_front)
        if is_behind:
            self.show(tab)
        return tab

    async def open_tab(self, session: str = "") -> Tab:
        """As `PanelBrowsers.open_tab` does."""
        return await self._browsers.open_tab(session)

    def show(self, tab: Tab) -> None:
        """Bring a tab's window in front, as the person wants: it may have the keyboard."""
        if (guard := self._guards.of(tab.install)) is not None:
            guard.expect_the_person()
        self._connections.post(tab.tab_id, Show())

    async def pick(self, tab: Tab) -> Picked:
        """Let the person choose an element in a tab, which comes in front, and wait for it.

        Raises:
            KaptureError: there is no choosing in this tab.
        """
        link = self._link_of(tab)
        guard = self._guards.of(tab.install)
        if guard is not None:
            guard.expect_the_person()
        picked = await link.pick()
        if guard is not None:
            await guard.catch_up()  # heard later, the click would take the keyboard from the panel again
        return picked

    async def point_at(self, tab: Tab, x: float, y: float) -> PlacePointedAt:
        """What lies at a point of a tab's viewport, and how that looks now; it waits for no command.

        Raises:
            KaptureError: the tab cannot be asked.
        """
        return await self._link_of(tab).point_at(x, y)

    async def count(self, tab: Tab, selector: str) -> int:
        """How many elements of a tab `selector` matches.

        Raises:
            KaptureError: it is not a selector, or the tab cannot be asked.
        """
        counting = self._link_of(tab).run(
            "kapturemcp_count_elements", {"selector": selector}, _COUNT_TIMEOUT_MS, quiet=True
        )
        response = await counting
        if not response.success:
            raise response.failure
        return int(response.result["count"])

    def _link_of(self, tab: Tab) -> Link:
        link = self._connections.of_tabs.get(tab.tab_id)
        if link is None and tab.state == "paused":
            raise KaptureError(
                "PAUSED",
                "the agents are paused, and your own browser is disconnected until they are resumed",
                "resume to use this tab",
            )
        if link is None:
            raise KaptureError(
                "TAB_DISCONNECTED", f"the tab {tab.tab_id} was closed or disconnected", self._tabs.listing()
            )
        return link

    async def _alive(self, install: str, command: str, send: Callable[[], Awaitable[Response]]) -> Response:
        """What is answered while the person keeps the keyboard; a browser of ours that dies is told as that."""
        browser, acts = self._browsers.with_install(install), command not in self._reads
        try:
            async with AsyncExitStack() as guarded:
                with self._pause.before_sending():
                    guard = await self._guards.found(install)  # also for what only looks: it overtakes no act
                    await guarded.enter_async_context(guard.during(acts=acts) if guard else nullcontext())
                return await send()
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
                f"the panel's browser {browser.died} under this command, with all its tabs",
                "kapturemcp_navigate or kapturemcp_new_tab starts it again",
            ) from None

    async def _complete_downloads(self, tab: Tab, response: Response, told_by: float) -> None:
        """Say of each reported download where its file is: a managed browser tells us, the extension cannot know."""
        browser = self._browsers.with_install(tab.install)
        told_by = min(told_by, asyncio.get_running_loop().time() + downloads.WAIT_S)
        both = [seen for seen in (response.effects, response.lateEffects) if seen is not None]
        known = {download.guid for seen in both for download in seen.downloads}
        with self._pause.sparing():
            for seen in both:
                if browser is not None:
                    await _find(seen, browser, told_by, known)
            await _complete(response.effects, browser, told_by)
            await _complete(response.lateEffects, browser, told_by, waits=False)

    def _installs_for(self, session: str, command: str) -> list[str]:
        """The session's browsers, the one the command is for last."""
        installs = [install for install in self._connections.of_browsers if self._session_of(install) == session]
        if command == "kapturemcp_new_tab":
            installs.sort(key=self._is_managed)
        elif command == "kapturemcp_connect_tab":  # the tabs of a managed one are connected
            installs.sort(key=self._is_managed, reverse=True)
        return installs

    def _is_managed(self, install: str) -> bool:
        pairing = self._connections.pairing(install)
        return pairing is not None and pairing.managed

    def _session_of(self, install: str) -> str:
        pairing = self._connections.pairing(install)
        return pairing.session if pairing else ""


def _told_by(timeout_ms: int) -> float:
    """Until when downloads may be waited for, in the loop's time: before whoever gave the command now gives it up."""
    return asyncio.get_running_loop().time() + timeout_ms / 1000 + GRACE_S / 2


async def _find(seen: Effects, browser: Browser, told_by: float, known: set[str]) -> None:
    """The downloads to tell of: those that no answer told of yet, and new tabs that turned into one; `known` takes the
    guids of those that are told of anyway."""
    seen.downloads = [download for download in seen.downloads if not browser.downloads.is_told(download.guid)]
    with suppress(TimeoutError):
        async with asyncio.timeout_at(told_by):
            await _tell_downloads_of_new_tabs(seen, browser, known)


async def _complete(seen: Effects | None, browser: Browser | None, told_by: float, *, waits: bool = True) -> None:
    """Complete what is told of downloads; with `waits` those that run are waited for, all of them until `told_by`."""
    if seen is None:
        return
    guids = [download.guid for download in seen.downloads]
    with browser.downloads.telling(guids) if browser is not None else nullcontext():
        for download in seen.downloads:
            guid, download.guid = download.guid, ""
            if browser is not None:
                wait_s = max(0.0, told_by - asyncio.get_running_loop().time()) if waits else 0.0
                known = await browser.downloads.of(guid, wait_s)
                download.state, download.bytes = known.state, known.bytes
                download.path, download.folder, download.note = known.path, known.folder, known.note


async def _tell_downloads_of_new_tabs(seen: Effects, browser: Browser, known: set[str]) -> None:
    """A tab that turned into a download before the extension was in it has told nobody of that; the browser has."""
    if not seen.newTabs:
        return
    await browser.caught_up()
    for tab in list(seen.newTabs):
        download = browser.downloads.of_new_tab(tab.url or "", known)
        if download is None:
            continue
        known.add(download.guid)
        seen.downloads.append(download)
        if tab.closed:
            seen.newTabs.remove(tab)


def _together(responses: list[Response]) -> Response:
    """The open tabs of several browsers as one answer; a browser that could not say is told."""
    failed = next((response for response in responses if not response.success), None)
    if failed is not None or len(responses) == 1:
        return failed or responses[0]
    tabs = [tab for response in responses for tab in response.result["tabs"]]
    return msgspec.structs.replace(responses[0], result={"tabs": tabs}, ms=max(one.ms for one in responses))
