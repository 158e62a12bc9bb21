"""One running instance: all its parts over one data directory, started and ended together."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.stores import history_file, shots
from kapture_panel.core.stores.history_row import Row
from kapture_panel.hub import hub as hub_module
from kapture_panel.hub.extension_door import ports
from kapture_panel.hub.extension_door.listener import DEFAULT_PORT
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.paths import DataDir
from tests.support.hub.fakes import DoorVisitor
from tests.support.patience import PATIENCE_S
from tests.support.ports import quiet_port


class Running:
    """A hub and the lock it holds."""

    def __init__(self, folder: Path, **options: object) -> None:
        self.data = DataDir.open(str(folder))
        self.instance = Instance(self.data.lock)
        assert self.instance.acquire(lambda: True)
        self.asked: list[str] = []
        self.hub = Hub(self.data, self.instance, Options(**{"port": 0, **options}), self._control)  # type: ignore[arg-type]

    def _control(self, ask: str) -> bool:
        self.asked.append(ask)
        return ask == "raise"

    async def end(self) -> None:
        await self.hub.stop()
        self.instance.release()


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[Running]:
    made = Running(tmp_path / "data")
    await made.hub.start()
    yield made
    await made.end()


async def visit(running: Running, ending: AsyncExitStack, role: str) -> DoorVisitor:
    visitor = DoorVisitor(running.data.root)
    assert await visitor.connect({"role": role}) == {"ok": True}
    ending.push_async_callback(visitor.hang_up)
    return visitor


async def test_both_doors_are_open_after_the_start(running: Running, ending: AsyncExitStack) -> None:
    assert running.hub.port > 0
    assert running.hub.address == f"ws://127.0.0.1:{running.hub.port}"
    terminal = await visit(running, ending, "call")
    assert (await terminal.ask({"command": "list_tabs"}))["result"] == {"tabs": []}
    assert [row.command for row in running.hub.state.history.rows()] == ["list_tabs"]


async def test_another_kapture_can_ask_for_what_this_program_knows(running: Running, ending: AsyncExitStack) -> None:
    other = await visit(running, ending, "control")
    assert await other.ask({"ask": "raise"}) == {"ok": True}
    error = (await other.ask({"ask": "cook"}))["error"]
    assert (error["code"], error["message"]) == ("INVALID_PARAMS", "this program does not know how to 'cook'")
    assert running.asked == ["raise", "cook"]


async def test_memory_is_given_back_when_a_client_has_left(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr(running.hub.freed, "soon", lambda: given.append("soon"))
    clients, agent = running.hub.state.clients, Client("a", "agent")
    clients.add(agent)
    assert given == []
    clients.remove(agent)
    assert given == ["soon"]


async def test_nothing_is_readable_for_others(running: Running) -> None:
    assert running.data.root.stat().st_mode & 0o777 == 0o700
    for path in running.data.root.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path.name


async def test_after_the_end_doors_and_files_are_free(tmp_path: Path) -> None:
    first = Running(tmp_path / "data")
    await first.hub.start()
    port = first.hub.port
    address = Path(first.data.door)
    assert address.is_socket()
    await first.end()
    assert not address.exists()
    second = Running(tmp_path / "data", port=port)
    await second.hub.start()
    assert second.hub.port == port
    await second.end()


async def test_a_taken_port_stops_the_start_and_all_can_be_put_away(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        made = Running(tmp_path / "data", port=taken.getsockname()[1])
        with pytest.raises(KaptureError, match="is taken"):
            await made.hub.start()
        await made.end()


async def test_another_data_folder_takes_a_free_port_by_itself_and_keeps_it(tmp_path: Path) -> None:
    async def heard() -> int:
        made = Running(tmp_path / "data", port=None)
        await made.hub.start()
        await made.end()
        return made.hub.port

    data = DataDir.open(str(tmp_path / "data"))
    free = await heard()
    assert ports.wanted(data, None) == (free, 0)
    assert free != DEFAULT_PORT
    kept = quiet_port()
    ports.keep(data, kept)
    assert await heard() == kept
    with socket.create_server(("127.0.0.1", kept)):
        assert await heard() not in (kept, DEFAULT_PORT)


async def test_the_usual_instance_says_who_has_its_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DataDir, "is_usual", True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr("kapture_panel.hub.extension_door.ports.DEFAULT_PORT", taken.getsockname()[1])
        made = Running(tmp_path / "data", port=None)
        with pytest.raises(KaptureError, match=rf"is taken by .*\(pid {os.getpid()}\)"):
            await made.hub.start()
        await made.end()


async def test_the_policy_of_the_command_line_holds(tmp_path: Path, ending: AsyncExitStack) -> None:
    made = Running(tmp_path / "data", policy="read-only")
    await made.hub.start()
    ending.push_async_callback(made.end)
    terminal = await visit(made, ending, "call")
    error = (await terminal.ask({"command": "new_tab"}))["error"]
    assert error["code"] == "DENIED"


async def test_what_is_too_old_goes_while_the_panel_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "RETENTION_S", 0.01)
    running = Running(tmp_path / "data")
    hub = running.hub
    gone = asyncio.Event()
    hub.state.history.removed.connect(lambda _ids, _names: gone.set())
    old = Row(0, time.time() - history_file.MAX_AGE_S - 1, "codex", "agent", "t1", "", "", "click", {})
    hub.state.history.begin(old, durable=True)
    shot = hub.state.shots.add(b"x", name="a", tab_id="t1", format="png")
    recorded = running.hub.state.recordings.add(b"x", name="t1", tab_id="t1", format="jpeg")
    answer = running.hub.state.outputs.path(running.hub.state.outputs.add("long"))
    later = time.time() + shots.MAX_AGE_S + 1
    monkeypatch.setattr("kapture_panel.core.stores.shots.time.time", lambda: later)
    given_back: list[str] = []
    monkeypatch.setattr(hub.freed, "soon", lambda: given_back.append("freed memory"))
    try:
        await running.hub.start()
        await asyncio.wait_for(gone.wait(), PATIENCE_S)
        assert len(hub.state.history) == 0
        assert [path for path in (shot.path, recorded.path, answer) if path.exists()] == []
        assert given_back
    finally:
        await running.end()


async def test_the_extension_of_own_browsers_is_kept_up_to_date_once_it_is_there(tmp_path: Path) -> None:
    first = Running(tmp_path / "data")
    await first.hub.start()
    assert not first.data.extension.exists()
    folder = first.hub.place_extension()
    assert json.loads((folder / "panel.json").read_text())["port"] == first.hub.port
    await first.end()
    (folder / "background.js").write_text("old")
    second = Running(tmp_path / "data")
    await second.hub.start()
    assert "Listeners and wiring" in (folder / "background.js").read_text()
    assert json.loads((folder / "panel.json").read_text())["port"] == second.hub.port
    await second.end()


async def test_what_the_person_chose_for_agents_holds_after_a_restart_unless_the_command_line_says_other(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "data"

    async def with_policy(**options: object) -> tuple[str, str]:
        running = Running(folder, **options)
        try:
            policy = running.hub.core.router.gates.policy
            chosen = policy.preset, policy.own_preset
            policy.set_default("managed", "careful")
            policy.set_default("own", "read-only")
        finally:
            await running.end()
        return chosen

    assert await with_policy() == ("trusting", "careful")
    assert await with_policy() == ("careful", "read-only")
    assert await with_policy(policy="trusting", own_policy="trusting") == ("trusting", "trusting")
