"""Progress of a tool call, for clients that asked for it: each step of a batch, and the time a command takes."""

from __future__ import annotations

import itertools
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import anyio

from kapture_panel.core import progress
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.catalogue.catalogue import Catalogue

T = TypeVar("T")
#: (progress, total, message), as the protocol names them.
Send = Callable[[float, float, str], Awaitable[None]]

TICK_S = 1.0
#: A step under way never counts as done.
ALMOST = 0.99


@dataclass(frozen=True)
class Part:
    """A command of a call: its short name, and how long it may take."""

    name: str
    timeout_s: float


def parts(catalogue: Catalogue, name: str, arguments: Params) -> list[Part]:
    """The steps of a batch, or the one command of any other call; none for what cannot run anyway."""
    try:
        if not catalogue.get(name).composite:
            return [_part(catalogue, name, arguments)]
        steps = arguments.get("steps")
        return [_part(catalogue, step["command"], step.get("params") or {}) for step in steps or []]
    except (KaptureError, AttributeError, KeyError, TypeError, ValueError):
        return []  # the router says what is wrong with it


def _part(catalogue: Catalogue, name: str, arguments: Params) -> Part:
    command = catalogue.get(name)
    timeout_ms = arguments.get("timeout") or command.usual_ms(arguments)
    return Part(command.short_name, float(timeout_ms) / 1000)


class CallProgress:
    """Tells how far one call is: its progress only ever grows, and nothing is told after the call has ended.

    Args:
        parts: what the call consists of; with none, nothing is told.
        send: tells the client.
        clock: seconds from any start.
        sleep: lets seconds of that clock pass.
    """

    def __init__(
        self,
        parts: list[Part],
        send: Send,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._parts = parts
        self._send = send
        self._clock = clock
        self._sleep = sleep
        self._done = 0
        self._said = 0.0
        self._step_began = 0.0
        self._waits_for = ""

    async def during(self, work: Awaitable[T]) -> T:
        """Await `work` and tell how it goes; it must not raise anything but a cancellation."""
        self._step_began = self._clock()
        async with anyio.create_task_group() as group:
            group.start_soon(self._tick)
            with progress.heard_by(self._on_step_done, self._on_waiting):
                result = await work
            group.cancel_scope.cancel()
        return result

    async def _tick(self) -> None:
        began = self._clock()
        for tick in itertools.count(1):
            # A panel that was held up is late for several at once.
            await self._sleep(max(0.0, began + tick * TICK_S - self._clock()))
            if self._done < len(self._parts):
                await self._say_elapsed(self._parts[self._done], self._clock() - self._step_began)

    async def _say_elapsed(self, part: Part, elapsed_s: float) -> None:
        message = f"{part.name}: waiting {elapsed_s:.0f} s of {part.timeout_s:g} s"
        if self._waits_for:  # which has a time of its own
            message = f"{part.name}: waiting {elapsed_s:.0f} s for {self._waits_for}"
        if len(self._parts) == 1 and self._waits_for:
            await self._say(round(elapsed_s, 1), max(part.timeout_s, elapsed_s + TICK_S), message)
        elif len(self._parts) == 1:
            if elapsed_s < part.timeout_s:
                await self._say(round(elapsed_s, 1), part.timeout_s, message)
        else:
            share = min(elapsed_s / part.timeout_s, ALMOST)
            total = len(self._parts)
            await self._say(round(self._done + share, 3), total, f"step {self._done + 1} of {total}, {message}")

    async def _on_step_done(self, done: int) -> None:
        self._done = done
        self._step_began = self._clock()
        if done <= len(self._parts):
            name = self._parts[done - 1].name
            await self._say(done, len(self._parts), f"step {done} of {len(self._parts)} done: {name}")

    def _on_waiting(self, what: str) -> None:
        self._waits_for = what

    async def _say(self, value: float, total: float, message: str) -> None:
        if value > self._said:
            self._said = value
            await self._send(value, total, message)
