"""CDP over a browser's pipe (`--remote-debugging-pipe`): JSON frames ended by NUL, both ways."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections.abc import Callable

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject

log = logging.getLogger(__name__)

_LOST = "its answer may be lost"


class CdpPipe:
    """Calls and events of a browser we started.

    Args:
        reader: the browser's output pipe.
        writer: the browser's input pipe; closing it ends the browser.
        on_event: called with (method, params, session id or "").
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        on_event: Callable[[str, JsonObject, str], None],
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._on_event = on_event
        self._serial = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[JsonObject]] = {}
        self._pump = tasks.spawn(self._receive_all(), "browser pipe")

    async def call(self, method: str, params: JsonObject | None = None, session: str = "") -> JsonObject:
        """Call a CDP method.

        Raises:
            KaptureError: `INTERNAL` with the browser's words, when the pipe has closed, or when the browser said
                something unreadable meanwhile, which may have been the answer.
        """
        number = next(self._serial)
        frame: JsonObject = {"id": number, "method": method, "params": params or {}}
        if session:
            frame["sessionId"] = session
        waiting: asyncio.Future[JsonObject] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        try:
            if self._pump.done():
                raise KaptureError("INTERNAL", f"the browser has ended ({method})")
            self._writer.write(json.dumps(frame).encode() + b"\0")
            await self._writer.drain()
            reply = await waiting
        except OSError as error:
            raise KaptureError("INTERNAL", f"the browser has ended ({method}: {error})") from None
        finally:
            self._waiting.pop(number, None)
        if "error" in reply:
            raise KaptureError("INTERNAL", f"{method}: {reply['error'].get('message')}")
        result: JsonObject = reply["result"]
        return result

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
            log.warning("the browser said more at once than is read")
            self._fail_waiting("the browser said more at once than is read", _LOST)
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

    def _fail_waiting(self, what: str, next_step: str = "") -> None:
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(KaptureError("INTERNAL", what, next_step))

    def _take(self, frame: JsonObject) -> None:
        if "id" not in frame:
            self._on_event(frame["method"], frame.get("params", {}), frame.get("sessionId", ""))
            return
        if not isinstance(frame.get("error", frame.get("result")), dict):
            raise TypeError(f"an answer without a result: {sorted(frame)}")
        waiting = self._waiting.get(frame["id"])
        if waiting is not None and not waiting.done():
            waiting.set_result(frame)
