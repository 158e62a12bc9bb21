"""CDP over a browser's pipe (`--remote-debugging-pipe`): JSON frames ended by NUL, both ways."""

from __future__ import annotations

import asyncio
import json
import logging

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.browsers.cdp import Cdp, OnEvent

log = logging.getLogger(__name__)

_LOST = "its answer may be lost"


class CdpPipe(Cdp):
    """Calls and events of a browser we started.

    Args:
        reader: the browser's output pipe.
        writer: the browser's input pipe; closing it ends the browser.
        on_event: called with (method, params, session id or "").
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, on_event: OnEvent) -> None:
        super().__init__(on_event)
        self._reader = reader
        self._writer = writer
        self._pump = tasks.spawn(self._receive_all(), "browser pipe")

    async def close(self) -> None:
        """Close the pipe: the browser ends by itself."""
        self._writer.close()
        await tasks.end(self._pump)

    async def _receive_all(self) -> None:
        try:
            while True:
                await self._receive_one()
        except (asyncio.IncompleteReadError, OSError):
            log.info("the browser's pipe has closed")
        finally:
            self._fail_waiting("the browser has ended")

    async def _receive_one(self) -> None:
        """Take a frame; one that cannot be read is skipped, and nobody goes on waiting for what it may have said."""
        try:
            self._take(json.loads((await self._reader.readuntil(b"\0"))[:-1]))
        except asyncio.LimitOverrunError:
            await self._skip()
            log.warning("the browser sent a message that is too long")
            self._fail_waiting("the browser sent a message that is too long", _LOST)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            log.exception("the browser said something unreadable")
            self._fail_waiting("the browser said something unreadable", _LOST)

    async def _skip(self) -> None:
        """Read to the end of a frame that is longer than the reader's limit."""
        while True:
            try:
                await self._reader.readuntil(b"\0")
            except asyncio.LimitOverrunError as error:
                await self._reader.readexactly(error.consumed)
            else:
                return

    async def _send(self, method: str, frame: str) -> None:
        if self._pump.done():
            raise KaptureError("INTERNAL", f"the browser has ended ({method})")
        try:
            self._writer.write(frame.encode() + b"\0")
            await self._writer.drain()
        except OSError as error:
            raise KaptureError("INTERNAL", f"the browser has ended ({method}: {error})") from None
