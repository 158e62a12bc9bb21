"""Progress of a call: of its steps, of its time, and nothing after its end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kapture_panel.core import progress
from kapture_panel.core.basics import tasks
from kapture_panel.hub.agent_door.mcp import progress as mcp_progress
from kapture_panel.hub.agent_door.mcp.progress import CallProgress, Part, parts
from tests.support.core.fakes import CATALOGUE, World
from tests.support.hub.conversation import MODES, Conversation, text_of
from tests.support.patience import PATIENCE_S


class Heard:
    """What was said, in order; `some` is set with the first word."""

    def __init__(self) -> None:
        self.said: list[tuple[float, float, str]] = []
        self.some = asyncio.Event()

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        assert total is not None
        assert message is not None
        self.said.append((progress, total, message))
        self.some.set()


class Time:
    """A clock that goes on only when everybody waits for it, from one awaited moment to the next."""

    def __init__(self) -> None:
        self._now = 0.0
        self._waiting: list[tuple[float, asyncio.Future[None]]] = []

    def clock(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        await self.until(self._now + seconds)

    async def until(self, moment: float) -> None:
        loop = asyncio.get_running_loop()
        waiting = loop.create_future()
        self._waiting.append((moment, waiting))
        if len(self._waiting) == 2:  # the work and the ticks
            loop.call_soon(self._go_on)
        await waiting

    def _go_on(self) -> None:
        self._waiting.sort(key=lambda one: one[0])
        self._now, first = self._waiting.pop(0)
        if not first.done():
            first.set_result(None)


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tick lasts a moment."""
    monkeypatch.setattr(mcp_progress, "TICK_S", 0.02)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("kapturemcp_click", {"ref": "e1"}, [Part("click", 30)]),
        ("kapturemcp_wait", {"time": 1, "timeout": 2500}, [Part("wait", 2.5)]),
        ("kapturemcp_wait", {"time": 60_000}, [Part("wait", 61)]),
        (
            "kapturemcp_batch",
            {"steps": [{"command": "click"}, {"command": "kapturemcp_wait", "params": {"timeout": 1000}}]},
            [Part("click", 30), Part("wait", 1)],
        ),
        ("kapturemcp_batch", {"steps": [{"command": "clik"}]}, []),
        ("kapturemcp_batch", {"steps": [7]}, []),
        ("kapturemcp_batch", {"steps": 7}, []),
        ("kapturemcp_batch", {}, []),
        ("kapturemcp_clik", {}, []),
        ("kapturemcp_click", {"timeout": "long"}, []),
    ],
)
def test_the_parts_of_a_call(name: str, arguments: dict[str, Any], expected: list[Part]) -> None:
    assert parts(CATALOGUE, name, arguments) == expected


async def test_a_quick_call_says_nothing() -> None:
    heard = Heard()

    async def work() -> str:
        return "done"

    assert await CallProgress([Part("click", 30)], heard).during(work()) == "done"
    assert heard.said == []


async def test_a_long_call_says_how_long_and_then_no_more() -> None:
    heard, time = Heard(), Time()
    told = CallProgress([Part("click", 30)], heard, time.clock, time.sleep).during(time.until(3.5))
    await told
    await asyncio.sleep(0)
    assert heard.said == [(second, 30, f"click: waiting {second} s of 30 s") for second in (1, 2, 3)]


async def test_a_panel_that_was_held_up_goes_on_telling() -> None:
    heard, time = Heard(), Time()

    async def late(seconds: float) -> None:
        assert seconds >= 0
        await time.until(time.clock() + seconds + 2.5)

    await CallProgress([Part("click", 30)], heard, time.clock, late).during(time.until(9))
    assert [value for value, _, _ in heard.said] == [3.5, 6, 8.5]


async def test_what_takes_longer_than_its_timeout_says_no_more_than_that() -> None:
    heard, time = Heard(), Time()
    await CallProgress([Part("click", 2.5)], heard, time.clock, time.sleep).during(time.until(9.5))
    assert [value for value, _, _ in heard.said] == [1, 2]


async def test_steps_and_time_grow_together() -> None:
    heard, time = Heard(), Time()

    async def work() -> None:
        for step in (1, 2, 3):
            await time.until(step * 1.5)
            await progress.step_done(step)

    parts_of_it = [Part("click", 10), Part("wait", 10), Part("fill", 10)]
    await CallProgress(parts_of_it, heard, time.clock, time.sleep).during(work())
    assert heard.said == [
        (0.1, 3, "step 1 of 3, click: waiting 1 s of 10 s"),
        (1, 3, "step 1 of 3 done: click"),
        (1.05, 3, "step 2 of 3, wait: waiting 0 s of 10 s"),
        (2, 3, "step 2 of 3 done: wait"),
        (2.1, 3, "step 3 of 3, fill: waiting 1 s of 10 s"),
        (3, 3, "step 3 of 3 done: fill"),
    ]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.usefixtures("fast")
async def test_a_client_that_asks_is_told_before_the_answer(world: World, mode: str) -> None:
    conversation, heard = Conversation(world), Heard()
    world.tab()
    world.executor.open.clear()
    async with conversation.client(mode) as client:
        calling = tasks.spawn(client.call_tool("kapturemcp_click", {"ref": "e1"}, progress_callback=heard), "call")
        async with asyncio.timeout(PATIENCE_S):
            while not heard.said:
                await heard.some.wait()
        world.executor.open.set()
        assert not (await calling).is_error
    methods = [line.get("method", "answer") for line in conversation.heard]
    assert methods.index("notifications/progress") < len(methods) - 1
    assert methods[-1] == "answer"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.usefixtures("fast")
async def test_a_client_that_does_not_ask_is_told_nothing(world: World, mode: str) -> None:
    conversation = Conversation(world)
    world.tab()

    async def slow(_params: dict[str, Any]) -> Any:
        await asyncio.sleep(0.2)
        raise ZeroDivisionError

    world.executor.answers["click"] = slow
    async with conversation.client(mode) as client:
        assert "INTERNAL" in text_of(await client.call_tool("kapturemcp_click", {"ref": "e1"}))
    assert "notifications/progress" not in [line.get("method") for line in conversation.heard]


@pytest.mark.parametrize("mode", MODES)
async def test_a_call_with_progress_is_cancelled_like_any_other(world: World, mode: str) -> None:
    world.tab()
    world.executor.open.clear()
    async with Conversation(world).client(mode) as client:
        call = tasks.spawn(client.call_tool("kapturemcp_reload", {}, progress_callback=Heard()), "call")
        await world.executor.arrived.get()
        await tasks.end(call)
        await client.list_tools(cache_mode="refresh")
    assert world.executor.cancelled == ["reload"]
    assert world.row().state == "cancelled"


async def test_a_tool_of_another_name_tells_the_progress_of_its_command(world: World, fast: None) -> None:
    world.tab()
    world.executor.open.clear()
    heard = Heard()
    async with Conversation(world, profile="unibrowse").client() as client:
        call = tasks.spawn(
            client.call_tool("browser_navigate", {"url": "https://a.example/"}, progress_callback=heard), "call"
        )
        await heard.some.wait()
        world.executor.open.set()
        assert not (await call).is_error
    assert heard.said[0][2].startswith("navigate: waiting")
