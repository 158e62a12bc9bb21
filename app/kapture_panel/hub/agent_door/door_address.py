"""Where the local door is: a socket only its owner reaches, or a file with the port and a secret."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from kapture_panel.core.basics import private_file
from kapture_panel.core.basics.errors import KaptureError


def publish(address: Path, port: int, secret: str) -> None:
    """Write into the owner's file where the door listens, all at once."""
    private_file.write(address, {"port": port, "secret": secret}, is_synced=False)


def unix_socket(address: Path) -> socket.socket:
    """A socket bound there, mode 600; a file left by a dead panel is replaced.

    Raises:
        KaptureError: `DENIED` when another user could listen in its folder.
    """
    sock = socket.socket(socket.AF_UNIX)
    try:
        try:
            _bind(sock, address)
        except (FileNotFoundError, FileExistsError):
            # Another instance's end has just removed the empty folder: after it was made, or while mkdir looked at it.
            _bind(sock, address)
        address.chmod(0o600)
    except BaseException:
        sock.close()
        raise
    return sock


def _bind(sock: socket.socket, address: Path) -> None:
    _private_folder(address.parent)
    address.unlink(missing_ok=True)
    sock.bind(str(address))


def _private_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    stat = folder.lstat()
    if stat.st_uid != os.getuid() or stat.st_mode & 0o077:
        raise KaptureError(
            "DENIED",
            f"{folder} must belong to you alone (mode 700): another user could listen there",
            "remove it",
        )
