"""The one door to background tasks: nothing runs without an owner, no failure goes unseen."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

log = logging.getLogger(__name__)
_running: set[asyncio.Task[Any]] = set()


def spawn(coroutine: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
    """Run `coroutine` in the background of the running loop.

    The task is kept alive until it ends; an exception nobody awaits is logged with `name`.
    """
    task = asyncio.get_running_loop().create_task(coroutine, name=name)
    _running.add(task)
    task.add_done_callback(_ended)
    return task


def _ended(task: asyncio.Task[Any]) -> None:
    _running.discard(task)
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("background task %r failed", task.get_name(), exc_info=error)


async def end(task: asyncio.Task[Any] | None) -> None:
    """Cancel `task` and wait until it has really ended."""
    if task is None or task.done():
        return
    task.cancel()
    await asyncio.wait([task])
