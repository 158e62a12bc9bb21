"""What a page shows without a word to anybody is seen too, and what cannot be seen is not called nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import Visit
from tests.support.patience import PATIENCE_MS, PATIENCE_S

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


async def test_a_form_that_is_refused_says_which_fields_and_why(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        await a.call(
            "evaluate",
            code="""document.body.innerHTML = `<form><label>Name <input required id=i></label>
              <input type=email id=mail value=ann><input type=password id=p value=abc pattern="[0-9]+">
              <button>Send</button></form><p id=out></p>`;
              document.querySelector("button").onclick = () => out.append("sending");""",
        )
        for _ in range(2):  # the second time the field has the focus already
            answer = await a.call("click", selector="button")
            assert (answer["outcome"], answer["effects"]["changed"]) == ("done", True)
            name, mail, secret = answer["effects"]["invalid"]
            assert name["field"] == 'Name <input id="i">'
            assert "fill" in name["message"].lower()
            assert (mail["field"], "@" in mail["message"]) == ('<input id="mail">', True)
            assert (secret["field"], "abc" in secret["message"]) == ('<input id="p">', False)
        await a.call(
            "evaluate",
            code="document.querySelector('form').noValidate = true; document.forms[0].onsubmit = () => false",
        )
        assert "invalid" not in (await a.call("click", selector="button"))["effects"]


async def test_a_target_that_the_page_makes_anew_is_read_under_its_id(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        code = """
          let on = false;
          const draw = () => {
            document.body.innerHTML = `<div id=box role=checkbox tabindex=0 aria-checked=${on}>Box</div>`;
            document.querySelector("#box").onclick = () => { on = !on; draw(); };
          };
          draw();"""
        await a.call("evaluate", code=code)
        answer = await a.call("click", selector="#box")
    assert (answer["outcome"], answer["effects"]["target"]) == ("confirmed", {"checked": [False, True]})


async def test_a_press_that_the_page_never_shows_is_not_called_nothing(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        await a.call("evaluate", code="document.body.innerHTML = '<video controls width=400 height=200></video>'")
        pressed = await a.call("click", selector="video")
        assert (pressed["outcome"], pressed["effects"]["changed"]) == ("unverifiable", "unknown"), str(pressed)


#: Buttons of a page that changes what neither a mutation nor an event tells of.
_SILENT = [
    *("state", "highlight", "highlight-more", "highlight-moves"),
    *("rule-style", "rule-map", "rule-selector", "rule-swap", "rule-media"),
    *("replace", "adopt", "adopt-in-shadow", "picks-date", "picks-list", "valid"),
]
_UNDONE = "what was changed on the page was changed back at once"
_DOUBTFUL = {
    "there-and-back": _UNDONE,
    "there-and-back-nodes": _UNDONE,
    "silent": "states that a <x-lamp> gives itself (ElementInternals) are not read",
}


async def test_what_a_page_changes_without_a_word_is_seen_or_unknown(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/outcomes_silent.html") as a:
        told = {}
        for name in [*_SILENT, *_DOUBTFUL, "same", "dead"]:
            answer = await a.call("click", selector=f"#{name}")
            told[name] = (answer["outcome"], answer["effects"]["changed"], answer.get("reason"))
            if name.startswith("picks"):
                await a.call("press_key", key="Escape")
    assert told == {
        **dict.fromkeys(_SILENT, ("done", True, None)),
        **{name: ("unverifiable", "unknown", reason) for name, reason in _DOUBTFUL.items()},
        **dict.fromkeys(("same", "dead"), ("no_effect", False, None)),
    }


async def test_a_rule_rewritten_in_a_large_style_sheet_is_not_called_nothing(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/outcomes_silent.html") as a:
        large = "".join(f".x{number} {{ color: red }}" for number in range(900))
        add = "const large = document.createElement('style'); large.textContent ="
        await a.call("evaluate", code=f"{add} {large!r}; document.head.append(large)")
        assert (await a.call("click", selector="#rule-style"))["effects"]["changed"] in (True, "unknown")
        await a.call("evaluate", code="new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 300)))")
        assert (await a.call("click", selector="#rule-style"))["effects"]["changed"] in (True, "unknown")
        assert (await a.call("click", selector="#dead"))["effects"]["changed"] in (False, "unknown")


async def test_what_changed_while_the_target_was_waited_for_is_no_effect(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        delay, answer = 200, {}
        async with asyncio.timeout(PATIENCE_S):
            while "waitedMs" not in answer:  # on a busy machine the button was there before the click began
                delay *= 2
                code = f"""
                  document.body.innerHTML = "";
                  setTimeout(() => (document.body.innerHTML = "<input><button>Late</button>"), {delay});
                  setTimeout(() => (document.querySelector("input").value = "set by itself"), {delay + 1}); 1"""
                await a.call("evaluate", code=code)
                answer = await a.call("click", selector="button", timeout=PATIENCE_MS)
    assert (answer["outcome"], answer["effects"]["changed"]) == ("no_effect", False)


#: What moves by itself, and what the answers say then; the rest is told as on a page that stands still.
_MOVING = {
    "clock": 'only <span id="clock"> changed, which also changes by itself',
    "clock,busy": 'only <span id="clock"> changed, which also changes by itself',
    "carousel": 'only <div id="carousel"> changed, which also changes by itself',
    "field": 'only <input id="ticking"> changed, which also changes by itself',
    "waapi": 'only <div id="waapi"> changed, which also changes by itself',
    "polls": "only GET /blank.html was requested, which the page also does by itself",
    "": None,
}
_CERTAIN = [("counts", "done"), ("resets", "done"), ("later", "done"), ("checks", "confirmed")]


async def press_that_does_nothing(a: Agent) -> dict[str, Any]:
    """After the page has moved for a while."""
    ticks = (await a.call("evaluate", code="ticks"))["value"]
    await a.call("wait", expression=f"ticks > {ticks} + 10")
    return await a.call("press_key", key="F2")


@pytest.mark.parametrize(("kind", "reason"), _MOVING.items())
async def test_what_moves_by_itself_is_no_effect(visitor: Visit, pages: str, kind: str, reason: str | None) -> None:
    async with visitor(f"{pages}/outcomes_moving.html?{kind}") as a:
        await a.call("snapshot")
        dead = await press_that_does_nothing(a)
        for _ in range(3):  # some kinds are only seen from one action to the next
            dead = await press_that_does_nothing(a)
        async with asyncio.timeout(PATIENCE_S):
            # On a busy machine the page may not come to it during the press, and then nothing did change.
            while reason and (dead["outcome"], dead["effects"]["changed"]) == ("no_effect", False):
                dead = await press_that_does_nothing(a)
        certain = {}
        for name, _ in _CERTAIN:
            answer = await a.call("click", selector=f"#{name}")
            certain[name] = (answer["outcome"], answer["effects"]["changed"])
    unsure = ("unverifiable", "unknown") if reason else ("no_effect", False)
    assert (dead["outcome"], dead["effects"]["changed"], dead.get("reason")) == (*unsure, reason)
    assert certain == {name: (outcome, True) for name, outcome in _CERTAIN}
