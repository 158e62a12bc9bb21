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
from tests.support.hub.listening import Door

OURS, THEIRS = 1234, 4321
Ends = tuple[tuple[str, int], tuple[str, int]]
Table = Callable[[int], None]


@pytest.fixture(params=["127.0.0.1", "::1"])
def ends(request: pytest.FixtureRequest) -> Iterator[Ends]:
    """A connection's far end and ours, as the listening side has them."""
    family = socket.AF_INET6 if ":" in request.param else socket.AF_INET
    listening = socket.create_server((request.param, 0), family=family)
    with closing(listening), closing(socket.create_connection(listening.getsockname()[:2])):
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
    assert not is_stranger(*ends)


def test_the_kernels_own_table_says_that_it_is_ours(ends: Ends) -> None:
    assert not is_stranger(*ends)


def test_a_connection_nobody_knows_of_is_none(ends: Ends, owned_by: Table) -> None:
    owned_by(THEIRS)
    peer, ours = ends
    assert not is_stranger(ours, (peer[0], 1))


def test_without_such_a_table_nobody_is_one(ends: Ends, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(strangers, "TABLES", dict.fromkeys(TABLES, tmp_path / "none"))
    assert not is_stranger(*ends)


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
