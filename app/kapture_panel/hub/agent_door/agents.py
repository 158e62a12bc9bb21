"""The local door: MCP children and terminals connect here, speak one line of greeting, then their own protocol."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import os
import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial
from importlib import import_module
from pathlib import Path

import msgspec

from kapture_panel import door, paths
from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError, defect
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.doctor import Check
from kapture_panel.core.registry.clients import Client, Clients
from kapture_panel.core.router import Router
from kapture_panel.core.stores.outputs import Outputs
from kapture_panel.hub.agent_door import answers, notes_said
from kapture_panel.hub.agent_door.door_address import publish, unix_socket
from kapture_panel.hub.agent_door.greeting import Greeting
from kapture_panel.hub.agent_door.json_lines import Ahead, lines_of, object_in, write
from kapture_panel.hub.agent_door.mcp.sources import Sources
from kapture_panel.hub.agent_door.profiles.files import Profiles
from kapture_panel.hub.agent_door.profiles.profile import CANONICAL
from kapture_panel.hub.agent_door.terminals import Terminals
from kapture_panel.hub.browsers.remote.places import Places

log = logging.getLogger(__name__)

GREETING_S = 5.0
#: Whoever has not read the end of what was sent by then does not read any more.
UNREAD_S = 30.0
#: The longest line a client may send: a command's parameters, an MCP message.
MAX_LINE_BYTES = 32 * 1024 * 1024
_ENDED_BY_PERSON = KaptureError(
    "OUTCOME_UNKNOWN",
    "a person ended this call in the panel",
    "what it did until then is not known: look at the page before you repeat it",
)


async def warm_up() -> None:
    """Have at hand what the first agent needs. In a thread, so that nobody waits for it meanwhile: it takes longer than
    all the rest of the start."""
    for name in (f"{__package__}.mcp.session", "psutil"):
        await asyncio.to_thread(import_module, name)


class AgentsDoor:
    """Listens on the Unix socket of the instance, or on loopback TCP with a secret.

    Args:
        root: the data directory.
        router: takes the commands.
        clients: gets one entry per connection.
        on_control: what `control` connections ask for, such as "raise"; returns the answer.
        sources: what the resources of agents are read from.
        examine: the doctor, for `doctor` connections.
        outputs: where the answers go that are too long to be told.
    """

    def __init__(
        self,
        root: Path,
        router: Router,
        clients: Clients,
        on_control: Callable[[str], JsonObject],
        sources: Sources,
        examine: Callable[[], AsyncGenerator[Check, None]],
        outputs: Outputs,
    ) -> None:
        self._root = root
        self._router = router
        self._clients = clients
        self._on_control = on_control
        self._sources = sources
        self._examine = examine
        data = paths.DataDir(root)
        self._outputs = outputs
        self._profiles = Profiles([paths.resources() / "profiles", data.profiles], router.catalogue)
        self._places = Places(data.places)
        self._secret = ""
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._shown_out: set[tuple[int, float]] = set()
        self._terminals = Terminals(clients)
        self._closed = False

    async def open(self) -> None:
        """Start to listen; a socket file left by a dead panel is replaced."""
        address = Path(door.address(str(self._root)))
        if door.uses_tcp():
            self._secret = secrets.token_hex(32)
            self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=MAX_LINE_BYTES)
            publish(address, self._server.sockets[0].getsockname()[1], self._secret)
        else:
            sock = unix_socket(address)
            self._server = await asyncio.start_unix_server(self._accept, sock=sock, limit=MAX_LINE_BYTES)

    async def close(self) -> None:
        """Stop listening and hang up on everyone."""
        self._closed = True
        if self._server is not None:
            self._server.close()
        for connection in tuple(self._connections):
            await tasks.end(connection)
        self._terminals.close()

    @property
    def has_callers(self) -> bool:
        """Whether anybody is connected, as a client or on the way to be one."""
        return bool(self._connections)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._closed:
            writer.close()
            return
        connection = tasks.spawn(self._serve(reader, writer), "door connection")
        self._connections.add(connection)
        connection.add_done_callback(self._connections.discard)
        # Not at the end of `_serve`: a task cancelled before its first step never comes there.
        connection.add_done_callback(lambda _: _hang_up(writer))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(GREETING_S):
                greeting = await self._greet(reader, writer)
            await _ROLES[greeting.role](self, greeting, reader, writer)
        except KaptureError as error:
            write(writer, {"error": error.as_wire()})
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError, ValueError) as error:
            log.info("a connection at the door ended: %s", error)

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Greeting:
        sock = writer.get_extra_info("socket")
        if not door.uses_tcp() and door.peer_uid(sock) != os.getuid():
            raise KaptureError("DENIED", "this panel belongs to another user")
        line = await reader.readline()
        if not line:
            raise ConnectionError("it hung up without a greeting")
        said = object_in(line)
        if door.uses_tcp() and not hmac.compare_digest(str(said.get("secret", "")).encode(), self._secret.encode()):
            raise KaptureError("DENIED", "the secret is wrong")
        role = str(said.get("role", ""))
        if role not in _ROLES:
            raise KaptureError("INVALID_PARAMS", f"the role {role!r} is not one of {', '.join(_ROLES)}")
        # In a thread: it looks into the system's tables, and psutil is imported with the first agent.
        return await asyncio.to_thread(Greeting.of, said, sock)

    async def _serve_mcp(self, greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await warm_up()
        from kapture_panel.hub.agent_door.mcp.resources import Resources
        from kapture_panel.hub.agent_door.mcp.session import McpSession
        from kapture_panel.hub.agent_door.mcp.tools import Tools

        profile = self._profiles.get(greeting.profile or CANONICAL)
        profile = profile.chosen(greeting.tools, self._router.catalogue)
        client = greeting.client("agent", "agent")
        if self._shown_out and _process(client) in self._shown_out:
            raise KaptureError(
                "DENIED", "the person disconnected this agent in the panel", "it can connect again after a restart"
            )
        client.disconnect = partial(self._show_out, client, writer)
        client.dialogs = profile.dialog_rule
        if greeting.is_isolated or profile.isolated:
            self._isolate(client, greeting)
        tools = Tools(client, self._router, profile, self._outputs, self._sources.notes)
        write(writer, {"ok": True})

        async def send(line: str) -> None:
            writer.write(line.encode() + b"\n")
            await writer.drain()

        try:
            resources = Resources(client, self._router, self._sources, self._outputs)
            await McpSession(client, self._clients, tools, resources, self._router, send).serve(lines_of(reader))
        finally:
            self._clients.remove(client)

    def _isolate(self, client: Client, greeting: Greeting) -> None:
        """Give it a browser of its own, from here or from the place it wants."""
        place = self._places.chosen(greeting.on)
        if place is None:
            client.isolate(greeting.idle_s())
        else:
            client.isolate(greeting.idle_s(place.idle_minutes * 60), place.name, place.policy or "")

    def _show_out(self, client: Client, writer: asyncio.StreamWriter) -> None:
        """Hang up on an agent's program and let it in no more, though it tries; the same program restarted may."""
        if (process := _process(client)) is not None:
            self._shown_out.add(process)
        log.info("the person disconnected the agent %r", client.name)
        writer.transport.abort()  # closing waits until all is read, which a program that hangs never does

    async def _serve_call(self, greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ended = asyncio.Event()
        session = self._terminals.enter(greeting, ended.set)
        ahead = Ahead(reader)
        write(writer, {"ok": True})
        try:
            async for line in ahead.lines():
                answer = await self._answered(session.client, line, ahead, ended)
                if answer is None:
                    await ahead.reading
                    return
                write(writer, answer)
                await writer.drain()
                if ended.is_set():
                    return
        finally:
            await tasks.end(ahead.reading)
            self._terminals.leave(session, ended.set)

    async def _answered(self, client: Client, line: bytes, ahead: Ahead, ended: asyncio.Event) -> JsonObject | None:
        """The answer of a call, an error once the person has `ended` it; None when its caller hung up."""
        running = tasks.spawn(self._call(client, line), "terminal call")
        person = tasks.spawn(ended.wait(), "watch the person")
        try:
            await asyncio.wait([running, ahead.reading, person], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await tasks.end(person)
            await tasks.end(running)
        if not running.cancelled():
            return running.result()
        return {"error": _ENDED_BY_PERSON.as_wire()} if ended.is_set() else None

    async def _call(self, client: Client, line: bytes) -> JsonObject:
        try:
            request = object_in(line)
            params = request.get("params") or {}
            if not isinstance(params, dict):
                raise KaptureError("INVALID_PARAMS", f"params must be a JSON object, not {json.dumps(params)[:80]}")
            answer = await self._router.run(client, str(request.get("command")), params)
        except KaptureError as error:
            return {"error": error.as_wire()}
        except Exception as error:
            log.exception("a call failed")
            return {"error": defect(error).as_wire()}
        content = answers.content(answer, self._router.url_of(answer.tab_id))
        notes = self._sources.notes.take(client, answer.tab_id)
        text = answers.for_people(answer, content)
        return {
            "text": f"{text}\n{notes_said.text(notes)}" if notes else text,
            **({notes_said.KEY: [notes_said.as_json(note) for note in notes]} if notes else {}),
            "untrusted": content.source,
            "result": answer.result,
            "outcome": msgspec.to_builtins(answer.outcome),
            "effects": msgspec.to_builtins(answer.effects),
            "lateEffects": msgspec.to_builtins(answer.late_effects),
            "snapshot": answer.snapshot,
            "tabId": answer.tab_id,
            "ms": round(answer.ms, 2),
        }

    async def _serve_control(
        self, _greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        write(writer, {"ok": True})
        async for line in lines_of(reader):
            write(writer, self._on_control(str(object_in(line).get("ask"))))
            await writer.drain()

    async def _serve_doctor(
        self, _greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Each line asks for the next check."""
        write(writer, {"ok": True})
        async with aclosing(self._examine()) as checks:
            async for _line in lines_of(reader):
                check = await anext(checks, None)
                write(writer, {"check": msgspec.to_builtins(check)} if check else {"done": True})
                await writer.drain()


_ROLES = {
    "mcp": AgentsDoor._serve_mcp,
    "call": AgentsDoor._serve_call,
    "control": AgentsDoor._serve_control,
    "doctor": AgentsDoor._serve_doctor,
}


def _hang_up(writer: asyncio.StreamWriter) -> None:
    """Close a connection; closing waits until all is read, which a program that hangs never does."""
    writer.close()
    transport = writer.transport

    def give_up() -> None:
        if transport.get_write_buffer_size():  # one that was read after all has ended by itself
            transport.abort()

    if transport.get_write_buffer_size():
        asyncio.get_running_loop().call_later(UNREAD_S, give_up)


def _process(client: Client) -> tuple[int, float] | None:
    """The client's process: its pid, which another may get later, and when it began."""
    import psutil

    try:
        return (client.pid, psutil.Process(client.pid).create_time()) if client.pid is not None else None
    except psutil.Error:
        return None  # it has ended
