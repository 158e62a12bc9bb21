"""A connection at the local door, a JSON object a line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from kapture_panel.core.basics import sanitize
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject


def object_in(line: bytes) -> JsonObject:
    """The JSON object in `line`.

    Raises:
        KaptureError: `INVALID_PARAMS` when it is anything else.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise KaptureError("INVALID_PARAMS", f"a line of JSON was due: {error}") from None
    if not isinstance(message, dict):
        raise KaptureError("INVALID_PARAMS", f"a JSON object was due, not {json.dumps(message)[:80]}")
    return message


async def lines_of(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Each line that holds something, until the other end hangs up."""
    while line := await reader.readline():
        if line.strip():
            yield line


async def until_end(reader: asyncio.StreamReader) -> None:
    """Return when the other end has hung up; it sends nothing while it waits for an answer."""
    while not reader.at_eof():
        await reader.read(1)


def write(writer: asyncio.StreamWriter, message: Mapping[str, Any]) -> None:
    """Send a line."""
    writer.write(sanitize.json_text(message).encode() + b"\n")
