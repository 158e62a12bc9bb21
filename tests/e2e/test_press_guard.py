"""A press reaches the element that was meant or none: on pages that scroll, animate, insert and renew their rows."""

from __future__ import annotations

import pytest

from tests.support.e2e.panel import Visit
from tests.support.e2e.restless import MODES, Restless

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("mode", MODES)
async def test_actions_reach_what_was_meant_on_a_page_that_moves(visitor: Visit, pages: str, mode: str) -> None:
    async with visitor(f"{pages}/left.html") as agent:
        restless = Restless(agent, pages, seed=3)
        await restless.begin(mode)
        for kind in ("click", "click", "click", "click", "fill", "drag"):
            await restless.act(kind)
        assert restless.tally.counts["wrong"] == 0, restless.tally.examples
        assert restless.tally.counts["right"] >= 5, restless.tally.examples


async def test_a_press_that_would_reach_another_element_is_held_back_and_told(visitor: Visit, pages: str) -> None:
    """The page puts something else in its place in the moment the pointer comes near."""
    async with visitor(f"{pages}/evasive.html") as agent:
        failed = await agent.fails("click", selector="#shy")
        assert "moved away before each of 5 presses" in failed
        assert '<button id="trap">' in failed
        assert (await agent.call("evaluate", code="heard"))["value"] == []


async def test_a_second_press_that_would_reach_another_element_is_held_back(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/evasive.html") as agent:
        failed = await agent.fails("click", selector="#once", clickCount=2)
        assert failed.startswith('EXECUTION_ERROR: <button id="once"> was pressed 1 of 2 times')
        assert (await agent.call("evaluate", code="heard"))["value"] == [
            "pointerdown once",
            "mousedown once",
            "click once",
        ]


async def test_an_answer_names_what_was_hit(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/evasive.html") as agent:
        spot = await agent.call("hover", selector="#once")
        answer = await agent.call("click", x=spot["x"], y=spot["y"])
        assert answer["clicked"] == '<button id="once">'


async def test_the_guard_keeps_nothing_from_the_page_afterwards(visitor: Visit, pages: str) -> None:
    """A person's click, a script's, and one by keys come through after a press was held back."""
    async with visitor(f"{pages}/evasive.html") as agent:
        await agent.fails("click", selector="#shy")
        await agent.call("press_key", selector="#plain", key="Enter")
        await agent.call("click", selector="#plain")
        heard = (await agent.call("evaluate", code="heard"))["value"]
        assert heard == ["click plain", "pointerdown plain", "mousedown plain", "click plain"]


async def test_a_press_that_the_page_keeps_to_itself_is_told_as_unseen(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as agent:
        await agent.call("evaluate", code="document.body.innerHTML = '<audio id=audio controls></audio>'")
        assert (await agent.call("click", selector="#audio"))["seen"] is False


async def test_what_is_held_back_of_a_drag_leads_to_no_click(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/evasive.html") as agent:
        failed = await agent.fails("drag", selector="#shy", toSelector="#plain")
        assert "moved away before each of 5 presses" in failed
        assert (await agent.call("evaluate", code="heard"))["value"] == []


#: Hosts of parts that no script sees from outside: a button of the page's, and the cross of a search field.
_HIDDEN_PARTS = """
  customElements.define("x-sealed", class extends HTMLElement {
    connectedCallback() { seal(this); }
  });
  const host = document.body.appendChild(document.createElement("div"));
  function seal(one) {
    const inner = document.createElement("button");
    inner.textContent = "inside";
    inner.addEventListener("click", () => (document.title += ` ${one.localName}`));
    one.attachShadow({ mode: "closed" }).append(inner);
  }
  host.style.display = "inline-block";
  seal(host);
  document.body.append(document.createElement("x-sealed"));
  const search = Object.assign(document.createElement("input"), { type: "search", value: "abc" });
  search.style.cssText = "display: block; width: 200px; height: 30px";
  document.body.append(search);
  document.title = "pressed:";
  search.getBoundingClientRect().toJSON()
"""


async def test_a_press_reaches_the_parts_of_a_control_that_nobody_sees_from_outside(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        box = (await a.call("evaluate", code=_HIDDEN_PARTS))["value"]
        for selector in ("body > div", "x-sealed"):
            await a.call("click", selector=selector)
        assert (await a.call("evaluate", code="document.title"))["value"] == "pressed: div x-sealed"
        await a.call("click", x=round(box["right"] - 12), y=round(box["top"] + 15))
        assert (await a.call("evaluate", code="document.querySelector('[type=search]').value"))["value"] == ""


@pytest.mark.parametrize(
    ("selector", "reached"),
    [
        ("#lamp", "lamp"),
        ("#rug", "rug"),
        ("#poster", ""),
        # There is no place beside the button.
        ("#chair", "sit"),
        ("iframe >>> #vase", "vase"),
    ],
)
async def test_a_button_that_the_mouse_uncovers_on_a_card_does_not_get_its_press(
    visitor: Visit, pages: str, selector: str, reached: str
) -> None:
    async with visitor(f"{pages}/quick_add.html") as agent:
        await agent.call("click", selector=selector)
        assert (await agent.call("evaluate", code="heard"))["value"] == [reached]


async def test_the_second_press_of_two_reaches_the_field_that_the_first_made_of_a_cell(
    visitor: Visit, pages: str
) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        code = """
          document.body.innerHTML = '<div id=cell tabindex=0 style="width:200px;padding:20px">12</div>';
          const cell = document.querySelector("#cell");
          cell.onclick = () => cell.querySelector("input") ?? (cell.innerHTML = "<input value=12 style='width:190px'>");
          cell.ondblclick = (event) => (document.title = event.target.localName); 1"""
        await a.call("evaluate", code=code)
        await a.call("click", selector="#cell", clickCount=2)
        assert (await a.call("evaluate", code="document.title"))["value"] == "input"
