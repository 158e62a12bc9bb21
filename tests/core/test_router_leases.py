"""An action that waited acts only in a tab that is still its client's, and frees nobody else's."""

from __future__ import annotations

import asyncio

import pytest

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.call import Call
from kapture_panel.core.gates.approvals import Approvals, Ask
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.router import Send
from kapture_panel.core.wire.protocol import Response
from tests.support.core.fakes import World, picture
from tests.support.core.guarded import Guarded
from tests.support.core.router import running

SHOP = "https://shop.example"
CARD = {"selector": "#card", "value": "4111"}


@pytest.fixture
def other(world: World) -> Client:
    client = Client("codex", "agent")
    world.clients.add(client)
    return client


@pytest.fixture
async def waits(world: World) -> tuple[Guarded, asyncio.Task[Answer], Ask]:
    """An agent's first action, in a card field: the extension has it asked about, and the person has not decided."""
    world.router.gates.policy = Policy("careful")
    approvals = world.router.gates.approvals
    approvals.attend()
    world.executor.answers["screenshot"] = picture()
    world.tab()
    added: asyncio.Queue[Ask] = asyncio.Queue()
    approvals.added.connect(added.put_nowait)
    extension = Guarded(world, SHOP, "card")
    call = running(world, "fill", **CARD)
    return extension, call, await added.get()


async def code_of(call: asyncio.Task[Answer]) -> str:
    with pytest.raises(KaptureError) as raised:
        await call
    return raised.value.code


async def test_a_refused_action_leaves_the_tab_to_whom_the_person_gave_it_meanwhile(
    world: World, other: Client, waits: tuple[Guarded, asyncio.Task[Answer], Ask]
) -> None:
    _, call, ask = waits
    leases = world.router.gates.leases
    assert leases.holder("t1") is world.agent
    leases.hand_over(other, "t1")
    world.router.gates.approvals.deny(ask)
    assert await code_of(call) == "DENIED"
    assert leases.holder("t1") is other


async def test_a_refused_action_frees_the_tab_it_took(
    world: World, waits: tuple[Guarded, asyncio.Task[Answer], Ask]
) -> None:
    _, call, ask = waits
    world.router.gates.approvals.deny(ask)
    assert await code_of(call) == "DENIED"
    assert world.router.gates.leases.holder("t1") is None


@pytest.mark.parametrize("decide", [Approvals.allow, Approvals.deny])
async def test_an_action_that_was_allowed_does_not_act_where_the_person_has_stepped_in(
    world: World, waits: tuple[Guarded, asyncio.Task[Answer], Ask], decide: object
) -> None:
    extension, call, ask = waits
    world.router.gates.leases.step_in(world.person, "t1")
    assert callable(decide)
    decide(world.router.gates.approvals, ask)
    assert await code_of(call) == ("TAB_LEASED" if decide is Approvals.allow else "DENIED")
    assert (extension.done, len(extension.grants)) == (0, 1)
    assert world.row().state == "error"
    world.router.gates.leases.step_out("t1")
    assert world.router.gates.leases.holder("t1") is None, "it has done nothing there"


async def test_an_action_that_was_allowed_does_not_act_in_a_tab_that_was_handed_over(
    world: World, other: Client, waits: tuple[Guarded, asyncio.Task[Answer], Ask]
) -> None:
    extension, call, ask = waits
    world.router.gates.leases.hand_over(other, "t1")
    world.router.gates.approvals.allow(ask)
    assert await code_of(call) == "TAB_LEASED"
    assert (extension.done, world.router.gates.leases.holder("t1")) == (0, other)


async def test_an_action_whose_tab_stayed_its_client_s_acts(
    world: World, waits: tuple[Guarded, asyncio.Task[Answer], Ask]
) -> None:
    extension, call, ask = waits
    world.router.gates.approvals.allow(ask)
    await call
    assert (extension.done, world.router.gates.leases.holder("t1")) == (1, world.agent)


@pytest.mark.parametrize("command", ["upload_file", "snapshot"])
async def test_what_was_being_prepared_is_not_sent_into_a_tab_that_is_another_s(
    world: World, other: Client, command: str
) -> None:
    world.tab()
    is_held, go = asyncio.Event(), asyncio.Event()

    async def preparing(_call: Call, _tab: Tab, params: Params, send: Send) -> Response:
        is_held.set()
        await go.wait()
        return await send(params)

    wrappers = dict.fromkeys(("files", "formatter"), preparing)
    world.router = world.made(Policy(), world._list_tabs, wrappers).router
    call = running(world, command, **({"selector": "#file", "paths": []} if command == "upload_file" else {}))
    await is_held.wait()
    world.router.gates.leases.hand_over(other, "t1")
    go.set()
    if command == "snapshot":
        await call
    else:
        assert await code_of(call) == "TAB_LEASED"
    assert [sent.command for sent in world.executor.sent] == (["snapshot"] if command == "snapshot" else [])
