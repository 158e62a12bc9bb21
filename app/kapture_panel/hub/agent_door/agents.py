"""The local door: MCP children and terminals connect here, speak one line of greeting, then their own protocol."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import math
import os
import secrets
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any

from kapture_panel import door, paths
from kapture_panel.core.basics import plain, tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.doctor import Check
from kapture_panel.core.registry.clients import SESSION_IDLE_S, Client, Clients, Kind
from kapture_panel.core.router import Router
from kapture_panel.core.stores.outputs import Outputs
from kapture_panel.hub.agent_door import answers, peers
from kapture_panel.hub.agent_door.mcp.sources import Sources
from kapture_panel.hub.agent_door.profiles.files import Profiles
from kapture_panel.hub.agent_door.profiles.profile import CANONICAL

log = logging.getLogger(__name__)

GREETING_S = 5.0
#: An isolated conversation's browser may be idle for at most a week.
MAX_IDLE_MIN = 7 * 24 * 60
#: The longest line a client may send: a command's parameters, an MCP message.
MAX_LINE_BYTES = 32 * 1024 * 1024


class AgentsDoor:
    """Listens on the Unix socket of the instance, or on loopback TCP with a secret.

    Args:
        root: the data directory.
        router: takes the commands.
        clients: gets one entry per connection.
        on_control: what `control` connections ask for, such as "raise"; returns the answer.
        sources: what the resources of agents are read from.
        examine: the doctor, for `doctor` connections.
    """

    def __init__(
        self,
        root: Path,
        router: Router,
        clients: Clients,
        on_control: Callable[[str], dict[str, Any]],
        sources: Sources,
        examine: Callable[[], AsyncGenerator[Check, None]],
    ) -> None:
        self._root = root
        self._router = router
        self._clients = clients
        self._on_control = on_control
        self._sources = sources
        self._examine = examine
        data = paths.DataDir(root)
        self.outputs = Outputs(data.output)
        self._profiles = Profiles([paths.resources() / "profiles", data.profiles], router.catalogue)
        self._secret = ""
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._shown_out: set[tuple[int, float]] = set()
        self._closed = False

    async def open(self) -> None:
        """Start to listen; a socket file left by a dead panel is replaced."""
        address = Path(door.address(str(self._root)))
        if door.uses_tcp():
            self._secret = secrets.token_hex(32)
            self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=MAX_LINE_BYTES)
            _publish(address, self._server.sockets[0].getsockname()[1], self._secret)
        else:
            sock = _unix_socket(address)
            self._server = await asyncio.start_unix_server(self._accept, sock=sock, limit=MAX_LINE_BYTES)

    async def close(self) -> None:
        """Stop listening and hang up on everyone."""
        self._closed = True
        if self._server is not None:
            self._server.close()
        for connection in tuple(self._connections):
            await tasks.end(connection)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._closed:
            writer.close()
            return
        connection = tasks.spawn(self._serve(reader, writer), "door connection")
        self._connections.add(connection)
        connection.add_done_callback(self._connections.discard)
        # Not at the end of `_serve`: a task cancelled before its first step never comes there.
        connection.add_done_callback(lambda _: writer.close())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(GREETING_S):
                greeting = await self._greet(reader, writer)
            await _ROLES[greeting["role"]](self, greeting, reader, writer)
        except KaptureError as error:
            _write(writer, {"error": error.as_wire()})
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError, ValueError) as error:
            log.info("a connection at the door ended: %s", error)

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> dict[str, Any]:
        sock = writer.get_extra_info("socket")
        if not door.uses_tcp() and door.peer_uid(sock) != os.getuid():
            raise KaptureError("DENIED", "this panel belongs to another user")
        line = await reader.readline()
        if not line:
            raise ConnectionError("it hung up without a greeting")
        greeting = _object(line)
        if door.uses_tcp() and not hmac.compare_digest(str(greeting.get("secret", "")).encode(), self._secret.encode()):
            raise KaptureError("DENIED", "the secret is wrong")
        greeting["role"] = str(greeting.get("role", ""))
        if greeting["role"] not in _ROLES:
            raise KaptureError("INVALID_PARAMS", f"the role {greeting['role']!r} is none of {', '.join(_ROLES)}")
        # In a thread: it looks into the system's tables, and psutil is imported with the first agent.
        greeting["pid"], greeting["program"] = await asyncio.to_thread(_identity, sock, greeting.get("pid"))
        return greeting

    async def _serve_mcp(
        self, greeting: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        # Imported with the first agent: it takes longer than all the rest of the start.
        from kapture_panel.hub.agent_door.mcp.resources import Resources
        from kapture_panel.hub.agent_door.mcp.session import McpSession
        from kapture_panel.hub.agent_door.mcp.tools import Tools

        profile = self._profiles.get(str(greeting.get("profile") or CANONICAL))
        profile = profile.chosen(str(greeting.get("tools", "all")), self._router.catalogue)
        client = _client("agent", "agent", greeting)
        if self._shown_out and _process(client) in self._shown_out:
            raise KaptureError("DENIED", "the person disconnected this agent in the panel; a restart lets it in")
        client.disconnect = partial(self._show_out, client, writer)
        client.dialogs = profile.dialog_rule
        if greeting.get("isolated") or profile.isolated:
            client.isolate(_idle_s(greeting))
        tools = Tools(client, self._router, profile, self.outputs)
        _write(writer, {"ok": True})

        async def send(line: str) -> None:
            writer.write(line.encode() + b"\n")
            await writer.drain()

        try:
            resources = Resources(client, self._router, self._sources, self.outputs)
            await McpSession(client, self._clients, tools, resources, self._router, send).serve(_lines(reader))
        finally:
            self._clients.remove(client)

    def _show_out(self, client: Client, writer: asyncio.StreamWriter) -> None:
        """Hang up on an agent's program and let it in no more, though it tries; the same program started anew may."""
        if (process := _process(client)) is not None:
            self._shown_out.add(process)
        log.info("the person disconnected the agent %r", client.name)
        writer.close()

    async def _serve_call(
        self, greeting: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        client = _client("terminal", "terminal", greeting)
        self._clients.add(client)
        _write(writer, {"ok": True})
        try:
            async for line in _lines(reader):
                running = tasks.spawn(self._call(client, line), "terminal call")
                hung_up = tasks.spawn(_until_end(reader), "watch the caller")
                try:
                    await asyncio.wait([running, hung_up], return_when=asyncio.FIRST_COMPLETED)
                finally:
                    await tasks.end(hung_up)
                    await tasks.end(running)
                if running.cancelled():
                    return
                _write(writer, running.result())
                await writer.drain()
        finally:
            self._clients.remove(client)

    async def _call(self, client: Client, line: bytes) -> dict[str, Any]:
        try:
            request = _object(line)
            params = request.get("params") or {}
            if not isinstance(params, dict):
                raise KaptureError("INVALID_PARAMS", f"params must be a JSON object, not {json.dumps(params)[:80]}")
            answer = await self._router.run(client, str(request.get("command")), params)
        except KaptureError as error:
            return {"error": error.as_wire()}
        except Exception as error:
            log.exception("a call failed")
            text = f"a defect in Kapture Panel ({type(error).__name__}); its log has the details"
            return {"error": KaptureError("INTERNAL", text).as_wire()}
        content = answers.content(answer, self._router.url_of(answer.tab_id))
        return {
            # A person reads it in a terminal; what is JSON has to stay it.
            "text": plain.escaped(content.text) if content.suffix == ".json" else content.text,
            "untrusted": content.source,
            "result": answer.result,
            "effects": answer.effects,
            "lateEffects": answer.late_effects,
            "snapshot": answer.snapshot,
            "tabId": answer.tab_id,
            "ms": round(answer.ms, 2),
        }

    async def _serve_control(
        self, _greeting: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        _write(writer, {"ok": True})
        async for line in _lines(reader):
            _write(writer, self._on_control(str(_object(line).get("ask"))))
            await writer.drain()

    async def _serve_doctor(
        self, _greeting: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Each line asks for the next check."""
        _write(writer, {"ok": True})
        async with aclosing(self._examine()) as checks:
            async for _line in _lines(reader):
                check = await anext(checks, None)
                _write(writer, {"check": check.as_wire()} if check else {"done": True})
                await writer.drain()


_ROLES = {
    "mcp": AgentsDoor._serve_mcp,
    "call": AgentsDoor._serve_call,
    "control": AgentsDoor._serve_control,
    "doctor": AgentsDoor._serve_doctor,
}


def _client(name: str, kind: Kind, greeting: dict[str, Any]) -> Client:
    program: peers.Program = greeting["program"]
    return Client(name, kind, pid=greeting["pid"], parent=program.name, program=program.path)


def _identity(sock: Any, reported: Any) -> tuple[int | None, peers.Program]:
    """The process at the other end, and the program that started it; what it reports itself is only a hint."""
    pid = peers.owner_of(sock, reported) if door.uses_tcp() else (door.peer_pid(sock) or None)
    return pid, peers.starter_of(pid)


def _process(client: Client) -> tuple[int, float] | None:
    """The client's process: its pid, which another may get later, and when it began."""
    import psutil

    try:
        return (client.pid, psutil.Process(client.pid).create_time()) if client.pid is not None else None
    except psutil.Error:
        return None  # it has ended


def _idle_s(greeting: dict[str, Any]) -> float:
    """How long the browser of an isolated conversation may be idle; the greeting gives minutes.

    Raises:
        KaptureError: `INVALID_PARAMS` naming what was given.
    """
    given = greeting.get("idle") or SESSION_IDLE_S / 60
    try:
        minutes = float(given)
    except (TypeError, ValueError):
        minutes = math.nan
    if not 0 < minutes <= MAX_IDLE_MIN:
        raise KaptureError("INVALID_PARAMS", f"--idle {given!r} is no time; give minutes, up to {MAX_IDLE_MIN}")
    return minutes * 60


def _object(line: bytes) -> dict[str, Any]:
    """The JSON object in `line`.

    Raises:
        KaptureError: `INVALID_PARAMS` when it is anything else.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise KaptureError("INVALID_PARAMS", f"a line of JSON was due: {error}") from None
    if not isinstance(message, dict):
        raise KaptureError("INVALID_PARAMS", f"a JSON object was due, not {json.dumps(message)[:80]}")
    return message


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while line := await reader.readline():
        if line.strip():
            yield line


async def _until_end(reader: asyncio.StreamReader) -> None:
    """Return when the other end has hung up; it sends nothing while it waits for an answer."""
    while not reader.at_eof():
        await reader.read(1)


def _write(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    writer.write(plain.json_text(message).encode() + b"\n")


def _publish(address: Path, port: int, secret: str) -> None:
    fresh = address.with_suffix(".new")
    with os.fdopen(paths.open_private(fresh), "w") as file:
        json.dump({"port": port, "secret": secret}, file)
    fresh.replace(address)


def _unix_socket(address: Path) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX)
    try:
        try:
            _bind(sock, address)
        except FileNotFoundError:
            _bind(sock, address)  # another instance's end has just removed the empty folder
        address.chmod(0o600)
    except BaseException:
        sock.close()
        raise
    return sock


def _bind(sock: socket.socket, address: Path) -> None:
    _private_folder(address.parent)
    address.unlink(missing_ok=True)
    sock.bind(str(address))


def _private_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    stat = folder.lstat()
    if stat.st_uid != os.getuid() or stat.st_mode & 0o077:
        raise KaptureError(
            "DENIED",
            f"{folder} must belong to you alone (mode 700): another user could listen there; remove it",
        )
