"""Closed shadow roots: what is in them is part of the page like anything else."""

from __future__ import annotations

import re

import pytest

from kapture_panel.demo.agent import ref_of
from tests.support.e2e.panel import Panel, Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_snapshot_shows_what_is_in_them_however_deep(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/closed.html") as a:
        text = await a.text("snapshot")
        assert re.sub(r" \[ref=e\d+\]", "", text).splitlines()[1:6] == [
            '- heading "Shop" [level=1]',
            *['- button "Pay"', '- textbox "Card number" value="4000"', "- text: No coupon", '- button "Pay"'],
        ]
        assert text.count('button "Pay"') == text.count("Card number") == 3
        assert 'button "In the light"' in text
        assert "Never defined" in text
        refs = re.findall(r'button "Pay" \[ref=(e\d+)\]', text)
        await a.call("click", ref=refs[1])
        assert await panel.witness(pages).see("document.title", "/closed.html") == "paid 2"
        assert re.findall(r"\[ref=e\d+\]", await a.text("snapshot")) == re.findall(r"\[ref=e\d+\]", text)


async def test_a_selector_reaches_into_them_before_anything_looked(visitor: Visit, pages: str, panel: Panel) -> None:
    async with visitor(f"{pages}/closed.html") as a:
        await a.call("click", selector="x-pay >>> button")
        assert await panel.witness(pages).see("document.title", "/closed.html") == "paid 1"
        field = "x-pay >>> x-card >>> x-number >>> input"
        await a.call("fill", selector=field, value="4111")
        assert '"aria-label":"Card number"' in await a.text("get_attributes", selector=field)
        assert 'value="4111"' in await a.text("snapshot")
        assert "nothing matches" in await a.fails("click", selector="x-pay >>> #none", wait=0)
        assert "nothing matches" in await a.fails("click", selector="x-light >>> #none", wait=0)


async def test_questions_and_waits_look_into_them(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/closed.html") as a:
        assert (await a.text("find_by_text", text="Pay", exact=True)).count('"role":"button"') == 3
        assert "No coupon" in await a.text("get_visible_text")
    async with visitor(f"{pages}/closed.html") as a:
        await a.call("wait", text="No coupon")
        await a.call("evaluate", code="setTimeout(addLate, 300)")
        await a.call("wait", text="Came late", timeout=5000)
        await a.call("evaluate", code="late.replaceChildren(); setTimeout(addLate, 300)")
        await a.call("wait", selector="x-late >>> button", timeout=5000)
        await a.call("click", ref=ref_of(await a.text("snapshot"), "button", "Came late"))


async def test_those_of_a_frame_that_cannot_be_read_are_reached_too(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        frame = '<iframe sandbox="allow-scripts" src="/closed.html" width="600" height="300"></iframe>'
        await a.call("evaluate", code=f"document.body.innerHTML = {frame!r}")
        await a.call("wait", text="No coupon")
        await a.call("fill", selector="iframe >>> x-pay >>> x-card >>> x-number >>> input", value="4111")
        text = await a.text("snapshot")
        assert re.search(r'textbox "Card number" .*value="4111"', text)
        await a.call("click", ref=ref_of(text, "button", "Pay"))


async def test_a_page_without_any_is_not_asked_twice(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/closed.html") as a:
        first = ref_of(await a.text("snapshot", selector="h1"), "heading", "Shop")
        await a.text("query_dom", selector="h1")
        assert ref_of(await a.text("snapshot"), "heading", "Shop") == first
