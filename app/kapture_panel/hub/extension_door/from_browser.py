"""What the person runs in the extension's DevTools panel: carried out by the router, like everybody's."""

from __future__ import annotations

import asyncio
import base64
import logging
from functools import partial

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError, defect
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tabs
from kapture_panel.core.router import Router
from kapture_panel.core.wire import protocol
from kapture_panel.hub.extension_door.connections import Connections
from kapture_panel.hub.extension_door.link import Link

log = logging.getLogger(__name__)

#: How history and tabs name who gave the command.
NAME = "DevTools"


class FromBrowser:
    """Runs of all browsers; each is the person's (kind "person") and reaches one tab of the browser it comes from.

    Args:
        connections: tells what is asked, and when whoever asked has gone: its runs are cancelled then.
        router: carries them out.
        tabs: which tab is in which browser.
    """

    def __init__(self, connections: Connections, router: Router, tabs: Tabs) -> None:
        self._router = router
        self._tabs = tabs
        self._clients: dict[Link, Client] = {}
        self._running: dict[tuple[Link, str], asyncio.Task[None]] = {}
        connections.asked.connect(self._on_asked)
        connections.left.connect(self._on_left)

    async def close(self) -> None:
        """Cancel what runs and wait for its end."""
        for running in tuple(self._running.values()):
            await tasks.end(running)

    def _on_asked(self, link: Link, install: str, message: protocol.DevToolsCommand | protocol.Cancel) -> None:
        running = self._running.get((link, message.id))
        if isinstance(message, protocol.Cancel):
            if running is not None:
                running.cancel()
        elif running is None:
            task = tasks.spawn(self._run(link, install, message), f"run of {NAME}")
            self._running[link, message.id] = task
            task.add_done_callback(partial(self._on_done, link, message.id))

    def _on_left(self, link: Link) -> None:
        self._clients.pop(link, None)
        for (asking, _), running in tuple(self._running.items()):
            if asking is link:
                running.cancel()

    def _on_done(self, link: Link, run_id: str, task: asyncio.Task[None]) -> None:
        del self._running[link, run_id]
        if task.cancelled():
            error = KaptureError("OUTCOME_UNKNOWN", "cancelled, and it may have been done in part", "look at the page")
            link.post(protocol.DevToolsResult(id=run_id, success=False, error=error.as_wire()))

    async def _run(self, link: Link, install: str, asked: protocol.DevToolsCommand) -> None:
        client = self._clients.setdefault(link, Client(NAME, "person"))
        try:
            ran = await self._carry_out(client, install, asked)
        except KaptureError as error:
            ran = protocol.DevToolsResult(id=asked.id, success=False, error=error.as_wire())
        except Exception as error:
            log.exception("a run of DevTools failed")
            ran = protocol.DevToolsResult(id=asked.id, success=False, error=defect(error).as_wire())
        link.post(ran)

    async def _carry_out(
        self, client: Client, install: str, asked: protocol.DevToolsCommand
    ) -> protocol.DevToolsResult:
        command = self._router.catalogue.get(asked.command)
        if command.scope != "tab":
            raise KaptureError("INVALID_PARAMS", f"{command.short_name} is not about one tab", "run it in the panel")
        tab = self._tabs.find(asked.tabId)
        if tab is None or tab.install != install:
            raise KaptureError("TAB_DISCONNECTED", "the tab is not connected", "connect it first")
        params = {**asked.params, "tabId": tab.tab_id}
        answer = await self._router.run(client, command.name, params, follow=False)
        return protocol.DevToolsResult(
            id=asked.id,
            success=True,
            result=answer.result,
            outcome=answer.outcome,
            effects=answer.effects,
            lateEffects=answer.late_effects,
            snapshot=answer.snapshot,
            picture=base64.b64encode(answer.image).decode() if answer.image is not None else "",
            ms=round(answer.ms, 2),
        )
