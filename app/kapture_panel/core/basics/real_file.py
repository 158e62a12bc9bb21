"""The file that the policy looks at: where its path leads, and opening exactly that one, even if a link was put in its
place meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

from kapture_panel.core.basics.errors import KaptureError


def resolved(path: Path) -> Path:
    """Where `path` leads once every link is followed.

    Raises:
        KaptureError: `INVALID_PARAMS`.
    """
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, a NUL in the name
        raise KaptureError("INVALID_PARAMS", f"{str(path)!r} is not a usable path: {error}") from None


def folder(real: Path) -> str:
    """What a rule about a file names; a folder that is given as a whole is not one whose files are."""
    try:
        is_whole = real.is_dir()
    except OSError:  # such as a name that is too long for any file
        is_whole = False
    return f"{real}{os.sep}" if is_whole else str(real.parent)


def opened(real: Path) -> int:
    """The descriptor, for reading, of the file with this path, which leads through no link.

    Raises:
        KaptureError: `FILE_NOT_ALLOWED` when something else stands there by now.
        OSError: it cannot be opened.
    """
    # Not waiting: a pipe would be waited at for ever.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(real, flags)
    except OSError:
        demand_real(real)
        raise
    try:
        if _path_of(descriptor, real) != str(real):
            raise _another(real)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def demand_real(real: Path) -> None:
    """Raise `FILE_NOT_ALLOWED` when a path leads through a link by now."""
    if os.path.realpath(real) != str(real):
        raise _another(real)


def _path_of(descriptor: int, real: Path) -> str:
    """What was opened, as Linux tells it; elsewhere where the path leads now."""
    try:
        return str(Path(f"/proc/self/fd/{descriptor}").readlink())
    except OSError:
        return os.path.realpath(real)


def _another(real: Path) -> KaptureError:
    return KaptureError(
        "FILE_NOT_ALLOWED", f"{real} leads somewhere else than when it was allowed", "give the file itself, not a link"
    )
