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
WRITTEN = [("money", "12.50", "12.50"), ("grouped", "6011-0009-9013-9424", "6011 0009 9013 9424")]


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


#: An editor that draws what is typed into a field nobody sees, and fields with a list that write what was chosen anew.
DRAWN = """
  <div style="width: 200px; height: 40px; border: 1px solid"><pre id=drawn></pre>
    <textarea id=code style="width: 1px; height: 1px; opacity: 0"
      oninput="drawn.textContent = this.value, this.value = ''"></textarea></div>
  <input role=combobox id=country oninput="offer(this, 'Germany', (text) => (this.value = text))">
  <div><i></i><input role=combobox id=many oninput="offer(this, 'Green', (text) => (
    this.previousSibling.textContent = text, this.value = ''))"></div>
  <div><i>none</i><input role=combobox id=only readonly onclick="offer(this, 'Old', (text) => (
    this.previousSibling.textContent = text))"></div>
"""
OFFER = """
  globalThis.offer = (field, name, choose) => {
    const list = document.body.appendChild(document.createElement("ul"));
    list.setAttribute("role", "listbox");
    list.innerHTML = `<li role=option>${name}</li>`;
    list.onclick = () => (choose(name), list.remove());
  };
"""


async def test_a_form_with_editors_and_lists_is_not_said_to_have_changed(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        await a.call("evaluate", code=f"{OFFER}; document.body.setHTMLUnsafe({DRAWN!r})")
        given = {"code": "let x", "country": "germany", "many": "green", "only": "Old"}
        fields = [{"selector": f"#{name}", "value": value} for name, value in given.items()]
        filled = await a.call("fill_form", fields=fields)
        assert filled["values"] == ["let x", "Germany", "Green", "Old"]
        assert "note" not in filled
        seen = await a.call("fill_form", fields=[fields[0], fields[1], fields[3]])
        assert (seen["values"], seen["outcome"]) == (["let x", "Germany", "Old"], "confirmed")
        again = await a.call("fill", selector="#country", value="germany")
        assert (again["value"], again["chosen"]) == ("Germany", "Germany")
