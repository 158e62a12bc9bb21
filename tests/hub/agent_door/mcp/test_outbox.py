"""A client that never reads, or asks without end, is refused from a bound on; it is read on, and heard again."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from kapture_panel.core.basics.tasks import spawn
from kapture_panel.hub.agent_door.mcp import outbox
from kapture_panel.hub.agent_door.mcp.outbox import MAX_UNDER_WAY
from tests.support.core.fakes import World
from tests.support.hub.line_client import talking
from tests.support.patience import PATIENCE_S

#: So much of a test's answers as lets it be quick.
FEW_BYTES = 200_000


def code(answer: dict[str, Any]) -> str:
    return str(answer.get("error", {}).get("data", {}).get("code", ""))


async def test_a_client_that_does_not_read_is_refused_and_served_again_once_it_has_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MAX_WAITING_BYTES", FEW_BYTES)
    async with talking(world) as greedy:
        greedy.reads.clear()
        for number in range(60):
            greedy.say("tools/list", number)
            await greedy.read_by_panel()
        greedy.reads.set()
        answers = await greedy.answers(*range(60))
        assert {code(answer) for answer in answers} == {"", "BUSY"}
        assert "answers wait for this client to read them; read them" in answers[-1]["error"]["message"]
        assert sum(len(json.dumps(answer)) for answer in answers if "result" in answer) < 3 * FEW_BYTES
        greedy.say("tools/list", "after")
        assert (await greedy.answers("after"))[0]["result"]["tools"]


async def test_a_ping_is_answered_and_a_cancellation_heard_however_full_it_is(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.tab()
    world.executor.open.clear()
    async with talking(world) as greedy:
        greedy.say("tools/call", "long", name="kapturemcp_click", arguments={"ref": "e1"})
        await world.executor.arrived.get()
        ended = asyncio.Event()
        world.clients.changed.connect(
            lambda client: None if client.running else asyncio.get_running_loop().call_soon(ended.set)
        )
        monkeypatch.setattr(outbox, "MAX_WAITING_BYTES", 0)
        greedy.say("tools/list", "too much")
        greedy.say("ping", "there?")
        greedy.say("notifications/cancelled", requestId="long")
        assert code((await greedy.answers("too much"))[0]) == "BUSY"
        assert (await greedy.answers("there?"))[0]["result"] == {}
        async with asyncio.timeout(PATIENCE_S):
            await ended.wait()


async def test_the_sixty_fifth_request_under_way_is_refused_whatever_it_asks_for(world: World) -> None:
    world.tab("t1")
    world.executor.open.clear()
    uri = "kapture://tab/t1/snapshot"
    async with talking(world) as greedy:
        for number in range(MAX_UNDER_WAY):
            greedy.say("resources/read", number, uri=uri)
        greedy.say("resources/read", "one more", uri=uri)
        greedy.say("prompts/list", "of another kind")
        refused = await greedy.answers("one more", "of another kind")
        assert [code(answer) for answer in refused] == ["BUSY", "BUSY"]
        assert "64 requests of this client are under way" in refused[0]["error"]["message"]
        world.executor.open.set()
        await greedy.answers(*range(MAX_UNDER_WAY))
        greedy.say("prompts/list", "again")
        assert "result" in (await greedy.answers("again"))[0]


async def test_an_id_under_way_is_not_taken_twice(world: World) -> None:
    world.tab()
    world.executor.open.clear()
    async with talking(world) as greedy:
        call = {"name": "kapturemcp_click", "arguments": {"ref": "e1"}}
        greedy.say("tools/call", 7, **call)
        greedy.say("tools/call", 7, **call)
        assert code((await greedy.answers(7))[0]) == "INVALID_PARAMS"
        greedy.say("notifications/cancelled", requestId=7)


async def test_nothing_more_is_read_only_when_the_refusals_pile_up_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MAX_WAITING_BYTES", 0)
    monkeypatch.setattr(outbox, "REFUSALS_BYTES", 1000)
    async with talking(world) as greedy:
        greedy.reads.clear()
        for number in range(100):
            greedy.say("prompts/list", number)
        for _ in range(1000):
            await asyncio.sleep(0)
        assert 50 < greedy.unread < 100
        assert 1000 < greedy.session.waiting_bytes < 2000
        greedy.reads.set()
        assert {code(answer) for answer in await greedy.answers(*range(100))} == {"BUSY"}


async def test_the_doctor_can_see_who_does_not_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "CALM_BYTES", 0)
    async with talking(world) as greedy:
        (client,) = world.clients.agents()
        await client.reads()
        greedy.reads.clear()
        greedy.say("tools/list", "one")
        await greedy.read_by_panel()
        for _ in range(1000):
            await asyncio.sleep(0)
        assert client.unread() > 0
        assert client.unread() == greedy.session.waiting_bytes

        async def read() -> None:
            await client.reads()

        reading = spawn(read(), "reading")
        await asyncio.sleep(0)
        assert not reading.done()
        greedy.reads.set()
        await reading
        assert client.unread() == 0
