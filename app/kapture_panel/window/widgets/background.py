"""Coroutines started by the window: what fails is shown, what runs ends with the window."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.window.widgets.toasts import Toasts

T = TypeVar("T")

log = logging.getLogger(__name__)


class Background:
    """The way from a slot to a coroutine.

    Args:
        toasts: where failures are told.
    """

    def __init__(self, toasts: Toasts) -> None:
        self._toasts = toasts
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, coroutine: Coroutine[Any, Any, T], what: str) -> asyncio.Task[T | None]:
        """Run `coroutine`; when it fails a message says that `what` failed and why."""
        task = tasks.spawn(self._watched(coroutine, what), what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def cancel(self) -> None:
        """End everything that runs."""
        for task in tuple(self._tasks):
            task.cancel()

    async def _watched(self, coroutine: Coroutine[Any, Any, T], what: str) -> T | None:
        try:
            return await coroutine
        except KaptureError as error:
            self._toasts.tell(f"{what} failed: {error.code}", error.message, "error")
        except Exception as error:  # the outermost door of what a slot began
            log.exception("%s failed", what)
            self._toasts.tell(f"{what} failed", str(error) or type(error).__name__, "error")
        return None
