"""Memory that the process has freed goes back to the system."""

from __future__ import annotations

import asyncio
import ctypes
import sys

from kapture_panel.core.basics import tasks

#: So long after somebody left, for they seldom leave alone.
AFTER_S = 2.0


class FreedMemory:
    """Gives memory back a while after somebody has left who may have used much of it, or as often as it is asked.

    glibc keeps what is free between blocks in use: after ten thousand large frames of one link that was half of the
    process, for good. Other C libraries give it back by themselves; with them nothing is done. It takes 3 ms, and a
    third more for each MB that goes back; meanwhile nobody gets memory.

    Args:
        after_s: seconds from the first `soon` until it is given back; those meanwhile are one with it.
    """

    def __init__(self, after_s: float = AFTER_S) -> None:
        self._after_s = after_s
        self._giving: asyncio.Task[None] | None = None

    def soon(self) -> None:
        """Somebody has left, or it is time."""
        if sys.platform == "linux" and (self._giving is None or self._giving.done()):
            self._giving = tasks.spawn(self._give(), "freed memory")

    async def given(self) -> None:
        """Wait until all that was to be given back has been."""
        if self._giving is not None:
            await asyncio.wait([self._giving])

    async def close(self) -> None:
        """Leave what is still to be given back to the end of the process."""
        await tasks.end(self._giving)

    async def _give(self) -> None:
        await asyncio.sleep(self._after_s)
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if trim is not None:
            await asyncio.to_thread(trim, 0)
