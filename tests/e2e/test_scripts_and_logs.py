"""Code that is run in a page, and the lines of its console."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.support.e2e.panel import OpenAgent, Visit, whole
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: What an object that is held in several places is answered as in each.
TWICE = {"d": "1970-01-01T00:00:00.000Z", "r": "/a/", "h": {"element": "<h1>", "selector": "html > body > h1"}}


VALUES: list[tuple[str, Any]] = [
    ("1+1", 2),
    ("{ a: 1, b: [true, null, 'x'] }", {"a": 1, "b": [True, None, "x"]}),
    ("const a = 20; a + 1", 21),
    ("return 5", 5),
    ("await Promise.resolve(7)", 7),
    ("await (async () => 1)()", 1),
    ("await (Promise.resolve(3))", 3),
    ("await [1]", [1]),
    ("const r = await (async () => 2)(); r", 2),
    ("await `template`", "template"),
    ("'to await (a) word'", "to await (a) word"),
    ("(async () => await (1))()", 1),
    ("const r = await Promise.resolve(8); return r", 8),
    ("Promise.resolve('later')", "later"),
    ("document.querySelector('h1')", TWICE["h"]),
    ("document.createElement('i')", "<i>"),
    ("await Promise.resolve(8); 1", 1),
    ("const kept = await Promise.resolve(8); kept + 1", 9),
    ("await 0; Promise.resolve('p')", "p"),
    (
        "new DOMRect(1, 2, 3, 4)",
        {"x": 1, "y": 2, "width": 3, "height": 4, "top": 2, "right": 4, "bottom": 6, "left": 1},
    ),
    ("sessionStorage.setItem('k', 'v'); sessionStorage", {"k": "v"}),
    ("new Headers({ a: 'b' })", {"a": "b"}),
    ("new Uint8Array([1, 2])", [1, 2]),
    ("new (class { x = 1; get y() { return 2 } })()", {"x": 1, "y": 2}),
    ("undefined", None),
    ("NaN", "NaN"),
    ("10n", "10n"),
    ("new Map([['k', new Set([1])]])", {"k": [1]}),
    (
        "const i = document.createElement('i'); i.id = 'a'; i.style.color = 'red'; [i.attributes, i.style]",
        [{"id": "a", "style": "color: red;"}, {"color": "red"}],
    ),
    ("new Map([[1, 'a'], ['1', 'b']])", [[1, "a"], ["1", "b"]]),
    ("new Map([[1, 2]]).keys()", "[Map Iterator]"),
    (
        "new Error('said', { cause: 'why' })",
        {"name": "Error", "message": "said", "stack": "Error: said\n    at <anonymous>:1:1", "cause": "why"},
    ),
    (
        "const t = { d: new Date(0), r: /a/, h: document.querySelector('h1') };"
        " const o = { all: Array(2).fill(t), d: t.d }; o.self = o; [o, t.h]",
        [{"all": [TWICE, TWICE], "d": TWICE["d"], "self": "[circular]"}, TWICE["h"]],
    ),
    ("JSON.parse('{\"x\":1}')", {"x": 1}),
    ("new Date(0)", "1970-01-01T00:00:00.000Z"),
]
PLACES = [
    ("\n\n  nowhere()", (3, 3)),
    ("// first\n[1,\n nowhere]", (3, 2)),
    ("const a = 1;\n  nowhere()", (2, 3)),
    ("await 0;\n  nowhere()", (2, 3)),
    ("await 0;\n  nowhere(); return 1", (2, 3)),
    ("\n\nlet a = ;", (3, 9)),
    ("const a = await 0;\nif (a) {", (2, 9)),
    ("1 +", (1, 4)),
    ("}", (1, 1)),
    ("const z = 1;\n  [1].map(() => nowhere())", (2, 17)),
]


async def test_evaluate_answers_values(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        for code, value in VALUES:
            with naming(code):
                assert without_refs((await a.call("evaluate", code=code))["value"]) == value


async def test_what_code_threw_is_told_in_full(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        for code in ("throw {code: 5, why: 'bad'}", "Promise.reject({code: 5, why: 'bad'})"):
            said = await a.fails("evaluate", code=code)
            assert said.startswith('EXECUTION_ERROR: the code threw {"code":5,"why":"bad"}'), said
        assert (await a.fails("evaluate", code="throw 'a word'")).startswith('EXECUTION_ERROR: "a word"')


def without_refs(value: Any) -> Any:
    """A value whose elements have a ref each, without it."""
    if isinstance(value, list):
        return [without_refs(item) for item in value]
    if not isinstance(value, dict):
        return value
    assert "element" not in value or re.fullmatch(r"e\d+", value["ref"])
    return {name: without_refs(item) for name, item in value.items() if name != "ref"}


async def test_an_element_that_code_found_can_be_acted_on(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/keys.html") as a:
        (found,) = (await a.call("evaluate", code="[...document.querySelectorAll('input')].slice(0, 1)"))["value"]
        await a.call("fill", ref=found["ref"], value="by ref")
        assert (await a.call("evaluate", code=f"document.querySelector({found['selector']!r}).value"))[
            "value"
        ] == "by ref"


async def test_an_error_says_its_place_in_the_code_as_it_was_given(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        for code, (line, column) in PLACES:
            said = await a.fails("evaluate", code=code)
            with naming(code):
                assert said.splitlines()[0].endswith(f"(line {line}, column {column})"), said


async def test_a_value_that_is_cut_says_so_and_how_much(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        answer = await a.call("evaluate", code="new Uint8Array(5000)")
        assert len(answer["value"]) == 1000
        assert answer["note"].startswith("4000 items beyond the first 1000 ")


async def test_evaluate_runs_code_once_and_leaves_no_names(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        await a.call("evaluate", code="window.n = (window.n ?? 0) + 1; const left = 1; left")
        assert (await a.fails("evaluate", code="window.n += 1; JSON.parse('{')")).startswith("EXECUTION_ERROR")
        assert (await a.call("evaluate", code="[window.n, typeof left]"))["value"] == [2, "undefined"]


async def test_errors_that_repeat_are_told_once_and_lines_of_workers_stand_once(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/blank.html") as a:
        repeat = "for (let time = 0; time < 3; time += 1) console.error('again and again')"
        assert "again and again (3 times)" in (await a.call("evaluate", code=repeat))["effects"]["consoleErrors"]
        for answer in (await a.call("evaluate", code=repeat), await a.call("navigate", url=f"{pages}/keys.html")):
            told = [
                *answer["effects"].get("consoleErrors", []),
                *answer.get("lateEffects", {}).get("consoleErrors", []),
            ]
            assert "again" not in "".join(told)
        says = "console.error('from a worker'); postMessage(1); setTimeout(() => { throw new Error('worker broke') })"
        worker = f"new Worker(URL.createObjectURL(new Blob([{says!r}])))"
        await a.call("evaluate", code=f"new Promise((resolve) => {{ ({worker}).onerror = resolve }})")
        said = await a.text("logs")
        assert [said.count(text) for text in ("error from a worker", "worker broke")] == [1, 1]


async def test_logs_survive_navigation_newest_first(agent: OpenAgent, shop: str) -> None:
    async with agent(f"{shop}/lab") as a:
        await a.call("click", selector="#warn-line")
        await a.call("click", selector="#log-object")
        await a.call("click", selector="#throw-error")
        await a.call("navigate", url=f"{shop}/checkout")
        lines = (await a.text("logs", max=3)).splitlines()
        assert " error " in lines[0]
        stamps = [float(line.split()[0]) for line in lines if not line.startswith((" ", "("))]
        assert stamps == sorted(stamps, reverse=True)
        assert len(stamps) == 3
        warnings = await a.text("logs", level="warn")
        assert all(" warn " in line for line in warnings.splitlines()[:-1])
        assert (await a.text("logs", since=stamps[0] + 1)).startswith("no console lines")


async def test_five_thousand_lines_are_kept_without_gaps(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/blank.html") as a:
        await a.call("evaluate", code="for (let i = 0; i < 5000; i += 1) console.log('line ' + i)")
        text = whole(await a.text("logs", max=10000))
        numbers = [int(found) for found in re.findall(r"line (\d+)", text)]
        assert numbers == list(range(4999, -1, -1))
