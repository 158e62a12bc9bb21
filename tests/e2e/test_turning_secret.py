"""Under Careful no key of a text reaches a password field that came in its way, before or while it was typed."""

from __future__ import annotations

import pytest

from tests.support.e2e.panel import Panel, Visit
from tests.support.e2e.policy import attended, said, under

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = "/turning_secret.html"
STATE = "[document.querySelector('#name').value, password.value, keys.join('')]"
TEXT = "one two three four five six"


@pytest.mark.parametrize("how", ["becomes", "moves"])
@pytest.mark.parametrize("after", [0, 4])
@pytest.mark.parametrize("target", [{"selector": "#name"}, {}])
async def test_typing_stops_before_the_first_key_of_a_secret_field(
    visitor: Visit, panel: Panel, pages: str, how: str, after: int, target: dict[str, str]
) -> None:
    async with visitor(pages + PAGE) as a, attended(panel) as person:
        witness = panel.witness(pages)
        await witness.see(f"turn('{how}', {after})", PAGE)
        if not target:
            await witness.see("field.onfocus = null, field.focus()", PAGE)
        with under(panel, "careful"):
            error = await said(a, "type", {"text": TEXT, **target})
        state = await witness.see(STATE, PAGE)
        if after == 0 and not target:  # the page did nothing
            assert (error, state) == ("", [TEXT, "", ""])
            return
        assert state == [TEXT[:after], "", ""]
        if after == 0 and how == "moves":
            assert "does not take the focus, so nothing was typed" in error
            return
        assert f"{after} of {len(TEXT)} characters were typed, then the page put a password field in their way" in error
        assert person.asks == []


async def test_a_person_types_there_at_once_and_so_does_who_may(visitor: Visit, panel: Panel, pages: str) -> None:
    async with visitor(pages + PAGE) as a:
        witness = panel.witness(pages)
        await witness.see("turn('becomes', 4)", PAGE)
        with under(panel, "careful"):
            assert await said(a, "type", {"text": TEXT, "selector": "#name"})
        with under(panel, "trusting"):
            assert await said(a, "press_key", {"key": "x"}) == ""
            assert (await witness.see(STATE, PAGE))[0] in (TEXT[:4] + "x", "x" + TEXT[:4])
            assert await said(a, "type", {"text": TEXT, "selector": "#password"}) == ""
