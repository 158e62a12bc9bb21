"""Somebody who means harm and has got a key: their frames, and a panel with a good tab they are let loose on."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from kapture_panel.core.basics import tasks
from kapture_panel.core.wire.handshake import Pairing
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.paths import DataDir
from tests.support.hub.fakes import FakeExtension
from tests.support.patience import PATIENCE_S

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

    @property
    def sorts(self) -> list[Callable[[], str | bytes]]:
        """What makes a frame of each sort."""
        return [self._noise, self._cut, self._odd, self._deep, self._events]

    def frame(self) -> str | bytes:
        """One of any sort."""
        return self._random.choice([*self.sorts, self._odd])()

    def shuffle(self, frames: list[str | bytes]) -> None:
        """Mix them."""
        self._random.shuffle(frames)

    def greeting(self) -> str | bytes:
        """One for who has not proved anything yet: also one that is too long."""
        return self._random.choice([self.frame, self.frame, self.frame, self.long])()

    def _noise(self) -> str | bytes:
        noise = self._random.randbytes(self._random.randrange(200))
        return noise if self._random.random() < 0.5 else noise.decode("latin-1")

    def long(self) -> str:
        """A greeting that is too long."""
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
        self.hub.connections.listener._pairings |= {pairing.install: pairing for pairing in (HOSTILE, GOOD)}
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
        hub = self.hub
        async with asyncio.timeout(PATIENCE_S):
            answer = await hub.core.router.run(hub.state.person, "evaluate", {"code": "1", "tabId": "good1"})
        assert answer.result == {"value": "good"}
        self.answered += 1

    async def end(self) -> None:
        await tasks.end(self._answering)
        await self.good.close()
        await self.hub.stop()
        self.instance.release()


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
    stage.hub.connections.listener._pairings[HOSTILE.install] = HOSTILE
    hostile = FakeExtension(stage.hub.port, HOSTILE, role=role, tab_id="hosti")
    assert (await hostile.connect())["type"] == "registered"
    return hostile


async def say_each(stage: Stage, frames: Iterable[str | bytes], role: str = "tab", burst: int = 1) -> int:
    """Say them past the proof, waiting after each burst until they were heard; returns how often we were shown out."""
    hostile, shown_out, frames = await registered(stage, role), 0, iter(frames)
    while some := list(itertools.islice(frames, burst)):
        try:
            for frame in some:
                await hostile.send(frame)
            await hostile.send({"type": "ping"})
            await hostile.next()
        except ConnectionClosed:
            shown_out += 1
            hostile = await registered(stage, role)
    await hostile.close()
    return shown_out
