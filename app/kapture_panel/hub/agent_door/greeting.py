"""The first line of a connection at the local door: what its program wants, and who it is."""

from __future__ import annotations

import math
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kapture_panel import door
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import SESSION_IDLE_S, Client, Kind
from kapture_panel.hub.agent_door import peers

#: An isolated conversation's browser may be idle for at most a week.
MAX_IDLE_MIN = 7 * 24 * 60


@dataclass(frozen=True)
class Greeting:
    """What was said, and which process said it by the system's word; `idle` is as it was given, in minutes,
    and `on` the place that the browser is to come from."""

    role: str
    profile: str = ""
    tools: str = "all"
    is_isolated: bool = False
    idle: Any = None
    session: str = ""
    on: str = ""
    pid: int | None = None
    starter: peers.Starter = field(default_factory=peers.Starter)

    @classmethod
    def of(cls, said: Mapping[str, Any], sock: socket.socket) -> Greeting:
        """Read a greeting and look its sender up, which takes a while; what it reports itself is only a hint."""
        pid = peers.owner_of(sock, said.get("pid")) if door.uses_tcp() else (door.peer_pid(sock) or None)
        return cls(
            role=str(said.get("role", "")),
            profile=str(said.get("profile") or ""),
            tools=str(said.get("tools", "all")),
            is_isolated=bool(said.get("isolated")),
            idle=said.get("idle"),
            session=str(said.get("session") or ""),
            on=str(said.get("on") or ""),
            pid=pid,
            starter=peers.starter_of(pid),
        )

    def idle_s(self, usual_s: float = SESSION_IDLE_S) -> float:
        """How long the browser of an isolated conversation may be idle.

        Raises:
            KaptureError: `INVALID_PARAMS` naming what was given.
        """
        given = self.idle or usual_s / 60
        try:
            minutes = float(given)
        except (TypeError, ValueError):
            minutes = math.nan
        if not 0 < minutes <= MAX_IDLE_MIN:
            raise KaptureError(
                "INVALID_PARAMS", f"--idle {given!r} is not a time", f"give minutes, up to {MAX_IDLE_MIN}"
            )
        return minutes * 60

    def client(self, name: str, kind: Kind) -> Client:
        """The client who said it."""
        program = self.starter.program
        return Client(name, kind, pid=self.pid, parent=program.name, program=program.path)
