"""The bounded store of long answers: files only their owner can read, oldest out first."""

from __future__ import annotations

import os
import re
import secrets
import time
from pathlib import Path

from kapture_panel.core.basics import private_file

MAX_BYTES = 100 * 1024 * 1024
MAX_AGE_S = 24 * 3600
#: When it was written, in hundredths of a second, then 64 random bits: nobody finds one that was not told its name.
_NAME = re.compile(r"[0-9]{16}-[0-9a-f]{16}\.[a-z]{1,8}")


class Outputs:
    """Texts in one folder, bounded in age and bytes.

    Args:
        folder: made with mode 0700 when it is missing.
    """

    def __init__(self, folder: Path, max_bytes: int = MAX_BYTES, max_age_s: float = MAX_AGE_S) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._max_age_s = max_age_s
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._trim()

    def add(self, text: str, suffix: str = ".txt", session: str = "") -> str:
        """Write one text and make room for it; with a `session` it is that conversation's alone.

        Returns:
            Its name, for `read` and `path`.

        Raises:
            OSError: the file could not be written; nothing is left of it.
        """
        now = time.time()
        stamp = time.strftime("%Y%m%d%H%M%S", time.gmtime(now))
        name = f"{stamp}{int(now * 100) % 100:02}-{secrets.token_hex(8)}{suffix}"
        path = private_file.own_folder(self._folder, session) / name
        descriptor = private_file.created(path)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode("utf-8", "replace"))
        except OSError:
            path.unlink(missing_ok=True)
            raise
        self._trim(newest=path)
        return name

    def read(self, name: str, session: str = "") -> bytes:
        """The text called `name` among those of a session, as UTF-8.

        Raises:
            KeyError: there is none of this name, or none any more.
        """
        try:
            return self.path(name, session).read_bytes()
        except FileNotFoundError:
            raise KeyError(name) from None

    def path(self, name: str, session: str = "") -> Path:
        """Where the text called `name` lies among those of a session.

        Raises:
            KeyError: there is none of this name, or none any more.
        """
        path = self._folder / session / name
        # The form first: a name never leads out of the folder.
        if not _NAME.fullmatch(name) or not path.is_file():
            raise KeyError(name)
        return path

    def written(self) -> list[tuple[str, float]]:
        """The path in the folder of each text there is, and when it was written, in seconds since 1970."""
        files = private_file.files_in(self._folder)
        return [(str(path.relative_to(self._folder)), path.stat().st_mtime) for path in files]

    def remove(self, name: str) -> None:
        """Delete the text with this path in the folder."""
        (self._folder / name).unlink(missing_ok=True)

    def trim(self) -> None:
        """Delete what is too old."""
        self._trim()

    def _trim(self, newest: Path | None = None) -> None:
        """Remove what is too old, then the oldest of what is too much; never the newest one, however large."""
        oldest = time.time() - self._max_age_s
        total = 0
        for path in sorted(private_file.files_in(self._folder), key=_age, reverse=True):
            stat = path.stat()
            total += stat.st_size
            if path != newest and (stat.st_mtime < oldest or total > self._max_bytes):
                total -= stat.st_size
                path.unlink(missing_ok=True)


def _age(path: Path) -> tuple[int, str]:
    return path.stat().st_mtime_ns, path.name
