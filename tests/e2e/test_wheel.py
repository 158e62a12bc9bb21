"""`scroll` turns a real wheel: the page does with it what it likes, the rest is scrolled, and it is told."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import OpenAgent, Visit
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def shown(a: Agent, selector: str) -> str:
    return (await a.text("get_visible_text", selector=selector)).strip()


async def value(a: Agent, code: str) -> Any:
    return json.loads(await a.text("evaluate", code=code))["value"]


def moved(answer: dict[str, Any]) -> tuple[int, int, bool]:
    """How far it got, and whether the page took the wheel."""
    return answer["movedX"], answer["movedY"], answer.get("tookWheel", False)


@pytest.mark.parametrize("where", ["", "#own >>> ", "#far >>> "])
async def test_a_map_gets_the_wheel_in_the_page_and_in_frames(visitor: Visit, pages: str, where: str) -> None:
    async with visitor(f"{pages}/wheels.html") as a:
        await a.call("wait", selector=f"{where}#map")
        answer = await a.call("scroll", selector=f"{where}#map", deltaY=-120)
        assert moved(answer) == (0, 0, True)
        assert answer["effects"]["changed"] is True
        assert await shown(a, f"{where}#zoom") == "-120"


async def test_a_wheel_over_a_frame_goes_into_it(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/wheels.html") as a:
        for selector, frame in (("#own", "#own"), ("#around", "#far")):
            await a.call("wait", selector=f"{frame} >>> #map")
            assert moved(await a.call("scroll", selector=selector, deltaY=40))[2], selector
            assert await shown(a, f"{frame} >>> #zoom") == "40"


#: Target, by how much, how far that gets, and where its box is then.
BOXES = [
    ("#plain", {"deltaY": 100}, (0, 100), 100),
    ("#inside", {"deltaY": 50}, (0, 50), 150),
    ("#plain", {"deltaY": -9999}, (0, -150), 0),
    ("#across", {"deltaX": 70}, (70, 0), 0),
    ("#stops", {"deltaY": 30}, (0, 30), 30),
    ("#nested", {"deltaY": 40}, (0, 40), 40),
    ("#kept", {"deltaY": 35}, (0, 35), 35),
]


async def test_a_box_scrolls_as_far_as_it_goes(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/wheels.html") as a:
        for selector, by, far, place in BOXES:
            answer = await a.call("scroll", selector=selector, **by)
            assert moved(answer) == (*far, False), (selector, by)
            assert answer["y"] == place, (selector, by)
        end = await a.call("scroll", selector="#plain", deltaY=9999)
        assert end["y"] == end["maxY"] == end["movedY"] > 1000
        heights = "[...document.querySelectorAll('.box')].map((box) => box.scrollTop)"
        assert (await value(a, heights))[1:] == [0, 30, 40, 35, 0, 0]
        assert await value(a, "scrollY") == 0


async def test_a_box_that_does_not_scroll_that_way_leaves_it_to_the_one_around(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/wheels.html") as a:
        assert moved(await a.call("scroll", selector="#across", deltaY=60)) == (0, 60, False)
        assert await value(a, "scrollY") == 60


async def test_lists_that_draw_a_part_of_their_rows_show_others(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/wheels.html") as a:
        answer = await a.call("scroll", selector="#list", deltaY=2000)
        assert (answer["y"], answer["movedY"]) == (2000, 2000)
        assert "Row 100" in await shown(a, "#list")
        assert moved(await a.call("scroll", selector="#drawn", deltaY=400)) == (0, 0, True)
        assert await shown(a, "#drawn") == "Row 20"


async def test_the_page_scrolls_past_a_map_in_its_middle(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/wheels.html") as a:
        assert moved(await a.call("scroll", deltaY=300)) == (0, 300, False)
        assert await shown(a, "#zoom") == "0"


async def test_where_the_page_is_kept_from_scrolling_what_lies_in_its_middle_does(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/wheels.html?lock") as a:
        assert moved(await a.call("scroll", deltaY=80)) == (0, 80, False)
        assert await value(a, "document.querySelector('#lock div').scrollTop") == 80
        assert await value(a, "scrollY") == 0


async def test_an_element_below_the_window_is_brought_there_first(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/wheels.html") as a:
        await value(a, "document.body.append(document.querySelector('#map')), 1")
        assert moved(await a.call("scroll", selector="#map", deltaY=10))[2]
        assert await shown(a, "#zoom") == "10"


async def test_what_cannot_be_met_by_a_mouse_scrolls_all_the_same(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/wheels.html?lock") as a:
        assert moved(await a.call("scroll", selector="#plain", deltaY=25)) == (0, 25, False)


async def test_nothing_to_scroll_by_only_tells_where_it_is(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/wheels.html") as a:
        answer = await a.call("scroll", selector="#map", deltaX=0, deltaY=0)
        assert moved(answer) == (0, 0, False)
        assert await shown(a, "#zoom") == "0"


async def test_a_tab_behind_another_gets_the_wheel_too(agent: OpenAgent, visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/wheels.html") as a, agent(f"{pages}/blank.html", "other") as other:
        await other.call("activate_tab")
        async with asyncio.timeout(PATIENCE_S):
            assert moved(await a.call("scroll", selector="#map", deltaY=10))[2]
            assert moved(await a.call("scroll", selector="#plain", deltaY=10)) == (0, 10, False)


async def test_a_persons_own_wheel_scrolls_afterwards(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/wheels.html") as a:
        await a.call("scroll", selector="#plain", deltaY=10)
        await value(
            a,
            """window.free = new Promise((tell) => addEventListener("wheel", (event) => tell(event.defaultPrevented)));
            const wheel = new WheelEvent("wheel", { bubbles: true, cancelable: true, deltaY: 5 });
            document.querySelector("#plain").dispatchEvent(wheel)""",
        )
        assert await value(a, "window.free") is False
