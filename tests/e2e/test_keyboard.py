"""Agents work in the panel's browser while the person types elsewhere, on a real display with a real keyboard."""

from __future__ import annotations

import asyncio
import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e import desktop_host
from tests.support.e2e.desktop_host import until
from tests.support.e2e.typist import Typist, click_into_the_field, serving, value_of_the_field

ROUNDS = 6


@pytest.mark.parametrize("manager", ["openbox", "metacity", ""], ids=["openbox", "metacity", "no window manager"])
async def test_what_the_person_types_elsewhere_stays_there_until_they_click_into_the_browser(
    tmp_path: Path, shop: str, manager: str
) -> None:
    root = tmp_path / "data"
    with ExitStack() as ending:
        name = ending.enter_context(desktop_host.display())
        environment = {**os.environ, "DISPLAY": name}
        environment.pop("WAYLAND_DISPLAY", None)
        if manager:
            ending.enter_context(desktop_host.window_manager(environment, manager))
        typist = Typist(name)
        ending.callback(typist.close)
        await asyncio.to_thread(typist.sit_down)
        typing = typist.types_on()
        ending.callback(typist.stops)
        await asyncio.to_thread(ending.enter_context, serving(root, environment))
        async with connect(root, "worker") as client:
            agent = Agent(client)
            await agent.call("navigate", url=f"{shop}/checkout")
            for number in range(ROUNDS):
                await agent.call("click", selector="#gift")
                await agent.call("fill", selector="#full-name", value=f"Ada {number}")
            first = await value_of_the_field(agent)
            await agent.call("new_tab", url=f"{shop}/checkout")
            await agent.call("fill", selector="#full-name", value="Ada")
            typist.stops()
            typed = await typing
            assert len(typed) > 100
            assert typist.arrived() == (typed, 0)
            assert (first, await value_of_the_field(agent)) == (f"Ada {ROUNDS - 1}", "Ada")

            await agent.call("navigate", url=f"{shop}/lab")
            before = typist.windows()
            opened = await agent.call("click", selector="#open-popup")
            await asyncio.to_thread(until, lambda: typist.windows() > before, "the page's window")
            await asyncio.to_thread(until, typist.types_steadily, "the keyboard back from the page's window")
            await agent.call("close_tab", tabId=opened["effects"]["newTabs"][0]["tabId"])
            await agent.call("navigate", url=f"{shop}/checkout")
            typist.arrived()

            await click_into_the_field(typist, agent)
            typist.types("xyz")
            await agent.call("wait", expression='document.querySelector("#full-name").value.includes("xyz")')
            assert typist.arrived() == ("", 0)
