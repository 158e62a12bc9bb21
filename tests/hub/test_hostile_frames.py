"""Frames of somebody who means harm, before and after the proof: nothing breaks, and others do not notice."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import secrets
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from kapture_panel.core import protocol, tasks
from kapture_panel.core.errors import KaptureError
from kapture_panel.hub import agents
from kapture_panel.hub.handshake import Pairing
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.hub.instance import Instance
from kapture_panel.paths import DataDir
from tests.support.hub.fakes import FakeExtension

GREETINGS = 2_000
FRAMES = 8_000
#: The good tab is asked something after this many.
EVERY = 400
#: As long is fuzzed with frames that are others in each run, so many at a time.
FUZZ_S = 5.0
BURST = 50
MAX_GROWTH_BYTES = 50 * 1024 * 1024
#: What a good tab's answer takes while the others misbehave; a panel that was held up would take far longer.
MAX_ANSWER_S = 2.0
HOSTILE = Pairing("hostile", "a key that was stolen")
GOOD = Pairing("good", "another key")

TYPES = [
    "hello", "pair", "reveal", "confirm", "proof", "register", "unpair", "response", "event", "run", "cancel", "ping",
    "pause", "challenge", "pong", "command", "accepted", "paired", "settings", "", "__proto__", "Hello", "hello\0",
]  # fmt: skip
FIELDS = [
    "type", "id", "protocol", "role", "install", "nonce", "commitment", "tabId", "proof", "url", "title", "success",
    "result", "error", "effects", "targets", "dialogs", "ms", "events", "command", "params", "timeout", "grant",
]  # fmt: skip
KINDS = ["tab", "console", "request", "dialog", "closed", "cleared", "crash", "detached", "frame", "download", "x", ""]
EVENT_FIELDS = [
    "kind", "at", "level", "text", "source", "context", "url", "title", "favicon", "navigated", "open", "id", "method",
    "status", "ms", "bytes", "finished", "failure",
]  # fmt: skip


class Malice:
    """Frames from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def frame(self) -> str | bytes:
        """One of any sort."""
        return self._random.choice([self._noise, self._cut, self._odd, self._odd, self._deep, self._events])()

    def greeting(self) -> str | bytes:
        """One for who has not proved anything yet: also one that is too long."""
        return self._random.choice([self.frame, self.frame, self.frame, self._long])()

    def _noise(self) -> str | bytes:
        noise = self._random.randbytes(self._random.randrange(200))
        return noise if self._random.random() < 0.5 else noise.decode("latin-1")

    def _long(self) -> str:
        return json.dumps({"type": "hello", "nonce": "x" * self._random.randrange(4_000, 20_000)})

    def _cut(self) -> str:
        whole = json.dumps({"type": self._random.choice(TYPES), "nonce": "x" * 20, "events": [{"kind": "tab"}]})
        return whole[: self._random.randrange(len(whole))]

    def _deep(self) -> str:
        depth = self._random.choice([60, 70, 500, 5_000])
        opened, closed = self._random.choice([("[", "]"), ('{"a":', "}")])
        inner = opened * depth + "1" + closed * (depth if self._random.random() < 0.5 else 0)
        return '{"type":"response","id":"c1","success":true,"result":' + inner + "}"

    def _odd(self) -> str:
        fields = {name: self._value() for name in self._random.sample(FIELDS, self._random.randrange(6))}
        return json.dumps({"type": self._random.choice(TYPES), **fields})

    def _events(self) -> str:
        return json.dumps({"type": "event", "events": [self._event() for _ in range(self._random.randrange(1, 5))]})

    def _event(self) -> Any:
        if self._random.random() < 0.1:
            return self._value()
        fields = {name: self._value() for name in self._random.sample(EVENT_FIELDS, self._random.randrange(6))}
        return {"kind": self._random.choice(KINDS), **fields}

    def _value(self, depth: int = 0) -> Any:
        kinds: list[Callable[[], Any]] = [
            lambda: None,
            lambda: self._random.random() < 0.5,
            lambda: self._random.choice([0, -1, 2**53, 10**30, -(10**400), 1e308, float("nan"), float("inf")]),
            lambda: self._random.choice(["", "x" * 3_000, "\0\u202e\ud7ff😀", "<b>", "javascript:alert(1)", "t1"]),
        ]
        if depth < 3:
            kinds += [
                lambda: [self._value(depth + 1) for _ in range(self._random.randrange(4))],
                lambda: {self._random.choice(FIELDS): self._value(depth + 1) for _ in range(self._random.randrange(4))},
            ]
        return self._random.choice(kinds)()


class Stage:
    """A panel with a good tab, and a hostile extension that has got a key."""

    def __init__(self, folder: Path) -> None:
        data = DataDir.open(str(folder))
        self.instance = Instance(data.lock)
        assert self.instance.acquire(lambda: False)
        self.hub = Hub(data, self.instance, Options(port=0), lambda _ask: False)
        self.hub.links.listener._pairings |= {pairing.install: pairing for pairing in (HOSTILE, GOOD)}
        self.answered = 0

    async def start(self) -> None:
        await self.hub.start()
        self.good = FakeExtension(self.hub.port, GOOD, tab_id="good1")
        assert (await self.good.connect())["type"] == "registered"
        self._answering = tasks.spawn(self._answer(), "good tab")

    async def _answer(self) -> None:
        while True:
            frame = await self.good.next()
            if frame["type"] == "command":
                answer = {"type": "response", "id": frame["id"], "success": True, "result": {"value": "good"}}
                await self.good.send(answer)

    async def ask_the_good_tab(self) -> None:
        """The good tab does what it is told, and soon."""
        services = self.hub.services
        async with asyncio.timeout(MAX_ANSWER_S):
            answer = await services.router.run(services.person, "evaluate", {"code": "1", "tabId": "good1"})
        assert answer.result == {"value": "good"}
        self.answered += 1

    async def end(self) -> None:
        await tasks.end(self._answering)
        await self.good.close()
        await self.hub.stop()
        self.instance.release()


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    made = Stage(tmp_path / "data")
    await made.start()
    yield made
    await made.end()


async def greet(stage: Stage, frame: str | bytes) -> None:
    """Say one thing to a panel that knows nothing of us yet."""
    stranger = FakeExtension(stage.hub.port, HOSTILE)
    await stranger.dial()
    try:
        await stranger.send(frame)
        said = json.loads(await stranger.socket.recv())
        # A well-formed first frame may get its answer; it holds nothing of any tab.
        assert said.keys() <= {"type", "code", "message", "nonce", "proof"}, said
    except ConnectionClosed:
        pass  # the other right answer to it
    finally:
        await stranger.close()


async def registered(stage: Stage, role: str = "tab") -> FakeExtension:
    """A hostile link, past the proof; one that has unpaired itself comes back all the same."""
    stage.hub.links.listener._pairings[HOSTILE.install] = HOSTILE
    hostile = FakeExtension(stage.hub.port, HOSTILE, role=role, tab_id="hosti")
    assert (await hostile.connect())["type"] == "registered"
    return hostile


async def test_ten_thousand_hostile_frames_do_no_harm(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    malice = Malice(seed=20261121)
    process = psutil.Process()
    before = process.memory_info().rss
    for number in range(GREETINGS):
        await greet(stage, malice.greeting())
        if number % EVERY == 0:
            await stage.ask_the_good_tab()
    hostile, shown_out = await registered(stage), 0
    for number in range(FRAMES):
        try:
            await hostile.send(malice.frame())
            await hostile.send({"type": "ping"})
            await hostile.next()
        except ConnectionClosed:
            shown_out += 1
            hostile = await registered(stage)
        if number % EVERY == 0:
            await stage.ask_the_good_tab()
    await hostile.close()
    await stage.ask_the_good_tab()
    assert stage.answered == GREETINGS // EVERY + FRAMES // EVERY + 1
    assert shown_out > FRAMES // 100
    assert stage.hub.services.tabs.get("good1").url == "https://shop.example/"
    assert process.memory_info().rss - before <= MAX_GROWTH_BYTES
    assert [record.getMessage() for record in caplog.records] == []


@pytest.mark.parametrize(("depth", "is_read"), [(protocol.MAX_DEPTH, True), (protocol.MAX_DEPTH + 1, False)])
async def test_a_frame_is_read_to_a_bounded_depth(stage: Stage, depth: int, is_read: bool) -> None:
    hostile = await registered(stage)
    inner = depth - 1  # the frame itself is the first
    await hostile.send('{"type":"response","id":"c1","success":true,"result":' + "[" * inner + "]" * inner + "}")
    await hostile.send({"type": "ping"})
    if is_read:
        assert (await hostile.next())["type"] == "pong"
    else:
        assert await hostile.until_closed() == (1002, f"a frame of the extension is nested deeper than {depth - 1}")
    await hostile.close()


@pytest.mark.parametrize("role", ["tab", "browser"])
async def test_for_a_fixed_time_other_frames_each_run_do_no_harm(
    stage: Stage, role: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    seed = secrets.randbits(32)
    print(f"seed {seed}")  # shown when it fails: then `Malice(seed)` makes the same frames
    malice = Malice(seed)
    hostile = await registered(stage, role)
    ends_at, sent = time.monotonic() + FUZZ_S, 0
    while time.monotonic() < ends_at:
        try:
            for _ in range(BURST):
                await hostile.send(malice.frame())
            await hostile.send({"type": "ping"})
            await hostile.next()
        except ConnectionClosed:
            hostile = await registered(stage, role)
        sent += BURST
        stage.hub.services.router.pause.lift()  # a browser's link may ask for it
        await stage.ask_the_good_tab()
    await hostile.close()
    assert sent >= BURST
    assert stage.hub.services.tabs.get("good1").url == "https://shop.example/"
    assert [record.getMessage() for record in caplog.records] == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=8), inner),
    max_leaves=20,
)


def read(make: Callable[[], Any]) -> Any:
    """What was read, or the code of the refusal."""
    try:
        return make()
    except KaptureError as error:
        return error.code


@given(frame=st.text() | st.binary() | JSON.map(json.dumps), type_=st.sampled_from(TYPES), more=JSON)
def test_a_frame_is_a_message_or_refused_whatever_it_holds(frame: str | bytes, type_: str, more: Any) -> None:
    fields = more if isinstance(more, dict) else {"result": more}
    for one in (frame, json.dumps({**fields, "type": type_})):
        found = read(partial(protocol.decode, one))
        assert found == "INVALID_PARAMS" or isinstance(found, msgspec.Struct)


@given(st.text().map(str.encode) | st.binary() | JSON.map(lambda value: json.dumps(value).encode()))
def test_a_line_at_the_agents_door_is_an_object_or_refused_whatever_it_holds(line: bytes) -> None:
    found = read(partial(agents._object, line))
    assert found == "INVALID_PARAMS" or isinstance(found, dict)
