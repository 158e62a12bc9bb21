"""Telling a conversation of changes: what it wants, at once, and a few times a second at most."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.wire.events import ConsoleSaid
from kapture_panel.hub.agent_door.mcp import updates as mcp_updates
from kapture_panel.hub.agent_door.mcp.sources import TABS, tab_uri
from kapture_panel.hub.agent_door.mcp.updates import LIST, Updates
from tests.support.core.fakes import World
from tests.support.hub.fakes import sources_of
from tests.support.patience import PATIENCE_S

CONSOLE = tab_uri("t1", "console")


@pytest.fixture
def updates(world: World) -> Iterator[Updates]:
    made = Updates(world.agent, sources_of(world))
    yield made
    made.close()


async def told(updates: Updates) -> list[str]:
    """What is due now."""
    found = []
    while True:
        try:
            async with asyncio.timeout(0):
                found.append(await updates.next())
        except TimeoutError:
            return found


async def test_only_what_is_wanted_is_told(world: World, updates: Updates) -> None:
    updates.want(TABS)
    world.tab()
    assert await told(updates) == [TABS]
    updates.want(LIST)
    updates.unwant(TABS)
    world.tab("t2")
    assert await told(updates) == [LIST]


async def test_nothing_is_told_of_other_sessions(world: World, updates: Updates) -> None:
    own = Updates(Client("other", "agent", session="s1"), updates._sources)
    for one in (updates, own):
        one.want(TABS)
        one.want(LIST)
    world.tabs.add(Tab("t9", "https://a.example/", "A", "own", session="s1"))
    assert await told(updates) == []
    assert sorted(await told(own)) == [LIST, TABS]
    own.close()


async def test_a_flood_is_told_at_its_beginning_and_its_end(
    world: World, updates: Updates, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.tab()
    updates.want(CONSOLE)
    monkeypatch.setattr(mcp_updates, "PAUSE_S", PATIENCE_S)
    for _ in range(100):
        world.console.append("t1", [ConsoleSaid(text="a")])
    assert await told(updates) == [CONSOLE]
    monkeypatch.setattr(mcp_updates, "PAUSE_S", 0.0)
    second = world.tab("t2")
    updates.want(tab_uri(second.tab_id, "console"))
    for _ in range(100):
        world.console.append(second.tab_id, [ConsoleSaid(text="a")])
    assert [await updates.next(), await updates.next(), *await told(updates)] == [tab_uri("t2", "console")] * 2


async def test_what_nobody_takes_is_kept_once(world: World, updates: Updates, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_updates, "PAUSE_S", 0.0)
    world.tab()
    updates.want(CONSOLE)
    for _ in range(20):
        world.console.append("t1", [ConsoleSaid(text="a")])
        await asyncio.sleep(0)
    assert (await told(updates)).count(CONSOLE) == 1


async def test_the_one_who_waits_is_woken(world: World, updates: Updates) -> None:
    updates.want(TABS)
    waiting = tasks.spawn(updates.next(), "wait for a change")
    await asyncio.sleep(0)
    world.tab()
    assert await waiting == TABS


async def test_wanted_twice_is_unwanted_twice(updates: Updates) -> None:
    updates.want(TABS)
    with updates.wanting([TABS, LIST]):
        assert len(updates) == 2
    assert len(updates) == 1
    updates.unwant(TABS)
    updates.unwant("kapture://tab/never")
    assert len(updates) == 0
    updates.want(TABS)
    updates.tell(TABS)
    assert await told(updates) == [TABS]


async def test_a_closed_one_hears_nothing(world: World) -> None:
    updates = Updates(world.agent, sources_of(world))
    updates.want(TABS)
    world.tab()
    updates.close()
    world.tab("t2")
    assert await told(updates) == [TABS]
