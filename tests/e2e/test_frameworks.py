"""Fields that a framework or an editor owns: what it holds is right, not only what the page shows."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import Visit
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

REACT = {
    "text": "Ada Lovelace, ünï", "date": "2026-02-28", "time": "13:45", "datetime-local": "2026-02-28T13:45",
    "month": "2026-02", "week": "2026-W09", "range": "75", "color": "#12ab34", "number": "-3.5",
    "email": "ada@example.org", "search": "find me", "password": "a secret", "area": "two\nlines",
}  # fmt: skip


async def held(a: Agent, expression: str) -> Any:
    return (await a.call("evaluate", code=expression))["value"]


async def test_react_holds_what_was_filled(visitor: Visit, libraries: str) -> None:
    async with visitor(f"{libraries}/react.html") as a:
        for name, value in REACT.items():
            for _ in range(2):
                with naming(name):
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


REFUSED = [("fixed", "other", "fixed"), ("short", "abcdef", "abcd"), ("digits", "a1b2", "12")]


async def test_what_react_refuses_is_told_and_what_it_writes_differently_is_answered(
    visitor: Visit, libraries: str
) -> None:
    async with visitor(f"{libraries}/react.html") as a:
        for name, value, holds in REFUSED:
            with naming(name):
                said = await a.fails("fill", selector=f"#{name}", value=value)
                assert said.startswith("EXECUTION_ERROR")
                assert f'"{holds}"' in said
        assert (await a.call("fill", selector="#upper", value="ada"))["value"] == "ADA"


async def test_nothing_is_written_where_nobody_could(visitor: Visit, libraries: str) -> None:
    async with visitor(f"{libraries}/react.html") as a:
        await a.call("click", selector="#text")
        for command in ("fill", "type", "insert_text"):
            text = {"value": "lost"} if command == "fill" else {"text": "lost"}
            for name, why in (("disabled", "disabled"), ("readonly", "read-only"), ("covered", "covered")):
                with naming(command, name):
                    assert why in await a.fails(command, selector=f"#{name}", wait=0, **text)
                    assert "lost" not in await held(
                        a, "[...document.querySelectorAll('input, textarea')].map((it) => it.value).join()"
                    )


async def test_editors_hold_what_was_filled(visitor: Visit, libraries: str) -> None:
    async with visitor(f"{libraries}/editors.html") as a:
        await a.call("wait", selector="body[data-ready]", state="attached")
        for editor in ("code", "prose"):
            with naming(editor):
                await written(a, editor)


async def written(a: Agent, editor: str) -> None:
    """All that writes writes into this one of the two editors alone."""
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
