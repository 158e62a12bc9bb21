"""Agents work in the panel's browser while the person types elsewhere, on a real display with a real keyboard."""

from __future__ import annotations

import asyncio
import os
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings

from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e import desktop_host, own_browser
from tests.support.e2e.desktop_host import until
from tests.support.e2e.late import told
from tests.support.e2e.typist import Typist, click_into_the_field, serving, value_of_the_field
from tests.support.patience import PATIENCE_S

ROUNDS = 3
CHARACTERS = 100
MANAGERS = ("openbox", "metacity", "")
#: The page opens a window only when the click has been answered.
OPENS_LATE = """addEventListener("click", () => {
  setTimeout(() => open("/checkout?late", "", "width=300,height=200"), 2000);
})"""
FILLS_THE_SCREEN = "addEventListener('click', () => document.documentElement.requestFullscreen(), {once: true})"
FIELD = "document.querySelector('#full-name')"


def desktops(*usual: str) -> pytest.MarkDecorator:
    """The window managers that a test is run with: `usual`, and all of them in `make soak ARGS=properties`."""
    managers = MANAGERS if settings.get_current_profile_name() == "soak" else usual
    return pytest.mark.parametrize("manager", managers, ids=lambda manager: manager or "no window manager")


@desktops("openbox", "")
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
        await asyncio.to_thread(until, typist.is_uppermost, "the browser behind what the person sees")
        async with connect(root, "worker") as client:
            agent = Agent(client)
            await agent.call("navigate", url=f"{shop}/checkout")
            for number in range(ROUNDS):
                await agent.call("click", selector="#gift")
                await agent.call("fill", selector="#full-name", value=f"Ada {number}")
                await a_dialog(agent)
            first = await value_of_the_field(agent)
            await agent.call("new_tab", url=f"{shop}/checkout")
            await agent.call("activate_tab")
            await agent.call("fill", selector="#full-name", value="Ada")
            await asyncio.to_thread(until, lambda: typist.typed > CHARACTERS, "the typing")
            typist.stops()
            assert (await typing, 0) == typist.arrived()  # in this order: it types until it has ended
            assert (first, await value_of_the_field(agent)) == (f"Ada {ROUNDS - 1}", "Ada")

            await agent.call("navigate", url=f"{shop}/lab")
            before = typist.windows()
            (opened,) = await told(agent, await agent.call("click", selector="#open-popup"), "newTabs")
            await asyncio.to_thread(until, lambda: typist.windows() > before, "the page's window")
            await asyncio.to_thread(until, typist.types_steadily, "the keyboard back from the page's window")
            await agent.call("close_tab", tabId=opened["tabId"])
            await a_window_comes_late(typist, agent)
            await a_page_fills_the_screen(typist, agent)
            if manager:
                await a_window_is_minimised(typist, agent)
            await agent.call("navigate", url=f"{shop}/checkout")
            typist.arrived()

            await click_into_the_field(typist, agent)
            typist.types("xyz")
            await agent.call("wait", expression='document.querySelector("#full-name").value.includes("xyz")')
            assert typist.arrived() == ("", 0)


async def a_dialog(agent: Agent) -> None:
    """One of the page's, shown and answered."""
    await agent.call("evaluate", code="confirm('Sure?')")
    await agent.call("handle_dialog", accept=True)


async def a_window_comes_late(typist: Typist, agent: Agent) -> None:
    """It leaves the keyboard where it is, too."""
    await agent.call("evaluate", code=OPENS_LATE)
    before = typist.windows()
    await agent.call("click", selector="h1")
    await asyncio.to_thread(until, lambda: typist.windows() > before, "the window after the click")
    await asyncio.to_thread(until, typist.types_steadily, "the keyboard back from the window after the click")
    late: list[str] = []
    async with asyncio.timeout(PATIENCE_S):
        while not late:  # it may still be on its way to its page
            tabs = (await agent.call("list_tabs"))["tabs"]
            late = [tab["tabId"] for tab in tabs if tab["url"].endswith("?late")]
    await agent.call("close_tab", tabId=late[0])


async def a_page_fills_the_screen(typist: Typist, agent: Agent) -> None:
    """Its window takes the keyboard for that, and gives it back."""
    await agent.call("evaluate", code=FILLS_THE_SCREEN)
    await agent.call("click", selector="h1")
    await agent.call("wait", expression="document.fullscreenElement")
    await asyncio.to_thread(until, typist.types_steadily, "the keyboard back from the page that fills the screen")
    await agent.call("evaluate", code="document.exitFullscreen()")
    await asyncio.to_thread(until, typist.types_steadily, "the keyboard back from the page that filled the screen")


async def a_window_is_minimised(typist: Typist, agent: Agent) -> None:
    """A press brings it back, not the keyboard into it."""
    await asyncio.to_thread(typist.minimises_the_browser)
    await agent.call("click", selector="h1")
    await asyncio.to_thread(until, typist.types_steadily, "the keyboard back from the window that was minimised")


@desktops("metacity")
async def test_in_the_persons_own_browser_too_even_if_they_type_in_another_window_of_it(
    tmp_path: Path, shop: str, manager: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as ending:
        name = ending.enter_context(desktop_host.desktop_of_ours(monkeypatch, manager))
        async with (
            own_browser.paired(tmp_path, f"{shop}/checkout?mine", headless=False) as (hub, browser),
            connect(tmp_path / "data", "worker") as client,
        ):
            hub.core.router.gates.policy.own_preset = "trusting"
            await browser.connect("?mine")
            typist = Typist(name)
            ending.callback(typist.close)
            await asyncio.to_thread(typist.sit_down)
            typed = await typed_beside_the_agent(typist, agent := Agent(client), shop)
            assert typist.arrived() == (typed, 0)
            await click_into_the_field(typist, agent)
            typist.types("xyz")
            await agent.call("wait", expression=f'{FIELD}.value.includes("xyz")')

            theirs = f"{shop}/checkout?theirs"
            await browser.pipe.call("Target.createTarget", {"url": theirs, "newWindow": True})
            page = await browser.page("?theirs")
            await browser.until(page, FIELD)
            await browser.see(page, f"{FIELD}.focus()")
            async with asyncio.timeout(PATIENCE_S):
                while not await browser.see(page, f"{FIELD}.value"):
                    typist.types("a")  # the window may still be on its way
            await browser.see(page, f"{FIELD}.value = ''")
            typed = await typed_beside_the_agent(typist, agent, shop)
            async with asyncio.timeout(PATIENCE_S):
                while len(value := await browser.see(page, f"{FIELD}.value")) < len(typed):
                    pass  # each look is a call of its own
            assert value == typed


async def typed_beside_the_agent(typist: Typist, agent: Agent, shop: str) -> str:
    """What the person types while the agent works in the tab that is seen, and opens another; nothing of it is in
    the page."""
    seen = (await agent.call("list_tabs"))["tabs"][0]["tabId"]
    typing = typist.types_on()
    try:
        for number in range(ROUNDS):
            await agent.call("click", tabId=seen, selector="#gift")
            await agent.call("fill", tabId=seen, selector="#full-name", value=f"Ada {number}")
            await a_dialog(agent)
        opened = await agent.call("new_tab", url=f"{shop}/checkout")
        await agent.call("activate_tab")
        await agent.call("fill", selector="#full-name", value="Ada")
        await agent.call("click", selector="#gift")
        await agent.call("activate_tab", tabId=seen)
        await agent.call("close_tab", tabId=opened["tabId"])
        await asyncio.to_thread(until, lambda: typist.typed > CHARACTERS, "the typing")
    finally:
        typist.stops()
    typed = await typing
    assert (await agent.call("evaluate", tabId=seen, code=f"{FIELD}.value"))["value"] == f"Ada {ROUNDS - 1}"
    return typed
