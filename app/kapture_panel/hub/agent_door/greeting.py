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
    """What was said, and which process said it by the system's word; `idle` is as it was given, in minutes."""

    role: str
    profile: str = ""
    tools: str = "all"
    is_isolated: bool = False
    idle: Any = None
    pid: int | None = None
    program: peers.Program = field(default_factory=peers.Program)

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
            pid=pid,
            program=peers.starter_of(pid),
        )

    @property
    def idle_s(self) -> float:
        """How long the browser of an isolated conversation may be idle.

        Raises:
            KaptureError: `INVALID_PARAMS` naming what was given.
        """
        given = self.idle or SESSION_IDLE_S / 60
        try:
            minutes = float(given)
        except (TypeError, ValueError):
            minutes = math.nan
        if not 0 < minutes <= MAX_IDLE_MIN:
            raise KaptureError("INVALID_PARAMS", f"--idle {given!r} is no time", f"give minutes, up to {MAX_IDLE_MIN}")
        return minutes * 60

    def client(self, name: str, kind: Kind) -> Client:
        """The client who said it."""
        return Client(name, kind, pid=self.pid, parent=self.program.name, program=self.program.path)
