"""The person's keyboard stays where it is while agents press in a browser, on an X11 display.

Chromium asks for the keyboard when a page is pressed in a window it believes inactive, and X11 lets it. So its windows
are told that they have it: an event any client may send, which moves nothing.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import os
import queue
import selectors
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kapture_panel.hub.browsers.ibus_relay import IBusRelay
    from kapture_panel.hub.browsers.x11_windows import X11Windows

log = logging.getLogger(__name__)

#: An X server that has not answered for so long is waited for no more: the command goes on without.
PATIENCE_S = 2.0


@dataclass
class _Order:
    """Something for the thread to do to the windows; None does nothing."""

    what: Callable[[X11Windows], None] | None
    done: concurrent.futures.Future[None] = field(default_factory=concurrent.futures.Future)


class KeyboardGuard:
    """Keeps the keyboard from the windows of process `pid` on `display` while somebody acts in them.

    Whatever may wait for the X server is done in a thread. Without a server, or when it goes, nothing is done.

    `on_focus` is called there when one of the windows may have got the keyboard.
    """

    def __init__(self, pid: int, display: str, on_focus: Callable[[], None] = lambda: None) -> None:
        self.pid = pid
        self._display = display
        self._on_focus = on_focus
        self._orders: queue.SimpleQueue[_Order] = queue.SimpleQueue()
        self._bell, self._rope = socket.socketpair()
        self._is_closed = False
        threading.Thread(target=self._run, name="keyboard guard", daemon=True).start()

    @classmethod
    def of(cls, pid: int, ibus: IBusRelay | None = None) -> KeyboardGuard | None:
        """One for a browser, unless it cannot have windows on an X11 display; `ibus` learns where the keyboard is."""
        if not cls.is_needed():
            return None
        if ibus is None:
            return cls(pid, os.environ["DISPLAY"])
        guard = cls(pid, os.environ["DISPLAY"], ibus.look_again)
        ibus.begin(guard)
        return guard

    @staticmethod
    def is_needed() -> bool:
        """Whether there is an X11 display: elsewhere no program behind takes the keyboard."""
        return sys.platform == "linux" and bool(os.environ.get("DISPLAY"))

    @asynccontextmanager
    async def during(self, *, acts: bool) -> AsyncIterator[None]:
        """Around a command. One that does not act only waits its turn, so that it overtakes none that does."""
        begun = self._post((lambda windows: windows.begin()) if acts else None)
        try:
            if not await _is_done(begun):
                log.warning("the display %s does not answer: a press may take the keyboard", self._display)
            yield
        finally:
            if acts:
                self._post(lambda windows: windows.end())

    async def open_behind(self) -> None:
        """An agent is about to open the browser's first window: the person goes on seeing what they see."""
        if not await _is_done(self._post(lambda windows: windows.open_behind())):
            log.warning("the display %s does not answer: the browser may lie over other windows", self._display)

    def is_elsewhere(self) -> bool:
        """Whether another program has the keyboard; False where that cannot be told. For other threads: it waits."""
        found: list[bool] = []
        with suppress(OSError):  # it is being closed, or the display does not answer in time
            self._post(lambda windows: found.append(windows.is_elsewhere())).result(PATIENCE_S)
        return found == [True]

    def expect_the_person(self) -> None:
        """The person asks for a window of the browser: it may take the keyboard now."""
        self._post(lambda windows: windows.expect_the_person())

    async def catch_up(self) -> None:
        """Wait until all that the display has told is dealt with: no click of before moves the keyboard later."""
        if not await _is_done(self._post(lambda windows: windows.catch_up())):
            log.warning("the display %s does not answer: a click of before may move the keyboard", self._display)

    def close(self) -> None:
        """The browser has ended."""
        if not self._is_closed:
            self._is_closed = True
            self._rope.close()

    def _post(self, what: Callable[[X11Windows], None] | None) -> concurrent.futures.Future[None]:
        order = _Order(what)
        if self._is_closed:
            order.done.set_result(None)
        else:
            self._orders.put(order)
            self._rope.send(b"\0")
        return order.done

    def _run(self) -> None:
        """The thread: until the rope is let go of, do what is ordered and hear what the display tells."""
        with self._bell:
            try:
                self._guard()
            except Exception as error:  # the thread's outermost door: there is no such display, or it has gone
                log.info("the keyboard is not guarded on the display %s: %s", self._display, error)
            self._on_focus()
            with selectors.DefaultSelector() as waiting:
                waiting.register(self._bell, selectors.EVENT_READ)
                while self._is_rung(waiting):
                    self._obey(None)

    def _guard(self) -> None:
        from kapture_panel.hub.browsers.x11_windows import X11Windows

        with (
            closing(X11Windows(self._display, self.pid, self._on_focus)) as windows,
            selectors.DefaultSelector() as waiting,
        ):
            waiting.register(self._bell, selectors.EVENT_READ)
            waiting.register(windows, selectors.EVENT_READ)
            while self._is_rung(waiting, windows.truth_in_s):
                self._obey(windows)
                windows.hear()
                windows.tell_the_truth()

    def _is_rung(self, waiting: selectors.BaseSelector, at_most_s: float | None = None) -> bool:
        """Wait for an order or for news; whether the rope is still held."""
        rung = {key.fileobj for key, _ in waiting.select(at_most_s)}
        return self._bell not in rung or bool(self._bell.recv(4096))

    def _obey(self, windows: X11Windows | None) -> None:
        orders = [self._orders.get() for _ in range(self._orders.qsize())]
        try:
            for order in orders:
                if windows is not None and order.what is not None:
                    order.what(windows)
        finally:
            for order in orders:
                if order.done.set_running_or_notify_cancel():
                    order.done.set_result(None)


async def _is_done(order: concurrent.futures.Future[None]) -> bool:
    """Wait for an order of the thread; False when it is waited for no more."""
    try:
        await asyncio.wait_for(asyncio.wrap_future(order), PATIENCE_S)
    except TimeoutError:
        return False
    return True
