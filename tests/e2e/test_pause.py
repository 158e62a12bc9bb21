"""The person's brake on real browsers: eight agents at work, the panel's browser and the person's own, both stopped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core import tasks
from kapture_panel.core.errors import KaptureError
from kapture_panel.core.tabs import Tab
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.hub.door_client import DoorClient
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.hub.instance import Instance
from tests.support.e2e import own_browser
from tests.support.e2e.own_browser import OwnBrowser
from tests.support.e2e.silent import silent_server
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

#: What is promised: how soon a command is refused, and how soon all is cut and let go of.
REFUSED_MS, DETACHED_MS = 100, 500
#: Others may have the processors for as long as that: then the agents are stopped once more.
ROUNDS = 3


@dataclass
class World:
    """One panel with its own browser and a person's, in which two tabs are connected."""

    hub: Hub
    own: OwnBrowser
    tab_ids: list[str]

    async def until(self, condition: Any) -> None:
        """Wait until `condition()` holds, looked at whenever a tab changes."""
        tabs, news = self.hub.services.tabs, asyncio.Event()

        def look(_tab: Tab) -> None:
            news.set()

        signals = (tabs.added, tabs.changed, tabs.removed)
        for signal in signals:
            signal.connect(look)
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not condition():
                    news.clear()
                    await news.wait()
        finally:
            for signal in signals:
                signal.disconnect(look)

    def states(self) -> list[str]:
        """The states of the person's own tabs, as the window shows them."""
        found = [self.hub.services.tabs.find(tab_id) for tab_id in self.tab_ids]
        return [tab.state if tab is not None else "gone" for tab in found]


@asynccontextmanager
async def world(folder: Path, pages: str) -> AsyncIterator[World]:
    urls = [f"{pages}/blank.html?own{number}" for number in (1, 2)]
    async with own_browser.paired(folder, urls[0]) as (hub, browser):
        second = await browser.open(urls[1])
        await browser.until(second, "location.search === '?own2' && document.body")
        hub.services.router.policy.own_preset = "trusting"
        popup = await browser.popup("?own1")
        await browser.until(popup, "document.querySelector('#toggle:not([disabled])')")
        for url in urls:
            connect_it = f"""chrome.tabs.query({{}})
                .then((all) => chrome.runtime.sendMessage({{
                  ask: 'connect', tabId: all.find((tab) => tab.url === '{url}').id }}))"""
            assert (await browser.see(popup, connect_it))["tab"] == "connected"
        yield World(hub, browser, [tab.tab_id for tab in hub.services.tabs])


def hold(hub: Hub) -> float:
    """Pause, and say when that was, in ms since 1970."""
    at = time.time() * 1000
    hub.services.router.pause.hold()
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


async def stopped(
    w: World, witness: str, agents: list[Agent], going: dict[str, tuple[Agent, str, dict[str, Any]]]
) -> dict[str, float]:
    """Begin what is `going`, pause, and see what each is told; in ms, how long it took until the last of it was cut,
    until the person's tab was let go of (its page gets its own size back), and until a new command was refused."""
    note = "performance.timeOrigin + performance.now()"
    await w.own.see(witness, f"globalThis.resized = new Promise((done) => {{ onresize = () => done({note}) }}), 0")
    running = {name: tasks.spawn(failing(agent.call(command, **params)), name)
               for name, (agent, command, params) in going.items()}  # fmt: skip
    history, clients = w.hub.services.history, w.hub.services.clients
    busy = asyncio.Event()

    def look(_client: object) -> None:
        commands = [row.command for row in history.rows(limit=20) if row.state == "running"]
        if sorted(commands) == sorted([command for _agent, command, _params in going.values()] + ["evaluate"]):
            busy.set()

    clients.changed.connect(look)
    look(None)
    async with asyncio.timeout(PATIENCE_S):
        await busy.wait()
    clients.changed.disconnect(look)

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


async def test_eight_agents_are_stopped_at_once_and_everything_comes_back(
    tmp_path: Path, pages: str, record_property: Callable[[str, object], None]
) -> None:
    async with AsyncExitStack() as stack:
        w = await stack.enter_async_context(world(tmp_path, pages))
        hub, root = w.hub, tmp_path / "data"
        agents = [Agent(await stack.enter_async_context(connect(root, f"agent-{number}"))) for number in range(8)]
        one, two, *others = agents
        first, second = w.tab_ids
        await one.call("resize", tabId=first, width=500, height=400)
        await one.call("inject_script", source="globalThis.kept = 7", keep=True)
        await one.call("set_offline", offline=True)
        await hub.services.start_browser()
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
        going: dict[str, tuple[Agent, str, dict[str, Any]]] = {
            "own wait": (one, "wait", {"time": 60_000, "timeout": 90_000}),
            "own click": (two, "click", {"selector": "#away", "timeout": 90_000}),
            "click 1": (others[0], "click", {"selector": "#away", "timeout": 90_000}),
            "click 2": (others[1], "click", {"selector": "#away", "timeout": 90_000}),
            "evaluate 1": (others[2], "evaluate", {"code": never, "timeout": 90_000}),
            "evaluate 2": (others[3], "evaluate", {"code": never, "timeout": 90_000}),
            "wait 1": (others[4], "wait", {"time": 60_000, "timeout": 90_000}),
            "batch": (others[5], "batch", {"timeout": 90_000, "steps": [
                {"command": "snapshot"},
                {"command": "evaluate", "params": {"code": never, "timeout": 80_000}}]}),
        }  # fmt: skip
        times: dict[str, float] = {}
        for _ in range(ROUNDS):
            times = await stopped(w, witness, agents, going)
            print({name: round(ms) for name, ms in times.items()})
            await w.until(lambda: w.states() == ["paused", "paused"])
            if times["refused"] <= REFUSED_MS and max(times["cut"], times["detached"]) <= DETACHED_MS:
                break
            hub.services.router.pause.lift()
            await w.until(lambda: w.states() == ["connected", "connected"])
            assert (await one.call("evaluate", code="innerWidth"))["value"] == 500
        for name, ms in times.items():
            record_property(f"{name}_ms", round(ms))
        assert times["refused"] <= REFUSED_MS
        assert max(times["cut"], times["detached"]) <= DETACHED_MS

        # The panel's own browser is there for the person, theirs is let go of.
        services = hub.services
        managed = next(tab for tab in services.tabs if tab.managed)
        by_person = await services.router.run(services.person, "evaluate", {"code": "6 * 7", "tabId": managed.tab_id})
        assert by_person.result["value"] == 42
        with pytest.raises(KaptureError, match="resume") as error:
            await services.router.run(services.person, "evaluate", {"code": "1", "tabId": first})
        assert error.value.code == "PAUSED"

        services.router.pause.lift()
        await w.until(lambda: w.states() == ["connected", "connected"])
        restored = (await one.call("evaluate", code="[innerWidth, innerHeight, navigator.onLine]"))["value"]
        assert restored == [500, 400, False]
        await one.call("set_offline", offline=False)
        assert (await one.call("evaluate", code="String(globalThis.kept)"))["value"] == "7", "the same document"
        await one.call("reload")
        assert (await one.call("evaluate", code="[globalThis.kept, innerWidth]"))["value"] == [7, 500]
        for agent in others[2:]:
            assert (await agent.call("evaluate", code="1 + 1"))["value"] == 2
        for agent in (two, *others[:2]):  # whose pages wait for a server that says nothing
            assert len((await agent.call("list_tabs"))["tabs"]) >= 9


async def test_only_a_person_lifts_it_and_a_restart_does_not(tmp_path: Path, pages: str) -> None:
    root = tmp_path / "data"
    async with world(tmp_path, pages) as w:
        hub, pause = w.hub, w.hub.services.router.pause
        popup = await w.own.popup("?own2")
        await w.own.until(popup, "document.querySelector('#brake:not([disabled])')")
        await w.own.until(popup, "document.querySelector('#tab').textContent === 'connected'")
        await w.own.click(popup, "#brake")
        await w.own.until(popup, "document.querySelector('#brake').textContent === 'Resume agents'")
        assert pause.is_on
        assert "let go of" in await w.own.see(popup, "document.querySelector('#paused').textContent")
        await w.until(lambda: w.states() == ["paused", "paused"])
        assert not [name for name in (command.name for command in hub.services.catalogue) if "pause" in name]

        def ask(role: str, request: dict[str, Any]) -> str:
            try:
                with DoorClient(root, {"role": role}, 10) as door:
                    return str(door.ask(request))
            except KaptureError as error:
                return error.code

        for word in ("resume", "lift", "pause", "unpause", "raise", "hand-over"):
            assert "INVALID_PARAMS" in await asyncio.to_thread(ask, "control", {"ask": word})
        for name in ("kapturemcp_resume", "kapturemcp_pause", "kapturemcp_list_tabs"):
            assert await asyncio.to_thread(ask, "call", {"command": name, "params": {}}) == "PAUSED"
        async with connect(root, "agent") as client:
            assert (await Agent(client).fails("evaluate", code="1")).startswith("PAUSED: ")

        port = hub.port
        await hub.stop()
        hub._instance.release()
        await w.own.until(popup, "document.querySelector('#panel').textContent !== 'connected'")
        instance = Instance(hub._data.lock)
        assert instance.acquire(lambda: False)
        again = Hub(hub._data, instance, Options(port=port, headless=True), lambda _ask: False)
        try:
            await again.start()
            assert again.services.router.pause.is_on
            await w.own.until(popup, "document.querySelector('#panel').textContent === 'connected'")
            await w.own.until(popup, "document.querySelector('#brake').textContent === 'Resume agents'")
            assert not list(again.services.tabs)
            # Closed and ended meanwhile: they do not come back.
            await w.own.close("?own1")
            w.hub = again
            await w.own.click(popup, "#brake")
            await w.until(lambda: [tab.tab_id for tab in again.services.tabs] == w.tab_ids[1:])
            assert not again.services.router.pause.is_on
            assert not (root / "paused.json").exists()
        finally:
            await again.stop()
            instance.release()
