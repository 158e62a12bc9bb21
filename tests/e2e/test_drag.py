"""A drag ends where it was meant to: beyond the window, in boxes that scroll, in lists that make room meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import Visit
from tests.support.patience import PATIENCE_S
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def seen(agent: Agent, code: str) -> Any:
    return (await agent.call("evaluate", code=code))["value"]


async def test_a_destination_is_scrolled_to_on_the_way(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/drops.html") as agent:
        for thing in ("html5", "pointer"):
            for zone in ("near", "deep", "away"):
                with naming(thing, zone):
                    await seen(agent, "scrollTo(0, 0); document.querySelector('#inner').scrollTop = 0; 0")
                    answer = await agent.call("drag", selector=f"#{thing}", toSelector=f"#{zone}")
                    assert answer["kind"] == thing
                    assert answer.get("dropped", True) is True
                    assert await seen(agent, "dropped.splice(0)") == [f"{thing} in {zone}"]


async def test_an_html5_drag_that_nothing_takes_says_so(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/drops.html") as agent:
        answer = await agent.call("drag", selector="#html5", toSelector="#refuses")
        assert answer["dropped"] is False
        assert await seen(agent, "dropped") == []


async def test_what_wants_to_be_held_first_is(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/drops.html") as agent:
        needs, dropped = 150, True
        async with asyncio.timeout(PATIENCE_S):
            while dropped:  # on a busy machine it was held as long by itself
                needs *= 2
                await seen(agent, f"needsMs = {needs}; 0")
                await agent.call("drag", selector="#slow", toSelector="#near")
                dropped = await seen(agent, "dropped.splice(0)")
        await agent.call("drag", selector="#slow", toSelector="#near", holdMs=needs + 100)
        assert await seen(agent, "dropped") == ["slow in near"]


async def test_a_drag_takes_as_many_steps_as_it_is_told_to(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/drops.html") as agent:
        moves = []
        for steps in (1, 40):
            await agent.call("drag", selector="#pointer", toSelector="#near", steps=steps)
            moves.append(await seen(agent, "moves"))
        assert moves[1] - moves[0] == 39


async def test_where_there_is_no_destination_nothing_is_pressed(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/drops.html") as agent:
        await seen(agent, "pressed = 0; onpointerdown = () => { pressed += 1 }; 0")
        assert (await agent.fails("drag", selector="#pointer", toSelector="#none", wait=0)).startswith("ELEMENT_NOT")
        assert await seen(agent, "pressed") == 0


GOES_AT_THE_PRESS = """
ended = [];
for (const name of ["pointerup", "dragend"]) addEventListener(name, () => ended.push(name));
addEventListener("pointerdown", () => { document.querySelector("#near").style.visibility = "hidden"; });
0"""


@pytest.mark.parametrize(
    ("thing", "said", "first"),
    [("pointer", "was dragged, and let go of on the way", "pointerup"), ("html5", "was cancelled", "dragend")],
)
async def test_a_drag_whose_destination_goes_says_what_became_of_the_thing(
    visitor: Visit, pages: str, thing: str, said: str, first: str
) -> None:
    async with visitor(f"{pages}/drops.html") as agent:
        await seen(agent, GOES_AT_THE_PRESS)
        error = await agent.fails("drag", selector=f"#{thing}", toSelector="#near", wait=0)
        assert error.startswith("ELEMENT_NOT_VISIBLE")
        assert f'id="{thing}"' in error
        assert error.endswith(said)
        assert await seen(agent, "ended[0]") == first
        assert await seen(agent, "dropped") == []


async def test_a_destination_is_what_was_meant_before_the_press(visitor: Visit, pages: str) -> None:
    """While something is dragged a list holds its place by one more item, which counts."""
    async with visitor(f"{pages}/drops.html") as agent:
        answer = await agent.call("drag", selector="#placed li:nth-child(1)", toSelector="#placed li:nth-child(4)")
        assert await seen(agent, "list.innerText.split('\\n').join(' ')") == "2 3 4 1 5", answer


async def test_what_a_list_puts_too_far_is_brought_back_to_its_place(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/drops.html") as agent:
        await seen(agent, "strays = 1; 0")
        answer = await agent.call("drag", selector="#beyond li", toSelector="#third")
        assert await seen(agent, "beyond.innerText.split('\\n').join(' ')") == "2 3 1 4 5", answer
        assert "beside" not in answer


async def test_a_list_that_makes_room_at_the_first_move_takes_it(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/drops.html") as agent:
        answer = await agent.call("drag", selector="#early li", toSelector="#swaps", steps=1)
        assert await seen(agent, "early.innerText.split('\\n').join(' ')") == "2 3 1 4", answer


async def test_what_stays_too_far_is_told(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/drops.html") as agent:
        await seen(agent, "strays = Infinity; 0")
        answer = await agent.call("drag", selector="#beyond li", toSelector="#third")
        assert await seen(agent, "beyond.innerText.split('\\n').join(' ')") == "2 3 4 1 5", answer
        assert answer["beside"] == '<li id="fourth">'


#: What is dragged onto what, in which list, and the order there afterwards.
SORTS = [
    ("list1", "list4", "list", "2 3 4 1 5 6"),
    ("list5", "list2", "list", "1 5 2 3 4 6"),
    ("list1", "list2", "list", "2 1 3 4 5 6"),
    ("list3", "list2", "list", "1 3 2 4 5 6"),
    ("list1", "list6", "list", "2 3 4 5 6 1"),
    ("grid1", "grid9", "grid", "2 3 4 5 6 7 8 9 1"),
    ("grid9", "grid2", "grid", "1 9 2 3 4 5 6 7 8"),
    ("grid4", "grid6", "grid", "1 2 3 5 6 4 7 8 9"),
    ("box1", "box15", "box", "2 3 4 5 6 7 8 9 10 11 12 13 14 15 1 16 17 18 19 20"),
]
BETWEEN = [("list2", "other"), ("list2", "far"), ("list2", "grid"), ("far2", "list")]


#: Puts every item where it was.
AS_IT_WAS = r"""(() => {
  const number = ({ id }) => Number(/\d+$/.exec(id)[0]);
  for (const item of [...document.querySelectorAll("li")].sort((one, other) => number(one) - number(other)))
    document.getElementById(item.id.replace(/\d+$/, "")).append(item);
  box.scrollTop = 0;
  scrollTo(0, 0);
})()"""


@pytest.mark.parametrize("how", ["", "?fallback"])
async def test_a_sorted_list_takes_it_at_its_place_and_another_list_takes_it(
    visitor: Visit, libraries: str, how: str
) -> None:
    async with visitor(f"{libraries}/sortable.html{how}") as agent:
        for thing, onto, name, order in SORTS:
            with naming(thing, onto):
                await seen(agent, AS_IT_WAS)
                answer = await agent.call("drag", selector=f"#{thing}", toSelector=f"#{onto}")
                assert await seen(agent, f"order('{name}')") == order, answer
        for thing, name in BETWEEN:
            with naming(thing, name):
                await seen(agent, AS_IT_WAS)
                answer = await agent.call("drag", selector=f"#{thing}", toSelector=f"#{name}2")
                assert thing in (await seen(agent, f"order('{name}')")).split(), answer


#: The list looks where the pointer is only once that rests, as on a busy machine; as a rule it looks on the way, too.
LOOKS_AT_REST = """{
  const onInterval = window.setInterval;
  window.setInterval = (look, ms) => {
    if (ms !== 50) return onInterval(look, ms);
    let rest = 0;
    addEventListener("pointermove", () => {
      clearTimeout(rest);
      rest = setTimeout(look, 40);
    });
  };
}"""


async def test_a_list_that_puts_nothing_on_an_exact_middle_takes_it(visitor: Visit, libraries: str) -> None:
    async with visitor(f"{libraries}/sortable.html?fallback") as agent:
        await seen(agent, LOOKS_AT_REST)
        answer = await agent.call("drag", selector="#list2", toSelector="#grid2")
        assert "list2" in (await seen(agent, "order('grid')")).split(), answer
