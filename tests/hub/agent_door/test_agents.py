"""The local door: who is let in, what a greeting needs, and what hanging up does."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import astuple
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.gates.rates import Rate
from kapture_panel.core.wire.protocol import Response
from kapture_panel.core.wire.results import Pointed
from kapture_panel.hub.agent_door import agents as agents_module
from kapture_panel.hub.agent_door import peers
from kapture_panel.hub.agent_door.json_lines import MAX_AHEAD
from tests.support.core.fakes import CATALOGUE, World, failed, ok, picture
from tests.support.hub.agent_door import Setting
from tests.support.hub.fakes import Changes, DoorVisitor
from tests.support.patience import PATIENCE_S


@pytest.fixture(params=["unix", "tcp"])
async def setting(
    request: pytest.FixtureRequest, world: World, tmp_path: Path, ending: AsyncExitStack,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Setting]:  # fmt: skip
    """Each test at this door runs at both kinds of it."""
    if request.param == "tcp":
        monkeypatch.setenv("KAPTURE_DOOR", "tcp")
    made = Setting(world, tmp_path, ending)
    await made.door.open()
    yield made
    await made.door.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


async def introduced(visitor: DoorVisitor) -> None:
    """Shake hands as an MCP client called test-agent."""
    await visitor.ask({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test-agent", "version": "1"},
    }})  # fmt: skip
    await visitor.send({"jsonrpc": "2.0", "method": "notifications/initialized"})


async def test_a_call_goes_through_the_router_and_back(setting: Setting) -> None:
    setting.world.tab()
    setting.world.executor.answers["click"] = ok(
        {"clicked": "button"}, effects={"changed": True}, lateEffects={"requests": 1}, snapshot="- button", ms=1.0
    )
    visitor, greeted = await setting.visit({"role": "call"})
    assert greeted == {"ok": True}
    answer = await visitor.ask({"command": "click", "params": {"ref": "e1"}})
    assert answer.pop("ms") > 0
    assert answer.pop("text").endswith("- button")
    assert answer == {
        "result": {"clicked": "button"}, "outcome": None, "effects": {"changed": True}, "lateEffects": {"requests": 1},
        "snapshot": "- button", "tabId": "t1", "untrusted": "https://shop.example",
    }  # fmt: skip
    assert (setting.world.row().client, setting.world.row().kind) == ("terminal", "terminal")


async def test_a_call_tells_what_the_person_pointed_at(setting: Setting) -> None:
    state, tab = setting.world.state, setting.world.tab()
    setting.world.executor.answers["click"] = ok({"clicked": "button"})
    picture = state.shots.add(b"picture", name="note", tab_id=tab.tab_id, format="jpeg")
    state.notes.add(tab.tab_id, tab.url, tab.site, "this one", Pointed(), 1, 2, picture)
    visitor, _ = await setting.visit({"role": "call"})
    answer = await visitor.ask({"command": "click", "params": {"ref": "e1"}})
    assert 'says to you: "this one"' in answer["text"]
    assert [note["words"] for note in answer["fromPerson"]] == ["this one"]
    assert "fromPerson" not in await visitor.ask({"command": "click", "params": {"ref": "e1"}})


async def test_a_terminal_may_call_again_after_an_error(setting: Setting) -> None:
    setting.world.tab()
    setting.world.executor.answers["click"] = failed("STALE_REF", "take a new snapshot")
    visitor, _ = await setting.visit({"role": "call"})
    assert await visitor.ask({"command": "click", "params": {"ref": "e1"}}) == {
        "error": {"code": "STALE_REF", "message": "take a new snapshot"}
    }
    assert (await visitor.ask({"command": "reload"}))["tabId"] == "t1"


async def test_more_commands_than_the_rate_allows_are_refused_at_the_door_and_nothing_is_done(setting: Setting) -> None:
    world = setting.world
    world.tab()
    world.router.gates.policy.rules.set_rate(Rate(per_s=1, burst=2))
    visitor, _ = await setting.visit({"role": "call"})
    answers = [await visitor.ask({"command": "click", "params": {"ref": "e1"}}) for _ in range(3)]
    assert ["error" in answer for answer in answers] == [False, False, True]
    error = answers[2]["error"]
    assert error["code"] == "RATE_LIMITED"
    assert f"try again in {error['retryAfterMs']} ms" in error["message"]
    assert 0 < error["retryAfterMs"] <= 1000
    await visitor.ask({"command": "click", "params": {"ref": "e1"}})
    assert (len(world.executor.sent), len(world.history)) == (2, 3), "of those that came too fast there is one row"


@pytest.mark.parametrize(
    "request_line",
    [
        [],
        7,
        "click",
        None,
        {},
        {"command": 7},
        {"command": "reload", "params": [1]},
        {"command": "reload", "params": "x"},
    ],
    ids=repr,
)
async def test_what_is_no_call_is_answered_with_an_error(setting: Setting, request_line: Any) -> None:
    visitor, _ = await setting.visit({"role": "call"})
    assert (await visitor.ask(request_line))["error"]["code"] == "INVALID_PARAMS"
    assert (await visitor.ask({"command": "list_tabs"}))["result"] == {"tabs": []}


async def test_a_defect_is_answered_too(setting: Setting, caplog: pytest.LogCaptureFixture) -> None:
    setting.world.tab()

    async def broken(_params: dict[str, Any]) -> Response:
        raise ZeroDivisionError

    setting.world.executor.answers["click"] = broken
    visitor, _ = await setting.visit({"role": "call"})
    error = (await visitor.ask({"command": "click", "params": {"ref": "e1"}}))["error"]
    assert error["code"] == "INTERNAL"
    assert "ZeroDivisionError" in error["message"]
    assert "a call failed" in caplog.text


async def test_a_picture_stays_a_file_for_a_terminal(setting: Setting) -> None:
    setting.world.tab()
    setting.world.executor.answers["screenshot"] = picture(b"bytes")
    visitor, _ = await setting.visit({"role": "call"})
    answer = await visitor.ask({"command": "screenshot", "params": {"name": "cart"}})
    assert Path(answer["result"]["path"]).read_bytes() == b"bytes"
    assert answer["result"]["path"] in answer["text"]


async def test_hanging_up_cancels_the_running_call(setting: Setting) -> None:
    setting.world.tab()
    setting.world.executor.open.clear()
    visitor, _ = await setting.visit({"role": "call"})
    await visitor.send({"command": "reload", "params": {}})
    await setting.world.executor.arrived.get()
    [client] = [client for client in setting.world.clients if client.name == "terminal"]
    calmed = Changes(setting.world.clients.changed)
    await visitor.hang_up()
    await calmed.until(lambda: client.running == 0)
    assert setting.world.executor.cancelled == ["reload"]
    assert setting.world.row().state == "cancelled"


async def test_calls_that_are_sent_ahead_are_answered_in_their_turn(setting: Setting) -> None:
    setting.world.tab()
    executor = setting.world.executor
    executor.answers["click"] = failed("STALE_REF", "take a new snapshot")
    executor.open.clear()
    visitor, _ = await setting.visit({"role": "call"})
    for request in ({"command": "reload"}, {"command": "click", "params": {"ref": "e1"}}, {"command": "list_tabs"}):
        await visitor.send(request)
    await executor.arrived.get()
    executor.open.set()
    answers = [await visitor.read() for _ in range(3)]
    assert (answers[0]["tabId"], answers[1]["error"]["code"]) == ("t1", "STALE_REF")
    assert len(answers[2]["result"]["tabs"]) == 1


async def test_hanging_up_cancels_the_running_call_and_those_sent_ahead_are_not_begun(setting: Setting) -> None:
    setting.world.tab()
    setting.world.executor.open.clear()
    visitor, _ = await setting.visit({"role": "call"})
    for _ in range(3):
        await visitor.send({"command": "reload", "params": {}})
    await setting.world.executor.arrived.get()
    [client] = [client for client in setting.world.clients if client.name == "terminal"]
    calmed = Changes(setting.world.clients.changed)
    await visitor.hang_up()
    await calmed.until(lambda: client.running == 0)
    other, _ = await setting.visit({"role": "call"})
    await other.ask({"command": "list_tabs"})
    assert setting.world.executor.cancelled == ["reload"]
    assert [row.state for row in setting.world.history.rows(limit=10) if row.command == "reload"] == ["cancelled"]


async def test_who_sends_too_many_calls_ahead_is_told_and_what_runs_is_cancelled(setting: Setting) -> None:
    setting.world.tab()
    setting.world.executor.open.clear()
    visitor, _ = await setting.visit({"role": "call"})
    for _ in range(MAX_AHEAD + 2):
        await visitor.send({"command": "reload", "params": {}})
    error = (await visitor.read())["error"]
    assert error["code"] == "INVALID_PARAMS"
    assert "more than 100 calls were sent ahead" in error["message"]
    assert await visitor.read() == {}
    assert setting.world.executor.cancelled == ["reload"]


async def test_a_call_that_the_person_ends_in_the_panel_says_so(setting: Setting) -> None:
    setting.world.tab()
    setting.world.executor.open.clear()
    visitor, _ = await setting.visit({"role": "call"})
    await visitor.send({"command": "reload", "params": {}})
    await setting.world.executor.arrived.get()
    [client] = [client for client in setting.world.clients if client.name == "terminal"]
    client.disconnect()
    answer = await visitor.read()
    assert answer["error"]["code"] == "OUTCOME_UNKNOWN"
    assert "a person ended this call in the panel" in answer["error"]["message"]
    assert await visitor.read() == {}
    assert setting.world.executor.cancelled == ["reload"]
    assert "terminal" not in setting.names()


async def test_closing_the_door_cancels_what_runs_and_hangs_up(setting: Setting) -> None:
    setting.world.tab()
    setting.world.executor.open.clear()
    visitor, _ = await setting.visit({"role": "call"})
    await visitor.send({"command": "reload", "params": {}})
    await setting.world.executor.arrived.get()
    await setting.door.close()
    assert setting.world.executor.cancelled == ["reload"]
    assert setting.world.row().state == "cancelled"
    assert await visitor.read() == {}
    assert "terminal" not in setting.names()


async def test_a_terminal_s_client_is_known_by_who_started_it(setting: Setting) -> None:
    await setting.visit({"role": "call", "pid": os.getpid()})
    client = next(client for client in setting.world.clients if client.name == "terminal")
    assert (client.kind, client.pid) == ("terminal", os.getpid())
    assert (client.parent, client.program) == astuple(peers.starter_of(os.getpid()).program)


async def test_control_asks_are_handed_on(setting: Setting) -> None:
    visitor, greeted = await setting.visit({"role": "control"})
    assert greeted == {"ok": True}
    assert await visitor.ask({"ask": "raise"}) == {"ok": True}
    await visitor.ask({})
    assert setting.asked == ["raise", "None"]
    assert (await visitor.ask(["raise"]))["error"]["code"] == "INVALID_PARAMS"


async def test_an_agent_speaks_mcp_after_its_greeting(setting: Setting) -> None:
    visitor, greeted = await setting.visit({"role": "mcp", "tools": "tabs"})
    assert greeted == {"ok": True}
    await visitor.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test-agent", "version": "1"},
    }})  # fmt: skip
    assert (await visitor.read())["result"]["serverInfo"]["name"] == "kapture-panel"
    await visitor.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    listed = await visitor.ask({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
    names = [tool["name"] for tool in listed["result"]["tools"]]
    assert names == [command.name for command in CATALOGUE if command.group == "tabs"]
    assert len(names) < len(CATALOGUE)
    assert "test-agent" in setting.names()
    await visitor.hang_up()
    await setting.clients.until(lambda: "test-agent" not in setting.names())


async def test_an_agent_that_the_person_shows_out_is_not_let_in_again(setting: Setting) -> None:
    visitor, _ = await setting.visit({"role": "mcp", "pid": os.getpid()})
    await introduced(visitor)
    await setting.clients.until(lambda: "test-agent" in setting.names())
    next(client for client in setting.world.clients if client.name == "test-agent").disconnect()
    await setting.clients.until(lambda: "test-agent" not in setting.names())
    _, refused = await setting.visit({"role": "mcp", "pid": os.getpid()})
    assert refused["error"]["code"] == "DENIED"
    assert "the person disconnected this agent" in refused["error"]["message"]
    _, greeted = await setting.visit({"role": "control"})
    assert greeted == {"ok": True}


async def test_an_agent_that_hangs_and_reads_nothing_is_shown_out_all_the_same(setting: Setting) -> None:
    setting.world.tab()
    setting.world.executor.open.clear()
    visitor, _ = await setting.visit({"role": "mcp", "pid": os.getpid()})
    await introduced(visitor)
    reload = {"name": "kapturemcp_reload", "arguments": {}}
    await visitor.send({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": reload})
    await setting.world.executor.arrived.get()
    client = next(client for client in setting.world.clients if client.name == "test-agent")
    assert isinstance(client.disconnect, partial)
    writer, numbers = client.disconnect.args[1], count(3)
    async with asyncio.timeout(PATIENCE_S):
        while not writer.transport.get_write_buffer_size():  # what the socket does not hold any more
            await visitor.send({"jsonrpc": "2.0", "id": next(numbers), "method": "tools/list"})
            await asyncio.sleep(0)  # sending waits for nobody
    client.disconnect()
    await setting.clients.until(lambda: "test-agent" not in setting.names())
    assert setting.world.executor.cancelled == ["reload"]


async def test_an_agent_that_hangs_up_cancels_what_it_left_running(
    setting: Setting, caplog: pytest.LogCaptureFixture
) -> None:
    setting.world.tab()
    setting.world.executor.open.clear()
    visitor, _ = await setting.visit({"role": "mcp"})
    await introduced(visitor)
    call = {"name": "kapturemcp_reload", "arguments": {}}
    await visitor.send({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call})
    await setting.world.executor.arrived.get()
    await visitor.hang_up()
    await setting.clients.until(lambda: "test-agent" not in setting.names())
    assert setting.world.executor.cancelled == ["reload"]
    assert setting.world.row().state == "cancelled"
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_tools_there_are_not_are_refused_in_the_greeting(setting: Setting) -> None:
    _, answer = await setting.visit({"role": "mcp", "tools": "looking,cooking"})
    assert answer["error"]["code"] == "INVALID_PARAMS"
    assert "'cooking' is not one of all, core, tabs" in answer["error"]["message"]
    assert "agent" not in setting.names()


@pytest.mark.parametrize("role", ["admin", "", None, 7, ["mcp"], {"mcp": 1}], ids=repr)
async def test_an_unknown_role_is_refused(setting: Setting, role: Any) -> None:
    _, answer = await setting.visit({"role": role})
    assert answer["error"]["code"] == "INVALID_PARAMS"
    assert "is not one of mcp, call, control" in answer["error"]["message"]


@pytest.mark.parametrize("line", [b"\n", b"hello\n", b"[1]\n", b"7\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n"], ids=len)
async def test_a_greeting_that_is_none_is_refused(setting: Setting, line: bytes) -> None:
    visitor, answer = await setting.visit(line)
    assert answer["error"]["code"] in ("INVALID_PARAMS", "DENIED")
    assert await visitor.read() == {}


async def test_a_visitor_that_says_nothing_is_sent_away(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    assert agents_module.GREETING_S == 5.0
    monkeypatch.setattr(agents_module, "GREETING_S", 0.01)
    _, answer = await setting.visit(b"")
    assert answer == {}


async def test_a_visitor_that_only_knocks_is_no_defect(setting: Setting, caplog: pytest.LogCaptureFixture) -> None:
    visitor = DoorVisitor(setting.root)
    await visitor.dial()
    visitor.writer.write_eof()
    assert await visitor.read() == {}
    await visitor.hang_up()
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_what_takes_long_to_import_is_imported_off_the_loop(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[str, threading.Thread] = {}
    monkeypatch.setattr(
        agents_module, "import_module", lambda name: threads.setdefault(name, threading.current_thread())
    )
    await setting.visit({"role": "mcp"})
    assert threads["kapture_panel.hub.agent_door.mcp.session"] is not threading.main_thread()
