"""A connection at the local door, a JSON object a line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from kapture_panel.core.basics import sanitize, tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject

#: How many lines a caller may send ahead while a call of it runs, and how many bytes where they are several: each may
#: be as long as any.
MAX_AHEAD = 100
MAX_AHEAD_BYTES = 32 * 1024 * 1024


def object_in(line: bytes) -> JsonObject:
    """The JSON object in `line`.

    Raises:
        KaptureError: `INVALID_PARAMS` when it is anything else, or has a text that is no Unicode.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise KaptureError("INVALID_PARAMS", f"a line of JSON was due: {error}") from None
    if not isinstance(message, dict):
        raise KaptureError("INVALID_PARAMS", f"a JSON object was due, not {json.dumps(message)[:80]}")
    if b"\\u" in line:
        _demand_text(message)
    return message


def _demand_text(message: JsonObject) -> None:
    """Refuse half of a character, which JSON lets pass, but neither the wire nor the history can hold."""
    try:
        json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        around = error.object[max(0, error.start - 20) : error.end + 20]
        raise KaptureError(
            "INVALID_PARAMS",
            f"a text has a byte, or half of a character, that is no Unicode, at {around!a}",
            "give it as UTF-8; rename a file with such a name",
        ) from None


async def lines_of(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Each line that holds something, until the other end hangs up."""
    while line := await reader.readline():
        if line.strip():
            yield line


class Ahead:
    """Reads a caller's lines as they come, so that its end is seen while a call of it runs and none of them is lost."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._waiting_bytes = 0
        #: Ends when the other end has hung up.
        self.reading = tasks.spawn(self._read(reader), "read the caller")

    async def lines(self) -> AsyncIterator[bytes]:
        """Each line, until the other end hangs up.

        Raises:
            KaptureError: more than `MAX_AHEAD` of them, or `MAX_AHEAD_BYTES`, came ahead.
        """
        while (line := await self._lines.get()) is not None:
            self._waiting_bytes -= len(line)
            yield line
        await self.reading

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            async for line in lines_of(reader):
                # Not left unread: behind it nobody would see that the caller hung up, and its calls would go on.
                if self._lines.qsize() == MAX_AHEAD:
                    raise _too_much(f"more than {MAX_AHEAD} calls were")
                if self._waiting_bytes and self._waiting_bytes + len(line) > MAX_AHEAD_BYTES:
                    raise _too_much(f"calls of more than {MAX_AHEAD_BYTES} bytes together were")
                self._waiting_bytes += len(line)
                self._lines.put_nowait(line)
        finally:
            self._lines.put_nowait(None)


def _too_much(what: str) -> KaptureError:
    return KaptureError(
        "INVALID_PARAMS",
        f"{what} sent ahead of their answers",
        "the panel takes no more on this connection, and ended the call that ran; "
        "connect again, and send each call when the one before is answered",
    )


def write(writer: asyncio.StreamWriter, message: Mapping[str, Any]) -> None:
    """Send a line."""
    writer.write(sanitize.json_text(message).encode() + b"\n")
