"""Who is at the other end of the local door, as the system says it: the process, and the program that started it."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from typing import Any, TypeAlias

_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "fish", "ksh", "cmd.exe", "powershell.exe", "pwsh", "pwsh.exe"})
#: What only starts other programs says nothing of who they are; who started it is looked for this far up.
_STARTERS = _SHELLS | {"env", "uv", "uvx", "pipx", "uv.exe", "uvx.exe"}
_MAX_STEPS = 6

#: A process: its pid, which another may get later, and when it began, in seconds since 1970.
Process: TypeAlias = tuple[int, float]


@dataclass(frozen=True)
class Program:
    """A program by its name and its executable's path; both empty when the system does not tell."""

    name: str = ""
    path: str = ""


NOBODY = Program()


@dataclass(frozen=True)
class Starter:
    """Who started a process: the program, its process, and the shell in between that a person types in; None where
    there is none or the system does not tell."""

    program: Program = NOBODY
    process: Process | None = None
    shell: Process | None = None

    @property
    def has_ended(self) -> bool:
        """Whether the person's shell or, without one, the program is gone."""
        known = self.shell or self.process
        return known is not None and not _is_running(known)


def starter_of(pid: int | None) -> Starter:
    """Who started process `pid`; a starter that has ended is not told apart from none."""
    import psutil

    shell: Process | None = None
    try:
        process = psutil.Process(pid) if pid is not None else None
        for _ in range(_MAX_STEPS):
            parent = process.parent() if process is not None else None
            # Whose starter has ended is handed to the first process, which started nobody.
            if parent is None or parent.pid <= 1:
                return Starter(shell=shell)
            name = parent.name().lower()
            if name not in _STARTERS:
                return Starter(Program(parent.name(), parent.exe()), (parent.pid, parent.create_time()), shell)
            if shell is None and name in _SHELLS and _is_typed_in(parent.pid, parent.cmdline()):
                shell = (parent.pid, parent.create_time())
            process = parent
    except (psutil.Error, OSError):
        pass  # it ended, or is not ours to look at
    return Starter()


def _is_typed_in(pid: int, command: list[str]) -> bool:
    """Whether a shell is a person's in a window of a terminal: it leads its session, and was not started for one line.

    The commands of an agent have shells that lead a session, too, but each is started with the command (`-c`).
    """
    options = [word for word in command[1:] if word.startswith("-") and not word.startswith("--")]
    is_of_one_line = any("c" in word for word in options)
    return hasattr(os, "getsid") and os.getsid(pid) == pid and not is_of_one_line


def _is_running(known: Process) -> bool:
    import psutil

    pid, began = known
    try:
        return bool(psutil.Process(pid).create_time() == began)
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return True


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
