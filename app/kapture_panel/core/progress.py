"""How a command made of steps tells whoever started it that one is done, without knowing who that is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

#: Gets the number of steps done so far.
Listener = Callable[[int], Awaitable[None]]

_listener: ContextVar[Listener | None] = ContextVar("progress listener", default=None)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """What runs inside, in this task and those it starts, tells `listener` of its steps."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


async def step_done(done: int) -> None:
    """Say that `done` steps are done; nobody need listen."""
    listener = _listener.get()
    if listener is not None:
        await listener(done)
