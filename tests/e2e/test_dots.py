"""What is typed into a field that shows dots, or into one nobody sees, is in no answer."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.support.e2e.panel import Visit
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = "/dots.html"
#: Shorter than what is masked wherever it stands.
PIN = "4321"

LOOKS: list[tuple[str, dict[str, Any]]] = [
    ("snapshot", {}),
    ("get_visible_text", {}),
    ("get_visible_text", {"selector": "#pin"}),
    ("get_form_values", {}),
    ("find_by_text", {"text": "Send"}),
    ("find_by_text", {"text": PIN[:3]}),
    ("query_dom", {"selector": "main *"}),
    ("get_attributes", {"selector": "#plain"}),
    ("check_element_state", {"selector": "#pin"}),
    ("click", {"selector": "#door"}),
]


async def test_what_a_field_that_shows_dots_holds_is_not_told(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as a:
        for command, params in LOOKS:
            with naming(command, params):
                assert PIN not in await a.text(command, **params)
        lines = await a.text("snapshot")
        assert lines.count('value="••••"') == 9
        assert "  - text: Code\n  - text: ••••\n" in lines
        assert 'button "Send now"' in lines


async def test_the_length_alone_of_what_was_typed_into_it_is_told(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as a:
        filled = await a.call("fill", selector="#pin", value="86420")
        assert (filled["length"], filled.get("value")) == (5, None)
        typed = await a.text("type", selector="#door", text="86420", clear=True)
        assert "86420" not in typed
        assert (await a.call("evaluate", code="[pin.textContent, door.textContent]"))["value"] == ["86420", "86420"]
        assert "86420" not in await a.text("snapshot")


async def test_a_code_that_the_page_draws_for_a_field_nobody_sees_is_not_answered(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as a:
        filled = await a.call("fill", selector="#code input", value="8642")
        assert (filled["length"], filled.get("value")) == (4, None)
        boxes = "[...document.querySelectorAll('#code b')].map((box) => box.textContent).join('')"
        assert (await a.call("evaluate", code=boxes))["value"] == "8642"


async def test_a_row_is_not_called_by_what_its_field_with_dots_holds(visitor: Visit, pages: str) -> None:
    async with visitor(pages + PAGE) as a:
        ref = re.findall(r'button "Copy" \[ref=(e\d+)\]', await a.text("snapshot"))[0]
        await a.call("evaluate", code="void (document.querySelector('li i').textContent = 'Third key')")
        failed = await a.fails("click", ref=ref)
        assert 'at "First key" and is now at "Third key"' in failed
