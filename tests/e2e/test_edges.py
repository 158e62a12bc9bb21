"""What is clipped by boxes that stand in a line, and how far pages scroll that are read from the right."""

from __future__ import annotations

import re

import pytest

from tests.support.e2e.panel import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

DISPLAYS = ("inline", "inline-block", "inline-flex", "inline-grid", "block", "flow-root", "contents")
_CLIP = f"""document.body.innerHTML = {list(DISPLAYS)!r}.map((display) => `<p>
  <span style="display: ${{display}}; overflow: hidden; width: 50px; height: 20px; vertical-align: top">
    <button style="margin-left: 80px; width: 60px; height: 18px">${{display}}</button></span></p>`).join("")"""
_JUDGE = """new Promise((resolve) => {
    const seen = new IntersectionObserver((entries) => resolve(
        entries.filter((one) => one.intersectionRatio <= 0.5).map(({ target }) => target.textContent)));
    for (const button of document.querySelectorAll("button")) seen.observe(button);
})"""


async def test_a_box_in_a_line_clips_what_is_in_it(visitor: Visit, pages: str) -> None:
    """An IntersectionObserver is the judge."""
    async with visitor(f"{pages}/blank.html") as a:
        await a.call("evaluate", code=_CLIP)
        clipped = (await a.call("evaluate", code=_JUDGE))["value"]
        assert {"inline-block", "inline-flex", "inline-grid", "block"} <= set(clipped) < set(DISPLAYS)
        assert re.findall(r'button "([\w-]+)".* offscreen', await a.text("snapshot")) == clipped


@pytest.mark.parametrize("way", ["direction: rtl", "writing-mode: vertical-rl"])
@pytest.mark.parametrize("on", ["documentElement", "body"])
async def test_a_page_that_is_read_from_the_right_scrolls_to_the_left(
    visitor: Visit, pages: str, way: str, on: str
) -> None:
    draw = f"""document.{on}.style = "{way}";
        document.body.innerHTML = "<div style='width: 5000px; height: 5000px'>Wide</div>";
        scrollTo(-300, 0); scrollX"""
    async with visitor(f"{pages}/blank.html") as a:
        assert (await a.call("evaluate", code=draw))["value"] == -300
        went = await a.call("scroll", toY=200)
        assert (went["outcome"], went["x"], went["y"]) == ("confirmed", -300, 200)
