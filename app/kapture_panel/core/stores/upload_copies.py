"""Files of uploads under names of their own: what the browser opens is what the policy looked at."""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kapture_panel.core.basics import private_file

log = logging.getLogger(__name__)

MAX_AGE_S = 24 * 3600
#: A larger file is not copied, nor is one more when so much was; a second name of it takes no room.
MAX_COPIED_BYTES = 100 * 1024 * 1024
MAX_COPIED_BYTES_TOGETHER = 1024 * 1024 * 1024
#: Of what was there a moment ago: an upload in another thread gave it up, or it was forgotten.
_GONE = suppress(FileNotFoundError, NotADirectoryError)


@dataclass(frozen=True)
class UploadCopy:
    """A file there is: its name here, the row of its upload, and since when, in seconds since 1970."""

    name: str
    row_id: int
    at: float


class UploadCopies:
    """A folder for each file, since a page sees the file's own name; its name says which row it belongs to.

    They outlive their upload: a page reads a file when it sends it, which may be much later.

    Args:
        folder: made with mode 0700 when it is missing.
        max_together: of all copies, in bytes.
    """

    def __init__(
        self,
        folder: Path,
        max_copied_bytes: int = MAX_COPIED_BYTES,
        max_together: int = MAX_COPIED_BYTES_TOGETHER,
        max_age_s: float = MAX_AGE_S,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder.resolve()
        self._max_copied_bytes = max_copied_bytes
        self._max_together = max_together
        self._max_age_s = max_age_s
        self.trim()

    def give(self, row_id: int, descriptor: int, name: str) -> Path | None:
        """Another name of the open file, or a copy of it, for the upload with this row; None when it is too large to be
        copied, or cannot be."""
        place = self._folder / f"{row_id}-{secrets.token_hex(16)}"
        place.mkdir(mode=0o700)
        try:
            if _linked(descriptor, place, name) or self._copied(descriptor, place / name):
                return place / name
        except OSError as error:  # the disk is full, for one
            log.warning("an uploaded file could not be copied: %s", error.strerror)
        shutil.rmtree(place, ignore_errors=True)
        return None

    def _copied(self, descriptor: int, path: Path) -> bool:
        about = os.fstat(descriptor)
        if about.st_size > self._max_copied_bytes or about.st_size + self._bytes() > self._max_together:
            return False
        with (
            os.fdopen(os.dup(descriptor), "rb") as source,
            os.fdopen(private_file.created(path), "wb") as copy,
        ):
            source.seek(0)
            shutil.copyfileobj(source, copy)
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
        return True

    def _bytes(self) -> int:
        """How much the copies take together."""
        together = 0
        for place in self._folder.iterdir():
            with _GONE:
                for path in place.iterdir():
                    about = path.stat()
                    together += about.st_size if about.st_nlink == 1 else 0
        return together

    def written(self) -> list[UploadCopy]:
        """Each file there is."""
        there = []
        for place in self._folder.iterdir():
            with _GONE:
                there.append(UploadCopy(place.name, _row_of(place.name), place.stat().st_mtime))
        return there

    def remove(self, name: str) -> None:
        """Delete the file with this name here; the person's own file stays."""
        shutil.rmtree(self._folder / name, ignore_errors=True)

    def trim(self) -> None:
        """Remove those that are too old."""
        for copy in self.written():
            if time.time() - copy.at > self._max_age_s:
                self.remove(copy.name)


def _row_of(name: str) -> int:
    """The row of the file with this name here; an earlier version gave names without one."""
    row_id, dash, _ = name.partition("-")
    return int(row_id) if dash and row_id.isdecimal() else 0


def _linked(descriptor: int, place: Path, name: str) -> bool:
    """Give the open file a second name, where the system can do so by its descriptor and the file is of this disk."""
    if os.link not in os.supports_dir_fd or not Path(f"/proc/self/fd/{descriptor}").exists():
        return False
    there = os.open(place, os.O_RDONLY)
    try:
        # Only with a folder's descriptor Python asks the system to follow the link that /proc has.
        os.link(f"/proc/self/fd/{descriptor}", name, dst_dir_fd=there, follow_symlinks=True)
    except OSError:  # another disk, or a file of another user
        return False
    finally:
        os.close(there)
    return True
