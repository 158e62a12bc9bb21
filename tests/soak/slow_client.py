"""A client asks much and reads nothing: the others are answered as fast as without it, and memory comes back."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import IO, Any

import psutil

from kapture_panel.core.basics import tasks
from kapture_panel.demo.agent import Agent, connect
from tests.soak.check import Amount, Check, Figure, percentile, spread
from tests.support.e2e.processes import KAPTURE, Serve, unbounded

OTHERS, FULL = 19, 49
#: By turns without the slow client and with it, so that the machine's own mood meets both.
PHASES, PHASE_S = 6, 3.0
#: A client that takes less than this share of a processor has nothing more to do with what it asked; it never does, if
#: it still works after so many phases.
AT_REST, MAX_ASKING_PHASES = 0.05, 10
LONGEST_REST_S = 0.1
MAX_OVERHEAD_S = 0.01
#: The others' longest answer while it asks, beyond their longest without it: what it asks is work for the panel.
MAX_ASKING_S = 0.25
#: What it asks, by turns, and how often: more than it may have under way. An answer to the first has some 20 KB.
ASKS: tuple[tuple[str, int, dict[str, str]], ...] = (
    ("tools/list", 8_000, {}),
    ("resources/read", 3_000, {"uri": "kapture://tabs"}),
)
#: Once it is gone the panel's memory is at most so much above what it was before.
MAX_GROWTH_MB = 50


async def measure(folder: Path, count: int) -> Figure:
    """Time the calls of many agents, with and without the slow one."""
    root = folder / "data"
    unbounded(root)
    serve = await asyncio.to_thread(Serve, root)
    without: list[float] = []
    beside: list[float] = []
    asking: list[float] = []  # what it asks at once is work for the panel; then it only stalls
    grown_mb: list[float] = []
    is_alive = True
    panel = psutil.Process(serve.ready["pid"])
    try:
        async with AsyncExitStack() as stack:
            agents = [Agent(await stack.enter_async_context(connect(root, f"a{n}"))) for n in range(count)]
            await calls(agents)
            before = panel.memory_info().rss
            for phase in range(PHASES):
                if phase % 2 == 0:
                    without += await calls(agents)
                    continue
                async with stalled(root, *ASKS[phase // 2 % len(ASKS)]) as slow:
                    asking += await while_working(slow, agents)
                    beside += await calls(agents)
                    is_alive = is_alive and slow.poll() is None
                await calls(agents)  # it is let go of meanwhile
                grown_mb.append((panel.memory_info().rss - before) / 1024 / 1024)
    finally:
        code = await asyncio.to_thread(serve.end)
    overhead_s = percentile(beside, 99) - percentile(without, 99)
    client = "lives" if is_alive else "HAS ENDED"
    shown = (
        f"{len(without):,} calls without it: {spread(without)}; {len(beside):,} beside it: {spread(beside)}; p99 "
        f"{overhead_s * 1000:+.1f} ms; while it asks: {spread(asking)}; the panel's memory after each time "
        f"{', '.join(f'{grown:+.1f}' for grown in grown_mb)} MB; the slow client {client}, the panel ended with {code}"
    )
    is_fast = overhead_s <= MAX_OVERHEAD_S and max(asking) - max(without) <= MAX_ASKING_S
    return Figure(shown, is_fast and max(grown_mb) <= MAX_GROWTH_MB and is_alive and code == 0)


async def while_working(slow: subprocess.Popen[bytes], agents: list[Agent]) -> list[float]:
    """How long the calls of all agents take until what was asked at once has been refused, answered or left unread."""
    client = psutil.Process(slow.pid)
    taken: list[float] = []
    for _ in range(MAX_ASKING_PHASES):
        before = sum(client.cpu_times()[:2])
        taken += await calls(agents)
        if sum(client.cpu_times()[:2]) - before < AT_REST * PHASE_S:
            break
    return taken


async def calls(agents: list[Agent]) -> list[float]:
    """How long the calls of all agents take, for a while."""
    ends_at, taken = time.monotonic() + PHASE_S, []

    async def work(agent: Agent) -> None:
        while time.monotonic() < ends_at:
            await asyncio.sleep(random.uniform(0, LONGEST_REST_S))
            began = time.monotonic()
            await agent.call("list_tabs")
            taken.append(time.monotonic() - began)

    await asyncio.gather(*(work(agent) for agent in agents))
    return taken


@asynccontextmanager
async def stalled(
    root: Path, method: str, count: int, params: dict[str, str]
) -> AsyncIterator[subprocess.Popen[bytes]]:
    """A client that asks for a lot and whose answers nobody reads: a pipe takes the first of them."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "slow", "version": "1"}}
    asked: list[dict[str, Any]] = [
        {"id": 0, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
    ]
    asked += [{"id": number, "method": method, "params": params} for number in range(1, count + 1)]
    lines = b"".join(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in asked)
    # Not asyncio's: it would read the answers, or wait for their end for ever.
    process = await asyncio.to_thread(
        subprocess.Popen, [*KAPTURE, "mcp", "--data-dir", str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    asking = tasks.spawn(asyncio.to_thread(ask, process.stdin, lines), "asking")
    try:
        yield process
    finally:
        process.kill()
        await asyncio.to_thread(process.wait)
        await asking
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()  # before, it would have ended the client


def ask(stdin: IO[bytes], lines: bytes) -> None:
    """Say all lines, or as many as the client takes before it ends."""
    with contextlib.suppress(BrokenPipeError):
        stdin.write(lines)
        stdin.flush()


CHECK = Check(
    "slow-client",
    f"a client asks {' and '.join(f'{count:,} {method}' for method, count, _ in ASKS)} and reads no answer: the "
    f"others' p99 is at most {MAX_OVERHEAD_S * 1000:.0f} ms longer than without it, their longest answer while it asks "
    f"at most {MAX_ASKING_S * 1000:.0f} ms longer, the panel's memory +<= {MAX_GROWTH_MB} MB once it is gone",
    measure,
    longest_s=200,
    amount=Amount(OTHERS, FULL, "agents beside it"),
)
