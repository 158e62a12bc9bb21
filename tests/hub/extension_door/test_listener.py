"""The extension's door: who may come in, and what anybody else learns."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.registry.pairing import PairingDesk
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.handshake import EXTENSION_ID, Pairing
from kapture_panel.hub.extension_door import listener as listener_module
from kapture_panel.hub.extension_door.link import Link
from kapture_panel.hub.extension_door.listener import Listener
from kapture_panel.hub.extension_door.pairing import Pairer
from tests.support.hub.fakes import ORIGIN, FakeExtension
from tests.support.patience import PATIENCE_S

PAIRING = Pairing(install="browser-1", key="the shared key")


class Door:
    """A listener on a free port, and what it took in."""

    def __init__(self, folder: Path) -> None:
        self.desk = PairingDesk()
        self.registered: list[protocol.Register] = []
        self.links: list[Link] = []
        self.events: list[dict[str, Any]] = []
        self.closed: asyncio.Queue[Link] = asyncio.Queue()
        pairer = Pairer(self.desk, PairedBrowsers(folder / "paired.json"))
        self.listener = Listener({PAIRING.install: PAIRING}, self._register, self.closed.put_nowait, pairer)

    def _register(
        self, pairing: Pairing, hello: protocol.Hello, register: protocol.Register, connection: ServerConnection
    ) -> Link:
        self.registered.append(register)
        self.links.append(Link(connection, self.events.extend))
        return self.links[-1]

    def extension(self, ending: AsyncExitStack, **options: Any) -> FakeExtension:
        made = FakeExtension(self.listener.port, PAIRING, **options)
        ending.push_async_callback(self._hang_up, made)
        return made

    @staticmethod
    async def _hang_up(extension: FakeExtension) -> None:
        if hasattr(extension, "socket"):
            await extension.close()


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    made = Door(tmp_path)
    await made.listener.open(0)
    yield made
    await made.listener.close()


async def status(port: int, headers: list[tuple[str, str]], host: str = "127.0.0.1") -> int:
    """The HTTP status of an upgrade request with exactly these Origin and Host headers; 0 when it is cut off."""
    reader, writer = await asyncio.open_connection(host, port)
    lines = [
        "GET / HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", *(f"{name}: {value}" for name, value in headers), "", "",
    ]  # fmt: skip
    writer.write("\r\n".join(lines).encode("latin-1"))
    try:
        line = await reader.readline()
    finally:
        writer.close()
    return int(line.split()[1]) if line else 0


OTHER_ID = EXTENSION_ID[:-1] + "a"
#: What an Origin may not be. Each is a list, for the header may also be missing or come twice.
ORIGINS: list[list[str]] = [
    [], [""], ["null"], ["*"], ["undefined"], ["chrome-extension://"], [EXTENSION_ID],
    [f"chrome-extension://{OTHER_ID}"], [f"chrome-extension://{EXTENSION_ID[:-1]}"],
    [f"chrome-extension://{EXTENSION_ID}a"], [f"chrome-extension://a{EXTENSION_ID}"],
    [f"chrome-extension://{EXTENSION_ID}/"], [f"chrome-extension://{EXTENSION_ID}/popup.html"],
    [f"chrome-extension://{EXTENSION_ID}:80"], [f"chrome-extension://{EXTENSION_ID}."],
    [f"chrome-extension://{EXTENSION_ID.upper()}"], [f"Chrome-Extension://{EXTENSION_ID}"],
    [f"CHROME-EXTENSION://{EXTENSION_ID}"], [f"chrome-extension:/{EXTENSION_ID}"],
    [f"chrome-extension:///{EXTENSION_ID}"], [f"chrome-extension://{EXTENSION_ID}@evil.example"],
    [f"chrome-extension://evil.example/{EXTENSION_ID}"], [f"chrome-extension://{EXTENSION_ID}.evil.example"],
    [f"moz-extension://{EXTENSION_ID}"], [f"extension://{EXTENSION_ID}"], [f"http://{EXTENSION_ID}"],
    [f"https://{EXTENSION_ID}"], ["http://127.0.0.1"], ["http://localhost"], ["https://evil.example"],
    ["file://"], [f"{ORIGIN} "[:-1] + ","], [f"{ORIGIN}, {ORIGIN}"], [f"{ORIGIN} {ORIGIN}"], [f'"{ORIGIN}"'],
    [ORIGIN, ORIGIN], [ORIGIN, "https://evil.example"], ["https://evil.example", ORIGIN], [ORIGIN, ""],
    [f"chrome-extension://{EXTENSION_ID}%20"], [f"chrome-extension://{EXTENSION_ID}\t.evil.example"],
    [f"chrome-extension://{EXTENSION_ID}?"], [f"chrome-extension://{EXTENSION_ID}#"],
]  # fmt: skip
#: What a Host may not be; PORT stands for the right port.
HOSTS: list[list[str]] = [
    [], [""], ["127.0.0.1"], ["localhost"], ["127.0.0.1:"], ["127.0.0.1:1"], ["localhost:1"], ["127.0.0.1:0PORT"],
    ["LOCALHOST:PORT"], ["Localhost:PORT"], ["localhost.:PORT"], ["127.0.0.1.:PORT"], ["127.1:PORT"],
    ["0.0.0.0:PORT"], ["127.0.0.2:PORT"], ["2130706433:PORT"], ["0x7f.0.0.1:PORT"], ["[::1]:PORT"], ["::1:PORT"],
    ["[::ffff:127.0.0.1]:PORT"], ["evil.example:PORT"], ["localhost.evil.example:PORT"], ["evil.example"],
    ["127.0.0.1:PORT.evil.example"], ["127.0.0.1:PORT@evil.example"], ["me@127.0.0.1:PORT"],
    ["127.0.0.1:PORT, localhost:PORT"], ["127.0.0.1:PORT", "127.0.0.1:PORT"], ["127.0.0.1:PORT", "evil.example"],
    ["evil.example", "localhost:PORT"], ["http://127.0.0.1:PORT"], ["127.0.0.1:PORT/"],
]  # fmt: skip


def test_the_matrices_are_wide() -> None:
    assert len(ORIGINS) >= 30
    assert len(HOSTS) >= 20


@pytest.mark.parametrize("origins", ORIGINS, ids=repr)
async def test_another_origin_is_refused_before_the_upgrade(door: Door, origins: list[str]) -> None:
    headers = [("Host", f"127.0.0.1:{door.listener.port}"), *(("Origin", origin) for origin in origins)]
    assert await status(door.listener.port, headers) == 403


@pytest.mark.parametrize("hosts", HOSTS, ids=repr)
async def test_another_host_is_refused_before_the_upgrade(door: Door, hosts: list[str]) -> None:
    port = door.listener.port
    headers = [("Origin", str(ORIGIN)), *(("Host", host.replace("PORT", str(port))) for host in hosts)]
    assert await status(port, headers) == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_the_extension_is_let_in_under_both_names(door: Door, host: str) -> None:
    port = door.listener.port
    assert await status(port, [("Host", f"{host}:{port}"), ("Origin", str(ORIGIN))]) == 101


async def test_the_address_is_no_web_server(door: Door) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", door.listener.port)
    writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{door.listener.port}\r\nOrigin: {ORIGIN}\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    assert answer.split(b"\r\n")[0].split()[1] in (b"400", b"426")
    assert b"Access-Control" not in answer
    assert b"Server:" not in answer


async def test_a_free_port_is_the_same_on_both_loopback_addresses(door: Door) -> None:
    port = door.listener.port
    assert port > 0
    headers = [("Host", f"localhost:{port}"), ("Origin", str(ORIGIN))]
    assert await status(port, headers, "127.0.0.1") == 101
    if listener_module._has_ipv6():
        assert await status(port, headers, "::1") == 101


async def test_nothing_listens_beyond_loopback(door: Door) -> None:
    names = [server.sockets[0].getsockname()[0] for server in door.listener._servers]
    assert set(names) <= {"127.0.0.1", "::1"}
    assert "127.0.0.1" in names


async def test_a_taken_port_is_named_with_its_owner_and_the_way_out(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        other = Door(tmp_path)
        with pytest.raises(KaptureError, match=rf"port {port} on 127.0.0.1 is taken.*kapture --port N") as raised:
            await other.listener.open(port)
        assert raised.value.code == "BUSY"
        await other.listener.close()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["python3", "-m", "kapture_panel", "serve", "--data-dir", "/my data"], "another Kapture Panel, of /my data"),
        (["python3", "/x/bin/kapture", "--tray", "--data-dir=/a"], "another Kapture Panel, of /a"),
        (["/x/bin/kapture-panel"], "another Kapture Panel"),
        (["python3", "serve.py", "--data-dir", "/a"], ""),
        ([], ""),
    ],
)
def test_another_panel_is_known_by_its_command_line(command: list[str], said: str) -> None:
    assert listener_module._panel_of(command) == said


async def test_a_port_taken_on_one_of_the_addresses_is_given_back_on_the_other(tmp_path: Path) -> None:
    if not listener_module._has_ipv6():
        return
    with socket.socket(socket.AF_INET6) as taken:
        taken.bind(("::1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(KaptureError, match=f"port {port} on ::1 is taken"):
            await Door(tmp_path).listener.open(port)
        with socket.socket() as free:
            free.bind(("127.0.0.1", port))


async def test_the_port_is_free_again_after_closing(tmp_path: Path) -> None:
    first, second = Door(tmp_path), Door(tmp_path)
    await first.listener.open(0)
    port = first.listener.port
    await first.listener.close()
    await second.listener.open(port)
    await second.listener.close()


async def test_the_extension_proves_itself_and_registers(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    assert await extension.connect() == {"type": "registered", "tabId": "t1"}
    (register,) = door.registered
    assert (register.url, register.title) == ("https://shop.example/", "Shop")
    assert [frame["type"] for frame in extension.heard] == ["challenge", "accepted", "registered"]


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


async def test_another_protocol_version_is_told_what_to_do(door: Door, ending: AsyncExitStack) -> None:
    extension = door.extension(ending)
    extension.hello["protocol"] = protocol.VERSION + 1
    refused = await extension.connect()
    versions = f"speaks protocol {protocol.VERSION + 1}, the panel {protocol.VERSION}"
    assert f"{versions}: reload the extension" in refused["message"]


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
    silent, stuck = door.extension(ending), door.extension(ending)
    await silent.dial()
    assert await silent.until_closed() == (1008, "the greeting was not finished")
    monkeypatch.setattr(listener_module, "GREETING_S", 1.0)
    await stuck.dial()
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
    assert door.events == [{"kind": "console", "text": "x"}]


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
