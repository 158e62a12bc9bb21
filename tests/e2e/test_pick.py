"""A person chooses an element in the page: what the browser shows, what comes back, and that the page sees nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.results import Picked, PickedElement
from kapture_panel.demo.agent import Agent
from kapture_panel.demo.witness import Witness
from tests.support.e2e.panel import OpenAgent, Panel, Visit, current_tab
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = "/pick.html"
ELSEWHERE = "/pick_inner.html"


@dataclass
class Person:
    """Someone with a mouse over a tab, past the extension."""

    panel: Panel
    agent: Agent
    tab: Tab
    witness: Witness

    async def send(self, method: str, **params: Any) -> dict[str, Any]:
        assert self.panel.hub.browsers.shared is not None
        return await self.panel.hub.browsers.shared.pipe.call(method, params, session=await self.witness.session(PAGE))

    async def begin(self) -> asyncio.Task[Picked]:
        """Press the picker's button; returns once the browser outlines what is under the mouse."""
        picking = tasks.spawn(self.panel.hub.executor.pick(self.tab), "pick")
        async with asyncio.timeout(PATIENCE_S):
            while True:
                await self.send("Input.dispatchMouseEvent", type="mouseMoved", x=280, y=5)
                if await self.quiet():
                    return picking

    async def quiet(self) -> bool:
        """Whether the page was told of no mouse since it was asked last."""
        return not await self.witness.see("said.splice(0)", PAGE)

    async def click(self, x: float, y: float) -> None:
        await self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            await self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def middle(self, expression: str) -> tuple[float, float]:
        box = await self.witness.see(f"(({expression}).getBoundingClientRect().toJSON())", PAGE)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def picks(self, expression: str, across: float = 0, down: float = 0) -> Picked:
        """Choose what an expression of the page gives, or a place in it."""
        picking = await self.begin()
        x, y = await self.middle(expression)
        await self.click(x + across, y + down)
        return await asyncio.wait_for(picking, PATIENCE_S)


@asynccontextmanager
async def over(panel: Panel, pages: str, opener: Visit | OpenAgent) -> AsyncIterator[Person]:
    async with opener(f"{pages}{PAGE}") as opened:
        tab = panel.hub.state.tabs.get(await current_tab(opened))
        yield Person(panel, opened, tab, panel.witness(pages))


@pytest.fixture
def person(visitor: Visit, panel: Panel, pages: str) -> Any:
    return lambda: over(panel, pages, visitor)


def values(picked: Picked) -> list[tuple[str, int]]:
    return [(candidate.value, candidate.matches) for candidate in picked.candidates]


async def test_a_click_answers_ranked_selectors_and_the_page_sees_nothing_of_it(person: Any) -> None:
    async with person() as one:
        picked = await one.picks("document.querySelector('#inner')")
        assert picked.element == PickedElement(role="button", name="Place order", tag="button")
        assert values(picked)[:3] == [
            ('[data-testid="place"]', 1),
            ("#place-order", 1),
            ('//button[normalize-space()="Place order"]', 1),
        ]
        assert await one.quiet()


async def test_a_button_let_go_after_the_choice_is_kept_from_the_page_too(person: Any) -> None:
    async with person() as one:
        picking = await one.begin()
        x, y = await one.middle("document.querySelector('#inner')")
        await one.send("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
        await asyncio.wait_for(picking, PATIENCE_S)
        await one.send("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left", clickCount=1)
        said = await one.witness.see("said.splice(0)", PAGE)
        assert not said, said


async def test_every_candidate_leads_a_command_to_the_element(person: Any) -> None:
    async with person() as one:
        for expression in ("document.querySelector('#inner')", "document.querySelector('[name=email]')", "host"):
            for candidate in (await one.picks(expression)).candidates:
                assert candidate.first
                found = await one.agent.call("wait", **{candidate.way: candidate.value}, state="attached")
                assert found["found"], candidate


async def test_a_mark_that_many_have_comes_last_with_its_count(person: Any) -> None:
    async with person() as one:
        picked = await one.picks("document.querySelectorAll('.row')[1]")
        first, *_, last = picked.candidates
        assert first.matches == 1
        assert (last.value, last.matches, last.first) == ("div.row", 3, False)


async def test_what_looks_generated_is_told_after_what_stays(person: Any) -> None:
    async with person() as one:
        found = values(await one.picks("document.querySelector('#ctl_00417_x')"))
        assert found[0] != ("#ctl_00417_x", 1)
        assert ("#ctl_00417_x", 1) in found


async def test_shadow_roots_and_frames_of_any_origin_are_entered(person: Any) -> None:
    async with person() as one:
        await one.agent.call("wait", selector="#far >>> #pay")
        for expression in ("host", "near", "far", "sand"):
            picked = await one.picks(expression, across=-600 if expression == "host" else -100)
            best = picked.candidates[0]
            assert best.value.startswith(f"#{expression} >>> "), picked
            found = await one.agent.call("wait", selector=best.value)
            assert found["found"], expression


async def test_a_page_that_names_its_fields_like_the_dom_does_not_mislead(person: Any) -> None:
    async with person() as one:
        picked = await one.picks("document.querySelector('[name=ownerDocument]')")
        assert picked.candidates[0].value == 'input[name="ownerDocument"]'


async def test_escape_in_the_page_ends_it(person: Any) -> None:
    async with person() as one:
        picking = await one.begin()
        await one.send(
            "Input.dispatchKeyEvent", type="rawKeyDown", key="Escape", code="Escape", windowsVirtualKeyCode=27
        )
        assert await asyncio.wait_for(picking, PATIENCE_S) == Picked(ended="escape")


async def test_a_navigation_ends_it(person: Any, pages: str) -> None:
    async with person() as one:
        picking = await one.begin()
        await one.send("Page.navigate", url=f"{pages}/blank.html")
        assert await asyncio.wait_for(picking, PATIENCE_S) == Picked(ended="left")


async def test_cancelling_gives_the_mouse_back_to_the_page_and_the_queue_to_agents(person: Any) -> None:
    async with person() as one:
        picking = await one.begin()
        waiting = tasks.spawn(one.agent.call("click", selector="#place-order"), "an agent's click")
        await one.panel.executing(one.tab.tab_id)
        picking.cancel()
        await waiting
        assert "click place-order" in await one.witness.see("said", PAGE) or "click inner" in await one.witness.see(
            "said", PAGE
        )


async def test_a_closed_tab_ends_it_with_an_error(agent: OpenAgent, panel: Panel, pages: str) -> None:
    async with over(panel, pages, agent) as one:
        picking = await one.begin()
        await one.send("Page.close")
        with pytest.raises(KaptureError, match=r"closed|disconnected|broke"):
            await asyncio.wait_for(picking, PATIENCE_S)


async def test_agents_have_no_command_for_it(person: Any, panel: Panel) -> None:
    async with person() as one:
        assert "no command" in await one.agent.fails("pick")
    assert not [command.name for command in panel.hub.state.catalogue if "pick" in command.name]
