"""A whole core without a browser: real stores, and an executor that answers what a test wants."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kapture_panel import paths
from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.call import Call
from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.core.core import Core
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.registry.clients import Client
from kapture_panel.core.registry.tabs import Tab, Tabs
from kapture_panel.core.router import Handlers, PanelCommand, Wrapper
from kapture_panel.core.state import State
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.errors import Failure
from kapture_panel.core.wire.protocol import NOTHING, DialogRule, Grant, Response
from kapture_panel.core.wire.targets import Target

CATALOGUE = Catalogue(paths.catalogue())
#: An agent, where it does not matter which.
SOMEBODY = Client("somebody", "agent")
COMMANDS = [command.short_name for command in CATALOGUE]

#: One of the choices of each command that needs one.
CHOSEN: dict[str, dict[str, Any]] = {
    "wait": {"time": 0},
    "select": {"value": "a"},
    "scroll": {"deltaY": 1},
    "drag": {"toX": 1, "toY": 1},
    "inject_script": {"source": "1"},
}

Answering = Response | KaptureError | Callable[[dict[str, Any]], Awaitable[Response]]


def ok(result: Any = None, **more: Any) -> Response:
    """The response of an extension that did what it was asked."""
    return msgspec.convert({"type": "response", "id": "c1", "success": True, "result": result, **more}, Response)


def failed(code: str, message: str = "it went wrong", **details: Any) -> Response:
    """The response of an extension that could not."""
    return Response(
        id="c1", success=False, error=msgspec.convert({"code": code, "message": message, **details}, Failure)
    )


def picture(data: bytes = b"picture", **changed: Any) -> Response:
    """The response to a screenshot."""
    shown = {"format": "png", "width": 20, "height": 10, "scale": 1.0, "x": 0, "y": 0, **changed}
    return ok({"data": base64.b64encode(data).decode(), **shown})


def minimal(command: Command) -> dict[str, Any]:
    """The fewest parameters `command` accepts."""
    params = {name: _value(command.properties[name]) for name in command.required}
    if command.target == "required":
        params["selector"] = "#a"
    return params | CHOSEN.get(command.short_name, {})


def _value(schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "array" and schema.get("minItems"):
        item = schema["items"]
        return [{name: _value(item["properties"][name]) for name in item["required"]}] if "required" in item else ["a"]
    return {"string": "a", "boolean": True, "integer": 1, "number": 1, "array": [], "object": {}}[schema["type"]]


def row(command: str = "click", **fields: Any) -> Row:
    """A history row with the fields a test does not care about filled in."""
    values: dict[str, Any] = {
        "id": 0, "at": 1_900_000_000.0, "client": "claude", "kind": "agent", "tab_id": "t1", "site": "shop.example",
        "url": "https://shop.example/", "command": command, "params": {},
    }  # fmt: skip
    given = {**values, **fields}
    return Row(**{**given, "targets": msgspec.convert(given.get("targets", []), list[Target])})


#: A call of theirs, where it does not matter which.
SOME_CALL = Call(SOMEBODY, "click", {})
SOME_CALL.row = row(id=7)


@dataclass
class Sent:
    """What the executor was given; `tab_id` is empty for the browser's own commands."""

    tab_id: str
    command: str
    params: dict[str, Any]
    timeout_ms: int
    dialogs: DialogRule = ""
    grant: Grant = NOTHING
    quiet: bool = False


class FakeExecutor:
    """Keeps what it was sent, in order, and answers at once unless a test holds it.

    `answers` maps a short name to what comes back; `arrived` gets each command; while `open` is not set all wait.
    """

    def __init__(self, tabs: Tabs) -> None:
        self.sent: list[Sent] = []
        self.cancelled: list[str] = []
        self.answers: dict[str, Answering] = {}
        self.arrived: asyncio.Queue[Sent] = asyncio.Queue()
        self.open = asyncio.Event()
        self.open.set()
        self.opened_browsers = 0
        #: Whether the browser that would open a tab is one the panel started.
        self.managed = True
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
        return await self._run(
            Sent(tab.tab_id, command.removeprefix("kapturemcp_"), params, timeout_ms, dialogs, grant, quiet)
        )

    async def run_in_browser(
        self,
        _session: str,
        command: str,
        params: dict[str, Any],
        timeout_ms: int,
        dialogs: DialogRule = "",
        grant: Grant = NOTHING,
    ) -> Response:
        return await self._run(Sent("", command.removeprefix("kapturemcp_"), params, timeout_ms, dialogs, grant))

    def is_managed(self, _session: str, _command: str) -> bool:
        return self.managed

    async def open_browser(self, session: str, *, in_front: bool = False) -> Tab:
        self.opened_browsers += 1
        tab = Tab(f"managed{self.opened_browsers}", "about:blank", "", "managed", managed=True, session=session)
        self._tabs.add(tab)
        return tab

    async def open_tab(self, session: str) -> Tab:
        return await self.open_browser(session)

    async def _run(self, sent: Sent) -> Response:
        self.sent.append(sent)
        self.arrived.put_nowait(sent)
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.cancelled.append(sent.command)
            raise
        answer = self.answers.get(sent.command, ok({"done": True}, effects={"changed": True}, ms=1.5))
        if isinstance(answer, KaptureError):
            raise answer
        return answer if isinstance(answer, Response) else await answer(sent.params)


class World:
    """The stores of one instance in `folder`, its router, one agent and the person."""

    def __init__(self, folder: Path, policy: Policy | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.folder = folder
        self._clock = clock
        self.agent = Client("claude", "agent")
        self.person = Client("you", "person")
        self.state = State(CATALOGUE, paths.DataDir(folder), self.person)
        self.tabs, self.clients, self.console = self.state.tabs, self.state.clients, self.state.console
        self.history, self.shots = self.state.history, self.state.shots
        self.executor = FakeExecutor(self.tabs)
        self.clients.add(self.agent)
        self.core = self.made(policy or Policy(), self._list_tabs)
        self.router = self.core.router

    def made(self, policy: Policy, list_tabs: PanelCommand, wrappers: Mapping[str, Wrapper] | None = None) -> Core:
        """A core over these stores."""
        panel = {command.name: list_tabs for command in CATALOGUE.of_scope("panel")}
        return Core(self.state, self.executor, policy, Handlers(panel, wrappers or {}), self._clock)

    def tab(self, tab_id: str = "t1", url: str = "https://shop.example/cart", *, managed: bool = True) -> Tab:
        """Connect a tab."""
        tab = Tab(tab_id, url, "Cart", "install", managed=managed)
        self.tabs.add(tab)
        return tab

    async def run(self, command: str, **params: Any) -> Answer:
        """Run a command as the agent."""
        return await self.router.run(self.agent, command, params)

    def row(self) -> Row:
        """The newest history row."""
        return self.history.rows(limit=1)[0]

    async def _list_tabs(self, _client: Client, _params: dict[str, Any]) -> Any:
        return {"tabs": [{"tabId": tab.tab_id} for tab in self.tabs]}


async def refused(world: World, command: str, **params: Any) -> KaptureError:
    """The error that the command ends with."""
    with pytest.raises(KaptureError) as raised:
        await world.run(command, **params)
    return raised.value


def call_of(client: Client, name: str, **params: Any) -> Call:
    """A call that has come past what it means."""
    call = Call(client, name, params)
    call.command, call.params = CATALOGUE.get(name), {"timeout": 1000, **params}
    return call
