"""CDP over a pipe: calls find their replies, events their listener, and an ended browser nobody waiting."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.hub.browsers.cdp_pipe import CdpPipe
from tests.support.patience import PATIENCE_S


class FakeBrowser:
    """The browser's end of the pipe."""

    def __init__(self) -> None:
        self.reader = asyncio.StreamReader(limit=4096)
        self.asked: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.closed = False
        self.broken = False
        self.events: list[tuple[str, dict[str, Any], str]] = []
        self.pipe = CdpPipe(self.reader, cast(asyncio.StreamWriter, self), lambda *event: self.events.append(event))

    def write(self, data: bytes) -> None:
        frame, end, rest = data.partition(b"\0")
        assert (end, rest) == (b"\0", b"")
        self.asked.put_nowait(json.loads(frame))

    async def drain(self) -> None:
        if self.broken:
            raise BrokenPipeError("Broken pipe")

    def close(self) -> None:
        self.closed = True

    def say(self, *frames: dict[str, Any]) -> None:
        self.reader.feed_data(b"".join(json.dumps(frame).encode() + b"\0" for frame in frames))

    def call(self, method: str, **params: Any) -> asyncio.Task[dict[str, Any]]:
        return tasks.spawn(self.pipe.call(method, params), method)


@pytest.fixture
async def browser() -> AsyncIterator[FakeBrowser]:
    made = FakeBrowser()
    yield made
    await made.pipe.close()


async def test_a_call_gets_the_reply_with_its_number(browser: FakeBrowser) -> None:
    first, second = browser.call("Browser.getVersion"), browser.call("Target.getTargets", filter=[])
    one, two = await browser.asked.get(), await browser.asked.get()
    assert one == {"id": one["id"], "method": "Browser.getVersion", "params": {}}
    assert two["params"] == {"filter": []}
    browser.say({"id": two["id"], "result": {"targets": []}}, {"id": one["id"], "result": {"product": "Chrome"}})
    assert await first == {"product": "Chrome"}
    assert await second == {"targets": []}


async def test_a_session_is_named_where_there_is_one(browser: FakeBrowser) -> None:
    call = tasks.spawn(browser.pipe.call("Runtime.enable", session="S1"), "call")
    asked = await browser.asked.get()
    assert asked["sessionId"] == "S1"
    browser.say({"id": asked["id"], "result": {}})
    assert await call == {}


async def test_an_error_carries_the_browsers_words(browser: FakeBrowser) -> None:
    call = browser.call("Extensions.loadUnpacked", path="/x")
    asked = await browser.asked.get()
    browser.say({"id": asked["id"], "error": {"code": -32000, "message": "Manifest file is missing"}})
    with pytest.raises(KaptureError, match=r"Extensions\.loadUnpacked: Manifest file is missing"):
        await call


async def test_events_go_to_their_listener_in_order(browser: FakeBrowser) -> None:
    call = browser.call("Browser.getVersion")
    asked = await browser.asked.get()
    browser.say(
        {"method": "Target.targetCreated", "params": {"n": 1}},
        {"method": "Runtime.consoleAPICalled", "sessionId": "S1"},
        {"id": 999, "result": {}},
        {"id": asked["id"], "result": {}},
    )
    await call
    assert browser.events == [("Target.targetCreated", {"n": 1}, ""), ("Runtime.consoleAPICalled", {}, "S1")]


async def test_frames_may_come_in_pieces(browser: FakeBrowser) -> None:
    call = browser.call("Browser.getVersion")
    asked = await browser.asked.get()
    for byte in json.dumps({"id": asked["id"], "result": {"product": "Ü"}}).encode() + b"\0":
        browser.reader.feed_data(bytes([byte]))
        await asyncio.sleep(0)
    assert await call == {"product": "Ü"}


async def test_when_the_browser_ends_nobody_goes_on_waiting(browser: FakeBrowser) -> None:
    calls = [browser.call("Browser.getVersion"), browser.call("Target.getTargets")]
    await browser.asked.get()
    browser.reader.feed_eof()
    for call in calls:
        with pytest.raises(KaptureError, match="the browser has ended"):
            await call
    with pytest.raises(KaptureError, match=r"the browser has ended \(Browser.close\)"):
        await browser.pipe.call("Browser.close")
    assert browser.asked.qsize() == 1


@pytest.mark.parametrize(
    "said",
    [
        b"{no JSON\0", b"\0", b"[1, 2]\0", b"null\0", b'"text"\0', b"\xff\xfe\0", b'{"params": {}}\0', b'{"id": [1]}\0',
        b'{"id": 1}\0', b'{"id": 1, "result": 7}\0', b'{"id": 1, "error": "no"}\0', b"[" * 4000 + b"\0",
        b'{"id": 1, "result": {"x": "' + b"x" * 20_000 + b'"}}\0',
    ],
    ids=[
        "no JSON", "empty", "a list", "null", "a text", "no UTF-8", "no method", "no number", "no result",
        "a number as result", "a text as error", "deep", "too long",
    ],
)  # fmt: skip
async def test_what_cannot_be_read_is_skipped_and_nobody_goes_on_waiting(browser: FakeBrowser, said: bytes) -> None:
    call = browser.call("Browser.getVersion")
    await browser.asked.get()
    for begin in range(0, len(said), 5000):
        browser.reader.feed_data(said[begin : begin + 5000])
        await asyncio.sleep(0)
    with pytest.raises(KaptureError, match="its answer may be lost") as raised:
        await asyncio.wait_for(call, PATIENCE_S)
    assert raised.value.code == "INTERNAL"
    again = browser.call("Browser.getVersion")
    asked = await browser.asked.get()
    browser.say({"id": asked["id"], "result": {"product": "Chrome"}})
    assert await asyncio.wait_for(again, PATIENCE_S) == {"product": "Chrome"}


async def test_a_broken_pipe_says_which_call_it_broke(browser: FakeBrowser) -> None:
    browser.broken = True
    with pytest.raises(KaptureError, match=r"the browser has ended \(Browser.close: Broken pipe\)"):
        await browser.pipe.call("Browser.close")


async def test_closing_closes_the_browsers_input(browser: FakeBrowser) -> None:
    await browser.pipe.close()
    assert browser.closed
    with pytest.raises(KaptureError, match="the browser has ended"):
        await browser.pipe.call("Browser.getVersion")
