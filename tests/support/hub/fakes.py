"""The other ends of the hub's doors: an extension that dials, clients at the local door, MCP lines in memory."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
import secrets
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from kapture_panel import door
from kapture_panel.core.doctor import Check
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.handshake import EXTENSION_ID, Pairing
from kapture_panel.hub.agent_door.mcp.sources import Sources
from tests.support.core.fakes import World

ORIGIN = Origin(f"chrome-extension://{EXTENSION_ID}")


class FakeExtension:
    """One link of the extension, by the book unless a test says otherwise.

    `heard` are the frames the panel sent. `key` stands for the pairing key it holds.
    """

    def __init__(self, port: int, pairing: Pairing, *, role: str = "tab", tab_id: str = "t1", key: str = "") -> None:
        self._port = port
        self._key = key or pairing.key
        self.hello: dict[str, Any] = {
            "type": "hello", "protocol": protocol.VERSION, "role": role, "install": pairing.install,
            "nonce": secrets.token_hex(32), "tabId": tab_id if role == "tab" else "",
        }  # fmt: skip
        self.register: dict[str, Any] = {
            "type": "register", "tabId": tab_id, "url": "https://shop.example/", "title": "Shop", "browser": "Fake",
        }  # fmt: skip
        self.heard: list[dict[str, Any]] = []
        self.socket: ClientConnection

    async def dial(self) -> None:
        """Open the socket; nothing is said yet."""
        self.socket = await connect(f"ws://127.0.0.1:{self._port}", origin=ORIGIN, compression=None, proxy=None)

    async def connect(self) -> dict[str, Any]:
        """Dial, greet, prove and register.

        Returns:
            The panel's last word: `registered`, or `refused`.
        """
        await self.dial()
        await self.send(self.hello)
        challenge = await self.next()
        if challenge["type"] == "refused":
            return challenge
        assert challenge["proof"] == self.proof("panel", challenge["nonce"])
        await self.send({"type": "proof", "proof": self.proof("extension", challenge["nonce"])})
        accepted = await self.next()
        if accepted["type"] == "refused":
            return accepted
        assert accepted == {"type": "accepted"}
        await self.send(self.register)
        return await self.next()

    def proof(self, side: str, nonce: str) -> str:
        """What `side` proves, written down independently of the panel's own code."""
        said = self.hello
        claims = (said["protocol"], said["role"], said["install"], said["tabId"], said["nonce"], nonce)
        text = f"{side}\n127.0.0.1:{self._port}\n" + "\n".join(map(str, claims))
        return hmac.new(self._key.encode(), text.encode(), "sha256").hexdigest()

    async def send(self, frame: dict[str, Any] | str | bytes) -> None:
        await self.socket.send(json.dumps(frame) if isinstance(frame, dict) else frame)

    async def next(self) -> dict[str, Any]:
        """The next frame of the panel."""
        frame: dict[str, Any] = json.loads(await self.socket.recv())
        self.heard.append(frame)
        return frame

    async def answer(self, result: Any = None, **more: Any) -> dict[str, Any]:
        """Carry out the next command at once and return it."""
        command = await self.next()
        await self.send({"type": "response", "id": command["id"], "success": True, "result": result, **more})
        return command

    async def until_closed(self) -> tuple[int, str]:
        """Read on until the panel hangs up; its close code and reason."""
        try:
            while True:
                await self.next()
        except ConnectionClosed:
            assert self.socket.close_code is not None
            return self.socket.close_code, self.socket.close_reason or ""

    async def close(self) -> None:
        await self.socket.close()


class FakePairPage:
    """A pair page, by the book unless a test says otherwise. `heard` are the frames the panel sent."""

    def __init__(self, port: int, install: str = "0123456789abcdef") -> None:
        self._port = port
        self.nonce = secrets.token_hex(32)
        self.pair: dict[str, Any] = {
            "type": "pair", "protocol": protocol.VERSION, "install": install,
            "commitment": hashlib.sha256(self.nonce.encode()).hexdigest(),
        }  # fmt: skip
        self.heard: list[dict[str, Any]] = []
        self.socket: ClientConnection

    async def dial(self) -> None:
        """Open the socket; nothing is said yet."""
        self.socket = await connect(
            f"ws://127.0.0.1:{self._port}", origin=ORIGIN, compression=None, proxy=None,
            user_agent_header="Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36",
        )  # fmt: skip

    async def greet(self) -> str:
        """Dial and exchange the nonces.

        Returns:
            The code, worked out independently of the panel's own code; empty when the panel refused.
        """
        await self.dial()
        await self.send(self.pair)
        pairing = await self.next()
        if pairing["type"] == "refused":
            return ""
        await self.send({"type": "reveal", "nonce": self.nonce})
        text = f"pairing\n{self.pair['install']}\n127.0.0.1:{self._port}\n{self.nonce}\n{pairing['nonce']}"
        return f"{int(hashlib.sha256(text.encode()).hexdigest()[:16], 16) % 1_000_000:06}"

    async def confirm(self) -> None:
        """The person says that the codes are the same."""
        await self.send({"type": "confirm"})

    async def send(self, frame: dict[str, Any]) -> None:
        await self.socket.send(json.dumps(frame))

    async def next(self) -> dict[str, Any]:
        """The next frame of the panel."""
        frame: dict[str, Any] = json.loads(await self.socket.recv())
        self.heard.append(frame)
        return frame

    async def until_closed(self) -> dict[str, Any]:
        """Read on until the panel hangs up; the last frame it sent."""
        try:
            while True:
                await self.next()
        except ConnectionClosed:
            return self.heard[-1]

    async def close(self) -> None:
        await self.socket.close()


class DoorVisitor:
    """A connection to the local door of the data directory `root`, Unix socket or TCP."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def connect(self, greeting: dict[str, Any] | bytes, *, secret: str | None = None) -> dict[str, Any]:
        """Greet and return the panel's answer; `{}` when it hangs up without a word."""
        known = await self.dial()
        if isinstance(greeting, bytes):
            self.writer.write(greeting)
            return await self.read()
        return await self.ask({**greeting, "secret": known if secret is None else secret})

    async def dial(self) -> str:
        """Connect and say nothing; returns the secret to say."""
        address = door.address(str(self._root))
        if not door.uses_tcp():
            self.reader, self.writer = await asyncio.open_unix_connection(address)
            return ""
        known = json.loads(Path(address).read_text())
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", known["port"])
        return str(known["secret"])

    async def ask(self, request: Any) -> dict[str, Any]:
        await self.send(request)
        return await self.read()

    async def send(self, request: Any) -> None:
        self.writer.write(json.dumps(request).encode() + b"\n")
        await self.writer.drain()

    async def read(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(await self.reader.readline() or b"{}")
        return answer

    async def hang_up(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


def sources_of(world: World) -> Sources:
    """What the resources of a world's conversations are read from."""
    return Sources(world.tabs, world.console, world.shots, world.state.notes)


async def nothing_tried() -> AsyncGenerator[Check, None]:
    """A doctor of one link."""
    yield Check("panel", "ok", "it is there", ms=0.1)


class Changes:
    """Counts emissions of a signal and lets a test wait for a state instead of for time."""

    def __init__(self, *signals: Any) -> None:
        self._changed = asyncio.Event()
        for signal in signals:
            signal.connect(lambda *_: self._changed.set())

    async def until(self, condition: Any) -> None:
        """Return once `condition()` holds, looked at after each emission."""
        while not condition():
            self._changed.clear()
            await self._changed.wait()
