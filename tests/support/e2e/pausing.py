"""A panel with its own browser and a person's, eight agents at work in both, and the brake that stops them all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kapture_panel.core.basics import tasks
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.hub.hub import Hub
from tests.support.e2e import own_browser, tab_news
from tests.support.e2e.own_browser import OwnBrowser
from tests.support.e2e.silent import Silent, silent_server
from tests.support.patience import PATIENCE_S

#: Of an agent: what it calls, with which parameters.
Calls = dict[str, tuple[Agent, str, dict[str, Any]]]


@dataclass
class World:
    """One panel with its own browser and a person's, in which two tabs are connected."""

    hub: Hub
    own: OwnBrowser
    tab_ids: list[str]

    async def until(self, condition: Any) -> None:
        """Wait until `condition()` holds, looked at whenever a tab changes."""
        await tab_news.until(self.hub.state.tabs, condition)

    def states(self) -> list[str]:
        """The states of the person's own tabs, as the window shows them."""
        found = [self.hub.state.tabs.find(tab_id) for tab_id in self.tab_ids]
        return [tab.state if tab is not None else "gone" for tab in found]


@asynccontextmanager
async def world(folder: Path, pages: str) -> AsyncIterator[World]:
    urls = [f"{pages}/blank.html?own{number}" for number in (1, 2)]
    async with own_browser.paired(folder, urls[0]) as (hub, browser):
        second = await browser.open(urls[1])
        await browser.until(second, "location.search === '?own2' && document.body")
        hub.core.router.gates.policy.own_preset = "trusting"
        popup = await browser.popup("?own1")
        await browser.until(popup, "document.querySelector('#toggle:not([disabled], [aria-disabled=true])')")
        for url in urls:
            connect_it = f"""chrome.tabs.query({{}})
                .then((all) => chrome.runtime.sendMessage({{
                  ask: 'connect', tabId: all.find((tab) => tab.url === '{url}').id }}))"""
            assert (await browser.see(popup, connect_it))["tab"] == "connected"
        yield World(hub, browser, [tab.tab_id for tab in hub.state.tabs])


def hold(hub: Hub) -> float:
    """Pause, and say when that was, in ms since 1970."""
    at = time.time() * 1000
    hub.core.router.gates.pause.hold()
    return at


async def failing(call: Awaitable[Any]) -> str:
    try:
        await call
    except Exception as error:
        return str(error)
    return "it did not fail"


async def refused_ms(agent: Agent, command: str) -> float:
    """How long the agent waits to be told that it is paused, in ms."""
    started = time.perf_counter()
    assert (await agent.fails(command)).startswith("PAUSED: ")
    return (time.perf_counter() - started) * 1000


@dataclass
class Eight:
    """Eight agents in a world; `going` is what each is to have under way when it is stopped, `witness` sees the
    person's first tab. The navigations in it lead to pages for which the `silent` server is asked in vain."""

    world: World
    agents: list[Agent]
    going: Calls
    witness: str
    silent: Silent


async def stopped(eight: Eight) -> dict[str, float]:
    """Begin what is going, pause, and see what each is told; in ms, how long it took until the last of it was cut,
    until the person's tab was let go of (its page gets its own size back), and until a new command was refused."""
    w, agents, going, witness = eight.world, eight.agents, eight.going, eight.witness
    note = "performance.timeOrigin + performance.now()"
    await w.own.see(witness, f"globalThis.resized = new Promise((done) => {{ onresize = () => done({note}) }}), 0")
    running = {name: tasks.spawn(failing(agent.call(command, **params)), name)
               for name, (agent, command, params) in going.items()}  # fmt: skip
    history, clients = w.hub.state.history, w.hub.state.clients
    busy = asyncio.Event()

    def look(_client: object) -> None:
        commands = [row.command for row in history.rows(limit=20) if row.state == "running"]
        if sorted(commands) == sorted([command for _agent, command, _params in going.values()] + ["evaluate"]):
            busy.set()

    clients.changed.connect(look)
    look(None)
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.wait([tasks.spawn(busy.wait(), "busy"), *running.values()], return_when=asyncio.FIRST_COMPLETED)
        await eight.silent.keeps_waiting(sum(command == "navigate" for _agent, command, _params in going.values()))
    clients.changed.disconnect(look)
    ended = {name: task.result() for name, task in running.items() if task.done()}
    assert not ended, "nothing of it ends by itself"

    held_at = hold(w.hub)
    # Each has a command under way, and the panel its hands full with cutting them.
    refusals = [tasks.spawn(refused_ms(agent, "list_tabs"), "refusal") for agent in agents]
    async with asyncio.timeout(PATIENCE_S):
        answers = dict(zip(running, await asyncio.gather(*running.values()), strict=True))
    cut_ms = time.time() * 1000 - held_at
    for name, answer in answers.items():
        assert answer.startswith("PAUSED: " if "wait" in name else "OUTCOME_UNKNOWN: "), (name, answer)
    assert "step 2 of 2" in answers["batch"]
    async with asyncio.timeout(PATIENCE_S):
        detached_ms = await w.own.see(witness, "resized") - held_at
    assert await w.own.see(witness, "[innerWidth !== 500, navigator.onLine]") == [True, True]
    times = await asyncio.gather(*refusals)
    times += [await refused_ms(agent, command) for agent in agents for command in ("snapshot", "new_tab")]
    return {"cut": cut_ms, "detached": detached_ms, "refused": max(times)}


@asynccontextmanager
async def eight_agents(folder: Path, pages: str) -> AsyncIterator[Eight]:
    """Two of them in the person's browser, which one has resized and taken offline; six in the panel's."""
    async with AsyncExitStack() as stack:
        w = await stack.enter_async_context(world(folder, pages))
        hub, root = w.hub, folder / "data"
        agents = [Agent(await stack.enter_async_context(connect(root, f"agent-{number}"))) for number in range(8)]
        one, two, *others = agents
        first, second = w.tab_ids
        await one.call("resize", tabId=first, width=500, height=400)
        await one.call("inject_script", source="globalThis.kept = 7", keep=True)
        await one.call("set_offline", offline=True)
        await hub.browsers.open(in_front=True)
        for agent in others:
            await agent.call("new_tab", url=f"{pages}/blank.html?managed")
        witness = await w.own.page("?own1")
        # What is emulated ends with the debugger's attachment; only a tab in front is told at once.
        await w.own.pipe.call("Page.bringToFront", session=witness)
        silent = await stack.enter_async_context(silent_server())
        link = f"document.body.innerHTML = '<a id=away href={silent.url}never>x</a>'"
        for agent in (two, others[0], others[1]):
            await agent.call("evaluate", code=link, **({"tabId": second} if agent is two else {}))

        never = "new Promise(() => {})"
        going: Calls = {
            "own wait": (one, "wait", {"time": 60_000, "timeout": 90_000}),
            "own navigate": (two, "navigate", {"url": f"{silent.url}never", "timeout": 90_000}),
            "navigate": (others[0], "navigate", {"url": f"{silent.url}never", "timeout": 90_000}),
            "click": (others[1], "click", {"selector": "#never", "timeout": 90_000}),
            "evaluate 1": (others[2], "evaluate", {"code": never, "timeout": 90_000}),
            "evaluate 2": (others[3], "evaluate", {"code": never, "timeout": 90_000}),
            "wait 1": (others[4], "wait", {"time": 60_000, "timeout": 90_000}),
            "batch": (others[5], "batch", {"timeout": 90_000, "steps": [
                {"command": "snapshot"},
                {"command": "evaluate", "params": {"code": never, "timeout": 80_000}}]}),
        }  # fmt: skip
        yield Eight(w, agents, going, witness, silent)
