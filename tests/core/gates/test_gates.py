"""The gates stand in this order: the brake, the rate, then policy and lease of what the command means."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.call import Call
from kapture_panel.core.gates.approvals import Ask
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rates import Rate
from kapture_panel.core.registry.clients import Client
from tests.support.core.fakes import CATALOGUE, World, refused


async def test_a_paused_agent_hears_of_the_pause_whatever_it_asks_for(world: World) -> None:
    world.router.gates.pause.hold()
    assert (await refused(world, "no_such_command")).code == "PAUSED"
    assert (await refused(world, "click", selector=1)).code == "PAUSED"


async def test_commands_there_are_not_count_for_the_rate(world: World) -> None:
    world.router.gates.policy.rules.set_rate(Rate(1, 1))
    assert (await refused(world, "no_such_command")).code == "INVALID_PARAMS"
    assert (await refused(world, "no_such_command")).code == "RATE_LIMITED"


async def test_what_the_policy_blocks_is_said_before_who_holds_the_tab(world: World) -> None:
    tab = world.tab()
    other = Client("codex", "agent")
    world.clients.add(other)
    gates = world.router.gates
    gates.leases.give(other, tab.tab_id)
    assert (await refused(world, "click", selector="#a")).code == "TAB_LEASED"
    gates.policy = Policy("read-only")
    assert (await refused(world, "click", selector="#a")).code == "DENIED"
    assert world.executor.sent == []
    assert [row.code for row in world.history.rows()] == ["DENIED", "TAB_LEASED"]


async def test_who_acts_where_another_holds_the_tab_is_refused_before_anything_is_prepared(world: World) -> None:
    tab, holder = world.tab(), Client("codex", "agent")
    world.clients.add(holder)
    gates = world.router.gates
    gates.leases.give(holder, tab.tab_id)
    for client, name, is_refused in (
        (world.agent, "click", True), (world.agent, "screenshot", False),
        (holder, "click", False), (world.person, "click", False),
    ):  # fmt: skip
        call = Call(client, name, {"selector": "#a"} if name == "click" else {"name": "a"})
        call.mean(CATALOGUE.get(name))
        call.tab = tab
        with pytest.raises(KaptureError) if is_refused else nullcontext() as met:
            gates.admit(call)
        assert met is None or met.value.code == "TAB_LEASED"


async def test_an_answer_for_the_session_is_remembered_and_who_goes_has_no_question_open(world: World) -> None:
    gates = world.router.gates
    gates.policy = Policy("careful")
    gates.approvals.attend()
    world.tab()
    asked: asyncio.Queue[Ask] = asyncio.Queue()
    gates.approvals.added.connect(asked.put_nowait)
    first = tasks.spawn(world.run("evaluate", code="1"), "evaluate")
    gates.approvals.allow(await asked.get(), "session")
    await first
    await world.run("evaluate", code="2")
    assert asked.empty()
    world.agent.granted.clear()
    waiting = tasks.spawn(world.run("evaluate", code="3"), "evaluate")
    await asked.get()
    world.clients.remove(world.agent)
    with pytest.raises(KaptureError):
        await waiting
    assert list(gates.approvals) == []


async def test_a_tab_that_goes_takes_its_question_along(world: World) -> None:
    gates = world.router.gates
    gates.policy = Policy("careful")
    gates.approvals.attend()
    tab = world.tab()
    asked: asyncio.Queue[Ask] = asyncio.Queue()
    gates.approvals.added.connect(asked.put_nowait)
    waiting = tasks.spawn(world.run("evaluate", code="1"), "evaluate")
    await asked.get()
    world.tabs.remove(tab)
    with pytest.raises(KaptureError):
        await waiting
    assert list(gates.approvals) == []
