"""The near side of the local door."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from kapture_panel import door
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.agent_door import door_client
from kapture_panel.hub.agent_door.agents import AgentsDoor
from kapture_panel.hub.agent_door.door_client import DoorClient
from tests.support.core.fakes import World
from tests.support.hub.fakes import nothing_tried, sources_of
from tests.support.patience import PATIENCE_S


@pytest.fixture(params=["unix", "tcp"])
async def panel(
    request: pytest.FixtureRequest, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[AgentsDoor]:
    if request.param == "tcp":
        monkeypatch.setenv("KAPTURE_DOOR", "tcp")
    made = AgentsDoor(
        tmp_path,
        world.router,
        world.clients,
        lambda ask: {"ok": True, "asked": ask},
        sources_of(world),
        nothing_tried,
        world.state.outputs,
    )
    await made.open()
    yield made
    await made.close()


def ask(root: Path, greeting: dict[str, Any], *requests: dict[str, Any]) -> list[dict[str, Any]]:
    with DoorClient(root, greeting, timeout_s=PATIENCE_S) as client:
        return [client.ask(request) for request in requests]


async def test_it_asks_and_gets_answers(panel: AgentsDoor, tmp_path: Path) -> None:
    assert await asyncio.to_thread(door_client.answers, tmp_path)
    assert await asyncio.to_thread(ask, tmp_path, {"role": "control"}, {"ask": "raise"}, {"ask": "x"}) == [
        {"ok": True, "asked": "raise"},
        {"ok": True, "asked": "x"},
    ]


async def test_a_refusal_is_the_panels_own_error(panel: AgentsDoor, tmp_path: Path) -> None:
    with pytest.raises(KaptureError, match="the role 'cook' is not one of") as raised:
        await asyncio.to_thread(ask, tmp_path, {"role": "cook"})
    assert raised.value.code == "INVALID_PARAMS"
    with pytest.raises(KaptureError, match="there is no command 'fry'"):
        await asyncio.to_thread(ask, tmp_path, {"role": "call"}, {"command": "fry"})


async def test_a_panel_that_goes_away_is_down(panel: AgentsDoor, tmp_path: Path) -> None:
    client = await asyncio.to_thread(DoorClient, tmp_path, {"role": "control"}, PATIENCE_S)
    await panel.close()
    with client, pytest.raises(KaptureError, match="went away before it answered") as raised:
        await asyncio.to_thread(client.ask, {"ask": "raise"})
    assert raised.value.code == "PANEL_DOWN"


def test_a_panel_that_is_stopped_is_not_told_as_gone(tmp_path: Path) -> None:
    address = Path(door.address(str(tmp_path)))
    address.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with socket.socket(socket.AF_UNIX) as stopped:  # the system still takes connections for it
        stopped.bind(str(address))
        stopped.listen()
        with pytest.raises(KaptureError, match=r"did not answer within 0\.1 s; it is busy or stopped") as raised:
            DoorClient(tmp_path, {"role": "control"}, timeout_s=0.1)
    address.unlink()
    assert raised.value.code == "COMMAND_TIMEOUT"


@pytest.mark.parametrize("kind", ["unix", "tcp"])
def test_without_a_panel_it_says_how_to_start_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setenv("KAPTURE_DOOR", kind)
    assert not door_client.answers(tmp_path)
    with pytest.raises(KaptureError, match=rf"no panel is running for {tmp_path}; start one with: kapture") as raised:
        DoorClient(tmp_path, {"role": "call"})
    assert raised.value.code == "PANEL_DOWN"


@pytest.mark.parametrize("content", ["", "{", "{}", '{"port": 1}', '{"port": 1, "secret": "x"}'])
def test_a_damaged_door_file_is_no_panel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    monkeypatch.setenv("KAPTURE_DOOR", "tcp")
    Path(door.address(str(tmp_path))).write_text(content)
    assert not door_client.answers(tmp_path)


async def test_a_socket_of_another_user_is_not_trusted(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = AgentsDoor(
        tmp_path,
        world.router,
        world.clients,
        lambda _ask: {"ok": True},
        sources_of(world),
        nothing_tried,
        world.state.outputs,
    )
    await stranger.open()
    with monkeypatch.context() as patched:
        patched.setattr(door, "peer_uid", lambda _connection: os.getuid() + 1)
        assert not await asyncio.to_thread(door_client.answers, tmp_path)
    # Once a later visitor is answered, the door has taken in the one before: nothing is left to close.
    await asyncio.to_thread(ask, tmp_path, {"role": "control"}, {"ask": "raise"})
    await stranger.close()
