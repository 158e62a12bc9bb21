"""The person of the shared instance: who answers questions, and who disconnects a tab."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from kapture_panel.core.gates.approvals import Ask
from kapture_panel.core.wire.handshake import EXTENSION_ID
from tests.support.e2e.leaving import unless_left
from tests.support.e2e.panel import Panel
from tests.support.patience import PATIENCE_S


@asynccontextmanager
async def person(panel: Panel, decide: Callable[[Ask], object]) -> AsyncIterator[list[Ask]]:
    """Somebody in front of the panel who answers each question with `decide`; the block gets the questions."""
    approvals = panel.hub.core.router.gates.approvals
    asks: list[Ask] = []

    def on_added(ask: Ask) -> None:
        asks.append(ask)
        decide(ask)

    approvals.attend()
    approvals.added.connect(on_added)
    try:
        yield asks
    finally:
        approvals.added.disconnect(on_added)
        approvals.leave()


async def declined(panel: Panel, page: str) -> int:
    """Have the person disconnect the tab that shows `page`, and return its number in the browser."""
    pipe = panel.pipe
    opened = await pipe.call("Target.createTarget", {"url": f"chrome-extension://{EXTENSION_ID}/popup/popup.html"})
    attached = await pipe.call("Target.attachToTarget", {"targetId": opened["targetId"], "flatten": True})

    async def popup(expression: str) -> Any:
        given = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        return (await pipe.call("Runtime.evaluate", given, session=attached["sessionId"]))["result"].get("value")

    async with asyncio.timeout(PATIENCE_S):
        while not await unless_left(popup("Boolean(globalThis.chrome?.tabs)")):
            pass
    number = await popup(f"chrome.tabs.query({{}}).then(all => all.find(tab => tab.url.endsWith('{page}')).id)")
    await popup(f"chrome.runtime.sendMessage({{ask: 'disconnect', tabId: {number}}}).then(() => 0)")
    await pipe.call("Target.closeTarget", {"targetId": opened["targetId"]})
    return int(number)
