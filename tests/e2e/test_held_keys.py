"""Keys an agent holds down over its calls: the page sees them held, and up again when nobody holds them any more."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e.panel import OpenAgent, Panel, current_tab
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

LISTEN = """window.heard = [];
for (const kind of ["keydown", "keyup", "click", "wheel", "dragover", "mousemove"])
  addEventListener(kind, (event) => {
    const held = ["ctrlKey", "shiftKey", "altKey"].filter((name) => event[name]).join();
    heard.push(`${kind} ${event.key ?? ""} ${held}`);
    window.news?.();
  });
1"""
#: Resolves once a key has gone up.
KEY_UP = """new Promise((tell) => {
  window.news = () => heard.some((one) => one.startsWith("keyup")) && tell(heard.filter((one) => /^key/.test(one)));
  window.news();
})"""


async def heard(a: Agent, kind: str) -> list[Any]:
    listed = f"heard.splice(0).filter((one) => one.startsWith({json.dumps(kind)}))"
    return list(json.loads(await a.text("evaluate", code=listed))["value"])


async def test_clicks_wheels_and_keys_are_done_with_what_is_held(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/wheels.html") as a:
        await a.call("evaluate", code=LISTEN)
        assert (await a.call("press_key", key="Control", action="down"))["held"] == ["Control"]
        assert (await a.call("click", selector="#inside"))["held"] == ["Control"]
        assert await heard(a, "click") == ["click  ctrlKey"]
        await a.call("scroll", selector="#map", deltaY=10)
        assert "10.5" in await a.text("get_visible_text", selector="#zoom")
        answer = await a.call("scroll", selector="#plain", deltaY=10)
        assert answer["movedY"] == 0, "with Control held a wheel zooms"
        await a.call("press_key", key="ArrowDown")
        assert await heard(a, "keydown") == ["keydown ArrowDown ctrlKey"]
        assert "Control is held down" in await a.fails("type", selector="#inside", text="x")
        await a.call("press_key", key="Control", action="up")
        assert "held" not in await a.call("click", selector="#inside")
        assert await heard(a, "click") == ["click  "]


async def test_a_tab_behind_another_keeps_its_keys_to_itself(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/wheels.html") as a, agent(f"{pages}/wheels.html", "other") as other:
        for one in (a, other):
            await one.call("evaluate", code=LISTEN)
        await a.call("press_key", key="Shift", action="down")
        await other.call("click", selector="#inside")
        assert await heard(other, "click") == ["click  "]
        await a.call("click", selector="#inside")
        assert await heard(a, "click") == ["click  shiftKey"]


async def test_keys_go_up_with_the_conversation(agent: OpenAgent, pages: str, panel: Panel) -> None:
    async with agent(f"{pages}/wheels.html") as a:
        tab = await current_tab(a)
        panel.hub.core.router.gates.leases.release(tab)  # the person lets another have it
        async with connect(panel.data.root, "passing") as client:
            passing = Agent(client)
            await passing.call("evaluate", code=LISTEN, tabId=tab)
            await passing.call("press_key", key="Shift", action="down", tabId=tab)
            await passing.call("press_key", key="w", action="down", tabId=tab)
        async with asyncio.timeout(PATIENCE_S):
            keys = await panel.witness(pages).see(KEY_UP, "/wheels.html")
        assert keys[:2] == ["keydown Shift shiftKey", "keydown W shiftKey"]
        assert "keyup W " in keys


async def test_another_page_never_hears_of_a_key(agent: OpenAgent, pages: str) -> None:
    async with agent(f"{pages}/wheels.html") as a:
        await a.call("press_key", key="Shift", action="down")
        await a.call("navigate", url=f"{pages}/wheels.html?next")
        await a.call("evaluate", code=LISTEN)
        await a.call("click", selector="#inside")
        assert await heard(a, "click") == ["click  "]
        assert "shows another page" in await a.fails("press_key", key="Shift", action="up")
