"""Files that only their owner can read. Small JSON files are written whole or not at all; damaged ones are moved."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")
#: Theirs alone: what is in these files is nobody else's business.
_MODE = 0o600


def emptied(path: Path) -> int:
    """The descriptor of a new or emptied file.

    Raises:
        OSError: it cannot be written.
    """
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE)


def created(path: Path) -> int:
    """The descriptor of a new file.

    Raises:
        OSError: it cannot be written, or there is one.
    """
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)


def files_in(folder: Path) -> list[Path]:
    """The files in a store's folder and in the folders in it, which are conversations' own (`own_folder`)."""
    return [path for found in folder.iterdir() for path in (found.iterdir() if found.is_dir() else [found])]


def own_folder(folder: Path, session: str) -> Path:
    """Where a store keeps what is of this conversation alone; the folder itself for what is of none. A folder that was
    deleted meanwhile is made again.

    Raises:
        OSError: it cannot be made.
    """
    own = folder / session
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    own.mkdir(exist_ok=True, mode=0o700)
    return own


def ensure(path: Path) -> None:
    """Have a file there, an empty one if there was none.

    Raises:
        OSError: it cannot be made.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, _MODE))


def read(path: Path, what: str, take: Callable[[Any], T]) -> tuple[T | None, str]:
    """What is kept in `path`.

    Args:
        what: what the file holds, for the warning.
        take: makes a value of the JSON; its ValueError, TypeError or KeyError means that the file is damaged.

    Returns:
        The value, None without a usable file; and the warning when there was one that cannot be used.
    """
    try:
        return take(json.loads(path.read_text(encoding="utf-8"))), ""
    except FileNotFoundError:
        return None, ""
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        aside = path.with_suffix(".damaged.json")
        path.replace(aside)
        warning = f"{what} could not be read ({error}); the old file is kept as {aside}"
        log.warning("%s", warning)
        return None, warning


def write(path: Path, value: Any, *, is_synced: bool = True) -> None:
    """`write_text` of a value as JSON."""
    write_text(path, json.dumps(value, indent=2), is_synced=is_synced)


def write_text(path: Path, text: str, *, is_synced: bool = True) -> None:
    """Replace what is kept in `path`: whole or not at all, also should the machine lose its power meanwhile.

    Args:
        is_synced: wait for the disk, usually some milliseconds; without that a loss of power may leave an empty file.

    Raises:
        OSError: it could not be written; then the old file is as it was.
    """
    fresh = path.with_suffix(".new")
    with os.fdopen(emptied(fresh), "w", encoding="utf-8", newline="") as file:
        file.write(text)
        if is_synced:
            file.flush()
            os.fsync(file.fileno())  # else the name may be on the disk before what it names
    fresh.replace(path)
    if is_synced:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Have the disk keep a name that was just given; Windows opens no folders and keeps names by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
