"""A listener for extensions, with what stands behind it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from websockets.asyncio.server import ServerConnection

from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.registry.pairing import PairingDesk
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.events import Event
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.hub.extension_door.link import Link
from kapture_panel.hub.extension_door.listener import Listener
from kapture_panel.hub.extension_door.pairing import Pairer
from tests.support.hub.fakes import FakeExtension

PAIRING = Pairing(install="browser-1", key="the shared key")


class Door:
    """A listener on a free port, and what it took in."""

    def __init__(self, folder: Path) -> None:
        self.desk = PairingDesk()
        self.registered: list[protocol.Register] = []
        self.links: list[Link] = []
        self.events: list[Event] = []
        self.closed: asyncio.Queue[Link] = asyncio.Queue()
        pairer = Pairer(self.desk, PairedBrowsers(folder / "paired.json"))
        self.listener = Listener({PAIRING.install: PAIRING}, self._register, self.closed.put_nowait, pairer)

    def _register(
        self, pairing: Pairing, hello: protocol.Hello, register: protocol.Register, connection: ServerConnection
    ) -> Link:
        self.registered.append(register)
        self.links.append(Link(connection, self.events.extend))
        return self.links[-1]

    def extension(self, ending: AsyncExitStack, **options: Any) -> FakeExtension:
        made = FakeExtension(self.listener.port, PAIRING, **options)
        ending.push_async_callback(self._hang_up, made)
        return made

    @staticmethod
    async def _hang_up(extension: FakeExtension) -> None:
        if hasattr(extension, "socket"):
            await extension.close()


async def status(port: int, headers: list[tuple[str, str]], host: str = "127.0.0.1") -> int:
    """The HTTP status of an upgrade request with exactly these Origin and Host headers; 0 when it is cut off."""
    reader, writer = await asyncio.open_connection(host, port)
    lines = [
        "GET / HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", *(f"{name}: {value}" for name, value in headers), "", "",
    ]  # fmt: skip
    writer.write("\r\n".join(lines).encode("latin-1"))
    try:
        line = await reader.readline()
    finally:
        writer.close()
    return int(line.split()[1]) if line else 0
