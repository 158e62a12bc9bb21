"""The person's brake on real browsers: eight agents at work, the panel's browser and the person's own, both stopped."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.demo.agent import Agent, connect
from kapture_panel.hub.agent_door.door_client import DoorClient
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from tests.support.e2e.panel import OpenAgent, Panel
from tests.support.e2e.pausing import eight_agents, stopped, world
from tests.support.e2e.silent import silent_server
from tests.support.patience import PATIENCE_MS

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_eight_agents_are_stopped_at_once_and_everything_comes_back(tmp_path: Path, pages: str) -> None:
    async with eight_agents(tmp_path, pages) as eight:
        w, hub, agents = eight.world, eight.world.hub, eight.agents
        one, two, *others = agents
        first = w.tab_ids[0]
        # How soon is measured by tests/bench/promises.py.
        await stopped(eight)
        await w.until(lambda: w.states() == ["paused", "paused"])

        # The panel's own browser is there for the person, theirs is let go of.
        managed = next(tab for tab in hub.state.tabs if tab.managed)
        by_person = await hub.core.router.run(hub.state.person, "evaluate", {"code": "6 * 7", "tabId": managed.tab_id})
        assert by_person.result["value"] == 42
        with pytest.raises(KaptureError, match="resume") as error:
            await hub.core.router.run(hub.state.person, "evaluate", {"code": "1", "tabId": first})
        assert error.value.code == "PAUSED"

        hub.core.router.gates.pause.lift()
        # Nobody gets a word out of a tab on its way to a page, until that has come, or will not.
        await w.until(lambda: w.states()[0] == "connected")
        eight.silent.give_up()
        await w.until(lambda: w.states() == ["connected", "connected"])
        restored = (await one.call("evaluate", code="[innerWidth, innerHeight, navigator.onLine]"))["value"]
        assert restored == [500, 400, False]
        await one.call("set_offline", offline=False)
        assert (await one.call("evaluate", code="String(globalThis.kept)"))["value"] == "7", "the same document"
        await one.call("reload")
        assert (await one.call("evaluate", code="[globalThis.kept, innerWidth]"))["value"] == [7, 500]
        for agent in others[2:]:
            assert (await agent.call("evaluate", code="1 + 1"))["value"] == 2
        for agent in (two, *others[:2]):
            assert (await agent.call("evaluate", code="document.links[0].id"))["value"] == "away"


def asked(root: Path, role: str, request: dict[str, Any]) -> str:
    """What the local door answers, or the code of its refusal."""
    try:
        with DoorClient(root, {"role": role}, 10) as door:
            return str(door.ask(request))
    except KaptureError as error:
        return error.code


async def test_only_a_person_lifts_it_and_a_restart_does_not(tmp_path: Path, pages: str) -> None:
    root = tmp_path / "data"
    async with world(tmp_path, pages) as w:
        hub, pause = w.hub, w.hub.core.router.gates.pause
        popup = await w.own.popup("?own2")
        await w.own.until(popup, "document.querySelector('#brake:not([disabled], [aria-disabled=true])')")
        await w.own.until(popup, "document.querySelector('#tab').textContent === 'connected'")
        await w.own.click(popup, "#brake")
        await w.own.until(popup, "document.querySelector('#brake').textContent === 'Resume agents'")
        assert pause.is_on
        assert "are disconnected" in await w.own.see(popup, "document.querySelector('#paused').textContent")
        await w.until(lambda: w.states() == ["paused", "paused"])
        assert not [name for name in (command.name for command in hub.state.catalogue) if "pause" in name]

        for word in ("resume", "lift", "pause", "unpause", "raise", "hand-over"):
            assert "INVALID_PARAMS" in await asyncio.to_thread(asked, root, "control", {"ask": word})
        for name in ("kapturemcp_resume", "kapturemcp_pause", "kapturemcp_list_tabs"):
            assert await asyncio.to_thread(asked, root, "call", {"command": name, "params": {}}) == "PAUSED"
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
            assert again.core.router.gates.pause.is_on
            await w.own.until(popup, "document.querySelector('#panel').textContent === 'connected'")
            await w.own.until(popup, "document.querySelector('#brake').textContent === 'Resume agents'")
            assert not list(again.state.tabs)
            # Closed and ended meanwhile: they do not come back.
            await w.own.close("?own1")
            w.hub = again
            await w.own.click(popup, "#brake")
            await w.until(lambda: [tab.tab_id for tab in again.state.tabs] == w.tab_ids[1:])
            assert not again.core.router.gates.pause.is_on
            assert not (root / "paused.json").exists()
        finally:
            await again.stop()
            instance.release()


async def test_a_new_tab_whose_page_has_not_come_is_given_up_there_too(
    agent: OpenAgent, panel: Panel, pages: str
) -> None:
    tabs, pause = panel.hub.state.tabs, panel.hub.core.router.gates.pause
    async with agent() as a, silent_server() as silent:
        known = {tab.tab_id for tab in tabs}
        opening = tasks.spawn(a.fails("new_tab", url=f"{silent.url}never", timeout=2 * PATIENCE_MS), "new tab")
        await silent.keeps_waiting(1)
        pause.hold()
        assert (await opening).startswith("OUTCOME_UNKNOWN: ")
        pause.lift()
        (opened,) = (tab.tab_id for tab in tabs if tab.tab_id not in known)
        # What its loading holds up there would wait until the end of its time.
        arrived = await a.call("navigate", url=f"{pages}/blank.html?afterwards", tabId=opened, timeout=PATIENCE_MS)
        assert arrived["url"].endswith("?afterwards")
        await a.call("close_tab", tabId=opened)
