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


def is_stranger(peer: tuple[str, int], ours: tuple[str, int]) -> bool | None:
    """Whether the connection from `peer` to `ours` (addresses and ports) belongs to another user of the machine.

    The administrator is none, who can read everything here anyway and for whom relays of other systems run; neither
    is anybody outside Linux, where there are no such tables.

    Returns:
        None when the tables have no such socket: it was closed meanwhile, or is one of another system that shares this
        loopback.
    """
    tables = [(family, text) for family, path in TABLES.items() if (text := _read(path))]
    if not tables:
        return False
    for family, text in tables:
        if (owner := _owner(family, text, peer, ours)) is not None:
            return owner not in (_ROOT, os.getuid())
    return None


def _read(table: Path) -> str:
    try:
        return table.read_text(encoding="ascii")
    except OSError:
        return ""  # another system, or one without this family


def _owner(family: socket.AddressFamily, table: str, peer: tuple[str, int], ours: tuple[str, int]) -> int | None:
    ends = [_column(family, *end) for end in (peer, ours)]
    for line in table.splitlines():
        columns = line.split()
        if columns[_LOCAL : _REMOTE + 1] == ends:
            return int(columns[_UID])
    return None


def _column(family: socket.AddressFamily, address: str, port: int) -> str:
    """As the table of a family has it: words of 32 bits in the order of this machine, then the port."""
    if family == socket.AF_INET6 and ":" not in address:
        address = f"::ffff:{address}"  # a socket of the newer family that dialled an address of the older one
    elif family == socket.AF_INET and ":" in address:
        return ""  # stands in the other table alone
    packed = socket.inet_pton(family, address)
    words = (int.from_bytes(packed[start : start + 4], sys.byteorder) for start in range(0, len(packed), 4))
    return f"{''.join(f'{word:08X}' for word in words)}:{port:04X}"
