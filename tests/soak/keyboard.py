"""Two hundred clicks, fills, new tabs and dialogs while somebody types elsewhere, in both kinds of browser, with three
kinds of desktop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from itertools import product
from pathlib import Path

from kapture_panel import paths
from kapture_panel.core.gates.rates import MAX_PER_S, Rate
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.demo.site import DemoSite
from tests.soak.check import Amount, Check, Figure
from tests.support.e2e import desktop_host, own_browser
from tests.support.e2e.desktop_host import until
from tests.support.e2e.typist import Typist, click_into_the_field, serving, value_of_the_field

ACTIONS = 200
CHARACTERS = 2000
#: Of twenty actions: a new tab, a dialog; the others are clicks and fills by turns.
EACH = 20
MANAGERS = ("", "openbox", "metacity")
PANELS, OWN = "the panel's browser", "a person's own"
GIFT, NAME = "#gift", "#full-name"


async def measure(folder: Path, count: int) -> Figure:
    """What of the typed characters got lost, in each kind of browser, with each window manager."""
    told, is_met = [], True
    for number, (kind, manager) in enumerate(product((PANELS, OWN), MANAGERS)):
        words, is_right = await with_manager(folder / str(number), kind, manager, count)
        told.append(f"{kind}, {manager or 'no window manager'}: {words}")
        is_met = is_met and is_right
        print(f"          {told[-1]}", flush=True)
    return Figure("; ".join(told), is_met)


async def with_manager(root: Path, kind: str, manager: str, count: int) -> tuple[str, bool]:
    """The figure with one kind of browser and one window manager in words, and whether it is right."""
    root.mkdir()
    with ExitStack() as ending, DemoSite(paths.resources() / "demo_site") as site:
        name = ending.enter_context(desktop_host.display())
        os.environ["DISPLAY"] = name
        os.environ.pop("WAYLAND_DISPLAY", None)
        if manager:
            ending.enter_context(desktop_host.window_manager({**os.environ}, manager))
        typist = Typist(name)
        ending.callback(typist.close)
        async with working(root, kind, site.url) as agent:
            await asyncio.to_thread(typist.sit_down)
            typing = typist.types_on()
            ending.callback(typist.stops)
            await act(agent, site.url, count)
            await asyncio.to_thread(until, lambda: typist.typed >= CHARACTERS, "the typing")
            typist.stops()
            typed = await typing
            arrived, left = typist.arrived()
            held = await value_of_the_field(agent)
            in_page = held.removeprefix("Ada")
            clicked = await types_after_a_click(typist, agent)
        lost = len(typed) - len(arrived)
        order = "in order" if arrived == typed else "OUT OF ORDER" if not lost else "with gaps"
        words = (
            f"{lost} of {len(typed)} lost, {len(in_page)} in the page, {order}, the focus left {left} times; "
            f"a click then {'types' if clicked else 'DOES NOT type'} in the page"
        )
        return words, arrived == typed and left == 0 and not in_page and clicked


@asynccontextmanager
async def working(root: Path, kind: str, site: str) -> AsyncIterator[Agent]:
    """An agent with a tab that is seen, in a browser of this kind."""
    if kind == PANELS:
        with serving(root / "data", {**os.environ}):
            async with connect(root / "data", "worker") as client:
                await (agent := Agent(client)).call("navigate", url=f"{site}/checkout")
                yield agent
        return
    async with (
        own_browser.paired(root, f"{site}/checkout?mine", headless=False) as (hub, browser),
        connect(root / "data", "worker") as client,
    ):
        hub.core.router.gates.policy.own_preset = "trusting"
        hub.core.router.gates.policy.rules.set_rate(Rate(MAX_PER_S, MAX_PER_S))
        await browser.connect("?mine")
        agent = Agent(client)
        await agent.call("activate_tab", tabId=(await agent.call("list_tabs"))["tabs"][0]["tabId"])
        yield agent


async def act(agent: Agent, site: str, count: int) -> None:
    """All actions, each in a tab that is seen."""
    for number in range(count):
        match number % EACH:
            case 0:
                await agent.call("new_tab", url=f"{site}/checkout")
                await agent.call("activate_tab")
            case 7:
                await agent.call("navigate", url=f"{site}/lab")
                await agent.call("click", selector="#show-confirm")
                await agent.call("handle_dialog", accept=True)
                await agent.call("navigate", url=f"{site}/checkout")
            case odd if odd % 2:
                await agent.call("click", selector=GIFT)
            case _:
                await agent.call("fill", selector=NAME, value="Ada")
    await agent.call("fill", selector=NAME, value="Ada")


async def types_after_a_click(typist: Typist, agent: Agent) -> bool:
    """Whether what is typed after a real click into a field of the page stands there."""
    await click_into_the_field(typist, agent)
    typist.types("xyz")
    await agent.call("wait", expression=f'document.querySelector("{NAME}").value.includes("xyz")')
    return typist.arrived() == ("", 0)


CHECK = Check(
    "keyboard",
    f"while an agent acts in the panel's browser and in a person's own, of {CHARACTERS} characters "
    "typed elsewhere none is lost or lands in the page, without a window manager, with openbox and with metacity; a "
    "click then types there",
    measure,
    longest_s=1500,
    amount=Amount(ACTIONS, ACTIONS, "actions"),
)
