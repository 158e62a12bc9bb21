"""Where the local door of an instance is. Standard library only (`os`, `sys`): the MCP child starts with it."""

import os
import sys

TYPE_CHECKING = False  # importing typing costs as much as half of this program
if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping

APP = "kapture-panel"


def data_dir(override: "str | None" = None, environment: "Mapping[str, str] | None" = None) -> str:
    """The absolute data directory: `override`, else `KAPTURE_HOME`, else the system's place for user data.

    Source of the default: the rules platformdirs follows (a test compares them); importing it takes longer
    than the rest of the child.
    """
    environment = os.environ if environment is None else environment
    chosen = override or environment.get("KAPTURE_HOME")
    if chosen:
        return os.path.realpath(os.path.expanduser(chosen))
    if sys.platform == "win32":
        base = environment.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")
        return os.path.join(base, APP)
    if sys.platform == "darwin":
        return os.path.expanduser(f"~/Library/Application Support/{APP}")
    base = environment.get("XDG_DATA_HOME", "").strip() or os.path.expanduser("~/.local/share")
    return os.path.join(base, APP)


def uses_tcp() -> bool:
    """Whether the door is loopback TCP with a secret instead of a Unix socket."""
    return sys.platform == "win32" or os.environ.get("KAPTURE_DOOR") == "tcp"


def address(root: str) -> str:
    """Path of the Unix socket, or with TCP of the file that holds `port` and `secret`, for the data directory."""
    if uses_tcp():
        return os.path.join(root, "door.json")
    return os.path.join(runtime_dir(), f"{_fnv1a(root):016x}.sock")


def runtime_dir() -> str:
    """The folder of Unix sockets; the panel makes it with mode 0700 and checks its owner.

    It follows from the user alone: MCP clients start their children with most of the environment taken away,
    `XDG_RUNTIME_DIR` included, and panel and child must meet.
    """
    if sys.platform == "darwin":
        return os.path.expanduser(f"~/Library/Caches/{APP}")
    base = f"/run/user/{os.getuid()}"
    if os.access(base, os.W_OK | os.X_OK):
        return os.path.join(base, APP)
    return os.path.join("/tmp", f"{APP}-{os.getuid()}")


def _fnv1a(text: str) -> int:
    """64-bit FNV-1a: names the socket within 108 bytes; hashlib would cost a sixth module."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8", "surrogateescape"):
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def peer_uid(connection: "socket.socket") -> int:
    """The user id of the process at the other end of a Unix socket; -1 when the system does not tell.

    Source: `SO_PEERCRED` (Linux: pid, uid, gid), `LOCAL_PEERCRED` (macOS: version, uid, …).
    """
    return _peer(connection)[1]


def peer_pid(connection: "socket.socket") -> int:
    """The process id of the other end of a Unix socket; 0 when the system does not tell."""
    return _peer(connection)[0]


def _peer(connection: "socket.socket") -> "tuple[int, int]":
    if sys.platform == "linux":
        raw = connection.getsockopt(1, 17, 12)
        return int.from_bytes(raw[0:4], sys.byteorder), int.from_bytes(raw[4:8], sys.byteorder)
    if sys.platform == "darwin":
        raw = connection.getsockopt(0, 1, 76)
        pid = int.from_bytes(connection.getsockopt(0, 2, 4), sys.byteorder)
        return pid, int.from_bytes(raw[4:8], sys.byteorder)
    return 0, -1
