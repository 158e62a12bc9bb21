"""What a program says first at the local door."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import SESSION_IDLE_S
from kapture_panel.hub.agent_door.greeting import MAX_IDLE_MIN, Greeting


@pytest.fixture
def sock() -> Iterator[socket.socket]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours


def test_what_is_not_said_has_its_default(sock: socket.socket) -> None:
    greeting = Greeting.of({"role": "mcp", "profile": None, "idle": ""}, sock)
    assert (greeting.role, greeting.profile, greeting.tools, greeting.is_isolated) == ("mcp", "", "all", False)
    assert greeting.idle_s() == SESSION_IDLE_S


def test_what_it_reports_of_itself_is_not_believed(sock: socket.socket) -> None:
    greeting = Greeting.of({"role": "call", "pid": 1}, sock)
    client = greeting.client("terminal", "terminal")
    assert greeting.pid != 1
    assert (client.name, client.kind, client.pid) == ("terminal", "terminal", greeting.pid)


@pytest.mark.parametrize(("given", "idle_s"), [("15", 900.0), (0.5, 30.0), (MAX_IDLE_MIN, MAX_IDLE_MIN * 60.0)])
def test_the_time_of_an_idle_browser_is_given_in_minutes(given: Any, idle_s: float) -> None:
    assert Greeting("mcp", idle=given).idle_s() == idle_s


@pytest.mark.parametrize("given", ["soon", "-1", "nan", MAX_IDLE_MIN + 1, [5]])
def test_what_is_no_time_is_refused_by_name(given: Any) -> None:
    with pytest.raises(KaptureError, match="is not a time; give minutes, up to 10080") as raised:
        _ = Greeting("mcp", idle=given).idle_s()
    assert raised.value.code == "INVALID_PARAMS"
