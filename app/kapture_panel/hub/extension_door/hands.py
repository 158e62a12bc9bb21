"""The person's own mouse and keyboard in a tab they have stepped into, given on to its link in order."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.leases import Leases
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.wire.watching import Input, MouseInput, StepIn
from kapture_panel.hub.browsers.keyboard_guard import KeyboardGuard
from kapture_panel.hub.extension_door.connections import Connections
from kapture_panel.hub.extension_door.keyboard_guards import KeyboardGuards
from kapture_panel.hub.extension_door.link import Link

log = logging.getLogger(__name__)

#: A tab that has not told all that was done by then is given back without.
TELLING_S = 4.0


class Hands:
    """Who has stepped into which tab. Only the window leads here: no command and no door does.

    Args:
        tabs: one that goes is left.
        connections: the links of the tabs; one that comes back is told again.
        guards: what keeps the keyboard where the person is.
        leases: hold the agents there.
        person: whose hands these are.
    """

    def __init__(
        self, tabs: Tabs, connections: Connections, guards: KeyboardGuards, leases: Leases, person: Client
    ) -> None:
        self._tabs = tabs
        self._connections = connections
        self._guards = guards
        self._leases = leases
        self._person = person
        self._feeds: dict[str, _Feed] = {}
        connections.tab_linked.connect(self._on_linked)
        tabs.removed.connect(self._on_removed)

    def step_in(self, tab_id: str) -> None:
        """Take a tab over.

        Raises:
            KaptureError: `TAB_NOT_FOUND`, or it is let go of as long as the agents are paused.
        """
        tab = self._tabs.get(tab_id)
        if tab.state == "paused":
            raise KaptureError(
                "PAUSED", "your browser is disconnected while the agents are paused", "resume them first"
            )
        if tab_id not in self._feeds:
            self._feeds[tab_id] = _Feed(self._connections, tab_id, self._guards.of(tab.install))
            self._leases.step_in(self._person, tab_id)
            self._connections.post(tab_id, StepIn())

    def give(self, tab_id: str, what: Input) -> None:
        """Do something in it; where the person is not, nothing is done."""
        if (feed := self._feeds.get(tab_id)) is not None:
            feed.put(what)

    async def step_out(self, tab_id: str) -> None:
        """Give it back, once all that was done there is known."""
        feed = self._feeds.get(tab_id)
        if feed is None:
            return
        try:
            async with asyncio.timeout(TELLING_S):
                await feed.empty()
                if (link := self._connections.of_tabs.get(tab_id)) is not None:
                    await link.step_out()
        except (TimeoutError, KaptureError) as error:
            log.info("what was done last in the tab %s is not known: %r", tab_id, error)
        finally:
            if self._feeds.pop(tab_id, None) is not None:
                await feed.end()
                self._leases.step_out(tab_id)

    async def close(self) -> None:
        """Leave every tab."""
        feeds, self._feeds = self._feeds, {}
        for feed in feeds.values():
            await feed.end()

    def _on_linked(self, tab_id: str, link: Link) -> None:
        if tab_id in self._feeds:
            link.post(StepIn())

    def _on_removed(self, tab: Tab) -> None:
        if (feed := self._feeds.pop(tab.tab_id, None)) is not None:
            tasks.spawn(feed.end(), "end of a person's hands")


class _Feed:
    """What the person does in one tab, in order: a press waits until the browser's window keeps off the keyboard."""

    def __init__(self, connections: Connections, tab_id: str, guard: KeyboardGuard | None) -> None:
        self._connections = connections
        self._tab_id = tab_id
        self._guard = guard
        self._guarding = AsyncExitStack()
        self._waiting: asyncio.Queue[Input] = asyncio.Queue()
        self._task = tasks.spawn(self._run(), "a person's hands") if guard is not None else None

    def put(self, what: Input) -> None:
        """Give something on after what waits."""
        if self._task is None:
            self._connections.post(self._tab_id, what)
        else:
            self._waiting.put_nowait(what)

    async def empty(self) -> None:
        """Wait until all was given on."""
        await self._waiting.join()

    async def end(self) -> None:
        """Give nothing on any more."""
        if self._task is not None:
            await tasks.end(self._task)
        await self._guarding.aclose()

    async def _run(self) -> None:
        assert self._guard is not None
        while True:
            what = await self._waiting.get()
            if isinstance(what, MouseInput) and what.act == "down":
                before = self._guarding.pop_all()
                await self._guarding.enter_async_context(self._guard.during(acts=True))
                await before.aclose()
            self._connections.post(self._tab_id, what)
            self._waiting.task_done()
