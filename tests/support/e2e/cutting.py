"""A panel whose browser reaches it through a proxy that cuts, and eyes on the page behind it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kapture_panel.core.stores.history_row import Row
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.hub import Hub
from tests.support.cutting_proxy import CuttingProxy, Passing, cutting_proxy
from tests.support.e2e.running import running
from tests.support.patience import PATIENCE_S

PRESSES = "globalThis.presses ?? 0"
#: A button that counts its presses and says each by a request.
PAGE = """document.body.innerHTML = '<button id="count">Count</button><input id="name">';
document.querySelector("#count").onclick = (event) => {
  globalThis.presses = (globalThis.presses ?? 0) + 1;
  document.title = `${globalThis.presses} presses`;
};"""


@dataclass
class Cut:
    """A panel whose extension comes through a proxy, an agent with a tab, and eyes on the page."""

    hub: Hub
    proxy: CuttingProxy
    agent: Agent
    tab_id: str
    witness: Witness

    async def link(self) -> Passing:
        """The tab's link, once there is one."""
        return await self.proxy.link_of(self.tab_id)

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Wait until something holds that the tabs or the history tell of."""
        changed = asyncio.Event()

        def on_change(*_told: object) -> None:
            changed.set()

        tabs, history = self.hub.state.tabs, self.hub.state.history
        signals = (tabs.added, tabs.changed, tabs.removed, history.settled)
        for each in signals:
            each.connect(on_change)
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not (found := condition()):
                    changed.clear()
                    await changed.wait()
            return found
        finally:
            for each in signals:
                each.disconnect(on_change)

    async def is_back(self) -> None:
        """Wait until the tab is connected again."""
        await self.until(lambda: self.tab_id in self.hub.connections.of_tabs and self.hub.state.tabs.find(self.tab_id))

    def row(self, command: str) -> Row:
        """The newest row of a command in the tab."""
        return next(row for row in self.hub.state.history.rows(matching=f"tab:{self.tab_id}") if row.command == command)

    async def settled(self, command: str) -> Row:
        """The newest row of a command, once it is known what became of it."""
        row: Row = await self.until(lambda: (row := self.row(command)).state not in ("running", "unknown") and row)
        return row

    async def seen(self, condition: str) -> None:
        """Wait until something holds in the page."""
        async with asyncio.timeout(PATIENCE_S):
            await self.witness.see(
                f"new Promise((done) => {{ const look = () => ({condition}) ? done() : setTimeout(look, 5); look(); }})"
            )

    async def pressed(self, count: int) -> None:
        """Wait until the page has been pressed so often."""
        await self.seen(f"({PRESSES}) >= {count}")
        assert await self.witness.see(PRESSES) == count

    async def news(self) -> list[dict[str, str]]:
        """What the agent's next answer tells of commands whose answers were lost."""
        told = await self.agent.call("count_elements", selector="button")
        settled: list[dict[str, str]] = told.get("lateEffects", {}).get("settled", [])
        return settled


Opens = Callable[[], AbstractAsyncContextManager[Cut]]


@asynccontextmanager
async def behind_a_proxy(root: Path, pages: str) -> AsyncIterator[Opens]:
    """`async with opened() as cut` an agent with a tab of its own."""
    async with running(root, with_browser=False) as hub, cutting_proxy(hub.port) as proxy:
        hub.connections.listener.port = proxy.port  # both sides prove the address that is dialled
        await hub.browsers.open(in_front=True)

        @asynccontextmanager
        async def open_one() -> AsyncIterator[Cut]:
            page = f"{pages}/blank.html?{secrets.token_hex(4)}"
            async with connect(root, "cut") as client:
                agent = Agent(client)
                tab = await agent.call("new_tab", url=page)
                assert hub.browsers.shared is not None
                witness = Witness(hub.browsers.shared.pipe, page)
                await witness.see(PAGE)
                yield Cut(hub, proxy, agent, tab["tabId"], witness)

        yield open_one
