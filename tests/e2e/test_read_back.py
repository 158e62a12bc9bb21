"""What a field holds after it was filled is what was meant, or the answer says what it holds instead."""

from __future__ import annotations

import pytest

from tests.support.e2e.panel import Visit
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

FIELDS = """
  <input id=digits oninput="this.value = this.value.replace(/\\D/g, '')">
  <input id=hidden type=password oninput="this.value = this.value.replace(/[^a-z0-9]/g, '')">
  <input id=money oninput="this.value = this.value.replace(/\\D/g, '').replace(/(\\d\\d)$/, '.$1')">
  <input id=grouped oninput="this.value = this.value.replace(/\\D/g, '').replace(/(....)(?=.)/g, '$1 ')">
"""
ALTERED = [
    ("digits", "12.50", 'holds "1250"'), ("digits", "-5", 'holds "5"'), ("money", "1250", 'holds "12.50"'),
    ("hidden", "p$ssw0rd", "holds another value"),
]  # fmt: skip
WRITTEN = [("money", "12.50", "12.50"), ("grouped", "4111-1111-1111-1111", "4111 1111 1111 1111")]


async def test_a_text_that_the_page_alters_is_told_and_one_it_groups_is_answered(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        await a.call("evaluate", code=f"document.body.setHTMLUnsafe({FIELDS!r})")
        for field, value, told in ALTERED:
            with naming(field, value):
                said = await a.fails("fill", selector=f"#{field}", value=value)
                assert said.startswith("EXECUTION_ERROR"), said
                assert told in said
                typed = await a.call("type", selector=f"#{field}", text=value, clear=True)
                assert typed["outcome"] != "confirmed"
        for field, value, held in WRITTEN:
            with naming(field, value):
                filled = await a.call("fill", selector=f"#{field}", value=value)
                assert filled["value"] == held
                assert filled["outcome"] == "confirmed"
                typed = await a.call("type", selector=f"#{field}", text=value, clear=True)
                assert typed["outcome"] == "confirmed"
