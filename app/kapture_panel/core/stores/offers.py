"""Files that an upload offers to the extension while it runs, for a browser that may not read them by itself."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kapture_panel.core.basics import real_file
from kapture_panel.core.basics.errors import KaptureError

#: As much of a file goes over the wire at a time; base64 takes a third more.
MAX_PIECE_BYTES = 1024 * 1024


class Offers:
    """What may be read, by a token that only the upload knows."""

    def __init__(self) -> None:
        self._paths: dict[str, Path] = {}

    @contextmanager
    def open(self, paths: Sequence[Path]) -> Iterator[list[str]]:
        """The tokens of files, in their order, that hold as long as the block; the paths lead through no link."""
        tokens = [secrets.token_urlsafe(16) for _ in paths]
        self._paths.update(zip(tokens, paths, strict=True))
        try:
            yield tokens
        finally:
            for token in tokens:
                del self._paths[token]

    async def read(self, token: str, start: int, size: int) -> bytes:
        """Up to `size` bytes of a file from byte `start` on, and never more than `MAX_PIECE_BYTES`.

        Raises:
            KaptureError: `FILE_NOT_ALLOWED` for a token that holds no more, `FILE_NOT_FOUND` when it cannot be read.
        """
        path = self._paths.get(token)
        if path is None:
            raise KaptureError("FILE_NOT_ALLOWED", "no upload that is under way offers this file")
        try:
            return await asyncio.to_thread(_piece, path, start, min(size, MAX_PIECE_BYTES))
        except OSError as error:
            raise KaptureError("FILE_NOT_FOUND", f"{path} cannot be read any more: {error.strerror}") from None


def _piece(path: Path, start: int, size: int) -> bytes:
    with os.fdopen(real_file.opened(path), "rb") as file:
        file.seek(start, os.SEEK_SET)
        return file.read(size)
