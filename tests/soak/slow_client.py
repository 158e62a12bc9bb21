"""A client asks much and reads nothing: the others are answered as fast as without it."""

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

from kapture_panel.core.basics import tasks
from kapture_panel.demo.agent import Agent, connect
from tests.soak.check import Amount, Check, Figure, percentile, spread
from tests.support.e2e.processes import KAPTURE, Serve, unbounded

OTHERS, FULL = 19, 49
#: By turns without the slow client and with it, so that the machine's own mood meets both.
PHASES, PHASE_S = 6, 3.0
LONGEST_REST_S = 0.1
MAX_OVERHEAD_S = 0.01
#: More than it may have under way; each answer is some 20 KB.
REQUESTS = 1_000


async def measure(folder: Path, count: int) -> Figure:
    """Time the calls of many agents, with and without the slow one."""
    root = folder / "data"
    unbounded(root)
    serve = await asyncio.to_thread(Serve, root)
    without: list[float] = []
    beside: list[float] = []
    asking: list[float] = []  # what it asks at once is work for the panel; then it only stalls
    is_alive = True
    try:
        async with AsyncExitStack() as stack:
            agents = [Agent(await stack.enter_async_context(connect(root, f"a{n}"))) for n in range(count)]
            await calls(agents)
            for phase in range(PHASES):
                if phase % 2 == 0:
                    without += await calls(agents)
                    continue
                async with stalled(root) as slow:
                    asking += await calls(agents)
                    beside += await calls(agents)
                    is_alive = is_alive and slow.poll() is None
    finally:
        code = await asyncio.to_thread(serve.end)
    overhead_s = percentile(beside, 99) - percentile(without, 99)
    client = "lives" if is_alive else "HAS ENDED"
    shown = (
        f"{len(without):,} calls without it: {spread(without)}; {len(beside):,} beside it: {spread(beside)}; p99 "
        f"{overhead_s * 1000:+.1f} ms; while it asks: {spread(asking)}; the slow client "
        f"{client}, the panel ended with {code}"
    )
    return Figure(shown, overhead_s <= MAX_OVERHEAD_S and is_alive and code == 0)


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
async def stalled(root: Path) -> AsyncIterator[subprocess.Popen[bytes]]:
    """A client that asks for a lot and whose answers nobody reads: a pipe takes the first of them."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "slow", "version": "1"}}
    asked: list[dict[str, Any]] = [
        {"id": 0, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
    ]
    asked += [{"id": number, "method": "tools/list", "params": {}} for number in range(1, REQUESTS)]
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
    f"a client asks {REQUESTS:,} times and reads no answer: the others' p99 is at most {MAX_OVERHEAD_S * 1000:.0f} ms "
    "longer than without it",
    measure,
    longest_s=200,
    amount=Amount(OTHERS, FULL, "agents beside it"),
)
