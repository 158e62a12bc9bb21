"""How a command tells whoever started it that a step is done, or what it waits for, without knowing who that is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

#: Gets the number of steps done so far.
Listener = Callable[[int], Awaitable[None]]

#: Gets what is waited for, empty when it is no more.
OnWaiting = Callable[[str], None]

_listener: ContextVar[Listener | None] = ContextVar("progress listener", default=None)
_on_waiting: ContextVar[OnWaiting | None] = ContextVar("waiting listener", default=None)


@contextmanager
def heard_by(listener: Listener, on_waiting: OnWaiting | None = None) -> Iterator[None]:
    """What runs inside, in this task and those it starts, tells `listener` of its steps, and `on_waiting` why it is
    not further yet."""
    token, waiting_token = _listener.set(listener), _on_waiting.set(on_waiting)
    try:
        yield
    finally:
        _listener.reset(token)
        _on_waiting.reset(waiting_token)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Say that what runs inside waits for something that others have; nobody need listen."""
    say = _on_waiting.get() or (lambda _what: None)
    say(what)
    try:
        yield
    finally:
        say("")


async def step_done(done: int) -> None:
    """Say that `done` steps are done; nobody need listen."""
    listener = _listener.get()
    if listener is not None:
        await listener(done)
