"""In a person's own browser places, fields, wheels, keys and refs are as in the panel's, tried in one of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from kapture_panel.demo.agent import Agent
from tests.support.e2e.late import popup_closed
from tests.support.e2e.panel import OpenAgent

pytestmark = pytest.mark.asyncio(loop_scope="session")

LAST = "heard.splice(0).at(-1).split(' ')[0]"


@dataclass(frozen=True)
class Row:
    """A call in the page of its group; what an expression there says afterwards, and a part of the answer."""

    command: str
    params: dict[str, Any] = field(default_factory=dict)
    sees: tuple[str, Any] | None = None
    answers: dict[str, Any] = field(default_factory=dict)


def pressed(element: str, hit: str = "") -> Row:
    return Row("click", {"selector": f"#{element}"}, (LAST, hit or element))


ROWS: dict[str, list[Row]] = {
    "places.html": [
        *(pressed(element) for element in ("ring", "route", "disc", "flat", "edge", "corner", "boxless", "words")),
        *(pressed(element) for element in ("sizeless", "unshown", "fruit", "card", "below")),
        pressed("icon", "outer"),
        Row("click", {"selector": "#own-turned >>> #own-turned-far"}, ("heard.splice(0).at(-1)", "in own-turned-far")),
        Row("click", {"selector": "#foreign-both >>> #foreign-both"}, ("heard.splice(0).at(-1)", "in foreign-both")),
    ],
    "hidden_fields.html": [
        Row("wait", {"selector": "body[data-ready]", "state": "attached"}),
        Row("fill", {"selector": "#cm5 textarea", "value": "a {\n}"}, ("held('cm5')", "a {\n}")),
        Row("fill", {"selector": "#slate [role=textbox]", "value": "two"}, ("held('slate')", "two")),
        Row("type", {"selector": "#slate [role=textbox]", "text": " words"}, ("held('slate')", "two words")),
        Row("fill", {"selector": "#tiny iframe", "value": "by the frame"}, ("held('tinymce')", "by the frame")),
        Row("fill", {"selector": "#drawn .field", "value": "drawn\nlines"}, ("held('drawn')", "drawn\nlines")),
    ],
    "widgets.html": [
        Row("fill", {"selector": "#check", "value": "true"}, ("get('check').ariaChecked", "true"), {"value": "true"}),
        Row("fill", {"selector": "#late", "value": "true"}, ("get('late').ariaChecked", "true")),
        Row("fill", {"selector": "#volume", "value": "75"}, ("get('volume').ariaValueNow", "75")),
        Row("fill", {"selector": "#minute", "value": "45"}, ("get('minute').ariaValueNow", "45")),
        Row("select", {"selector": "#plain", "value": "Germany"}, ("get('plain').textContent", "Germany")),
        Row("fill", {"selector": "#button", "value": "Green"}, ("get('button').textContent", "Green")),
    ],
    "native_fields.html": [
        Row(
            "fill", {"selector": "#day", "value": "2026-02-28"}, ("value('day')", "2026-02-28"), {"value": "2026-02-28"}
        ),
        Row("type", {"selector": "#day", "text": "03152026"}, ("value('day')", "2026-03-15")),
        Row("fill", {"selector": "#at", "value": "13:45"}, ("value('at')", "13:45")),
        Row("type", {"selector": "#at", "text": "0930AM"}, ("value('at')", "09:30")),
        Row("fill", {"selector": "#month", "value": "2026-02"}, ("value('month')", "2026-02")),
        Row("fill", {"selector": "#week", "value": "2026-W09"}, ("value('week')", "2026-W09")),
        Row("fill", {"selector": "#colour", "value": "#12ab34"}, ("value('colour')", "#12ab34")),
        Row("fill", {"selector": "#place", "value": "Rome"}, ("value('place')", "Rome")),
        Row("select", {"selector": "#many", "value": "Number 150"}, ("value('many')", "Number 150")),
    ],
    "wheels.html": [
        Row("scroll", {"selector": "#map", "deltaY": -120}, ("of('zoom').textContent", "-120"), {"tookWheel": True}),
        Row("scroll", {"selector": "#far >>> #map", "deltaY": 5}, None, {"tookWheel": True}),
        Row("scroll", {"selector": "#plain", "deltaY": 60}, ("of('plain').scrollTop", 60), {"movedY": 60}),
        Row("scroll", {"selector": "#list", "deltaY": 2000}, ("of('list').innerText.includes('Row 100')", True)),
        Row("scroll", {"deltaY": 30}, None, {"movedY": 30}),
        Row("evaluate", {"code": "addEventListener('click', (event) => (window.shift = event.shiftKey)); 1"}),
        Row("press_key", {"key": "Shift", "action": "down"}, None, {"held": ["Shift"]}),
        Row("click", {"selector": "#inside"}, ("shift", True), {"held": ["Shift"]}),
        Row("press_key", {"key": "Shift", "action": "up"}),
        Row("click", {"selector": "#inside", "clickCount": 4, "holdMs": 30}, ("shift", False)),
    ],
}


async def test_places_fields_wheels_and_refs_are_as_in_the_panels_browser(
    own_agent: OpenAgent, pages: str, libraries: str
) -> None:
    async with own_agent() as a:
        wrong: list[tuple[Row, Any]] = []
        for page, rows in ROWS.items():
            await a.call("navigate", url=f"{libraries if page == 'hidden_fields.html' else pages}/{page}")
            for row in rows:
                answer = await a.call(row.command, **row.params)
                told = {name: answer.get(name) for name in row.answers}
                seen = (await a.call("evaluate", code=row.sees[0]))["value"] if row.sees else None
                if told != row.answers or (row.sees and seen != row.sees[1]):
                    wrong.append((row, (told, seen)))
        assert wrong == []

        await native_fields_are_told(a, pages)

        await a.call("navigate", url=f"{pages}/stand_ins.html")
        said = await a.fails("fill", selector="#country", value="Norway", wait=0)
        stand_in = re.search(r'a person uses combobox "Country: Norway" \[ref=(e\d+)\]', said)
        assert stand_in, said
        await a.call("click", ref=stand_in[1])

        await a.call("navigate", url=f"{pages}/surroundings.html")
        await a.call("evaluate", code="show('grid')")
        ref = re.findall(r'"15" \[ref=(e\d+)\]', await a.text("snapshot"))[0]
        await a.call("evaluate", code="step(1)")
        said = await a.fails("click", ref=ref)
        assert said.startswith("STALE_REF"), said
        await a.call("click", ref=re.findall(r'"15" \[ref=(e\d+)\]', said)[0])
        assert (await a.call("evaluate", code="hit"))["value"] == "15 of March 2023"


async def native_fields_are_told(a: Agent, pages: str) -> None:
    """Formats and options stand in the snapshot, and what the browser opens for a field is told."""
    await a.call("navigate", url=f"{pages}/native_fields.html")
    await a.call("activate_tab")  # behind another tab the browser opens nothing
    text = await a.text("snapshot")
    for told in ('format="YYYY-MM-DD from 2026-01-01 to 2026-12-31"', 'format="HH:MM"', 'options="Bern" "Rome"'):
        assert told in text
    for name, told in (("fruit", "choose with kapturemcp_select"), ("colour", "give it a value with")):
        assert told in (await a.call("click", selector=f"#{name}"))["popup"]
        await a.call("press_key", key="Escape")
        await popup_closed(a, f"#{name}")
