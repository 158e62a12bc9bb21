"""A page whose secret fields are open to an agent opens none in a frame of another site, nor the frame the page's."""

from __future__ import annotations

import pytest

from kapture_panel.core.gates.rules import Preset, Rule, Rules
from tests.support.e2e.frames import PAY
from tests.support.e2e.panel import OpenAgent, Panel
from tests.support.e2e.policy import attended, said, under

pytestmark = pytest.mark.asyncio(loop_scope="session")

OWN, FRAMED = "#password", f"{PAY}[name=code]"
#: A password field of the page's own beside the frame's.
ADD = """(() => {
  const field = Object.assign(document.createElement("input"), {id: "password", type: "password"});
  field.oninput = () => said.push("own password");
  own.before(field);
})()"""


@pytest.mark.parametrize("preset", ["trusting", "careful"])
async def test_a_rule_against_the_secret_fields_of_a_frame_s_site_holds_in_a_page_where_they_are_open(
    agent: OpenAgent, panel: Panel, pages: str, preset: Preset
) -> None:
    rules = Rules()
    rules.put(Rule("block", site=f"localhost:{pages.rpartition(':')[2]}", permission="secret"))
    rules.put(Rule("allow", site=pages.removeprefix("http://"), permission="secret"))
    async with agent(f"{pages}/frames_top.html") as a, attended(panel) as person:
        await a.call("wait", selector=FRAMED)
        witness = panel.witness(pages)
        await witness.see(ADD, "/frames_top.html")
        with under(panel, preset, rules):
            for command, params in (
                ("fill", {"selector": FRAMED, "value": "1"}),
                ("type", {"selector": FRAMED, "text": "1"}),
                ("fill_form", {"fields": [{"selector": OWN, "value": "1"}, {"selector": FRAMED, "value": "1"}]}),
            ):
                error = await said(a, command, params)
                assert error.startswith(f"DENIED: a rule of the person does not allow {command} (password fields)")
            assert person.asks == []
            assert await witness.see("said", "/frames_top.html") == []
            assert await said(a, "fill", {"selector": OWN, "value": "1"}) == ""
        assert await witness.see("said", "/frames_top.html") == ["own password"]


async def test_a_yes_to_a_frame_s_secret_field_opens_none_of_the_page(
    agent: OpenAgent, panel: Panel, pages: str
) -> None:
    async with agent(f"{pages}/frames_top.html") as a, attended(panel) as person:
        await a.call("wait", selector=FRAMED)
        witness = panel.witness(pages)
        await witness.see(ADD, "/frames_top.html")
        person.answer = "once"
        fields = [{"selector": FRAMED, "value": "1"}, {"selector": OWN, "value": "1"}]
        with under(panel, "careful"):
            assert await said(a, "fill_form", {"fields": fields}) == ""
        here, there = pages.removeprefix("http://"), f"localhost:{pages.rpartition(':')[2]}"
        assert [(ask.permission, ask.site) for ask in person.taken()] == [("secret", there), ("secret", here)]
        heard = await witness.see("said", "/frames_top.html")
        assert sorted(heard) == ["input code 1 true", "own password"]
