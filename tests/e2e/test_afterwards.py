"""An answer tells what its action led to: what it began is waited for, and what comes later is told later."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.e2e.held import held
from tests.support.e2e.late import late_effects
from tests.support.e2e.panel import BOTH_KINDS, Panel, Visit
from tests.support.patience import PATIENCE_MS, PATIENCE_S
from tests.support.rows import naming

pytestmark = [pytest.mark.asyncio(loop_scope="session"), BOTH_KINDS]

PAGE = "/afterwards.html"


async def says(panel: Panel, pages: str, text: str) -> None:
    """Wait until the page shows a text, past the extension: no answer is used up for what came late."""
    code = (
        f"new Promise((done) => {{ const look = () => out.textContent === {text!r} && done(1);"
        "new MutationObserver(look).observe(out, { childList: true }); look(); })"
    )
    async with asyncio.timeout(PATIENCE_S):
        await panel.witness(pages).see(code, PAGE)


BEGUN = {"fetch": "saved", "timer": "after a timer", "chain": "after two", "now": "now"}


async def test_an_answer_waits_for_what_its_action_began(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        for button, text in BEGUN.items():
            with naming(button):
                answer = await agent.text("click", selector=f"#{button}", snapshot="full")
                assert '"changed":true' in answer
                assert "pending" not in answer
                assert text in answer


async def test_a_request_that_takes_long_is_told_as_under_way_and_its_effect_with_the_next_answer(
    visitor: Visit, pages: str, panel: Panel
) -> None:
    with held() as slow:
        async with visitor(f"{pages}{PAGE}?held={slow.url}") as agent:
            effects = (await agent.call("click", selector="#slow"))["effects"]
            assert effects["changed"] is False
            assert effects["pending"] == [f"GET {slow.url}"]
            late = 'lateEffects: {"changed": true}'
            assert late not in await agent.text("get_visible_text")
            slow.let_go.set()
            await says(panel, pages, "saved late")
            assert late in await agent.text("get_visible_text")
            assert late not in await agent.text("get_visible_text")


async def test_what_comes_later_is_told_with_the_next_answer(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(pages + PAGE) as agent:
        delay, changed = 350, True
        async with asyncio.timeout(PATIENCE_S):
            while changed:  # on a busy machine the click took longer
                delay *= 2
                await agent.call("evaluate", code=f"say(''); lateMs = {delay}")
                changed = (await agent.call("click", selector="#late"))["effects"]["changed"]
        await says(panel, pages, "much later")
        assert (await agent.call("count_elements", selector="p"))["lateEffects"] == {"changed": True}


async def test_pictures_streams_and_beacons_are_not_waited_for(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        for button in ("picture", "stream"):
            with naming(button):
                effects = (await agent.call("click", selector=f"#{button}"))["effects"]
                assert "pending" not in effects
                assert effects["requests"] >= 1


async def test_the_icon_for_which_the_browser_asks_is_no_effect(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        effects = (await agent.call("click", selector="#icon"))["effects"]
        assert "requests" not in effects
        assert "pending" not in effects


async def test_a_page_that_is_slow_to_come_is_told_as_under_way(visitor: Visit, pages: str) -> None:
    with held() as slow:
        async with visitor(f"{pages}{PAGE}?held={slow.url}") as agent:
            effects = (await agent.call("click", selector="#away"))["effects"]
            assert effects["pending"] == [f"GET {slow.url}"]
            slow.let_go.set()
            answer = await agent.call("wait", text="ok", timeout=PATIENCE_MS)
            assert await late_effects(agent, answer) == {"url": slow.url, "changed": True}
