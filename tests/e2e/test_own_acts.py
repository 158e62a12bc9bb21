"""In a person's own browser, where the mouse moves like a hand, actions wait, press and tell as in the panel's, and
start no other program."""

from __future__ import annotations

from pathlib import Path

import pytest

from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e import own_browser, programs
from tests.support.e2e.held import held
from tests.support.e2e.late import late_effects
from tests.support.e2e.restless import Restless

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_persons_own_browser_waits_presses_and_tells_the_same(
    tmp_path: Path, pages: str, libraries: str
) -> None:
    async with (
        own_browser.paired(tmp_path, f"{pages}/keys.html?mine") as (hub, browser),
        connect(tmp_path / "data", "actor") as client,
    ):
        hub.core.router.gates.policy.own_preset = "trusting"
        helper = await browser.popup("?mine")
        await browser.until(helper, "document.querySelector('#toggle:not([disabled], [aria-disabled=true])')")
        await browser.click(helper, "#toggle")
        await browser.until(helper, "document.querySelector('#tab').textContent === 'connected'")
        agent = Agent(client)

        await agent.call("new_tab", url=f"{pages}/waiting.html")
        for cause, target in (("enable", "#go"), ("uncover", "#go"), ("open", "#last"), ("frame", "#frame >>> #inner")):
            await agent.call("evaluate", code=f"seen.length = 0; causes.{cause}()")
            await agent.call("click", selector=target)
            seen = (await agent.call("evaluate", code="seen"))["value"]
            assert seen == [target.rpartition("#")[2]], cause
        assert "(waited" in await agent.fails("click", selector="#none", wait=50)

        await agent.call("navigate", url=f"{pages}/afterwards.html")
        assert (await agent.call("click", selector="#fetch"))["effects"] == {"changed": True, "requests": 1}
        with held() as slow:
            await agent.call("navigate", url=f"{pages}/afterwards.html?held={slow.url}")
            effects = (await agent.call("click", selector="#slow"))["effects"]
            assert effects["pending"] == [f"GET {slow.url}"]
            slow.let_go.set()
            waited = await agent.call("wait", text="saved late")
            assert await late_effects(agent, waited) == {"changed": True}

        await agent.call("navigate", url=f"{pages}/dialogs.html")
        answer = await agent.call("click", selector="#name")
        assert [(one["type"], one["default"], one["open"]) for one in answer["effects"]["dialogs"]] == [
            ("prompt", "Bo", True),
        ]  # fmt: skip
        assert (await agent.fails("snapshot")).startswith("DIALOG_OPEN: ")
        await agent.call("handle_dialog", accept=True)
        assert (await agent.call("evaluate", code="await 0; [told, out2]"))["value"][0] == "Bo"

        await agent.call("navigate", url=f"{pages}/{programs.PAGE}")
        await programs.led_nowhere(agent, f"{pages}/{programs.PAGE}")
        assert len(hub.state.tabs) == 2

        await agent.call("navigate", url=f"{libraries}/sortable.html")
        await agent.call("drag", selector="#list1", toSelector="#list4")
        assert (await agent.call("evaluate", code="order('list')"))["value"] == "2 3 4 1 5 6"

        await a_restless_page_is_pressed(agent, pages)


async def a_restless_page_is_pressed(agent: Agent, pages: str) -> None:
    restless = Restless(agent, pages, seed=5)
    for mode in ("keys", "insert", "renew"):
        await restless.begin(mode)
        for kind in ("click", "click", "drag"):
            await restless.act(kind)
    assert restless.tally.counts["wrong"] == 0, restless.tally.examples
    assert restless.tally.counts["right"] >= 0.9 * restless.tally.total, restless.tally.examples
