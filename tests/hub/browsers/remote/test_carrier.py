"""The wire over CDP: pieces, whose links are let through, and where they lead."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.hub.browsers.cdp import Cdp
from kapture_panel.hub.browsers.remote.carrier import BINDING, MAX_SOCKETS, PIECE_CHARS, READY, Carrier

HELLO = json.dumps({"type": "hello", "install": "mine"})


class Worker(Cdp):
    """Its debugger answers at once; what it is told is kept as (number, kind, data)."""

    def __init__(self) -> None:
        super().__init__(lambda *_: None)
        self.told: asyncio.Queue[tuple[int, str, str]] = asyncio.Queue()
        self.has_run = True
        self.asked = asyncio.Event()
        self.evaluated: list[str] = []

    async def _send(self, _method: str, frame: str) -> None:
        call = json.loads(frame)
        if call["method"] == "Runtime.evaluate":
            self.evaluated.append(call["params"]["expression"])
            self.asked.set()
        if call["method"] == "Runtime.callFunctionOn":
            self.told.put_nowait(tuple(given["value"] for given in call["params"]["arguments"]))
        result = {"sessionId": "S", "result": {"value": self.has_run, "objectId": "O"}}
        self._take({"id": call["id"], "result": result})


class Setting:
    def __init__(self, carrier: Carrier, worker: Worker) -> None:
        self.carrier, self.worker = carrier, worker
        self.origins: list[str | None] = []
        self.panel: asyncio.Queue[str] = asyncio.Queue()
        self.local: asyncio.Queue[ServerConnection] = asyncio.Queue()

    def say(self, number: int, kind: str, data: str = "", session: str = "S") -> None:
        event: JsonObject = {"name": BINDING, "payload": f"{number} {kind} {data}"}
        self.carrier.on_event("Runtime.bindingCalled", event, session)

    async def told_text(self) -> str:
        """The next text that the worker was told, of its pieces."""
        parts = []
        while True:
            _number, kind, data = await self.worker.told.get()
            parts.append(data)
            if kind == "text":
                return "".join(parts)


@asynccontextmanager
async def carried() -> AsyncIterator[Setting]:
    """A carrier to a listener that keeps what arrives."""

    async def listen(socket: ServerConnection) -> None:
        assert socket.request is not None
        setting.origins.append(socket.request.headers.get("Origin"))
        setting.local.put_nowait(socket)
        async for text in socket:
            setting.panel.put_nowait(str(text))

    worker = Worker()
    async with serve(listen, "127.0.0.1", 0, max_size=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        setting = Setting(Carrier(worker, port, "mine"), worker)
        await setting.carrier.attach("T")
        try:
            yield setting
        finally:
            await setting.carrier.detach()


async def test_frames_go_both_ways_whole_and_in_order() -> None:
    async with carried() as setting:
        setting.say(7, "open")
        assert await setting.worker.told.get() == (7, "open", "")
        local = await setting.local.get()
        assert setting.origins == [f"chrome-extension://{EXTENSION_ID}"]
        setting.say(7, "text", HELLO)
        setting.say(7, "part", "a b ")
        setting.say(7, "part", "c")
        setting.say(7, "text", " d")
        assert [await setting.panel.get(), await setting.panel.get()] == [HELLO, "a b c d"]
        for text in ("", "x", "😀" * PIECE_CHARS, "y" * (2 * PIECE_CHARS + 1), "z"):
            await local.send(text)
            assert await setting.told_text() == text
        await local.close(1000, "it is over")
        assert await setting.worker.told.get() == (7, "close", "it is over")


async def test_a_socket_that_is_closed_there_is_closed_here() -> None:
    async with carried() as setting:
        setting.say(1, "open")
        local = await setting.local.get()
        setting.say(1, "text", HELLO)
        setting.say(1, "close")
        await local.wait_closed()


async def test_who_greets_as_another_browser_reaches_nobody() -> None:
    for first in ('{"type":"hello","install":"theirs"}', '{"type":"pair","install":"mine"}', "no json", "[]"):
        async with carried() as setting:
            setting.say(1, "open")
            local = await setting.local.get()
            setting.say(1, "text", first)
            setting.say(1, "text", HELLO)
            await local.wait_closed()
            assert setting.panel.empty()


async def test_what_is_said_in_another_session_or_without_a_socket_is_nothing() -> None:
    async with carried() as setting:
        setting.say(1, "open", session="P")
        setting.say(2, "text", HELLO)
        setting.carrier.on_event("Runtime.bindingCalled", {"name": "other", "payload": "3 open "}, "S")
        assert setting.carrier._sockets == {}
        for number in range(MAX_SOCKETS + 5):
            setting.say(number + 1, "open")
        assert len(setting.carrier._sockets) == MAX_SOCKETS


async def test_a_second_link_is_the_first_tabs() -> None:
    tabs: list[str] = []
    carrier = Carrier(Worker(), 0, "mine", lambda: tabs.append("first"))
    await carrier.attach("T")
    for number, known in ((1, 0), (2, 1), (3, 1)):
        carrier.on_event("Runtime.bindingCalled", {"name": BINDING, "payload": f"{number} open "}, "S")
        assert len(tabs) == known
    await carrier.detach()


async def test_a_worker_that_ended_has_no_sockets_and_the_next_one_is_asked_for_its() -> None:
    async with carried() as setting:
        setting.say(1, "open")
        local = await setting.local.get()
        setting.carrier.on_event("Inspector.targetCrashed", {}, "S")
        await local.wait_closed()
        called: list[str] = []
        setting.worker.call = _noted(setting.worker, called)  # type: ignore[method-assign]
        setting.carrier.on_event("Inspector.targetReloadedAfterCrash", {}, "S")
        assert setting.carrier._changing is not None
        await setting.carrier._changing
        assert called[0] == "Runtime.addBinding"
        assert called[-1] == "kaptureCarrier.attached()"


def _noted(worker: Worker, called: list[str]) -> Any:
    call = worker.call

    async def noted(method: str, params: JsonObject | None = None, session: str = "") -> JsonObject:
        called.append(str((params or {}).get("expression", method)))
        return await call(method, params, session)

    return noted


async def test_a_worker_whose_code_has_not_run_is_called_once_it_says_so() -> None:
    worker = Worker()
    worker.has_run = False
    carrier = Carrier(worker, 0, "mine")
    attaching = tasks.spawn(carrier.attach("T"), "attach")
    await worker.asked.wait()
    assert len(worker.evaluated) == 1  # it is asked once and not again and again
    assert not attaching.done()
    carrier.on_event("Runtime.bindingCalled", {"name": BINDING, "payload": READY}, "S")
    await attaching
    assert worker.evaluated[1:] == ["globalThis.kaptureCarrier", "kaptureCarrier.attached()"]
    await carrier.detach()


async def test_a_worker_that_goes_before_its_code_has_run_keeps_nobody_waiting() -> None:
    worker = Worker()
    worker.has_run = False
    carrier = Carrier(worker, 0, "mine")
    attaching = tasks.spawn(carrier.attach("T"), "attach")
    await worker.asked.wait()
    await carrier.detach()
    with pytest.raises(KaptureError, match="went before its code had run"):
        await attaching
    assert len(worker.evaluated) == 1
