"""Browsers that conversations have for themselves: they end when idle for long, or with the conversation."""

from __future__ import annotations

import asyncio
import itertools
import logging
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

from kapture_panel.core.basics import tasks
from kapture_panel.core.registry.clients import Client, Clients

log = logging.getLogger(__name__)

VIEWPORT = (1280, 720)


class Sessions:
    """Watches the isolated conversations of one instance; the router starts their browsers.

    Args:
        folder: holds the throw-away profile of each; what a killed panel left there is removed.
        clients: tells who works and who went.
        end: ends the browser of a session.
    """

    def __init__(self, folder: Path, clients: Clients, end: Callable[[str], Awaitable[object]]) -> None:
        self._folder = folder
        self._end_it = end
        self._serial = itertools.count(1)
        self._profiles: dict[str, Path] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._ending: set[asyncio.Task[None]] = set()
        clients.changed.connect(self._on_changed)
        clients.removed.connect(self._on_removed)
        shutil.rmtree(folder, ignore_errors=True)

    def profile(self, session: str) -> Path:
        """Where the session's browser keeps its state until it is ended; one that is started then has a new place."""
        return self._profiles.setdefault(session, self._folder / f"{session}-{next(self._serial)}")

    async def close(self) -> None:
        """Wait for what is ending; the others have ended."""
        for timer in self._timers.values():
            timer.cancel()
        if self._ending:
            await asyncio.wait(self._ending)
        await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)

    def _on_changed(self, client: Client) -> None:
        """Idle is the time since the last call ended."""
        if not client.session:
            return
        self._stop_timer(client)
        if client.running == 0:
            loop = asyncio.get_running_loop()
            self._timers[client.session] = loop.call_later(client.session_idle_s, self._end, client)

    def _on_removed(self, client: Client) -> None:
        if client.session:
            self._end(client)

    def _stop_timer(self, client: Client) -> None:
        if timer := self._timers.pop(client.session, None):
            timer.cancel()

    def _end(self, client: Client) -> None:
        self._stop_timer(client)
        ending = tasks.spawn(self._end_browser(client.session), "end a session's browser")
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def _end_browser(self, session: str) -> None:
        # Now: the session's next browser may be started before this one is quite gone.
        profile = self._profiles.pop(session, None)
        await self._end_it(session)
        if profile is not None:
            await asyncio.to_thread(shutil.rmtree, profile, ignore_errors=True)
        log.info("the browser of the session %s has ended", session)
