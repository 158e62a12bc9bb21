"""A browser talks to IBus through the relay; here a real bus and real clients of it, one of which stands for IBus."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from dbus_fast import BusType, Message, MessageFlag, MessageType
from dbus_fast.aio import MessageBus

from kapture_panel.hub.browsers import keyboard_guard, x11_person
from kapture_panel.hub.browsers.ibus_address import socket_name
from kapture_panel.hub.browsers.ibus_relay import IBusRelay
from kapture_panel.hub.browsers.keyboard_guard import KeyboardGuard
from tests.support.e2e import desktop_host
from tests.support.hub.x11_program import Program
from tests.support.patience import PATIENCE_S

NAME, CONTEXT = "org.freedesktop.IBus", "org.freedesktop.IBus.InputContext"


class Eyes:
    """Where the keyboard is, as a test says."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.elsewhere = True

    def is_elsewhere(self) -> bool:
        return self.elsewhere


class IBus:
    """Hears what programs tell their input contexts."""

    def __init__(self, bus: MessageBus) -> None:
        self.bus = bus
        self.heard: asyncio.Queue[str] = asyncio.Queue()

    def on_message(self, message: Message) -> Message | None:
        if message.message_type is not MessageType.METHOD_CALL or message.interface != CONTEXT:
            return None
        self.heard.put_nowait(str(message.member))
        return Message.new_method_return(message, "s", ["an answer"])

    def all_heard(self) -> list[str]:
        return [self.heard.get_nowait() for _ in range(self.heard.qsize())]


class Browser:
    """A program that was led to the relay."""

    def __init__(self, bus: MessageBus) -> None:
        self.bus = bus

    @classmethod
    async def reaching(cls, relay: IBusRelay) -> Browser:
        return cls(await MessageBus(relay.environment["IBUS_ADDRESS"], bus_type=BusType.SESSION).connect())

    async def tells(self, member: str) -> None:
        """As Chromium tells of the focus: it waits for no answer."""
        await self.bus.send(Message(NAME, "/context/1", CONTEXT, member, flags=MessageFlag.NO_REPLY_EXPECTED))

    async def asks(self, member: str) -> str:
        async with asyncio.timeout(PATIENCE_S):
            answer = await self.bus.call(Message(NAME, "/context/1", CONTEXT, member))
        assert answer is not None
        return str(answer.body[0])


@pytest.fixture(autouse=True)
def every_thread_ends() -> Iterator[None]:
    yield
    for thread in threading.enumerate():
        if thread.name == "ibus relay":
            thread.join(PATIENCE_S)
            assert not thread.is_alive()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with desktop_host.session_bus() as found:
        yield found


@pytest.fixture
async def ibus(address: str) -> AsyncIterator[IBus]:
    bus = await MessageBus(address, bus_type=BusType.SESSION).connect()
    made = IBus(bus)
    bus.add_message_handler(made.on_message)
    await bus.request_name(NAME)
    yield made
    bus.disconnect()


@pytest.fixture
def relay(address: str) -> Iterator[IBusRelay]:
    made = IBusRelay(lambda: address)
    yield made
    made.close()


@pytest.fixture
async def browser(relay: IBusRelay) -> AsyncIterator[Browser]:
    made = await Browser.reaching(relay)
    yield made
    made.bus.disconnect()


async def test_a_browser_that_only_believes_to_have_the_keyboard_does_not_take_the_input_method(
    ibus: IBus, relay: IBusRelay, browser: Browser
) -> None:
    eyes = Eyes(os.getpid())
    relay.begin(eyes)
    await browser.tells("FocusIn")
    relay.look_again()
    assert await browser.asks("ProcessKeyEvent") == "an answer"
    assert ibus.all_heard() == ["ProcessKeyEvent"]
    eyes.elsewhere = False
    relay.look_again()
    async with asyncio.timeout(PATIENCE_S):
        assert await ibus.heard.get() == "FocusIn"
    await browser.tells("FocusOut")
    await browser.tells("FocusIn")
    await browser.asks("Reset")
    assert ibus.all_heard() == ["FocusOut", "FocusIn", "Reset"]


async def test_a_person_who_goes_to_the_browser_composes_there(ibus: IBus, relay: IBusRelay, browser: Browser) -> None:
    """With a real guard on a real display."""
    with desktop_host.display("200x200") as name, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISPLAY", name)
        for module, limit in ((keyboard_guard, "PATIENCE_S"), (x11_person, "SOON_S")):
            patch.setattr(module, limit, PATIENCE_S)  # a busy machine takes its time
        program = Program(name)
        window, theirs = program.window(os.getpid()), program.window(os.getpid() + 1)
        program.focus(theirs)
        guard = KeyboardGuard.of(os.getpid(), relay)
        assert guard is not None
        async with guard.during(acts=True):
            await browser.tells("FocusIn")
            await browser.asks("Reset")
        assert ibus.all_heard() == ["Reset"]
        program.click()
        program.focus(window)
        async with asyncio.timeout(PATIENCE_S):
            assert await ibus.heard.get() == "FocusIn"
        guard.close()
        program.display.close()


@pytest.mark.parametrize("pid", [None, 1], ids=["before the guard is there", "a program that the browser started"])
async def test_who_is_not_guarded_is_not_held_up(
    ibus: IBus, relay: IBusRelay, browser: Browser, pid: int | None
) -> None:
    if pid is not None:
        relay.begin(Eyes(pid))
    await browser.tells("FocusIn")
    await browser.asks("Reset")
    assert ibus.all_heard() == ["FocusIn", "Reset"]


async def test_who_is_connected_stays_so_when_the_browser_has_ended(
    ibus: IBus, relay: IBusRelay, browser: Browser
) -> None:
    folder = Path(str(socket_name(relay.environment["IBUS_ADDRESS"]))).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    relay.close()
    relay.close()
    relay.look_again()
    assert not folder.exists()
    assert await browser.asks("Reset") == "an answer"
    with pytest.raises(OSError, match="No such file"):
        await Browser.reaching(relay)


@pytest.fixture
def pair() -> Iterator[Callable[[], tuple[socket.socket, socket.socket, IBusRelay]]]:
    """A program and an IBus that say to each other what a test wants."""
    waits = socket.socket(socket.AF_UNIX)
    waits.bind("")  # Linux finds a name, which is in no folder
    waits.listen()
    relay = IBusRelay(lambda: f"unix:abstract={waits.getsockname()[1:].decode()}")
    open_ends = [waits]

    def connect() -> tuple[socket.socket, socket.socket, IBusRelay]:
        program = socket.socket(socket.AF_UNIX)
        program.connect(str(socket_name(relay.environment["IBUS_ADDRESS"])))
        found = program, waits.accept()[0]
        for end in found:
            end.settimeout(PATIENCE_S)
        open_ends.extend(found)
        return *found, relay

    yield connect
    relay.close()
    for end in open_ends:
        end.close()


def test_what_is_no_dbus_passes_both_ways(
    pair: Callable[[], tuple[socket.socket, socket.socket, IBusRelay]],
) -> None:
    program, ibus, relay = pair()
    relay.begin(Eyes(os.getpid()))
    program.sendall(b"BEGIN\r\ngarbage")
    assert ibus.recv(14, socket.MSG_WAITALL) == b"BEGIN\r\ngarbage"
    ibus.sendall(b"more garbage")
    assert program.recv(100) == b"more garbage"


@pytest.mark.parametrize("goes", [0, 1], ids=["the program", "IBus"])
def test_when_one_side_goes_the_other_hears_it(
    pair: Callable[[], tuple[socket.socket, socket.socket, IBusRelay]], goes: int
) -> None:
    *ends, _relay = pair()
    ends[goes].close()
    assert ends[1 - goes].recv(100) == b""


async def test_an_ibus_that_is_not_there_is_found_when_it_has_started(ibus: IBus, address: str) -> None:
    found: list[str | None] = [None, "unix:path=/missing", address]
    relay = IBusRelay(lambda: found.pop(0))
    for _ in range(2):
        with socket.socket(socket.AF_UNIX) as program:
            program.settimeout(PATIENCE_S)
            program.connect(str(socket_name(relay.environment["IBUS_ADDRESS"])))
            assert program.recv(100) == b""
    browser = await Browser.reaching(relay)
    assert await browser.asks("Reset") == "an answer"
    browser.bus.disconnect()
    relay.close()


def test_when_something_is_wrong_nobody_waits_for_it(caplog: pytest.LogCaptureFixture) -> None:
    def find() -> str:
        raise RuntimeError("wrong")

    relay = IBusRelay(find)
    with socket.socket(socket.AF_UNIX) as program:
        program.settimeout(PATIENCE_S)
        program.connect(str(socket_name(relay.environment["IBUS_ADDRESS"])))
        with pytest.raises(ConnectionResetError):
            program.recv(100)
    assert "the browser is cut off from IBus" in caplog.text
    for _ in range(1000):
        relay.look_again()
    relay.close()


IN_USE = {"DISPLAY": ":7", "IBUS_ADDRESS": "unix:path=/missing"}


@pytest.mark.parametrize(
    ("environment", "is_made"),
    [
        (IN_USE, True),
        ({**IN_USE, "DISPLAY": ""}, False),
        ({**IN_USE, "WAYLAND_DISPLAY": "wayland-0"}, False),
        ({"DISPLAY": ":7", "IBUS_ADDRESS_FILE": "/missing"}, False),
    ],
    ids=["in use", "no display", "Wayland", "no IBus"],
)
def test_there_is_one_where_ibus_is_in_use_on_an_x11_display(environment: dict[str, str], is_made: bool) -> None:
    relay = IBusRelay.of(environment)
    assert (relay is not None) is is_made
    if relay is not None:
        relay.close()


def test_without_a_place_for_it_the_browser_goes_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ("long" * 40)))
    assert IBusRelay.of(IN_USE) is None
    Path(tempfile.gettempdir()).mkdir()
    assert IBusRelay.of(IN_USE) is None
    assert caplog.text.count("the browser goes to IBus by itself") == 2
    assert list(Path(tempfile.gettempdir()).iterdir()) == []
