"""Who is at the other end of the local door, as the system says it: the process, and the program that started it."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import Any

#: What only starts other programs says nothing of who they are; who started it is looked for this far up.
_STARTERS = frozenset({"sh", "bash", "dash", "zsh", "fish", "env", "uv", "uvx", "pipx", "cmd.exe", "uv.exe", "uvx.exe"})
_MAX_STEPS = 4


@dataclass(frozen=True)
class Program:
    """A program by its name and its executable's path; both empty when the system does not tell."""

    name: str = ""
    path: str = ""


def starter_of(pid: int | None) -> Program:
    """The program that started process `pid`; a starter that has ended is not told apart from none."""
    import psutil

    try:
        process = psutil.Process(pid) if pid is not None else None
        for _ in range(_MAX_STEPS):
            parent = process.parent() if process is not None else None
            # Whose starter has ended is handed to the first process, which started nobody.
            if parent is None or parent.pid <= 1:
                return Program()
            if parent.name().lower() not in _STARTERS:
                return Program(parent.name(), parent.exe())
            process = parent
    except (psutil.Error, OSError):
        pass  # it ended, or is not ours to look at
    return Program()


def owner_of(connection: socket.socket, reported: Any) -> int | None:
    """`reported` if that process really has the other end of a loopback TCP connection."""
    import psutil

    if not isinstance(reported, int) or isinstance(reported, bool) or reported <= 0:
        return None
    try:
        theirs, ours = connection.getpeername()[:2], connection.getsockname()[:2]
        ends = psutil.Process(reported).net_connections(kind="tcp")
    except (psutil.Error, OSError):
        return None
    return reported if any(end.raddr and (end.laddr[:2], end.raddr[:2]) == (theirs, ours) for end in ends) else None
