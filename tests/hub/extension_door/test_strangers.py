"""Who owns the far end of a loopback connection: asked of the kernel's table, in both families of addresses."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from kapture_panel.hub.extension_door import listener as listener_module
from kapture_panel.hub.extension_door import strangers
from kapture_panel.hub.extension_door.strangers import TABLES, is_stranger
from tests.support.hub.fakes import FakeExtension
from tests.support.hub.listening import Door

OURS, THEIRS = 1234, 4321
Ends = tuple[tuple[str, int], tuple[str, int]]
Table = Callable[[int], None]


@pytest.fixture(params=[("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("127.0.0.1", "::ffff:127.0.0.1")])
def ends(request: pytest.FixtureRequest) -> Iterator[Ends]:
    """A connection's far end and ours, as the listening side has them.

    The last is dialled by a socket of the newer family, which stands in that family's table alone.
    """
    address, dialled = request.param
    listening = socket.create_server((address, 0), family=socket.AF_INET6 if ":" in address else socket.AF_INET)
    with closing(listening), closing(socket.create_connection((dialled, listening.getsockname()[1]))):
        connection, peer = listening.accept()
        with closing(connection):
            yield peer[:2], connection.getsockname()[:2]


@pytest.fixture
def owned_by(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Table:
    """Have the kernel's table say that every socket there is now is this user's; we are `OURS`."""
    monkeypatch.setattr(os, "getuid", lambda: OURS)

    def say(uid: int) -> None:
        told = {}
        for family, table in TABLES.items():
            head, *lines = [line.split() for line in table.read_text().splitlines()]
            told[family] = tmp_path / table.name
            changed = [[*line[:7], str(uid), *line[8:]] for line in lines]
            told[family].write_text("\n".join(" ".join(line) for line in [head, *changed]))
        monkeypatch.setattr(strangers, "TABLES", told)

    return say


def test_a_connection_of_another_user_is_a_strangers(ends: Ends, owned_by: Table) -> None:
    owned_by(THEIRS)
    assert is_stranger(*ends)


@pytest.mark.parametrize("uid", [OURS, 0])
def test_one_of_our_own_or_the_administrators_is_none(ends: Ends, owned_by: Table, uid: int) -> None:
    owned_by(uid)
    assert is_stranger(*ends) is False


def test_the_kernels_own_table_says_that_it_is_ours(ends: Ends) -> None:
    assert is_stranger(*ends) is False


def test_of_a_connection_that_stands_nowhere_nobody_can_tell(ends: Ends, owned_by: Table) -> None:
    owned_by(THEIRS)
    peer, ours = ends
    assert is_stranger(ours, (peer[0], 1)) is None


def test_without_such_tables_nobody_is_one(ends: Ends, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(strangers, "TABLES", dict.fromkeys(TABLES, tmp_path / "none"))
    assert is_stranger(*ends) is False


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    made = Door(tmp_path)
    await made.listener.open(0)
    yield made
    await made.listener.close()


async def test_strangers_take_none_of_the_places_for_greetings(
    door: Door, ending: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as theirs:
        theirs.setattr(listener_module, "is_stranger", lambda _peer, _ours: True)
        for _ in range(2 * listener_module.MAX_GREETING):
            with pytest.raises(InvalidStatus) as raised:
                await door.extension(ending).dial()
            assert raised.value.response.status_code == 403
    assert (await door.extension(ending).connect())["type"] == "registered"


async def greeted(door: Door, ending: AsyncExitStack) -> FakeExtension:
    """One in the middle of its greeting, which has a place as long as it does not prove itself."""
    waiting = door.extension(ending)
    await waiting.dial()
    await waiting.send(waiting.hello)
    assert (await waiting.next())["type"] == "challenge"
    return waiting


async def test_those_nobody_knows_of_leave_places_to_the_extension(
    door: Door, ending: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as unknown:
        unknown.setattr(listener_module, "is_stranger", lambda _peer, _ours: None)
        for _ in range(listener_module.MAX_GREETING_UNKNOWN):
            assert not door.listener.is_crowded_for_unknown
            await greeted(door, ending)
        assert (door.listener.is_crowded_for_unknown, door.listener.is_crowded) == (True, False)
        with pytest.raises(InvalidStatus) as raised:
            await door.extension(ending).dial()
        assert raised.value.response.status_code == 503
    assert (await door.extension(ending).connect())["type"] == "registered"


async def test_those_nobody_knows_of_have_their_places_though_as_many_others_are_greeted(
    door: Door, ending: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(listener_module.MAX_GREETING_UNKNOWN):
        await greeted(door, ending)
    monkeypatch.setattr(listener_module, "is_stranger", lambda _peer, _ours: None)
    assert not door.listener.is_crowded_for_unknown
    assert (await door.extension(ending).connect())["type"] == "registered"
    last = [await greeted(door, ending) for _ in range(listener_module.MAX_GREETING_UNKNOWN)][-1]
    assert door.listener.is_crowded
    with pytest.raises(InvalidStatus):
        await door.extension(ending).dial()
    await last.send({"type": "proof", "proof": last.proof("extension", last.heard[0]["nonce"])})
    await last.next()
    await last.send(last.register)
    assert (await last.next())["type"] == "registered"
    assert (door.listener.is_crowded, door.listener.is_crowded_for_unknown) == (False, False)


async def test_one_that_nobody_knows_of_may_be_the_extension(
    door: Door, ending: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener_module, "is_stranger", lambda _peer, _ours: None)
    assert (await door.extension(ending).connect())["type"] == "registered"
