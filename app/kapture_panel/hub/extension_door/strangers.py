"""Tells which user owns the other end of a loopback connection (Linux only)."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

#: The tables of the kernel by the family of an address, a line for each socket of whatever user.
TABLES = {socket.AF_INET: Path("/proc/net/tcp"), socket.AF_INET6: Path("/proc/net/tcp6")}
#: Where in a line its columns are.
_LOCAL, _REMOTE, _UID = 1, 2, 7
_ROOT = 0


def is_stranger(peer: tuple[str, int], ours: tuple[str, int]) -> bool:
    """Whether the connection from `peer` to `ours` (addresses and ports) belongs to another user of the machine.

    The administrator is none, who can read everything here anyway and for whom relays of other systems run; neither
    is one nobody knows of: outside Linux there is no such table, and a socket that was closed is in none.
    """
    owner = _owner(peer, ours)
    return owner is not None and owner not in (_ROOT, os.getuid())


def _owner(peer: tuple[str, int], ours: tuple[str, int]) -> int | None:
    family = socket.AF_INET6 if ":" in peer[0] else socket.AF_INET
    try:
        table = TABLES[family].read_text(encoding="ascii")
    except OSError:
        return None  # another system
    ends = [_column(family, *peer), _column(family, *ours)]
    for line in table.splitlines():
        columns = line.split()
        if columns[_LOCAL : _REMOTE + 1] == ends:
            return int(columns[_UID])
    return None


def _column(family: socket.AddressFamily, address: str, port: int) -> str:
    """As the table has it: words of 32 bits in the order of this machine, then the port."""
    packed = socket.inet_pton(family, address)
    words = (int.from_bytes(packed[start : start + 4], sys.byteorder) for start in range(0, len(packed), 4))
    return f"{''.join(f'{word:08X}' for word in words)}:{port:04X}"
