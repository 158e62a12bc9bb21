"""What a page shows without a word to anybody is seen too, and what cannot be seen is not called nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.e2e.panel import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: Command, target, outcome, `changed`.
CASES: list[tuple[str, str, str, Any]] = [
    ("hover", "#quirks", "done", True),
    *(("hover", f"#rows li:nth-child({row})", "done", True) for row in (3, 160, 210)),
    *(
        ("hover", f"#{name}", "done", True)
        for name in ("moves", "clips", "stacks", "filters", "colours", "tip", "words")
    ),
    ("hover", "#moved-here", "no_effect", False),
    *(
        ("click", f"#{name}", "done", True)
        for name in ("deep", "framed", "last", "animates", "sheets", "selects", "grows")
    ),
    ("click", "#swings", "no_effect", False),
    ("click", "#elsewhere", "unverifiable", "unknown"),
    ("click", "#sends", "unverifiable", "unknown"),
    ("click", "#copies", "unverifiable", "unknown"),
    ("click", "#copies-icon", "unverifiable", "unknown"),
    ("click", "#copies-not", "no_effect", False),
    ("click", "#plain", "no_effect", False),
]


async def test_what_nobody_tells_of_is_seen(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/outcomes_unseen.html") as a:
        own = {"selector": "#own"}
        await a.call("evaluate", code="document.querySelector('#own').contentDocument.querySelector('canvas').remove()")
        await a.call("scroll", **own)
        told = {}
        # The tab of that name is there already, so that none is opened for it.
        await a.call("evaluate", code="open('blank.html', 'win'); 1")
        for command, selector, *_ in CASES:
            await a.call("hover", selector="#text")
            answer = await a.call(command, selector=selector)
            told[command, selector] = (answer["outcome"], answer["effects"]["changed"])
    assert told == {(command, selector): (outcome, changed) for command, selector, outcome, changed in CASES}


async def test_what_a_canvas_in_a_frame_shows_is_not_known(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/outcomes_unseen.html") as a:
        answer = await a.call("click", selector="#moved-here")
    assert (answer["outcome"], answer["effects"]["changed"]) == ("unverifiable", "unknown")


#: Fields that a page sets for the sake of another: options made again, a box that ticks the rest, radio buttons.
_TIED = """
  document.body.innerHTML = `
    <select id="city"><option>LA<option>NY</select><select id="country"><option>US<option>FR</select>
    <input type="checkbox" id="one"><input type="checkbox" id="all">
    <input type="radio" name="r" id="r1"><input type="radio" name="r" id="r2"><input id="street"><input id="plain">`;
  const by = (id) => document.getElementById(id);
  by("country").onchange = () => (by("city").innerHTML = "<option>Paris<option>Lyon");
  by("all").onchange = () => (by("one").checked = true);
  by("plain").oninput = () => (by("street").value = "");
"""


@pytest.mark.parametrize(
    ("asked", "held", "said"),
    [
        ({"city": "NY", "country": "FR"}, ["Paris", "FR"], "field 1 holds"),
        ({"one": "false", "all": "true"}, ["true", "true"], "field 1 holds"),
        ({"r1": "true", "r2": "true"}, ["false", "true"], "field 1 holds"),
        ({"street": "a", "one": "true", "plain": "b"}, ["", "true", "b"], "field 1 holds"),
        ({"street": "a", "one": "true"}, ["a", "true"], ""),
    ],
)
async def test_a_form_tells_what_stands_in_its_fields_once_all_are_filled(
    visitor: Visit, pages: str, asked: dict[str, str], held: list[str], said: str
) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        await a.call("evaluate", code=_TIED)
        fields = [{"selector": f"#{name}", "value": value} for name, value in asked.items()]
        answer = await a.call("fill_form", fields=fields)
    assert answer["values"] == held
    assert (answer["outcome"], said in answer.get("note", "")) == ("done" if said else "confirmed", True)


async def test_a_date_that_is_not_whole_yet_is_not_called_nothing(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        await a.call("evaluate", code="document.body.innerHTML = '<p>text</p><input type=time id=at>'")
        pressed = await a.call("click", selector="#at")
        assert (pressed["outcome"], pressed["effects"]["target"]) == ("done", {"focused": [False, True]})
        told = [await a.call("press_key", key=key) for key in "1030"]
        assert {answer["effects"]["changed"] for answer in told} <= {True, "unknown"}
        await a.call("press_key", key="a")
        assert (await a.call("evaluate", code="document.querySelector('#at').value"))["value"] == "10:30"


async def test_a_form_that_is_refused_is_an_effect(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        await a.call(
            "evaluate", code="document.body.innerHTML = '<form><input required id=i><button>Send</button></form>'"
        )
        for _ in range(2):  # the second time the field has the focus already
            answer = await a.call("click", selector="button")
            assert (answer["outcome"], answer["effects"]["changed"]) == ("done", True)
