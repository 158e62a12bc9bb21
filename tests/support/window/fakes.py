"""A whole instance without a browser: real core, and an executor that answers what a test wants."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QColor, QImage, QImageWriter

from kapture_panel import paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.core import Core
from kapture_panel.core.doctor import Check
from kapture_panel.core.gates.leases import Leases
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.paired import InstalledBrowser
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.router import Handlers
from kapture_panel.core.state import State
from kapture_panel.core.wire.errors import Failure
from kapture_panel.core.wire.events import ConsoleSaid
from kapture_panel.core.wire.protocol import NOTHING, DialogRule, Grant, Response
from kapture_panel.core.wire.results import Picked
from kapture_panel.core.wire.watching import Input, LivePicture
from kapture_panel.programs.window_backend import places_of
from kapture_panel.window.browsers.browser_setup import BrowserSetup
from kapture_panel.window.shell.backend import Backend

Answering = Callable[[str, dict[str, Any]], Awaitable[Response]]


def ok(result: Any, effects: dict[str, Any] | None = None, **more: Any) -> Response:
    """A response of an extension that did what it was asked."""
    told = {"type": "response", "id": "1", "success": True, "result": result, "effects": effects, **more}
    return msgspec.convert(told, Response)


def failed(code: str, message: str, **details: Any) -> Response:
    """A response of an extension that could not."""
    return Response(
        id="1", success=False, error=msgspec.convert({"code": code, "message": message, **details}, Failure)
    )


INSTALLED = (
    InstalledBrowser("Chrome", "/usr/bin/google-chrome", "chrome://extensions"),
    InstalledBrowser("Edge", "/usr/bin/microsoft-edge", "edge://extensions"),
)


class FakeExecutor:
    """Keeps what it was sent; `answer` maps a command to its result, or a function to a response."""

    def __init__(self, tabs: Tabs) -> None:
        self.sent: list[tuple[str, str, dict[str, Any]]] = []
        self.answers: dict[str, Response | Answering] = {}
        self.opened = 0
        self.open_error: KaptureError | None = None
        self.may_open = asyncio.Event()
        self.may_open.set()
        self._tabs = tabs

    async def run_in_tab(
        self,
        tab: Tab,
        command: str,
        params: dict[str, Any],
        timeout_ms: int,
        dialogs: DialogRule = "",
        grant: Grant = NOTHING,
        frame_id: str = "",
        *,
        quiet: bool = False,
    ) -> Response:
        self.sent.append((tab.tab_id, command, params))
        return await self._answer(command, params)

    async def run_in_browser(
        self,
        _session: str,
        command: str,
        params: dict[str, Any],
        timeout_ms: int,
        dialogs: DialogRule = "",
        grant: Grant = NOTHING,
    ) -> Response:
        self.sent.append(("", command, params))
        return await self._answer(command, params)

    def is_managed(self, _session: str, _command: str) -> bool:
        return True

    async def open_browser(self, _session: str = "", *, in_front: bool = False) -> Tab:
        await self.may_open.wait()
        if self.open_error is not None:
            raise self.open_error
        self.opened += 1
        tab = Tab(f"managed{self.opened}", "about:blank", "New tab", "install", managed=True)
        self._tabs.add(tab)
        return tab

    async def open_tab(self, session: str) -> Tab:
        return await self.open_browser(session)

    async def _answer(self, command: str, params: dict[str, Any]) -> Response:
        answer = self.answers.get(command.removeprefix("kapturemcp_"), ok({"done": True}, {"changed": True}))
        return answer if isinstance(answer, Response) else await answer(command, params)


class FakeWatching:
    """Keeps what is looked at, and what was painted; `show` has a picture come."""

    def __init__(self) -> None:
        self.came: Signal[str, LivePicture] = Signal()
        self.wanted: dict[str, tuple[int, int, int]] = {}
        self.was_painted: list[tuple[str, int]] = []
        self._number = 0

    def watch(self, tab_id: str, width: int, height: int, every_ms: int) -> None:
        self.wanted[tab_id] = (width, height, every_ms)

    def unwatch(self, tab_id: str) -> None:
        self.wanted.pop(tab_id, None)

    def painted(self, tab_id: str, number: int) -> None:
        self.was_painted.append((tab_id, number))

    def show(self, tab_id: str, image: QImage, width: float = 1280, height: float = 720) -> int:
        """Have a picture come, of a viewport of this size; its number."""
        self._number += 1
        data = base64.b64encode(encode(image, b"jpeg")).decode()
        self.came.emit(tab_id, LivePicture(number=self._number, data=data, width=width, height=height))
        return self._number


class FakeHands:
    """Steps in and out by the real leases, and keeps what is done."""

    def __init__(self, leases: Leases, person: Client) -> None:
        self._leases = leases
        self._person = person
        self.given: list[tuple[str, Input]] = []

    def step_in(self, tab_id: str) -> None:
        self._leases.step_in(self._person, tab_id)

    def give(self, tab_id: str, what: Input) -> None:
        self.given.append((tab_id, what))

    async def step_out(self, tab_id: str) -> None:
        self._leases.step_out(tab_id)


class FakeVideos:
    """Says what a test sets: `by` has who records which tab."""

    def __init__(self) -> None:
        self.changed: Signal[str] = Signal()
        self.over: Signal[Client, str, str] = Signal()
        self.by: dict[str, Client] = {}

    def who(self, tab_id: str) -> Client | None:
        return self.by.get(tab_id)

    def record(self, tab_id: str, client: Client | None) -> None:
        """Have a tab recorded from now on, or with None no more."""
        if client is not None:
            self.by[tab_id] = client
        else:
            del self.by[tab_id]
        self.changed.emit(tab_id)


class FakePointing:
    """Keeps what is said about which place; `error` is what a place that cannot be looked at raises."""

    def __init__(self) -> None:
        self.said: list[tuple[str, float, float, str]] = []
        self.error: KaptureError | None = None

    async def note(self, tab_id: str, x: float, y: float, words: Awaitable[str]) -> object | None:
        if self.error is not None:
            raise self.error
        self.said.append((tab_id, round(x), round(y), await words))
        return self.said[-1] if self.said[-1][3] else None


class FakeDemo:
    """A demo that runs until a test ends it with what went wrong."""

    ended: asyncio.Future[str] | None = None

    async def run(self) -> str:
        """See `demo_process.run`."""
        self.ended = asyncio.get_running_loop().create_future()
        return await self.ended


class Instance:
    """The core of one instance in `folder`, and a backend that does what a test wants."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.picked: asyncio.Future[Picked]
        self.checks: list[Check] = []
        self.may_check = asyncio.Event()
        self.may_check.set()
        person = Client("person", "person")
        state = self.state = State(Catalogue(paths.catalogue()), paths.DataDir(folder), person)
        self.executor = FakeExecutor(state.tabs)
        self.core = Core(state, self.executor, Policy(), Handlers({"kapturemcp_list_tabs": self._list_tabs}))
        self.catalogue, self.settings, self.person, self.router = (
            state.catalogue,
            state.settings,
            person,
            self.core.router,
        )
        self.tabs, self.clients, self.console, self.requests = state.tabs, state.clients, state.console, state.requests
        self.history, self.shots, self.recordings, self.outputs = (
            state.history, state.shots, state.recordings, state.outputs,
        )  # fmt: skip
        self.paired, self.pairing = state.paired, state.pairing
        self.clients.add(person)
        self.installed_browsers = list(INSTALLED)
        self.opened: list[InstalledBrowser] = []
        self.matches: dict[str, int] = {}
        self.watching, self.hands = FakeWatching(), FakeHands(self.core.gates.leases, person)
        self.pointing, self.videos, self.demo = FakePointing(), FakeVideos(), FakeDemo()
        self.counted: list[tuple[str, str]] = []
        self.shown: list[Tab] = []
        self.place_error: KaptureError | None = None
        self.backend = Backend(
            address="ws://127.0.0.1:61822",
            mcp_config='{\n  "mcpServers": {\n    "kapture": { "command": "kapture", "args": ["mcp"] }\n  }\n}',
            open_browser=self.executor.open_browser,
            end_browser=self.end_browser,
            browser_setup=BrowserSetup(lambda: self.installed_browsers, self.place_extension, self.opened.append),
            places=replace(places_of(paths.DataDir(folder)), examine=self.examine_place),
            pick=self.pick,
            count=self.count,
            watching=self.watching,
            hands=self.hands,
            pointing=self.pointing,
            videos=self.videos,
            show=self.shown.append,
            disconnect=lambda tab_id: self.tabs.remove(self.tabs.get(tab_id)),
            examine=self.examine,
            install_desktop=lambda autostart: f"installed, autostart {autostart}",
            run_demo=self.demo.run,
        )

    def place_extension(self) -> Path:
        """The folder the extension would be in."""
        if self.place_error is not None:
            raise self.place_error
        return self.folder / "extension"

    async def examine_place(self, _name: str) -> AsyncGenerator[Check, None]:
        """What a test put into `checks`."""
        async for check in self.examine():
            yield check

    async def examine(self) -> AsyncGenerator[Check, None]:
        """A doctor who finds what a test put into `checks`, each once `may_check` is set."""
        for check in self.checks:
            await self.may_check.wait()
            yield check

    async def pick(self, tab: Tab) -> Picked:
        """A person who has not chosen yet; a test settles `picked`, and looks whether it was cancelled."""
        self.picked = asyncio.get_running_loop().create_future()
        return await self.picked

    async def end_browser(self) -> None:
        """The managed browser ends and its tabs with it."""
        for tab in [tab for tab in self.tabs if tab.managed]:
            self.tabs.remove(tab)

    async def count(self, tab: Tab, selector: str) -> int:
        """A page that has what a test put into `matches`; a selector that is not there is an invalid one."""
        self.counted.append((tab.tab_id, selector))
        if selector not in self.matches:
            raise KaptureError("INVALID_SELECTOR", f'"{selector}" is not a CSS selector; write one like #id')
        return self.matches[selector]

    def add_tab(self, tab_id: str = "t1", title: str = "Checkout", url: str = "http://127.0.0.1:8123/x") -> Tab:
        """Connect a tab."""
        tab = Tab(tab_id, url, title, "install", managed=True)
        self.tabs.add(tab)
        return tab

    def add_agent(self, name: str = "claude-code", pid: int = 4182) -> Client:
        """Connect an agent."""
        agent = Client(name, "agent", pid=pid)
        self.clients.add(agent)
        return agent

    def log(self, *texts: str, tab_id: str = "t1", level: str = "log") -> None:
        """Have a page write to its console."""
        self.console.append(
            tab_id, [ConsoleSaid(at=1000 + at, level=level, text=text) for at, text in enumerate(texts)]
        )

    async def _list_tabs(self, _client: Client, _params: dict[str, Any]) -> Any:
        return {"tabs": [{"tabId": tab.tab_id, "url": tab.url, "title": tab.title} for tab in self.tabs]}


def png(width: int = 40, height: int = 20, color: str = "#336699") -> bytes:
    """A picture of one colour."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(color))
    return encode(image)


def encode(image: QImage, kind: bytes = b"png") -> bytes:
    """An image as the bytes of a file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, kind).write(image)
    return bytes(buffer.data().data())


def picture(data: bytes, width: int, height: int, scale: float = 1.0, x: float = 0, y: float = 0) -> Response:
    """What the extension answers to a screenshot."""
    return ok(
        {
            "data": base64.b64encode(data).decode(),
            "format": "png",
            "width": width,
            "height": height,
            "scale": scale,
            "x": x,
            "y": y,
        }
    )
