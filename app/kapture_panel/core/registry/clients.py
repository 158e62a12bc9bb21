"""Who gives commands: the person in the window, a terminal, agents."""

from __future__ import annotations

import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.wire.protocol import DialogRule

Kind = Literal["person", "terminal", "agent"]
#: How long the browser of an isolated conversation waits for its next call.
SESSION_IDLE_S = 30 * 60.0


async def _at_once() -> None:
    """Who is not at the door leaves nothing unread."""


def _nothing() -> None:
    """Who is not at the door cannot be shown out."""


@dataclass(eq=False)
class Client:
    """One source of commands.

    `name` is what an agent says of itself (self-reported); `pid` is what the system says of its process, `parent` the
    name of the program that started it and `program` that program's executable, both empty when they are not known;
    `unread` says how many bytes of its answers its program has not read, and `reads` returns once these are few;
    `echo` has its program answer a ping, None where the protocol does not let us ask; `disconnect` shows that
    program out until it is restarted;
    `current_tab` is the tab it used last, `closed_tab` the one it closed last; `session` names the browser it has for
    itself, empty when it shares the others' tabs; `place` is where that comes from, empty for this machine, and
    `place_policy` the preset that holds there, empty for the usual one; `dialogs` answers what pages show while its
    commands run;
    `result_bytes` counts what its answers carried. `opened` are the tabIds of tabs its commands opened; `granted` and
    `refused` are what a person answered for as long as it is here: (site, permission) each, as `core.gates.policy`
    names them.
    """

    name: str
    kind: Kind
    pid: int | None = None
    parent: str = ""
    program: str = ""
    version: str = ""
    current_tab: str = ""
    closed_tab: str = ""
    session: str = ""
    session_idle_s: float = SESSION_IDLE_S
    place: str = ""
    place_policy: str = ""
    dialogs: DialogRule = ""
    calls: int = 0
    errors: int = 0
    running: int = 0
    result_bytes: int = 0
    opened: set[str] = field(default_factory=set)
    granted: set[tuple[str, str]] = field(default_factory=set)
    refused: set[tuple[str, str]] = field(default_factory=set)
    connected_at: float = field(default_factory=time.time)
    unread: Callable[[], int] = lambda: 0
    reads: Callable[[], Awaitable[object]] = _at_once
    echo: Callable[[], Awaitable[object]] | None = None
    disconnect: Callable[[], None] = _nothing

    def isolate(self, idle_s: float = SESSION_IDLE_S, place: str = "", place_policy: str = "") -> None:
        """Have a browser of its own from its first call on: it sees no other tabs, and nobody else sees its."""
        self.session = uuid.uuid4().hex[:12]
        self.session_idle_s = idle_s
        self.place, self.place_policy = place, place_policy


class Clients:
    """The connected clients; announces every change."""

    def __init__(self) -> None:
        self._clients: list[Client] = []
        self.added: Signal[Client] = Signal()
        self.changed: Signal[Client] = Signal()
        self.removed: Signal[Client] = Signal()

    def __iter__(self) -> Iterator[Client]:
        return iter(tuple(self._clients))

    def __len__(self) -> int:
        return len(self._clients)

    def agents(self) -> list[Client]:
        """The connected agents, the person and terminals left out."""
        return [client for client in self._clients if client.kind == "agent"]

    def all_but_the_person(self) -> list[Client]:
        """Agents, and terminals that called a short time ago."""
        return [client for client in self._clients if client.kind != "person"]

    def add(self, client: Client) -> None:
        """Enter a client that connected."""
        self._clients.append(client)
        self.added.emit(client)

    def remove(self, client: Client) -> None:
        """Forget a client that went."""
        if client in self._clients:
            self._clients.remove(client)
            self.removed.emit(client)
