"""A desktop for tests: a display of their own, a session bus, a tray of either kind, and eyes on the windows."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from Xlib import X
from Xlib.display import Display
from Xlib.ext import xtest
from Xlib.xobject.drawable import Window

from tests.support.patience import PATIENCE_S

_ITEM = "org.kde.StatusNotifierItem"
_MENU = "com.canonical.dbusmenu"
#: The portal's `color-scheme`, by whether it is dark.
_SCHEMES = {True: 1, False: 2}


@contextmanager
def display(size: str = "1600x1000") -> Iterator[str]:
    """A screen nobody sees, WIDTHxHEIGHT; its name, as `DISPLAY` has it."""
    reads, writes = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writes), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[writes], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writes)
    try:
        ready, _, _ = select.select([reads], [], [], PATIENCE_S)
        assert ready, "Xvfb did not come up"
        yield f":{os.read(reads, 16).decode().strip()}"
    finally:
        os.close(reads)
        server.terminate()
        server.wait(PATIENCE_S)


@contextmanager
def session_bus() -> Iterator[str]:
    """A session bus; its address."""
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"], stdout=subprocess.PIPE, text=True
    )
    assert daemon.stdout is not None
    try:
        yield daemon.stdout.readline().strip()
    finally:
        daemon.terminate()
        daemon.wait(PATIENCE_S)
        daemon.stdout.close()


@contextmanager
def trayer(environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """The tray of many small desktops, which takes icons in as windows."""
    host = subprocess.Popen(["trayer", "--width", "20", "--height", "32"], env=environment)
    try:
        yield host
    finally:
        host.terminate()
        host.wait(PATIENCE_S)


@contextmanager
def window_manager(environment: dict[str, str], name: str = "openbox") -> Iterator[None]:
    """Frames around windows, and somebody who decides which one has the keyboard."""
    manager = subprocess.Popen([name], env=environment, stderr=subprocess.DEVNULL)
    screen = Display(environment["DISPLAY"])
    try:
        supporting = screen.intern_atom("_NET_SUPPORTING_WM_CHECK")
        until(lambda: screen.screen().root.get_full_property(supporting, X.AnyPropertyType), "the window manager")
        yield
    finally:
        screen.close()
        manager.terminate()
        manager.wait(PATIENCE_S)


@contextmanager
def desktop_of_ours(monkeypatch: pytest.MonkeyPatch, manager: str = "openbox") -> Iterator[str]:
    """A display on which this process's programs come up, with a window manager unless it is ""; its name."""
    with ExitStack() as ending:
        name = ending.enter_context(display())
        monkeypatch.setenv("DISPLAY", name)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        if manager:
            ending.enter_context(window_manager({**os.environ}, manager))
        yield name


class Screen:
    """What is on a display, through a connection of our own."""

    def __init__(self, name: str) -> None:
        self._display = Display(name)
        self._root = self._display.screen().root

    def close(self) -> None:
        """Hang up."""
        self._display.close()

    def seen(self, title: str) -> list[Window]:
        """The top windows called `title` that are on the screen, the lowest first."""
        return [window for window in self._tops() if window.get_wm_name() == title]

    def top(self) -> str:
        """The name of the uppermost window."""
        named = [window.get_wm_name() for window in self._tops() if window.get_wm_name()]
        return str(named[-1]) if named else ""

    def cover(self, title: str) -> Window:
        """Put a window of ours over all others."""
        window = self._root.create_window(0, 0, 1600, 1000, 0, X.CopyFromParent)
        window.set_wm_name(title)
        window.map()
        window.configure(stack_mode=X.Above)
        self._display.sync()
        return window

    def embedded(self, wm_class: str) -> Window | None:
        """The window of a program that another one has taken in, such as an icon in a tray."""
        return next((found for found in self._below(self._root) if self._is_in(found, wm_class)), None)

    def click(self, window: Window) -> None:
        """Press and release the left button in the middle of `window`."""
        place, size = window.translate_coords(self._root, 0, 0), window.get_geometry()
        xtest.fake_input(self._display, X.MotionNotify, x=-place.x + size.width // 2, y=-place.y + size.height // 2)
        xtest.fake_input(self._display, X.ButtonPress, 1)
        xtest.fake_input(self._display, X.ButtonRelease, 1)
        self._display.sync()

    def picture(self, window: Window) -> bytes:
        """The pixels of `window`."""
        size = window.get_geometry()
        data: bytes = window.get_image(0, 0, size.width, size.height, X.ZPixmap, 0xFFFFFFFF).data
        return data

    def ask_to_close(self, window: Window) -> None:
        """What a window's close button does."""
        from Xlib.protocol.event import ClientMessage

        protocols, delete = (self._display.intern_atom(name) for name in ("WM_PROTOCOLS", "WM_DELETE_WINDOW"))
        event = ClientMessage(window=window, client_type=protocols, data=(32, [delete, X.CurrentTime, 0, 0, 0]))
        window.send_event(event)
        self._display.sync()

    def _tops(self) -> list[Window]:
        shown = []
        for window in self._root.query_tree().children:
            with contextlib.suppress(Exception):  # it may be gone by now
                if window.get_attributes().map_state == X.IsViewable:
                    shown.append(window)
        return shown

    def _below(self, window: Window) -> Iterator[Window]:
        for child in window.query_tree().children:
            yield child
            yield from self._below(child)

    def _is_in(self, window: Window, wm_class: str) -> bool:
        with contextlib.suppress(Exception):  # it may be gone by now
            found = window.get_wm_class()
            if found and wm_class in found[1].lower() and window.get_attributes().map_state == X.IsViewable:
                return bool(window.query_tree().parent != self._root)
        return False


def until(condition: Callable[[], Any], what: str) -> Any:
    """What `condition` comes to, for what tells nobody that it changed: another client's window, another's door."""
    deadline = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        assert time.monotonic() < deadline, f"never came: {what}"
        time.sleep(0.02)
    return found


class Notices:
    """A desktop that shows messages, and takes their text for markup."""

    def __init__(self, bus: MessageBus) -> None:
        self._bus = bus
        self._shown: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    @classmethod
    async def open(cls, address: str) -> Notices:
        """Be the one of the bus that shows messages."""
        bus = await MessageBus(address, bus_type=BusType.SESSION).connect()
        notices = cls(bus)
        bus.add_message_handler(notices._on_message)
        await bus.request_name("org.freedesktop.Notifications")
        return notices

    def close(self) -> None:
        """Leave the bus."""
        self._bus.disconnect()

    async def next(self) -> tuple[str, str]:
        """The title and the text of the next message."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._shown.get()

    def _on_message(self, message: Message) -> Message | None:
        if message.message_type is not MessageType.METHOD_CALL:
            return None
        if message.member == "GetCapabilities":
            return Message.new_method_return(message, "as", [["body", "body-markup"]])
        if message.member == "GetServerInformation":
            return Message.new_method_return(message, "ssss", ["tests", "tests", "1", "1.2"])
        if message.member == "Notify":
            self._shown.put_nowait((message.body[3], message.body[4]))
            return Message.new_method_return(message, "u", [1])
        return None


class Portal:
    """The desktop's settings, of which there is one: whether programs are to be light or dark."""

    def __init__(self, bus: MessageBus, scheme: int) -> None:
        self._bus = bus
        self._scheme = scheme

    @classmethod
    async def open(cls, address: str, *, is_dark: bool) -> Portal:
        """Be the one of the bus that has settings."""
        bus = await MessageBus(address, bus_type=BusType.SESSION).connect()
        portal = cls(bus, _SCHEMES[is_dark])
        bus.add_message_handler(portal._on_message)
        await bus.request_name("org.freedesktop.portal.Desktop")
        return portal

    def close(self) -> None:
        """Leave the bus."""
        self._bus.disconnect()

    async def choose(self, *, is_dark: bool) -> None:
        """What the person does in the desktop's settings."""
        self._scheme = _SCHEMES[is_dark]
        said = ["org.freedesktop.appearance", "color-scheme", Variant("u", self._scheme)]
        path, interface = "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings"
        await self._bus.send(Message.new_signal(path, interface, "SettingChanged", "ssv", said))

    def _on_message(self, message: Message) -> Message | None:
        if message.message_type is not MessageType.METHOD_CALL:
            return None
        if message.member == "ReadAll":
            settings = {"org.freedesktop.appearance": {"color-scheme": Variant("u", self._scheme)}}
            return Message.new_method_return(message, "a{sa{sv}}", [settings])
        if message.member == "Get":  # the version of one of the portal's other parts
            return Message.new_method_return(message, "v", [Variant("u", 2)])
        return None


class Tray:
    """The other kind of tray, which asks a program over the bus for its icon: KDE's, and GNOME's extension.

    `signals` are the names of what items announced.
    """

    def __init__(self, bus: MessageBus) -> None:
        self._bus = bus
        self._item = ""
        self._registered: asyncio.Queue[str] = asyncio.Queue()
        self.signals: asyncio.Queue[str] = asyncio.Queue()

    @classmethod
    async def open(cls, address: str) -> Tray:
        """Be the one tray of the bus."""
        bus = await MessageBus(address, bus_type=BusType.SESSION).connect()
        tray = cls(bus)
        bus.add_message_handler(tray._on_message)
        await bus.request_name("org.kde.StatusNotifierWatcher")
        for interface in (_ITEM, _MENU):
            rule = f"type='signal',interface='{interface}'"
            await tray._call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", "s", [rule]
            )
        return tray

    def close(self) -> None:
        """Leave the bus."""
        self._bus.disconnect()

    async def registered(self) -> None:
        """Wait until a program brings its icon."""
        async with asyncio.timeout(PATIENCE_S):
            self._item = await self._registered.get()

    async def get(self, name: str) -> Any:
        """A property of the icon, such as `ToolTip`."""
        found = await self._ask("org.freedesktop.DBus.Properties", "Get", "ss", [_ITEM, name])
        return found[0].value

    async def activate(self) -> None:
        """What a click does."""
        await self._ask(_ITEM, "Activate", "ii", [0, 0])

    async def menu(self) -> dict[str, tuple[int, dict[str, Variant], list[Any]]]:
        """The entries of the icon's menu: words → its number, its properties and the entries in it."""
        path = await self.get("Menu")
        await self._call(self._item, path, _MENU, "AboutToShow", "i", [0])
        _revision, (_number, _properties, children) = await self._call(
            self._item, path, _MENU, "GetLayout", "iias", [0, -1, []]
        )
        entries = [child.value for child in children]
        return {str(entry[1]["label"].value): tuple(entry) for entry in entries if "label" in entry[1]}

    async def choose(self, words: str) -> None:
        """Click an entry of the menu."""
        await self.choose_number((await self.menu())[words][0])

    async def choose_surely(self, words: str) -> None:
        """The same in a menu that changes: an entry made again meanwhile has another number and did not hear it."""
        clicked = None
        while clicked != (number := (await self.menu())[words][0]):
            await self.choose_number(clicked := number)

    async def choose_number(self, number: int) -> None:
        """Click an entry by its number."""
        what = [number, "clicked", Variant("s", ""), 0]
        await self._call(self._item, await self.get("Menu"), _MENU, "Event", "isvu", what)

    async def until(self, condition: Callable[[], Any]) -> Any:
        """What the coroutine `condition` comes to, looked at again whenever the icon announces a change."""
        async with asyncio.timeout(PATIENCE_S):
            while not (found := await condition()):
                await self.signals.get()
        return found

    async def until_menu(self, condition: Callable[[dict[str, Any]], Any]) -> Any:
        """What `condition` comes to for the menu, looked at again whenever the menu announces a change."""
        async with asyncio.timeout(PATIENCE_S):
            while not (found := condition(await self.menu())):
                while await self.signals.get() != "LayoutUpdated":
                    pass
        return found

    async def _ask(self, interface: str, member: str, signature: str, body: list[Any]) -> Any:
        return await self._call(self._item, "/StatusNotifierItem", interface, member, signature, body)

    async def _call(self, to: str, path: str, interface: str, member: str, signature: str, body: list[Any]) -> Any:
        answer = await self._bus.call(Message(to, path, interface, member, signature=signature, body=body))
        assert answer is not None
        assert answer.message_type is not MessageType.ERROR, answer.body
        return answer.body

    def _on_message(self, message: Message) -> Message | bool:
        if message.message_type is MessageType.SIGNAL and message.interface in (_ITEM, _MENU):
            self.signals.put_nowait(str(message.member))
        if message.message_type is not MessageType.METHOD_CALL:
            return False
        match message.member:
            case "RegisterStatusNotifierItem":
                self._registered.put_nowait(str(message.sender))
                return Message.new_method_return(message)
            case "RegisterStatusNotifierHost":
                return Message.new_method_return(message)
            case "Get":
                is_there = message.body[1] == "IsStatusNotifierHostRegistered"
                return Message.new_method_return(message, "v", [Variant("b", True) if is_there else Variant("i", 0)])
        return False
