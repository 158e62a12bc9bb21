"""The place a person would press: of what has no box, is hollow or covered, and in frames that lie askew."""

from __future__ import annotations

import json
import re
from itertools import product

import pytest

from kapture_panel.demo.agent import Agent, ToolError
from tests.support.e2e.panel import Visit
from tests.support.patience import PATIENCE_MS
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = "/places.html"

#: An element, and the innermost elements with an id that get the clicks of a press on it.
PRESSED: dict[str, list[str]] = {
    "ring": ["ring"],
    "route": ["route"],
    "group": ["group"],
    "square": ["square"],
    "disc": ["disc"],
    "bend": ["bend"],
    "rest": ["rest"],
    "flat": ["flat"],
    "floated": ["floated"],
    "below": ["below"],
    "edge": ["edge"],
    "corner": ["corner"],
    "boxless": ["boxless"],
    "words": ["words"],
    "icon": ["outer"],
    "open": ["through"],
    "sizeless": ["", "sizeless"],
    "unshown": ["", "unshown"],
    "far": ["", "far"],
    "fruit": ["fruit"],
    "apple": ["apple"],
    "card": ["card"],
    "within": ["within"],
    "order": ["order"],
    "remove": ["remove"],
    "pointed": ["pointed"],
    "song": ["play"],
    "kept": ["keep"],
    "wrapper": ["wrapped"],
    "second": ["second"],
}
KINDS = ["own", "foreign"]
TILTS = ["turned", "slanted", "mirrored", "both"]


async def heard(agent: Agent) -> list[str]:
    """The innermost id of each click since the last call."""
    found: list[str] = (await agent.call("evaluate", code="heard.splice(0)"))["value"]
    return [ids.split(" ")[0] if not ids.startswith("in ") else ids for ids in found]


async def heard_in_frame(agent: Agent) -> list[str]:
    """The same of a press in a frame, whose message to the page nothing orders before the answer."""
    await agent.call("wait", expression="heard.length > 0", timeout=PATIENCE_MS)
    return await heard(agent)


async def test_a_press_comes_where_a_person_would_press(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        got = {}
        for element in PRESSED:
            await agent.call("click", selector=f"#{element}", wait=0)
            got[element] = await heard(agent)
        assert got == PRESSED


async def test_a_press_in_a_frame_that_lies_askew_reaches_what_was_meant(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        for kind, tilt in product(KINDS, TILTS):
            for end in ("", "-far"):
                frame = f"{kind}-{tilt}"
                answer = await agent.call("click", selector=f"#{frame} >>> #{frame}{end}", wait=0)
                assert answer["clicked"] == f'<button id="{frame}{end}">'
                assert await heard_in_frame(agent) == [f"in {frame}{end}"]


async def test_a_press_that_misses_a_frame_in_perspective_is_an_error(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        for kind, end in product(KINDS, ("", "-far")):
            frame = f"{kind}-deep"
            said, answer = "", {}
            try:
                answer = await agent.call("click", selector=f"#{frame} >>> #{frame}{end}", wait=0)
            except ToolError as error:
                said = str(error)
            if said:
                assert said.startswith("ELEMENT_NOT_VISIBLE")
                assert await heard(agent) == []
            else:
                assert "seen" not in answer, answer
                assert await heard_in_frame(agent) == [f"in {frame}{end}"]


#: What has no box: its line of the snapshot, and what hears a press on it.
BOXLESS = {
    'link "Square"': "square",
    'link "Bend"': "bend",
    'checkbox "Not shown"': "unshown",
    'button "Only words"': "words",
    'link "Flat link"': "flat",
}


async def test_what_has_no_box_is_in_the_snapshot(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        lines = (await agent.text("snapshot")).splitlines()
        for name, pressed in BOXLESS.items():
            line = next(line for line in lines if name in line)
            assert "offscreen" not in line
            await agent.call("click", ref=re.findall(r"\[ref=(e\d+)\]", line)[0], wait=0)
            assert pressed in await heard(agent), name


async def test_what_has_no_box_is_visible(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        for element in ("square", "boxless", "words"):
            assert (await agent.call("check_visibility", selector=f"#{element}"))["visible"] is True, element
        found = json.loads(await agent.text("query_dom", selector="#words, #boxless"))
        assert [one["name"] for one in found["elements"]] == ["Without a box", "Only words"]


async def test_what_has_no_box_is_waited_for(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        for element in ("square", "boxless", "words"):
            with naming(element):
                await agent.call("wait", selector=f"#{element}", timeout=PATIENCE_MS)
        await agent.call("evaluate", code="for (const it of document.querySelectorAll('section')) it.hidden = true")
        for element in ("square", "boxless", "words"):
            with naming(element):
                await agent.call("wait", selector=f"#{element}", state="hidden", timeout=PATIENCE_MS)


async def test_a_control_that_takes_no_presses_is_refused(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        assert "covered by <section>" in await agent.fails("click", selector="#dead", wait=0)
        assert await heard(agent) == []


async def test_a_box_that_a_label_stands_for_is_filled(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as agent:
        for box in ("sizeless", "unshown", "far"):
            assert (await agent.call("fill", selector=f"#{box}", value="true"))["value"] == "true"
        held = "[sizeless, unshown, far].map((it) => it.checked)"
        assert (await agent.call("evaluate", code=held))["value"] == [True, True, True]


async def test_the_options_a_select_shows_are_pressed(visitor: Visit, pages: str) -> None:
    """One that draws its own picker shows them once it is open; of another only `select` chooses."""
    async with visitor(pages + PAGE) as agent:
        assert "kapturemcp_select" in await agent.fails("click", selector="#two", wait=0)
        await agent.call("click", selector="#custom")
        await agent.call("click", selector="#two")
        await agent.call("click", selector="#second")
        values = "[custom, list].map((it) => it.selectedOptions[0].id)"
        assert (await agent.call("evaluate", code=values))["value"] == ["two", "second"]
        assert (await agent.call("select", selector="#custom", value="One"))["values"] == ["One"]
