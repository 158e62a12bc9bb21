"""A page that leads to another program (such as mailto:): no action starts one, and the tab stays connected.

That nothing was started shows in the tab itself: Chrome takes the debugger from one whose page so much as asks for such
an address. In a person's own browser test_own_acts.py sees the same.
"""

from __future__ import annotations

import asyncio
import json

import pytest

from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.effects import Effects, ProgramAddress
from kapture_panel.core.wire.outcome import Done
from tests.support.e2e.panel import OpenAgent, Panel, current_tab
from tests.support.e2e.programs import PAGE, led_nowhere, redirecting
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_no_link_form_or_script_of_a_page_starts_a_program(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/{PAGE}") as a:
        await led_nowhere(a, f"{pages}/{PAGE}")
        # With the click when its effects were still gathered, else with whatever answers next.
        clicked = await a.call("click", selector="#later")
        waited = await a.call("wait", expression="document.title === 'Later'")
        asked = await a.call("evaluate", code="1")
        answers = [clicked, waited, asked]
        seen = [told.get(kind, {}).get("programs") for told in answers for kind in ("effects", "lateEffects")]
        assert [{"url": "tel:123", "kept": True}] in seen, answers


async def test_an_address_a_person_allows_is_handed_over_told_and_the_tab_goes_on(
    agent: OpenAgent, panel: Panel, pages: str
) -> None:
    hub = panel.hub
    tabs, back = hub.state.tabs, asyncio.Event()
    async with agent(f"{pages}/{PAGE}?allowed") as a:
        tab_id = await current_tab(a)

        def on_added(tab: Tab) -> None:
            if tab.tab_id == tab_id:
                back.set()

        tabs.added.connect(on_added)
        try:
            # No program opens such an address: none starts where these tests run.
            answer = await hub.core.router.run(hub.state.person, "navigate", {"url": "foo:bar", "tabId": tab_id})
            async with asyncio.timeout(PATIENCE_S):
                await back.wait()
        finally:
            tabs.added.disconnect(on_added)
        assert answer.result["url"] == f"{pages}/{PAGE}?allowed"
        assert answer.effects == Effects(programs=[ProgramAddress(url="foo:bar", kept=False)], changed=False)
        # Chrome took the debugger from the tab, which is there all the same.
        assert answer.outcome == Done()
        row = next(row for row in hub.state.history.rows() if row.tab_id == tab_id and row.command == "navigate")
        assert row.summary == "handed over a foo: address for another program"
        assert (await a.call("evaluate", code="location.search", tabId=tab_id))["value"] == "?allowed"


#: What no script of the page can hold, by the button that leads there; and what is known of the address.
NOT_HELD = {"frame": ("foo:bar", "unknown"), "redirect": ("unknown",)}


@pytest.mark.parametrize("way", NOT_HELD)
async def test_what_cannot_be_held_is_told_and_the_tab_is_there_again_at_once(
    agent: OpenAgent, panel: Panel, pages: str, way: str
) -> None:
    tabs, back = panel.hub.state.tabs, asyncio.Event()
    with redirecting() as elsewhere:
        async with agent(f"{pages}/{PAGE}?to={elsewhere}") as a:
            tab_id = await current_tab(a)
            await a.call("resize", width=500, height=400)

            def on_added(tab: Tab) -> None:
                if tab.tab_id == tab_id:
                    back.set()

            tabs.added.connect(on_added)
            try:
                answer = await a.call("click", selector=f"#{way}")
                async with asyncio.timeout(PATIENCE_S):  # that it is at once is held by connections.test.js
                    await back.wait()
            finally:
                tabs.added.disconnect(on_added)
            [program] = answer["effects"]["programs"]
            assert program["kept"] is False
            assert program["url"] in NOT_HELD[way]
            assert (answer["outcome"], answer["effects"].get("changed")) == ("unverifiable", None), answer
            assert (await a.call("evaluate", code="innerWidth", tabId=tab_id))["value"] == 500


async def test_what_had_not_come_to_its_end_when_the_page_led_away_fails_and_tells_the_program(
    agent: OpenAgent, panel: Panel, pages: str
) -> None:
    tabs, back = panel.hub.state.tabs, asyncio.Event()
    async with agent(f"{pages}/{PAGE}") as a:
        tab_id = await current_tab(a)

        def on_added(tab: Tab) -> None:
            if tab.tab_id == tab_id:
                back.set()

        tabs.added.connect(on_added)
        try:
            error = await a.fails("wait", expression="document.querySelector('#frame').click(), false")
            async with asyncio.timeout(PATIENCE_S):
                await back.wait()
        finally:
            tabs.added.disconnect(on_added)
        assert error.startswith("TAB_DISCONNECTED: "), error
        told = json.loads(error.partition("\nlateEffects: ")[2])
        [program] = told["programs"]
        assert (program["kept"], program["url"] in NOT_HELD["frame"]) == (False, True), error


async def test_a_window_that_a_script_opens_for_a_program_is_told(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/{PAGE}") as a:
        answer = await a.call("click", selector="#opened")
        assert answer["effects"].get("programs") == [{"url": "foo:bar", "kept": False}], answer
        assert (await a.call("evaluate", code="opened_window.close(); 1"))["value"] == 1
