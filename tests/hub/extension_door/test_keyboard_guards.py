"""Which browsers are guarded; that a guard keeps the keyboard is tests/e2e/test_keyboard.py's."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing

import pytest

from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.hub.browsers.browser import new_pairing
from kapture_panel.hub.browsers.keyboard_guard import KeyboardGuard
from kapture_panel.hub.extension_door import keyboard_guards
from kapture_panel.hub.extension_door.keyboard_guards import KeyboardGuards, browser_behind
from tests.support.hub.extension_door import PAIRING, Setting
from tests.support.patience import PATIENCE_S

PID = 4321


class Made(KeyboardGuard):
    """A guard of the process `pid`."""

    def __init__(self, pid: int) -> None:
        self.pid, self.is_closed = pid, asyncio.Event()
        self.acts: list[str] = []

    @asynccontextmanager
    async def during(self, *, acts: bool) -> AsyncIterator[None]:
        self.acts.append("an act begins" if acts else "a look begins")
        yield
        self.acts.append("ends")

    def close(self) -> None:
        self.is_closed.set()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> asyncio.Queue[Made]:
    """The guards as they are made, on a machine with a display."""
    guards: asyncio.Queue[Made] = asyncio.Queue()

    def of(pid: int) -> Made:
        guards.put_nowait(guard := Made(pid))
        return guard

    monkeypatch.setattr(KeyboardGuard, "of", of)
    monkeypatch.setattr(KeyboardGuard, "is_needed", lambda: True)
    monkeypatch.setattr(keyboard_guards, "browser_behind", lambda _ends: PID)
    return guards


async def test_a_persons_own_browser_is_guarded_as_long_as_it_is_linked(
    setting: Setting, made: asyncio.Queue[Made]
) -> None:
    assert setting.guards.of(PAIRING.install) is None
    extension = await setting.dial(role="browser")
    async with asyncio.timeout(PATIENCE_S):
        guard = await made.get()
        assert guard.pid == PID
        found = setting.guards.of(PAIRING.install)
        assert isinstance(found, Made)
        assert found is guard
        await extension.close()
        await guard.is_closed.wait()
    assert setting.guards.of(PAIRING.install) is None


async def test_the_first_act_in_it_waits_until_it_is_found_and_no_look_overtakes_it(
    setting: Setting, made: asyncio.Queue[Made], monkeypatch: pytest.MonkeyPatch
) -> None:
    may_be_found = threading.Event()
    monkeypatch.setattr(keyboard_guards, "FINDING_S", PATIENCE_S)
    monkeypatch.setattr(keyboard_guards, "browser_behind", lambda _ends: may_be_found.wait(PATIENCE_S) and PID)
    await setting.dial(role="browser")
    page = await setting.dial()
    act, look = setting.call(setting.tabs.get("t1")), setting.call(setting.tabs.get("t1"), "kapturemcp_snapshot")
    may_be_found.set()
    async with asyncio.timeout(PATIENCE_S):
        guard = await made.get()
        assert (await page.answer("done"))["command"] == "kapturemcp_click"
        assert (await page.answer("seen"))["command"] == "kapturemcp_snapshot"
        await asyncio.gather(act, look)
    assert sorted(guard.acts) == ["a look begins", "an act begins", "ends", "ends"]


async def test_with_the_end_of_the_panel_it_is_let_go_of(setting: Setting, made: asyncio.Queue[Made]) -> None:
    await setting.dial(role="browser")
    async with asyncio.timeout(PATIENCE_S):
        guard = await made.get()
    await setting.guards.close()
    assert guard.is_closed.is_set()


async def test_nobody_looks_for_a_browser_that_the_panel_started_or_where_nothing_is_to_be_guarded(
    setting: Setting, made: asyncio.Queue[Made], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def finding(guards: KeyboardGuards, pairing: Pairing) -> bool:
        setting.connections.let_in(pairing)
        await setting.dial(pairing, role="browser")
        return bool(guards._finding)

    assert not await finding(setting.guards, new_pairing(""))
    monkeypatch.setattr(KeyboardGuard, "is_needed", lambda: False)
    assert not await finding(setting.guards, PAIRING)


def test_the_process_behind_a_connection_is_the_topmost_of_its_program() -> None:
    """As in a browser, the connection is held by a process that the one with the windows has started."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        port = listening.getsockname()[1]
        inner = f"exec 3<>/dev/tcp/127.0.0.1/{port}; read -u 3"
        outer = subprocess.Popen(["/bin/bash", "-c", f"/bin/bash -c '{inner}'; :"])
        try:
            listening.settimeout(PATIENCE_S)
            connection, peer = listening.accept()
            with closing(connection):
                assert browser_behind((peer, connection.getsockname())) == outer.pid
                assert browser_behind((("127.0.0.1", 1), connection.getsockname())) is None
        finally:
            outer.wait(PATIENCE_S)
