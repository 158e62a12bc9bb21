"""Single calls of terminals, and the sessions they make up."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass

import psutil
import pytest

from kapture_panel.core.registry.clients import Clients
from kapture_panel.hub.agent_door import peers, terminals
from kapture_panel.hub.agent_door.greeting import Greeting
from kapture_panel.hub.agent_door.peers import Program, Starter
from kapture_panel.hub.agent_door.terminals import Terminals

AGENT = Program("agent", "/usr/bin/agent")
#: This very process is one that runs.
HERE = (os.getpid(), psutil.Process().create_time())


def call(program: Program = AGENT, process: peers.Process | None = HERE, shell: peers.Process | None = None,
         session: str = "", pid: int = 7) -> Greeting:  # fmt: skip
    return Greeting("call", session=session, pid=pid, starter=Starter(program, process, shell))


def nothing() -> None:
    """A call that cannot be ended."""


@dataclass
class Room:
    clients: Clients
    terminals: Terminals

    def client_of(self, greeting: Greeting) -> object:
        """Who a whole call is."""
        session = self.terminals.enter(greeting, nothing)
        self.terminals.leave(session, nothing)
        return session.client


@pytest.fixture
async def room() -> AsyncIterator[Room]:
    clients = Clients()
    made = Terminals(clients)
    yield Room(clients, made)
    made.close()
    assert len(clients) == 0


async def test_the_calls_of_one_process_are_one_client_that_stays(room: Room) -> None:
    first = room.client_of(call(pid=7))
    assert list(room.clients) == [first]
    assert room.client_of(call(pid=8)) is first
    assert [client.pid for client in room.clients] == [8]
    assert [(client.parent, client.program, client.kind) for client in room.clients] == [
        ("agent", "/usr/bin/agent", "terminal")
    ]


async def test_two_processes_of_a_program_two_windows_and_two_names_are_two_each(room: Room) -> None:
    others = [call(), call(process=(1, 1.0)), call(shell=HERE), call(shell=(1, 1.0)), call(session="a"),
              call(session="b"), call(Program("other", "/other"), session="a")]  # fmt: skip
    sessions = [room.terminals.enter(greeting, nothing) for greeting in others]
    assert len({id(session.client) for session in sessions}) == len(others)
    for session in sessions:
        room.terminals.leave(session, nothing)


async def test_a_name_joins_the_calls_of_several_processes(room: Room) -> None:
    assert room.client_of(call(session="a")) is room.client_of(call(process=(1, 1.0), session="a"))


async def test_an_idle_session_lets_go_and_knows_its_tab_when_it_is_back(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminals, "IDLE_S", 0.0)
    gone = asyncio.Event()
    room.clients.removed.connect(lambda _client: gone.set())
    session = room.terminals.enter(call(), nothing)
    session.client.current_tab = "t1"
    room.terminals.leave(session, nothing)
    await gone.wait()
    assert len(room.clients) == 0
    again = room.terminals.enter(call(), nothing)
    assert again.client.current_tab == "t1"
    assert list(room.clients) == [again.client]


async def test_a_session_with_a_call_under_way_is_not_idle(room: Room) -> None:
    first, second = room.terminals.enter(call(), nothing), room.terminals.enter(call(), print)
    assert first is second
    room.terminals.leave(first, nothing)
    assert first.timer is None
    room.terminals.leave(second, print)
    assert first.timer is not None


async def test_what_an_ended_program_held_is_free_at_the_next_call_of_anybody(room: Room) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as program:  # noqa: ASYNC220
        began = psutil.Process(program.pid).create_time()
        ended = room.client_of(call(process=(program.pid, began)))
        named = room.client_of(call(process=(program.pid, began), session="kept"))
        room.client_of(call())
        assert ended in list(room.clients)
        assert program.stdin is not None
        program.stdin.close()
        program.wait()
    room.client_of(call())
    assert ended not in list(room.clients)
    assert named in list(room.clients), "its next call may come from another process"


async def test_of_too_many_sessions_the_longest_idle_is_forgotten(room: Room) -> None:
    first = room.client_of(call(session="0"))
    for number in range(1, terminals.MAX_SESSIONS):
        room.client_of(call(session=str(number)))
    assert room.client_of(call(session="0")) is first
    room.client_of(call(session="one more"))
    assert len(room.clients) == terminals.MAX_SESSIONS
    assert room.client_of(call(session="0")) is first, "it was used after the others"


async def test_a_session_that_is_shown_out_ends_its_calls_and_its_next_one_connects_again(room: Room) -> None:
    hung_up: list[str] = []
    ends = [lambda: hung_up.append("first"), lambda: hung_up.append("second")]
    sessions = [room.terminals.enter(call(), end) for end in ends]
    sessions[0].client.disconnect()
    assert sorted(hung_up) == ["first", "second"]
    assert len(room.clients) == 0
    for session, end in zip(sessions, ends, strict=True):
        room.terminals.leave(session, end)
    assert sessions[0].timer is None
    assert room.client_of(call()) is sessions[0].client
    assert list(room.clients) == [sessions[0].client]
