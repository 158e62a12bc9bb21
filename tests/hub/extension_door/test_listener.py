"""The extension's door: who may come in, and what anybody else learns."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from kapture_panel.core.basics import tasks
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.events import ConsoleSaid
from kapture_panel.hub.extension_door import listener as listener_module
from tests.support.hub.fakes import FakeExtension
from tests.support.hub.listening import Door, status
from tests.support.patience import PATIENCE_S


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    made = Door(tmp_path)
    await made.listener.open(0)
    yield made
    await made.listener.close()


async def test_the_extension_proves_itself_and_registers(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    assert await extension.connect() == {"type": "registered", "tabId": "t1"}
    (register,) = door.registered
    assert (register.url, register.title) == ("https://shop.example/", "Shop")
    assert [frame["type"] for frame in extension.heard] == ["challenge", "accepted", "registered"]


async def test_a_small_frame_does_not_wait_for_the_one_before(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    await extension.connect()
    connection = door.links[0]._connection.transport.get_extra_info("socket")
    assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1


async def test_a_link_that_closes_is_reported_once(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    await extension.connect()
    await extension.close()
    assert await door.closed.get() is door.links[0]
    assert door.closed.empty()


async def test_a_link_cut_right_after_registering_is_reported_too(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    await extension.dial()
    await extension.send(extension.hello)
    challenge = await extension.next()
    await extension.send({"type": "proof", "proof": extension.proof("extension", challenge["nonce"])})
    await extension.next()
    await extension.send(extension.register)
    extension.socket.transport.abort()
    assert await door.closed.get() is door.links[0]


async def refusal(extension: FakeExtension) -> dict[str, Any]:
    """What a refused extension heard last; then the panel hangs up with 1008."""
    code, _ = await extension.until_closed()
    assert code == 1008
    return extension.heard[-1]


async def test_a_browser_that_is_not_paired_hears_no_challenge(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    extension.hello["install"] = "browser-2"
    refused = await extension.connect()
    assert refused["type"] == "refused"
    assert refused["code"] == "DENIED"
    assert extension.heard == [refused]


async def test_an_extension_without_the_key_gets_a_challenge_and_nothing_more(
    door: Door, ending: AsyncExitStack
) -> None:
    extension = door.extension(ending, key="a guessed key")
    await extension.dial()
    await extension.send(extension.hello)
    challenge = await extension.next()
    assert challenge["proof"] != extension.proof("panel", challenge["nonce"])
    await extension.send({"type": "proof", "proof": extension.proof("extension", challenge["nonce"])})
    assert (await refusal(extension))["code"] == "DENIED"
    assert [frame["type"] for frame in extension.heard] == ["challenge", "refused"]
    assert door.registered == []


@pytest.mark.parametrize("claimed", ["", "0" * 64, "ü", "\u0000", "reflected"])
async def test_a_wrong_or_reflected_proof_is_refused(door: Door, ending: AsyncExitStack, claimed: str) -> None:
    extension = door.extension(ending)
    await extension.dial()
    await extension.send(extension.hello)
    challenge = await extension.next()
    await extension.send({"type": "proof", "proof": challenge["proof"] if claimed == "reflected" else claimed})
    assert "did not prove" in (await refusal(extension))["message"]
    assert door.registered == []


async def test_a_replayed_conversation_is_refused(door: Door, ending: AsyncExitStack) -> None:
    first = door.extension(ending)
    await first.connect()
    old_proof = first.proof("extension", first.heard[0]["nonce"])
    again = door.extension(ending)
    await again.dial()
    await again.send(first.hello)
    challenge = await again.next()
    assert challenge["nonce"] != first.heard[0]["nonce"]
    await again.send({"type": "proof", "proof": old_proof})
    assert (await refusal(again))["code"] == "DENIED"
    assert len(door.registered) == 1


async def test_a_proof_is_good_for_its_own_tab_only(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    await extension.dial()
    await extension.send(extension.hello)
    challenge = await extension.next()
    extension.hello["tabId"] = "t2"
    await extension.send({"type": "proof", "proof": extension.proof("extension", challenge["nonce"])})
    assert (await refusal(extension))["code"] == "DENIED"


@pytest.mark.parametrize(
    ("theirs", "code", "next_step"),
    [
        (protocol.VERSION - 1, "OLD_EXTENSION", "reload the extension"),
        (protocol.VERSION + 1, "OLD_PANEL", "update Kapture Panel"),
    ],
)
async def test_another_protocol_version_is_told_what_to_do(
    door: Door, ending: AsyncExitStack, theirs: int, code: str, next_step: str
) -> None:
    extension = door.extension(ending)
    extension.hello["protocol"] = theirs
    refused = await extension.connect()
    assert refused["code"] == code
    assert f"speaks protocol {theirs}, the panel {protocol.VERSION}; {next_step}" in refused["message"]


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "register", "url": "https://a.example/"}, {"type": "proof", "proof": "x"}, {"type": "ping"},
        {"type": "response", "id": "c1", "success": True}, {"type": "event", "events": []}, {"type": "command"},
        "", "{}", "garbage", b"\x00\x01\x02", "[" * 3000,
    ],
    ids=repr,
)  # fmt: skip
async def test_another_first_frame_than_hello_is_refused(
    door: Door, ending: AsyncExitStack, frame: dict[str, Any] | str | bytes
) -> None:
    extension = door.extension(ending)
    await extension.dial()
    await extension.send(frame)
    assert (await refusal(extension))["code"] == "INVALID_PARAMS"
    assert [heard["type"] for heard in extension.heard] == ["refused"]


async def test_a_greeting_too_long_is_cut_off_unread(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    extension.hello["nonce"] = "n" * (protocol.MAX_GREETING_BYTES + 1)
    await extension.dial()
    await extension.send(extension.hello)
    code, _ = await extension.until_closed()
    assert code == 1009
    assert extension.heard == []


async def test_after_the_proof_frames_may_be_large(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    extension.register["title"] = "T" * 100_000
    assert (await extension.connect())["type"] == "registered"
    call = tasks.spawn(door.links[0].run("kapturemcp_snapshot", {}, 1000), "call")
    await extension.answer("s" * 2_000_000)
    assert len((await call).result) == 2_000_000


async def test_a_greeting_that_is_not_finished_in_time_is_cut_off(
    door: Door, ending: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert listener_module.GREETING_S == 5.0
    monkeypatch.setattr(listener_module, "GREETING_S", 0.01)
    silent = stuck = door.extension(ending)
    await silent.dial()
    assert await silent.until_closed() == (1008, "the greeting was not finished")
    # However slow the machine is, once the time is enough for the first half of a greeting.
    while not stuck.heard:
        monkeypatch.setattr(listener_module, "GREETING_S", 4 * listener_module.GREETING_S)
        stuck = door.extension(ending)
        await stuck.dial()
        with suppress(ConnectionClosed):
            await stuck.send(stuck.hello)
        assert await stuck.until_closed() == (1008, "the greeting was not finished")
    assert [frame["type"] for frame in stuck.heard] == ["challenge"]


async def test_half_an_upgrade_is_cut_off_like_half_a_greeting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener_module, "GREETING_S", 0.05)
    made = Door(tmp_path)
    await made.listener.open(0)
    reader, writer = await asyncio.open_connection("127.0.0.1", made.listener.port)
    writer.write(b"GET / HTTP/1.1\r\nUpgrade: web")
    async with asyncio.timeout(PATIENCE_S):
        assert b"websocket" not in (await reader.read()).lower()  # returns once the connection is closed
    writer.close()
    await made.listener.close()


async def test_a_frame_beyond_the_limit_closes_its_link(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    assert (await extension.connect())["type"] == "registered"
    # Its head alone: a text frame, masked with zeros, that announces a byte too many.
    extension.socket.transport.write(bytes((0x81, 0xFF)) + (protocol.MAX_FRAME_BYTES + 1).to_bytes(8) + bytes(4))
    code, _ = await extension.until_closed()
    assert code == 1009


async def test_only_so_many_greetings_run_at_once(door: Door, ending: AsyncExitStack) -> None:
    waiting = [door.extension(ending) for _ in range(listener_module.MAX_GREETING)]
    for extension in waiting:
        await extension.dial()
        await extension.send(extension.hello)
        await extension.next()
    assert door.listener.is_crowded
    late = door.extension(ending)
    with pytest.raises(InvalidStatus) as raised:
        await late.dial()
    assert raised.value.response.status_code == 503
    strangers = [("Host", f"localhost:{door.listener.port}"), ("Origin", "https://evil.example")]
    assert await status(door.listener.port, strangers) == 403
    nonce = waiting[0].heard[0]["nonce"]
    await waiting[0].send({"type": "proof", "proof": waiting[0].proof("extension", nonce)})
    await waiting[0].next()
    await waiting[0].send(waiting[0].register)
    assert (await waiting[0].next())["type"] == "registered"
    assert not door.listener.is_crowded
    assert (await late.connect())["type"] == "registered"


async def test_a_frame_out_of_turn_ends_the_link(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    await extension.connect()
    await extension.send(extension.hello)
    code, reason = await extension.until_closed()
    assert (code, reason) == (1002, "unexpected Hello after registration")
    assert await door.closed.get() is door.links[0]


async def test_closing_hangs_up_on_everyone(ending: AsyncExitStack, tmp_path: Path) -> None:
    door = Door(tmp_path)
    await door.listener.open(0)
    extension = door.extension(ending)
    await extension.connect()
    closing = tasks.spawn(door.listener.close(), "closing")
    with pytest.raises(ConnectionClosed):
        await extension.next()
    await closing
    assert await door.closed.get() is door.links[0]


async def test_events_arrive_at_the_link(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    await extension.connect()
    await extension.send({"type": "event", "events": [{"kind": "console", "text": "x"}]})
    await extension.send({"type": "ping"})
    assert await extension.next() == {"type": "pong"}
    assert door.events == [ConsoleSaid(text="x")]


async def test_a_proof_passed_on_from_another_port_is_refused(door: Door, ending: AsyncExitStack) -> None:
    """A relay between an extension that dials one port and the panel on another: neither side is convinced."""
    extension = door.extension(ending)
    await extension.dial()
    await extension.send(extension.hello)
    challenge = await extension.next()
    extension._port += 1  # what it has dialled itself
    assert challenge["proof"] != extension.proof("panel", challenge["nonce"])
    await extension.send({"type": "proof", "proof": extension.proof("extension", challenge["nonce"])})
    assert "did not prove" in (await refusal(extension))["message"]
    assert door.registered == []
