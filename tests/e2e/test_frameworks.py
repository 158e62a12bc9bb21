"""Fields that a framework or an editor owns: what it holds is right, not only what the page shows."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

REACT = {
    "text": "Ada Lovelace, ünï", "date": "2026-02-28", "time": "13:45", "datetime-local": "2026-02-28T13:45",
    "month": "2026-02", "week": "2026-W09", "range": "75", "color": "#12ab34", "number": "-3.5",
    "email": "ada@example.org", "search": "find me", "password": "a secret", "area": "two\nlines",
}  # fmt: skip


async def held(a: Agent, expression: str) -> Any:
    return (await a.call("evaluate", code=expression))["value"]


@pytest.mark.parametrize("name", REACT)
async def test_react_holds_what_was_filled(visitor: Visit, libraries: str, name: str) -> None:
    async with visitor(f"{libraries}/react.html") as a:
        for value in (REACT[name], REACT[name]):
            await a.call("fill", selector=f"#{name}", value=value)
            assert await held(a, f"held[{name!r}]") == value
            assert await held(a, f"document.getElementById({name!r}).value") == value


async def test_react_holds_what_was_chosen_and_typed(visitor: Visit, libraries: str) -> None:
    async with visitor(f"{libraries}/react.html") as a:
        await a.call("fill", selector="#checkbox", value="true")
        await a.call("fill", selector="#two", value="true")
        await a.call("select", selector="#select", value="b")
        await a.call("type", selector="#text", text="typed ")
        await a.call("insert_text", selector="#area", text="inserted")
        assert await held(a, "[held.checkbox, held.radio, held.select, held.text, held.area].join()") == (
            "true,two,b,typed ,inserted"
        )
        fields = [
            {"selector": "#checkbox", "value": "false"},
            {"selector": "#one", "value": "true"},
            {"selector": "#select", "value": "a"},
            {"selector": "#text", "value": ""},
            {"selector": "#area", "value": "over"},
        ]
        assert (await a.call("fill_form", fields=fields))["filled"] == 5
        assert await held(a, "[held.checkbox, held.radio, held.select, held.text, held.area].join()") == (
            "false,one,a,,over"
        )


@pytest.mark.parametrize(
    ("name", "value", "holds"), [("fixed", "other", "fixed"), ("short", "abcdef", "abcd"), ("digits", "a1b2", "12")]
)
async def test_what_react_refuses_is_told(visitor: Visit, libraries: str, name: str, value: str, holds: str) -> None:
    async with visitor(f"{libraries}/react.html") as a:
        said = await a.fails("fill", selector=f"#{name}", value=value)
        assert said.startswith("EXECUTION_ERROR")
        assert f'"{holds}"' in said


async def test_what_react_only_writes_differently_is_answered(visitor: Visit, libraries: str) -> None:
    async with visitor(f"{libraries}/react.html") as a:
        assert (await a.call("fill", selector="#upper", value="ada"))["value"] == "ADA"


@pytest.mark.parametrize(("name", "why"), [("disabled", "disabled"), ("readonly", "read-only"), ("covered", "covered")])
@pytest.mark.parametrize("command", ["fill", "type", "insert_text"])
async def test_nothing_is_written_where_nobody_could(
    visitor: Visit, libraries: str, command: str, name: str, why: str
) -> None:
    async with visitor(f"{libraries}/react.html") as a:
        await a.call("click", selector="#text")
        text = {"value": "lost"} if command == "fill" else {"text": "lost"}
        assert why in await a.fails(command, selector=f"#{name}", **text)
        assert "lost" not in await held(
            a, "[...document.querySelectorAll('input, textarea')].map((it) => it.value).join()"
        )


@pytest.mark.parametrize("editor", ["code", "prose"])
async def test_an_editor_holds_what_was_filled(visitor: Visit, libraries: str, editor: str) -> None:
    async with visitor(f"{libraries}/editors.html") as a:
        await a.call("wait", selector="body[data-ready]", state="attached")
        field = f"#{editor} [contenteditable=true]"
        other = await held(a, f"held().{'prose' if editor == 'code' else 'code'}")
        await a.call("fill", selector=field, value="only this")
        assert await held(a, f"held().{editor}") == "only this"
        await a.call("type", selector=field, text=" typed", clear=True)
        assert (await held(a, f"held().{editor}")).strip() == "typed"
        await a.call("fill", selector=field, value="")
        assert await held(a, f"held().{editor}") == ""
        await a.call("insert_text", selector=field, text="inserted")
        assert await held(a, f"held().{editor}") == "inserted"
        await a.call("fill", selector=field, value="first\nsecond")
        assert await held(a, f"held().{editor}") == "first\nsecond"
        assert await held(a, f"held().{'prose' if editor == 'code' else 'code'}") == other


async def test_vue_holds_what_was_filled(visitor: Visit, libraries: str) -> None:
    async with visitor(f"{libraries}/vue.html") as a:
        values = {
            "name": "Ada",
            "area": "two\nlines",
            "agree": "true",
            "choice": "b",
            "day": "2026-02-28",
            "amount": "7",
        }
        fields = [{"selector": f"#{name}", "value": value} for name, value in values.items()]
        assert (await a.call("fill_form", fields=fields))["filled"] == len(fields)
        assert await held(
            a, "JSON.stringify([held.name, held.area, held.agree, held.choice, held.day, held.amount])"
        ) == ('["Ada","two\\nlines",true,"b","2026-02-28",7]')
