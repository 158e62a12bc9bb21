"""Work that is done off the window's thread, and told in it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal
from shiboken6 import isValid

T = TypeVar("T")


class _Announcer(QObject):
    done = Signal(int, object)


class _Work(QRunnable):
    def __init__(self, ticket: int, work: Callable[[], object], announcer: _Announcer) -> None:
        super().__init__()
        self._ticket, self._work, self._announcer = ticket, work, announcer

    def run(self) -> None:
        made = self._work()
        # RuntimeError: the window went meanwhile.
        with suppress(RuntimeError):
            self._announcer.done.emit(self._ticket, made)


class OffThread(QObject):
    """Does work in up to `threads` threads of its own, and calls back in the GUI thread; needs no asyncio loop."""

    def __init__(self, parent: QObject, threads: int) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(threads)
        self._announcer = _Announcer(self)
        self._announcer.done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)
        self._waiting: dict[int, tuple[QObject, Callable[[Any], object]]] = {}
        self._ticket = 0

    def do(self, work: Callable[[], T], owner: QObject, done: Callable[[T], object]) -> None:
        """Do `work` and call `done` with what it gives.

        Args:
            work: must not raise.
            owner: who waits for it; when that is gone `done` is not called.
            done: called once in the GUI thread, never when `close` came first.
        """
        self._ticket += 1
        self._waiting[self._ticket] = (owner, done)
        self._pool.start(_Work(self._ticket, work, self._announcer))

    def close(self) -> None:
        """Drop what waits and let the threads end."""
        self._waiting.clear()
        self._pool.clear()
        self._pool.waitForDone(2000)

    def _on_done(self, ticket: int, made: Any) -> None:
        owner, done = self._waiting.pop(ticket, (None, None))
        if done is not None and isValid(owner):
            done(made)
