"""Somebody sets the clock of the machine by a day: no limit, lease, time-out or question takes that for time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.leases import Leases
from kapture_panel.core.gates.rates import Rate, Rates
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.registry.tabs import Tab, Tabs
from tests.support.core.fakes import World, call_of
from tests.support.core.inbox import Inbox, next_round
from tests.support.core.router import running

Jump = Callable[[], None]
DAY_S = 86_400.0
DAY_MS = 86_400_000


@pytest.fixture(params=[DAY_S, -DAY_S], ids=["ahead", "back"])
def jump(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Jump:
    """Sets the wall clock; the monotonic one goes on."""
    real = time.time
    return lambda: monkeypatch.setattr(time, "time", lambda: real() + request.param)


def is_refused(rates: Rates, client: Client) -> bool:
    try:
        rates.admit(call_of(client, "click"))
    except KaptureError as error:
        return error.code == "RATE_LIMITED"
    return False


def test_a_rate_is_neither_refilled_nor_emptied(jump: Jump) -> None:
    rates, agent = Rates(lambda: Rate(per_s=1, burst=100)), Client("a", "agent")
    for _ in range(99):
        rates.admit(call_of(agent, "click"))
    jump()
    rates.admit(call_of(agent, "click"))
    assert any(is_refused(rates, agent) for _ in range(50))  # a day would have filled it; a slow machine does not


def test_a_tab_stays_held(jump: Jump) -> None:
    clients, tabs = Clients(), Tabs()
    tabs.add(Tab("t1", "https://shop.example/", "Shop", "install"))
    leases = Leases(clients, tabs)
    holder, other = Client("one", "agent"), Client("other", "agent")
    for client in (holder, other):
        clients.add(client)
    leases.use(holder, "t1", acts=True)
    jump()
    assert leases.holder("t1") is holder
    with pytest.raises(KaptureError, match="held by 'one'"):
        leases.use(other, "t1", acts=True)


async def test_a_question_stays_open(jump: Jump) -> None:
    inbox = Inbox()
    asking = inbox.begin()
    await next_round()
    jump()
    await next_round()
    (ask,) = inbox.added
    assert (inbox.settled, asking.done()) == ([], False)
    inbox.approvals.allow(ask)
    assert await asking == "allowed"


async def test_a_command_under_way_goes_on(world: World, jump: Jump) -> None:
    world.tab()
    world.executor.open.clear()
    call = running(world, "click", ref="e1", timeout=60_000)
    await world.executor.arrived.get()
    jump()
    await asyncio.sleep(0)
    assert not call.done()
    world.executor.open.set()
    await call
    row = world.row()
    assert row.ms is not None
    assert (row.state, row.ms // DAY_MS) == ("ok", 0)
