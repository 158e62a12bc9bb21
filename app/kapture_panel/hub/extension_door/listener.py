"""The extension's door: a WebSocket server on loopback that only the pinned extension may enter."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from weakref import WeakSet

import msgspec
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request
from websockets.http11 import Response as HttpResponse

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.pairing import PairingRequest
from kapture_panel.core.wire import handshake, protocol
from kapture_panel.core.wire.handshake import EXTENSION_ID, Pairing
from kapture_panel.hub.extension_door.link import Link
from kapture_panel.hub.extension_door.pairing import Pairer, address_of, demand_protocol, receive
from kapture_panel.hub.extension_door.strangers import is_stranger

log = logging.getLogger(__name__)

DEFAULT_PORT = 61822
GREETING_S = 5.0
MAX_GREETING = 8
#: Those that nobody knows the user of leave the other places to the extension.
MAX_GREETING_UNKNOWN = 4
#: How often a free port is looked for that both loopback addresses have.
_PORT_TRIES = 20

OnRegistered = Callable[[Pairing, protocol.Hello, protocol.Register, ServerConnection], "Link"]


class Listener:
    """Listens on 127.0.0.1 and ::1.

    Args:
        pairings: install id → pairing; looked up at every hello.
        on_registered: makes the link of a connection that has proved itself and registered.
        on_closed: told when that link is over.
        pairer: what becomes of the pair page of a browser that is not paired.
    """

    def __init__(
        self,
        pairings: dict[str, Pairing],
        on_registered: OnRegistered,
        on_closed: Callable[[Link], None],
        pairer: Pairer,
    ) -> None:
        self._pairings = pairings
        self._on_registered = on_registered
        self._on_closed = on_closed
        self._pairer = pairer
        self._servers: list[Server] = []
        self._greeting: set[ServerConnection] = set()
        #: Those that nobody knows the user of.
        self._unknown: WeakSet[ServerConnection] = WeakSet()
        self.port = 0
        #: Why the last connection that was greeted was refused; empty when it was accepted.
        self.refusal = ""
        #: What a link is told when it is registered.
        self.settings = protocol.Settings()

    @property
    def is_crowded(self) -> bool:
        """Whether every place for a greeting is taken, so that no new tab gets in."""
        return len(self._greeting) >= MAX_GREETING

    @property
    def is_crowded_for_unknown(self) -> bool:
        """Whether none gets in that nobody knows the user of, such as a tab of a browser in a container."""
        return self.is_crowded or len(self._greeting.intersection(self._unknown)) >= MAX_GREETING_UNKNOWN

    async def open(self, port: int) -> None:
        """Start to listen; port 0 takes any port free on both addresses.

        Raises:
            KaptureError: `BUSY` when the port is taken, naming it and how to choose another.
        """
        for sock in _loopback_sockets(port):
            self.port = sock.getsockname()[1]
            server = await serve(
                self._handle,
                sock=sock,
                process_request=self._refuse_strangers,
                open_timeout=GREETING_S,
                compression=None,
                max_size=protocol.MAX_GREETING_BYTES,
                ping_interval=None,
                server_header=None,
                logger=log.getChild("websockets"),
            )
            self._servers.append(server)

    async def close(self) -> None:
        """Stop listening and close every connection."""
        for server in self._servers:
            server.close()
        for server in self._servers:
            await server.wait_closed()
        self._servers.clear()

    async def _refuse_strangers(self, connection: ServerConnection, request: Request) -> HttpResponse | None:
        # A browser sets the origin, so no page can claim this one; the host keeps a page out whose name was made to
        # lead here (DNS rebinding). Two headers of a name could be read in two ways.
        origins = request.headers.get_all("Origin")
        hosts = request.headers.get_all("Host")
        allowed_hosts = (f"127.0.0.1:{self.port}", f"localhost:{self.port}")
        if origins != [f"chrome-extension://{EXTENSION_ID}"] or len(hosts) != 1 or hosts[0] not in allowed_hosts:
            return connection.respond(403, "This address is for the Kapture Panel extension only.\n")
        # Before it takes a place: whoever holds them all keeps new tabs out. In a thread, for the table may be long.
        stranger = await asyncio.to_thread(is_stranger, connection.remote_address[:2], connection.local_address[:2])
        if stranger:
            return connection.respond(403, "This panel belongs to another user.\n")
        if stranger is None:
            self._unknown.add(connection)
        if self.is_crowded_for_unknown if stranger is None else self.is_crowded:
            return connection.respond(503, "Too many connections are being greeted.\n")
        return None

    async def _handle(self, connection: ServerConnection) -> None:
        self._greeting.add(connection)
        try:
            async with asyncio.timeout(GREETING_S):
                met = await self._meet(connection)
        except KaptureError as error:
            log.info("a connection was refused: %s", error.message)
            await self._refuse(connection, error)
            return
        except (TimeoutError, ConnectionClosed):
            await connection.close(1008, "the greeting was not finished")
            return
        finally:
            self._greeting.remove(connection)
        if isinstance(met, PairingRequest):
            await self._pair(connection, met)
            return
        try:
            await met.serve()
        except KaptureError as error:
            log.warning("a link was closed: %s", error.message)
            await _hang_up(connection, 1002, error.message[:120])
        finally:
            self._on_closed(met)

    async def _meet(self, connection: ServerConnection) -> Link | PairingRequest:
        first = await receive(connection, protocol.Hello, protocol.Pair)
        if isinstance(first, protocol.Pair):
            return await self._pairer.greet(connection, first)
        try:
            return await self._greet(connection, first)
        except KaptureError as error:
            self.refusal = error.message
            raise

    async def _pair(self, connection: ServerConnection, request: PairingRequest) -> None:
        try:
            await self._pairer.serve(connection, request)
        except KaptureError as error:
            await self._refuse(connection, error)
        except ConnectionClosed:
            log.info("the pair page was gone before it had its key")
        else:
            await connection.close()

    async def _greet(self, connection: ServerConnection, hello: protocol.Hello) -> Link:
        demand_protocol(hello.protocol)
        pairing = self._pairings.get(hello.install)
        if pairing is None:
            raise KaptureError("DENIED", "this browser is not paired with this panel")
        nonce = handshake.new_secret()
        address = address_of(connection)
        # The panel first: an extension shows nothing of its tabs to a program that has taken the port.
        panel_proof = handshake.proof(pairing, "panel", hello, nonce, address)
        await connection.send(protocol.encode(protocol.Challenge(nonce=nonce, proof=panel_proof)))
        answer = await receive(connection, protocol.Proof)
        if not handshake.verify(pairing, hello, nonce, address, answer.proof):
            raise KaptureError("DENIED", "the extension did not prove that it holds the key")
        # Until here a few bytes sufficed: who proves nothing cannot fill the memory.
        connection.protocol.max_message_size = protocol.MAX_FRAME_BYTES
        await connection.send(protocol.encode(protocol.Accepted()))
        register = await receive(connection, protocol.Register)
        link = self._on_registered(pairing, hello, register, connection)
        self.refusal = ""
        # Through the link: should the connection be gone by now, the link's end takes it out of the registry.
        settings = msgspec.structs.asdict(self.settings) | {"driver": link.driver}
        # Whoever heard of the tab may have told it something already, such as a window that shows it.
        link.post_first(protocol.Registered(tabId=hello.tabId, open=link.open, **settings))
        return link

    async def _refuse(self, connection: ServerConnection, error: KaptureError) -> None:
        try:
            await connection.send(protocol.encode(protocol.Refused(code=error.code, message=error.message)))
        except ConnectionClosed:
            return
        await connection.close(1008, error.message[:120])


async def _hang_up(connection: ServerConnection, code: int, reason: str) -> None:
    """Close it. What was sent meanwhile is read and dropped, for behind it waits the far end's answer to the close:
    else the link, and its tab, would stay for the library's ten seconds."""
    closing = tasks.spawn(connection.close(code, reason), "hang up")
    with suppress(ConnectionClosed):
        while True:
            await connection.recv()
    await closing


def check_free(port: int) -> None:
    """See whether a panel could listen there.

    Raises:
        KaptureError: `BUSY`, naming who listens.
    """
    for sock in _loopback_sockets(port):
        sock.close()


def free_port() -> int:
    """A port where a panel could listen now.

    Raises:
        KaptureError: `BUSY`, none is free.
    """
    found = _loopback_sockets(0)
    port: int = found[0].getsockname()[1]
    for sock in found:
        sock.close()
    return port


def _loopback_sockets(port: int) -> list[socket.socket]:
    for _ in range(_PORT_TRIES if port == 0 else 1):
        first = _bound(socket.AF_INET, ("127.0.0.1", port))
        chosen = first.getsockname()[1]
        if port == 0 and chosen == DEFAULT_PORT:
            first.close()  # the usual instance has no other
            continue
        if not _has_ipv6():
            return [first]
        try:
            return [first, _bound(socket.AF_INET6, ("::1", chosen))]
        except KaptureError:
            first.close()
            if port != 0:
                raise
    raise KaptureError("BUSY", "no port is free on both 127.0.0.1 and ::1", "close a program that listens")


def _bound(family: socket.AddressFamily, address: tuple[str, int]) -> socket.socket:
    # Named, for asyncio switches Nagle's algorithm off for TCP only: a second small frame would wait 40 ms for the
    # acknowledgement of the first.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(128)
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            owner = _owner_of(*address)
            raise KaptureError(
                "BUSY",
                f"port {address[1]} on {address[0]} is taken{owner}",
                "end that program or choose another for the panel: "
                "kapture --port N (without a window: kapture serve --port N)",
            ) from None
        raise
    return sock


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def _owner_of(host: str, port: int) -> str:
    """Who listens there, or on every address; on the other loopback address it may be somebody else, or ourselves."""
    import psutil

    meant = {host, "::", "0.0.0.0"} if host == "127.0.0.1" else {host, "::"}
    try:
        for found in psutil.net_connections("tcp"):
            is_there = found.status == psutil.CONN_LISTEN and found.laddr.port == port and found.laddr.ip in meant
            if is_there and found.pid:
                process = psutil.Process(found.pid)
                return f" by {_panel_of(process.cmdline()) or process.name()} (pid {found.pid})"
    except psutil.Error:
        return ""
    return ""


def _panel_of(command: list[str]) -> str:
    """A command line in words when it is a panel's, else empty."""
    if not any(Path(word).name in ("kapture", "kapture-panel", "kapture_panel") for word in command[:3]):
        return ""
    for word, next_word in zip(command, [*command[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name == "--data-dir":
            return f"another Kapture Panel, of {value if equals else next_word}"
    return "another Kapture Panel"
