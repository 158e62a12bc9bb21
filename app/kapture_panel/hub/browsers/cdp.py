"""What any way of speaking CDP with a browser has in common: numbered calls, their answers, events."""

from __future__ import annotations

import asyncio
import itertools
import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject

#: (method, params, session id or "")
OnEvent = Callable[[str, JsonObject, str], None]


class Cdp(ABC):
    """Calls and events of a browser.

    Args:
        on_event: called with each event.
    """

    def __init__(self, on_event: OnEvent) -> None:
        self._on_event = on_event
        self._serial = itertools.count(1)
        self._waiting: dict[int, tuple[str, asyncio.Future[JsonObject]]] = {}

    async def call(self, method: str, params: JsonObject | None = None, session: str = "") -> JsonObject:
        """Call a CDP method.

        Raises:
            KaptureError: `INTERNAL` with the browser's words, or when it has ended.
        """
        answered = await self.begin(method, params, session)
        try:
            return await answered
        finally:
            answered.cancel()

    async def caught_up(self) -> None:
        """Wait until the events that the browser has sent so far are here, or it has ended."""
        with suppress(KaptureError):
            await self.call("Browser.getVersion")

    async def begin(
        self, method: str, params: JsonObject | None = None, session: str = ""
    ) -> asyncio.Future[JsonObject]:
        """Send a call and do not wait for its answer: what is begun earlier arrives earlier.

        Raises:
            KaptureError: `INTERNAL`, the browser has ended.
        """
        number = next(self._serial)
        frame: JsonObject = {"id": number, "method": method, "params": params or {}}
        if session:
            frame["sessionId"] = session
        answered: asyncio.Future[JsonObject] = asyncio.get_running_loop().create_future()
        self._waiting[number] = method, answered
        answered.add_done_callback(lambda _: self._waiting.pop(number, None))
        try:
            await self._send(method, json.dumps(frame))
        except BaseException:
            answered.cancel()
            raise
        return answered

    @abstractmethod
    async def _send(self, method: str, frame: str) -> None:
        """Send a frame.

        Raises:
            KaptureError: `INTERNAL`, the browser has ended.
        """

    def _fail_waiting(self, what: str, next_step: str = "") -> None:
        for _method, waiting in tuple(self._waiting.values()):
            if not waiting.done():
                waiting.set_exception(KaptureError("INTERNAL", what, next_step))

    def _take(self, frame: JsonObject) -> None:
        """Take what the browser said.

        Raises:
            KeyError, TypeError, AttributeError: it is not a frame of CDP.
        """
        if "id" not in frame:
            self._on_event(frame["method"], frame.get("params", {}), frame.get("sessionId", ""))
            return
        result = frame.get("error", frame.get("result"))
        if not isinstance(result, dict):
            raise TypeError(f"an answer without a result: {sorted(frame)}")
        method, waiting = self._waiting.get(frame["id"], ("", None))
        if waiting is None or waiting.done():
            return
        if "error" in frame:
            waiting.set_exception(KaptureError("INTERNAL", f"{method}: {result.get('message')}"))
        else:
            waiting.set_result(result)
