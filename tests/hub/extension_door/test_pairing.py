"""Pairing at the listener's door: what crosses before, who gets a key, and who gets none."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from kapture_panel.core.basics import tasks
from kapture_panel.core.registry import pairing as pairing_module
from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.registry.pairing import PairingDesk, PairingRequest
from kapture_panel.core.wire import protocol
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.hub.extension_door import listener as listener_module
from kapture_panel.hub.extension_door.link import Link
from kapture_panel.hub.extension_door.listener import Listener
from kapture_panel.hub.extension_door.pairing import Pairer, program_of
from tests.support.hub.fakes import FakeExtension, FakePairPage


class Door:
    """A listener, a desk, and a person who does what a test says."""

    def __init__(self, folder: Path, expiry_s: float) -> None:
        self.desk = PairingDesk(expiry_s)
        self.desk.attend()
        self.paired = PairedBrowsers(folder / "paired.json")
        self.asked: asyncio.Queue[PairingRequest] = asyncio.Queue()
        self.settled: asyncio.Queue[PairingRequest] = asyncio.Queue()
        self.desk.asked.connect(self.asked.put_nowait)
        self.desk.settled.connect(self.settled.put_nowait)
        self.links: list[Link] = []
        self.listener = Listener({}, self._register, lambda _link: None, Pairer(self.desk, self.paired))

    def _register(
        self, _pairing: Pairing, _hello: protocol.Hello, _register: protocol.Register, connection: ServerConnection
    ) -> Link:
        self.links.append(Link(connection, lambda _events: None))
        return self.links[-1]


@pytest.fixture
def expiry_s() -> float:
    return 60.0


@pytest.fixture
async def door(tmp_path: Path, expiry_s: float) -> AsyncIterator[Door]:
    made = Door(tmp_path, expiry_s)
    await made.listener.open(0)
    yield made
    await made.listener.close()


@pytest.fixture
def page(door: Door, ending: AsyncExitStack) -> FakePairPage:
    made = FakePairPage(door.listener.port)
    ending.push_async_callback(_hang_up, made)
    return made


async def _hang_up(page: FakePairPage) -> None:
    if hasattr(page, "socket"):
        await page.close()


async def _come_and_gone(page: FakePairPage) -> None:
    """Return when all that the panel has sent until now is here: pongs keep to the order of frames."""
    for _ in range(3):
        await (await page.socket.ping())


async def test_both_sides_show_the_same_code_and_after_both_words_the_page_has_the_key(
    door: Door, page: FakePairPage
) -> None:
    code = await page.greet()
    request = await door.asked.get()
    assert (request.code, request.browser, request.install) == (code, "Chrome 156", page.pair["install"])
    await page.confirm()
    door.desk.allow(request)
    paired = await page.next()
    (browser,) = door.paired
    assert paired == {"type": "paired", "key": browser.key}
    assert len(bytes.fromhex(browser.key)) == 32
    assert (await door.settled.get()).state == "paired"
    await page.until_closed()
    assert page.socket.close_code == 1000
    assert [frame["type"] for frame in page.heard] == ["pairing", "paired"]


async def test_nothing_but_a_nonce_crosses_before_both_have_said_yes(door: Door, page: FakePairPage) -> None:
    await page.greet()
    request = await door.asked.get()
    door.desk.allow(request)
    coming = tasks.spawn(page.next(), "the next frame")
    await _come_and_gone(page)
    assert not coming.done()
    assert [sorted(frame) for frame in page.heard] == [["nonce", "type"]]
    assert len(door.paired) == 0
    await page.confirm()
    assert (await coming)["type"] == "paired"


async def test_the_page_alone_gets_no_key_and_no_command(door: Door, page: FakePairPage) -> None:
    """A program that speaks as the extension does confirms for itself."""
    await page.greet()
    request = await door.asked.get()
    await page.confirm()
    coming = tasks.spawn(page.next(), "the next frame")
    await _come_and_gone(page)
    assert not coming.done()
    await tasks.end(coming)
    door.desk.refuse(request)
    refused = await page.until_closed()
    assert (refused["code"], len(door.paired), door.links) == ("DENIED", 0, [])


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "hello", "protocol": 4, "role": "tab", "install": "x", "nonce": "n"}, {"type": "register", "url": "u"},
        {"type": "event", "events": []}, {"type": "response", "id": "c1", "success": True}, {"type": "unpair"},
        {"type": "reveal", "nonce": "another"}, {"type": "pair", "protocol": 4, "install": "x", "commitment": "c"},
    ],
    ids=lambda frame: frame["type"],
)  # fmt: skip
async def test_a_page_that_says_more_is_shown_out(door: Door, page: FakePairPage, frame: dict[str, Any]) -> None:
    await page.greet()
    request = await door.asked.get()
    await page.send(frame)
    assert (await page.until_closed())["code"] == "INVALID_PARAMS"
    assert (await door.settled.get()).state == "withdrawn"
    door.desk.allow(request)
    assert len(door.paired) == 0


async def test_another_nonce_than_was_promised_shows_no_card(door: Door, page: FakePairPage) -> None:
    """Else a program in between could choose one that makes two codes the same."""
    page.pair["commitment"] = hashlib.sha256(b"another").hexdigest()
    await page.greet()
    refused = await page.until_closed()
    assert "had promised" in refused["message"]
    assert refused["code"] == "INVALID_PARAMS"
    assert door.asked.empty()
    assert door.desk.current is None


@pytest.mark.parametrize("install", ["", "x", "managed-0123456789ab", "../../../../etc/passwd", "A" * 16, "0" * 65])
async def test_a_name_that_is_none_is_refused(door: Door, page: FakePairPage, install: str) -> None:
    page.pair["install"] = install
    assert await page.greet() == ""
    assert page.heard[-1]["code"] == "INVALID_PARAMS"
    assert door.asked.empty()


async def test_another_protocol_version_is_told_what_to_do(door: Door, page: FakePairPage) -> None:
    page.pair["protocol"] = protocol.VERSION - 1
    assert await page.greet() == ""
    assert "reload the extension" in page.heard[-1]["message"]
    assert page.heard[-1]["code"] == "OLD_EXTENSION"


async def test_a_relay_from_another_port_makes_the_codes_differ(door: Door) -> None:
    """The extension dials a program on its port, which passes every byte on to the panel on another."""

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", door.listener.port)
        head = await reader.readuntil(b"\r\n\r\n")
        own = f"127.0.0.1:{port}".encode()
        back.write(head.replace(b"Host: " + own, f"Host: 127.0.0.1:{door.listener.port}".encode()))
        await asyncio.gather(_pump(reader, back), _pump(there, writer))

    relay = await asyncio.start_server(carry, "127.0.0.1", 0)
    port = relay.sockets[0].getsockname()[1]
    page = FakePairPage(port)
    code = await page.greet()
    request = await door.asked.get()
    assert code
    assert request.code != code
    await page.close()
    assert (await door.settled.get()).state == "withdrawn"
    relay.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(4096):
        writer.write(data)
    writer.close()


async def test_a_page_that_goes_takes_its_request_along(door: Door, page: FakePairPage) -> None:
    await page.greet()
    request = await door.asked.get()
    await page.close()
    assert (await door.settled.get()) is request
    assert request.state == "withdrawn"
    door.desk.allow(request)
    assert len(door.paired) == 0


async def test_only_one_page_at_a_time_is_greeted(door: Door, page: FakePairPage) -> None:
    await page.greet()
    for _ in range(20):
        other = FakePairPage(door.listener.port, "f" * 16)
        assert await other.greet() == ""
        assert other.heard[-1]["code"] == "BUSY"
        await other.close()
    assert door.asked.qsize() == 1


async def test_a_flood_of_pages_that_come_and_go_shows_few_cards(door: Door) -> None:
    refused = 0
    for _ in range(100):
        page = FakePairPage(door.listener.port)
        if await page.greet():
            await door.asked.get()
            await page.close()
            await door.settled.get()
        else:
            refused += 1
            assert page.heard[-1]["code"] == "RATE_LIMITED"
            await page.close()
    assert refused == 100 - pairing_module.MAX_REQUESTS


@pytest.mark.parametrize("expiry_s", [0.05])
async def test_an_expired_request_says_so(door: Door, page: FakePairPage) -> None:
    await page.greet()
    with suppress(ConnectionClosed):  # it may have expired by now
        await page.confirm()
    refused = await page.until_closed()
    assert (refused["type"], refused["code"]) == ("refused", "APPROVAL_EXPIRED")
    assert (await door.settled.get()).state == "expired"
    assert len(door.paired) == 0


async def test_a_page_that_does_not_finish_the_greeting_leaves_the_place_to_others(
    door: Door, page: FakePairPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener_module, "GREETING_S", 0.03)
    # However slow the machine is, once the time is enough for the first half of a greeting.
    while not page.heard:
        monkeypatch.setattr(listener_module, "GREETING_S", 10 * listener_module.GREETING_S)
        await page.dial()
        with suppress(ConnectionClosed):
            await page.send(page.pair)
            await page.next()
    assert (await page.until_closed())["type"] == "pairing"
    assert page.socket.close_code == 1008
    assert door.desk.current is None


async def test_a_waiting_page_holds_none_of_the_places_of_greetings(
    door: Door, page: FakePairPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener_module, "MAX_GREETING", 1)
    await page.greet()
    await door.asked.get()
    stranger = FakeExtension(door.listener.port, Pairing("browser-1", "key"))
    assert (await stranger.connect())["message"] == "this browser is not paired with this panel"
    await stranger.close()


async def test_a_pairing_that_cannot_be_written_down_is_none(
    door: Door, page: FakePairPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(PairedBrowsers, "_write", full)
    await page.greet()
    request = await door.asked.get()
    await page.confirm()
    door.desk.allow(request)
    refused = await page.until_closed()
    assert "could not write the pairing down: No space left on device" in refused["message"]
    assert (await door.settled.get()).state == "refused"
    assert len(door.paired) == 0


@pytest.mark.parametrize(
    ("said", "program"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36", "Chrome 156"),
        ("Mozilla/5.0 HeadlessChrome/156.0.0.0 Safari/537.36", "Chromium 156"),
        ("Mozilla/5.0 Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0", "Microsoft Edge 156"),
        ("Mozilla/5.0 Chrome/156.0.0.0 Safari/537.36 OPR/120.0.0.0", "Opera 120"),
        ("", "A browser"),
        ("<b>Chrome/x</b>", "A browser"),
    ],
)
def test_the_program_is_named_by_its_own_words(said: str, program: str) -> None:
    class Request:
        headers = {"User-Agent": said} if said else {}

    class Connection:
        request = Request()

    assert program_of(Connection()) == program  # type: ignore[arg-type]
