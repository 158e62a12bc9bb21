"""Between a browser of the panel and IBus: the person goes on composing where they are while agents act in it.

IBus has one focus for all programs. A browser that is told it has the keyboard (`keyboard_guard`) would take it.
"""

from __future__ import annotations

import logging
import selectors
import shutil
import socket
import struct
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from kapture_panel.hub.browsers.ibus_address import address_of, ibus_address, socket_name
from kapture_panel.hub.browsers.ibus_calls import IBusCalls

log = logging.getLogger(__name__)

_CHUNK = 65536


class Eyes(Protocol):
    """Who sees where the keyboard is."""

    @property
    def pid(self) -> int:
        """The browser's process."""

    def is_elsewhere(self) -> bool:
        """Whether another program has the keyboard; False where that cannot be told."""


@dataclass(frozen=True, eq=False)
class _Connection:
    """A program and IBus, and what the one tells the other."""

    program: socket.socket
    ibus: socket.socket
    calls: IBusCalls


class IBusRelay:
    """Passes on what a browser and IBus say to each other, but for the focus that the browser only believes to have.

    Programs that the browser starts come here, too: theirs goes on as it is. Nothing is kept. It is done in a thread,
    until `close` and the end of the last connection.

    Args:
        find: where IBus is; asked for each connection, for IBus may have been started again.
    """

    def __init__(self, find: Callable[[], str | None]) -> None:
        self._find = find
        self._eyes: Eyes | None = None
        self._folder = Path(tempfile.mkdtemp(prefix="kapture-ibus-"))
        self._door = socket.socket(socket.AF_UNIX)
        try:
            self._door.bind(str(self._folder / "bus"))
            self._door.listen()
        except OSError:
            self._door.close()
            shutil.rmtree(self._folder)
            raise
        self._bell, self._rope = socket.socketpair()
        self._rope.setblocking(False)
        self._is_closed = False
        self._waiting = selectors.DefaultSelector()
        self._waiting.register(self._door, selectors.EVENT_READ, self._accept)
        self._waiting.register(self._bell, selectors.EVENT_READ, self._on_bell)
        self._connections: set[_Connection] = set()
        threading.Thread(target=self._run, name="ibus relay", daemon=True).start()

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> IBusRelay | None:
        """One for a browser that starts with `environment`, if it may compose with IBus on an X11 display."""
        is_x11 = sys.platform == "linux" and environment.get("DISPLAY") and not environment.get("WAYLAND_DISPLAY")
        if not is_x11 or ibus_address(environment) is None:
            return None
        try:
            return cls(partial(ibus_address, environment))
        except OSError as error:
            log.warning("the browser goes to IBus by itself, and may disturb who composes elsewhere: %s", error)
            return None

    @property
    def environment(self) -> dict[str, str]:
        """What leads the browser here."""
        return {"IBUS_ADDRESS": address_of(self._folder / "bus")}

    def begin(self, eyes: Eyes) -> None:
        """From now on withhold; before, all goes on."""
        self._eyes = eyes

    def look_again(self) -> None:
        """The focus may have moved. May be called in any thread."""
        with suppress(OSError):  # it has been closed, or has so much to do that it will look anyway
            self._rope.send(b"\0")

    def close(self) -> None:
        """The browser has ended."""
        if not self._is_closed:
            self._is_closed = True
            self._rope.close()
            shutil.rmtree(self._folder)

    def _run(self) -> None:
        """The thread: whatever comes on one side goes out on the other."""
        with self._waiting, self._bell, self._door:
            try:
                while self._connections or self._bell.fileno() >= 0:
                    for key, _ in self._waiting.select():
                        key.data()
            except Exception:  # the thread's outermost door
                log.exception("the browser is cut off from IBus")
            for connection in tuple(self._connections):
                self._hang_up(connection)

    def _accept(self) -> None:
        name = socket_name(self._find() or "")
        program, _ = self._door.accept()
        ibus = socket.socket(socket.AF_UNIX)
        try:
            ibus.connect(name or "")
        except OSError as error:
            log.info("IBus does not answer: %s", error)
            program.close()
            ibus.close()
            return
        (pid,) = struct.unpack_from("i", program.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        calls = IBusCalls(partial(self._is_elsewhere, pid))
        connection = _Connection(program, ibus, calls)
        self._connections.add(connection)
        there = partial(self._pass_on, connection, program, ibus, calls.take)
        back = partial(self._pass_on, connection, ibus, program, bytes)
        self._waiting.register(program, selectors.EVENT_READ, there)
        self._waiting.register(ibus, selectors.EVENT_READ, back)

    def _is_elsewhere(self, pid: int) -> bool:
        """Whether process `pid` is a browser that only believes to have the keyboard."""
        return self._eyes is not None and self._eyes.pid == pid and self._eyes.is_elsewhere()

    def _on_bell(self) -> None:
        if not self._bell.recv(_CHUNK):
            for end in (self._door, self._bell):
                self._waiting.unregister(end)
                end.close()
        for connection in tuple(self._connections):
            self._send(connection, connection.ibus, connection.calls.look_again())

    def _pass_on(
        self, connection: _Connection, source: socket.socket, sink: socket.socket, weigh: Callable[[bytes], bytes]
    ) -> None:
        try:
            data = source.recv(_CHUNK)  # D-Bus could carry open files beside the bytes; IBus sends none
        except OSError:
            data = b""  # the other side went
        if data:
            self._send(connection, sink, weigh(data))
        else:
            self._hang_up(connection)

    def _send(self, connection: _Connection, sink: socket.socket, data: bytes) -> None:
        try:
            sink.sendall(data)
        except OSError:
            self._hang_up(connection)

    def _hang_up(self, connection: _Connection) -> None:
        if connection in self._connections:
            self._connections.remove(connection)
            for end in (connection.program, connection.ibus):
                self._waiting.unregister(end)
                end.close()
