"""The clock of a test's loop, which can be put on: what is due by then comes at once, however long that is."""

from __future__ import annotations

import asyncio


def put_on(seconds: float) -> None:
    """Let so much time pass for the running loop, which ends with its test and so keeps the time."""
    loop = asyncio.get_running_loop()
    earlier = loop.time
    loop.time = lambda: earlier() + seconds  # type: ignore[method-assign]
