"""Who calls from a terminal: single calls, each a process of its own, that make up a session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from kapture_panel.core.gates.leases import IDLE_S
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.hub.agent_door.greeting import Greeting
from kapture_panel.hub.agent_door.peers import Process, Program, Starter

#: Of more sessions the one that has been idle the longest is forgotten.
MAX_SESSIONS = 64

#: Ends a call that is under way.
HangUp: TypeAlias = Callable[[], None]
Key: TypeAlias = tuple[Program, str] | tuple[Program, Process | None, Process | None]


@dataclass
class Session:
    """The calls of one window of a terminal, or of one program's process, or those that name it alike.

    Its client has the current tab, the tabs it opened, holds tabs and keys, and waits for a person's answer from one
    call to the next. `calls` are those under way.
    """

    client: Client
    starter: Starter
    is_named: bool
    calls: set[HangUp] = field(default_factory=set)
    timer: asyncio.TimerHandle | None = None


class Terminals:
    """The sessions; one that nothing was called in for five minutes counts as gone, until its next call.

    Args:
        clients: has the client of each session that is there.
    """

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        #: The longest idle first.
        self._sessions: dict[Key, Session] = {}

    def enter(self, greeting: Greeting, hang_up: HangUp) -> Session:
        """A call begins; its session is the one of those before it, or a new one."""
        starter = greeting.starter
        key: Key = (starter.program, starter.process, starter.shell)
        if greeting.session:
            key = (starter.program, greeting.session)
        session = self._sessions.pop(key, None)
        self._forget_ended()
        if session is None:
            session = Session(greeting.client("terminal", "terminal"), starter, bool(greeting.session))
            session.client.disconnect = partial(self._show_out, session)
        self._sessions[key] = session
        session.client.pid = greeting.pid
        if session.timer is not None:
            session.timer.cancel()
            session.timer = None
        session.calls.add(hang_up)
        if session.client not in self._clients:
            self._clients.add(session.client)
        return session

    def leave(self, session: Session, hang_up: HangUp) -> None:
        """A call has ended."""
        session.calls.discard(hang_up)
        if not session.calls and session.client in self._clients:
            session.timer = asyncio.get_running_loop().call_later(IDLE_S, self._rest, session)

    def close(self) -> None:
        """Nobody calls any more."""
        for session in self._sessions.values():
            self._rest(session)
        self._sessions.clear()

    def _show_out(self, session: Session) -> None:
        """End its calls, and let go of what it holds; its next call may come at once."""
        for hang_up in tuple(session.calls):
            hang_up()
        self._rest(session)

    def _rest(self, session: Session) -> None:
        """Let go of what the session holds; what it knows stays for its next call."""
        if session.timer is not None:
            session.timer.cancel()
            session.timer = None
        self._clients.remove(session.client)

    def _forget_ended(self) -> None:
        """What an ended program or a closed window held is free for others at once."""
        idle = [key for key, session in self._sessions.items() if not session.calls]
        # Those calls that name their session may come from any process.
        ended = [key for key in idle if not self._sessions[key].is_named and self._sessions[key].starter.has_ended]
        surplus = [key for key in idle if key not in ended][
            : max(0, len(self._sessions) - len(ended) - MAX_SESSIONS + 1)
        ]
        for key in (*ended, *surplus):
            self._rest(self._sessions.pop(key))
