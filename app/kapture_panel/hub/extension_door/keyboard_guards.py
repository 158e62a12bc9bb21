"""Which guard keeps the person's keyboard off a browser: that of one of the panel's, or one for a person's own here."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from kapture_panel.core.basics import tasks
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.hub.browsers.keyboard_guard import KeyboardGuard
from kapture_panel.hub.extension_door.connections import Connections
from kapture_panel.hub.extension_door.link import Ends, Link
from kapture_panel.hub.extension_door.panel_browsers import PanelBrowsers

if TYPE_CHECKING:
    import psutil

log = logging.getLogger(__name__)

#: A process that has not been found for so long is waited for no more: the command goes on without a guard.
FINDING_S = 2.0


class KeyboardGuards:
    """A guard for each browser with windows on this display.

    Args:
        connections: a person's own browser is found by its link.
        browsers: those of the panel have guards of their own.
    """

    def __init__(self, connections: Connections, browsers: PanelBrowsers) -> None:
        self._connections = connections
        self._browsers = browsers
        self._finding: dict[Link, asyncio.Task[None]] = {}
        self._own: dict[str, tuple[Link, KeyboardGuard]] = {}
        connections.browser_linked.connect(self._on_linked)
        connections.left.connect(self._on_left)

    def of(self, install: str) -> KeyboardGuard | None:
        """The guard of the browser with this pairing; None where nothing has to be guarded, or can be."""
        browser = self._browsers.with_install(install)
        if browser is not None:
            return browser.guard
        return self._own[install][1] if install in self._own else None

    async def found(self, install: str) -> KeyboardGuard | None:
        """The same once it is known: a browser that has just been linked is still being looked for."""
        link = self._connections.of_browsers.get(install)
        finding = self._finding.get(link) if link is not None else None
        if finding is not None and not finding.done():
            await asyncio.wait([finding], timeout=FINDING_S)
        return self.of(install)

    async def close(self) -> None:
        """Let go of every browser."""
        for finding in tuple(self._finding.values()):
            await tasks.end(finding)
        for link, _guard in tuple(self._own.values()):
            self._on_left(link)

    def _on_linked(self, pairing: Pairing, link: Link) -> None:
        if not pairing.managed and KeyboardGuard.is_needed():
            self._finding[link] = tasks.spawn(self._find(pairing.install, link), "find a person's browser")

    async def _find(self, install: str, link: Link) -> None:
        pid = await asyncio.to_thread(browser_behind, link.ends)
        if pid is None:
            log.info("the keyboard is not guarded from the browser %s: its process was not found", install)
        elif (guard := KeyboardGuard.of(pid)) is not None:
            self._own[install] = (link, guard)

    def _on_left(self, link: Link) -> None:
        if (finding := self._finding.pop(link, None)) is not None:
            finding.cancel()
        for install, (known, guard) in tuple(self._own.items()):
            if known is link:
                del self._own[install]
                guard.close()


def browser_behind(ends: Ends) -> int | None:
    """The process id of the browser whose network process holds the far end of a connection, if it can be seen."""
    import psutil

    try:
        for found in psutil.net_connections("tcp"):
            if found.laddr and found.raddr and (tuple(found.laddr), tuple(found.raddr)) == ends and found.pid:
                return _topmost(psutil.Process(found.pid))
    except psutil.Error as error:
        log.info("the process behind %s cannot be seen: %s", ends, error)
    return None


def _topmost(process: psutil.Process) -> int:
    """The process that started this one, and so on, as long as it is the same program."""
    parent = process.parent()
    if parent is None or parent.exe() != process.exe():
        return int(process.pid)
    return _topmost(parent)
