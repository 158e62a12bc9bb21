"""What names a control, a group or a table is told as its name; where that is not told, as text."""

from __future__ import annotations

import pytest

from tests.support.e2e.panel import Visit
from tests.support.rows import naming

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: What is shown, and its lines without refs and indentation.
SHOWN = [
    (
        "<label for=c>Country of residence</label><select id=c style='display: none'><option>A</select>"
        "<div tabindex=0>Pick one</div>",
        ["- text: Country of residence", '- clickable "Pick one"'],
    ),
    (
        "<label>City <input style='visibility: hidden'><button>Choose</button></label>",
        ["- text: City", '- button "Choose"'],
    ),
    ("<label for=n>Name</label><input id=n>", ['- textbox "Name"']),
    ("<label for=b>Agree</label><input id=b type=checkbox style='display: none'>", ['- checkbox "Agree"']),
    (
        "<fieldset aria-label=Delivery><legend>How it comes</legend><button>Fast</button></fieldset>",
        ['- group "Delivery"', "- text: How it comes", '- button "Fast"'],
    ),
    (
        "<fieldset><legend>How <b>it</b> comes</legend><button>Fast</button></fieldset>",
        ['- group "How it comes"', '- button "Fast"'],
    ),
    (
        "<fieldset aria-labelledby=l><legend id=l>How it comes</legend><button>Fast</button></fieldset>",
        ['- group "How it comes"', '- button "Fast"'],
    ),
    (
        "<fieldset role=none><legend>How it comes</legend><button>Fast</button></fieldset>",
        ["- text: How it comes", '- button "Fast"'],
    ),
    (
        "<table aria-label=Prices><caption>In euros</caption><tr><td>5</table>",
        ['- table "Prices"', "- text: In euros", "- row", '- cell "5"'],
    ),
]


async def test_what_names_something_is_told_once(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        for html, told in SHOWN:
            with naming(html):
                await a.call("evaluate", code=f"document.body.setHTMLUnsafe({html!r})")
                lines = (await a.text("snapshot")).splitlines()
                seen = [line.strip().split(" [ref=")[0] for line in lines if line.strip().startswith("- ")]
                assert seen == told
