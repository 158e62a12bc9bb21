"""Who gets to the door: over a socket of the user, or over TCP with its secret."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from unittest.mock import create_autospec

import pytest

from kapture_panel import door
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.agent_door import agents
from kapture_panel.hub.agent_door.agents import AgentsDoor
from tests.support.core.fakes import World
from tests.support.hub.agent_door import Setting
from tests.support.hub.fakes import nothing_tried, sources_of
from tests.support.patience import PATIENCE_S


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


class TestUnixSocket:
    @pytest.fixture
    async def open_door(self, world: World, root: Path, ending: AsyncExitStack) -> Setting:
        made = Setting(world, root, ending)
        await made.door.open()
        ending.push_async_callback(made.door.close)
        return made

    async def test_the_socket_and_its_folder_are_the_owners_alone(
        self, world: World, root: Path, ending: AsyncExitStack, runtime: Path
    ) -> None:
        umask = os.umask(0)
        try:
            made = Setting(world, root, ending)
            await made.door.open()
        finally:
            os.umask(umask)
        ending.push_async_callback(made.door.close)
        path = Path(door.address(str(root)))
        assert path.parent == runtime
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert path.stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
    async def test_a_folder_others_can_enter_is_refused(
        self, world: World, root: Path, ending: AsyncExitStack, runtime: Path, mode: int
    ) -> None:
        runtime.mkdir()
        runtime.chmod(mode)
        with pytest.raises(KaptureError, match="must belong to you alone") as raised:
            await Setting(world, root, ending).door.open()
        assert raised.value.code == "DENIED"

    async def test_a_link_in_the_folders_place_is_refused(
        self, world: World, root: Path, ending: AsyncExitStack, runtime: Path
    ) -> None:
        runtime.with_name("elsewhere").mkdir(mode=0o700)
        runtime.symlink_to(runtime.with_name("elsewhere"))
        with pytest.raises(KaptureError, match="must belong to you alone"):
            await Setting(world, root, ending).door.open()

    async def test_a_socket_left_by_a_dead_panel_is_replaced(
        self, world: World, root: Path, ending: AsyncExitStack
    ) -> None:
        path = Path(door.address(str(root)))
        path.parent.mkdir(mode=0o700)
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(path))
        assert path.is_socket()
        made = Setting(world, root, ending)
        await made.door.open()
        ending.push_async_callback(made.door.close)
        _, greeted = await made.visit({"role": "control"})
        assert greeted == {"ok": True}

    async def test_who_reads_nothing_more_keeps_no_connection_open(
        self, world: World, root: Path, ending: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(agents, "UNREAD_S", 0.0)
        made, came = Setting(world, root, ending), asyncio.Queue[asyncio.StreamWriter]()
        accept = made.door._accept

        def noted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            came.put_nowait(writer)
            accept(reader, writer)

        monkeypatch.setattr(made.door, "_accept", noted)
        await made.door.open()
        visitor, _ = await made.visit({"role": "control"})
        writer = await came.get()
        reading = visitor.writer.transport
        assert isinstance(reading, asyncio.ReadTransport)
        reading.pause_reading()
        async with asyncio.timeout(PATIENCE_S):
            while not writer.transport.get_write_buffer_size():  # what the socket does not hold any more
                await visitor.send({"ask": "raise"})
        await made.door.close()
        with suppress(ConnectionError):
            await asyncio.wait_for(writer.wait_closed(), PATIENCE_S)
        assert writer.get_extra_info("socket").fileno() == -1

    async def test_a_connection_whose_rest_was_read_after_all_ends_by_itself(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """asyncio has let go of such a transport: aborting it is a traceback in the log."""
        monkeypatch.setattr(agents, "UNREAD_S", 0.0)
        writer, loop, passed = create_autospec(asyncio.StreamWriter), asyncio.get_running_loop(), asyncio.Event()
        writer.transport.get_write_buffer_size.return_value = 3
        agents._hang_up(writer)
        writer.transport.get_write_buffer_size.return_value = 0
        loop.call_later(0.0, passed.set)  # behind its own
        await passed.wait()
        assert writer.close.called
        assert not writer.transport.abort.called

    async def test_another_user_is_refused(self, open_door: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(door, "peer_uid", lambda _connection: os.getuid() + 1)
        _, answer = await open_door.visit({"role": "call"})
        assert answer["error"] == {"code": "DENIED", "message": "this panel belongs to another user"}

    async def test_the_system_and_not_the_greeting_says_which_process_it_is(self, open_door: Setting) -> None:
        await open_door.visit({"role": "call", "pid": 1})
        assert [client.pid for client in open_door.world.clients if client.kind == "terminal"] == [os.getpid()]


class TestTcp:
    @pytest.fixture
    async def tcp(self, world: World, root: Path, ending: AsyncExitStack, monkeypatch: pytest.MonkeyPatch) -> Setting:
        monkeypatch.setenv("KAPTURE_DOOR", "tcp")
        made = Setting(world, root, ending)
        await made.door.open()
        ending.push_async_callback(made.door.close)
        return made

    async def test_the_secret_is_in_a_file_of_the_owners_alone(self, tcp: Setting) -> None:
        path = Path(door.address(str(tcp.root)))
        assert path == tcp.root / "door.json"
        assert path.stat().st_mode & 0o777 == 0o600
        known = json.loads(path.read_text())
        assert len(known["secret"]) == 64
        assert [file.name for file in tcp.root.iterdir() if "door" in file.name] == ["door.json"]

    @pytest.mark.parametrize("secret", ["", "wrong", "ü", "\ud800", "0" * 64])
    @pytest.mark.parametrize("role", ["mcp", "call", "control", "nobody"])
    async def test_without_the_secret_nothing_is_said(self, tcp: Setting, secret: str, role: str) -> None:
        visitor, answer = await tcp.visit({"role": role}, secret=secret)
        if secret != "\ud800":
            assert answer["error"] == {"code": "DENIED", "message": "the secret is wrong"}
        assert await visitor.read() == {}
        assert len(tcp.world.clients) == 1

    async def test_each_panel_has_another_secret(self, tcp: Setting) -> None:
        path = Path(door.address(str(tcp.root)))
        first = json.loads(path.read_text())["secret"]
        again = AgentsDoor(
            tcp.root,
            tcp.world.router,
            tcp.world.clients,
            lambda _ask: {},
            sources_of(tcp.world),
            nothing_tried,
            tcp.world.state.outputs,
        )
        await again.open()
        assert json.loads(path.read_text())["secret"] != first
        await again.close()

    async def test_another_process_than_the_one_that_connected_is_not_believed(self, tcp: Setting) -> None:
        for reported in (os.getppid(), 1, 0, -1, "7", None, True, 2**40):
            visitor, greeted = await tcp.visit({"role": "call", "pid": reported})
            assert greeted == {"ok": True}
            (client,) = [client for client in tcp.world.clients if client.kind == "terminal"]
            assert (client.pid, client.parent, client.program) == (None, "", "")
            await visitor.hang_up()

    async def test_it_listens_on_loopback_only(self, tcp: Setting) -> None:
        assert tcp.door._server is not None
        assert [sock.getsockname()[0] for sock in tcp.door._server.sockets] == ["127.0.0.1"]
