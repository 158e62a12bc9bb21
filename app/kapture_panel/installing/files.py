"""A client's file on disk: read as it is, backed up beside itself, replaced at once or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from kapture_panel.core.basics import private_file
from kapture_panel.core.basics.errors import KaptureError

_NEW_MODE = 0o600
_BACKUP = ".kapture-"


def read(path: Path) -> bytes | None:
    """What is in the file `path` or what its link leads to; None when there is none.

    Raises:
        KaptureError: `DENIED` when it cannot be read or is not a file.
    """
    try:
        if path.exists() and not path.is_file():
            raise KaptureError("DENIED", f"{path} is not a file", "move it away, then try again")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KaptureError("DENIED", f"{path} cannot be read: {error.strerror}") from None


def replace(path: Path, content: bytes) -> None:
    """Put `content` in place of the file; a link stays and what it leads to is replaced. The mode is kept.

    A new file in the same folder takes the old one's name when it is all on disk, so whatever ends this program, one
    of the two is there whole.

    Raises:
        KaptureError: `DENIED` when the file is read-only or its folder cannot be written; the old file is there.
    """
    target = path.resolve()
    try:
        mode = _writable_mode(target)
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".new", dir=target.parent)
        fresh = Path(name)
        try:
            _fill(descriptor, content, mode)
            fresh.replace(target)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        private_file.sync_folder(target.parent)
    except OSError as error:
        raise _denied(path, error) from None


def back_up(path: Path, content: bytes) -> Path:
    """Keep `content`, what the file has now, beside it under the time's name, with the same mode.

    Raises:
        KaptureError: `DENIED` when that cannot be written.
    """
    target = path.resolve()
    backup = target.with_name(f"{target.name}{_BACKUP}{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.bak")
    try:
        mode = _writable_mode(target)
        _fill(private_file.created(backup), content, mode)
    except OSError as error:
        raise _denied(backup, error) from None
    return backup


def backups(path: Path) -> Iterator[Path]:
    """Those of `back_up`, the newest first."""
    target = path.resolve()
    if target.parent.is_dir():
        found = [one for one in target.parent.iterdir() if one.name.startswith(target.name + _BACKUP)]
        yield from sorted((one for one in found if one.suffix == ".bak"), reverse=True)


def delete(path: Path) -> None:
    """Remove the file.

    Raises:
        KaptureError: `DENIED` when that is not allowed.
    """
    try:
        path.resolve().unlink()
    except OSError as error:
        raise _denied(path, error) from None


def _writable_mode(target: Path) -> int:
    """The permissions the file has, or a new one gets."""
    if not target.exists():
        return _NEW_MODE
    mode = stat.S_IMODE(target.stat().st_mode)
    if not mode & stat.S_IWUSR:
        raise KaptureError("DENIED", f"{target} is read-only", "nothing was changed. Let it be written (chmod u+w), "
                           "or change it where it is made")  # fmt: skip
    return mode


def _fill(descriptor: int, content: bytes, mode: int) -> None:
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        if hasattr(os, "fchmod"):
            os.fchmod(descriptor, mode)
        os.fsync(descriptor)


def _denied(path: Path, error: OSError) -> KaptureError:
    return KaptureError("DENIED", f"{path} cannot be written: {error.strerror}", "nothing was changed")
