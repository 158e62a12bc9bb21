"""A page that floods its console pays for it alone: it is slowed, each line is counted, and other tabs answer."""

from __future__ import annotations

import pytest

from tests.support.e2e.panel import OpenAgent, Panel, current_tab, heard

pytestmark = pytest.mark.asyncio(loop_scope="session")

FLOOD = (
    "window.written = 0; window.flood = setInterval(() => "
    "{ for (let line = 0; line < 200; line += 1) console.log(`line ${++written}`); }, 10); 0"
)
SLOWED = "Kapture slows this page to a 20th: it floods its console, which holds up all tabs"
STOP = "clearInterval(flood); console.log('the end'); written + 1"


async def test_a_flooding_page_is_slowed_and_every_line_is_counted(panel: Panel, agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/blank.html") as loud, agent(f"{pages}/blank.html") as quiet:
        tab_id = await current_tab(loud)
        async with heard(panel, SLOWED):
            await loud.call("evaluate", code=FLOOD)
        for number in range(20):
            assert (await quiet.call("evaluate", code=f"{number} + 1"))["value"] == number + 1
        async with heard(panel, "the end"):
            written = (await loud.call("evaluate", code=STOP))["value"]
        console = panel.hub.state.console
        told = len(console.lines(tab_id)) + console.dropped.get(tab_id, 0)
        assert written < told <= written + 2  # ours stand among them
        kept = (await panel.hub.core.router.run(panel.hub.state.person, "logs", {"tabId": tab_id})).result
        assert kept["kept"] + kept["dropped"] == told
