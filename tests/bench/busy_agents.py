"""Agents that give 200 commands a second together, in a process of their own: `python -m tests.bench.busy_agents DATA
URL`, until its input ends.

Each has a tab of its own, and keeps its pace: what came late is made up for.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from tests.bench.harness import kapture
from tests.bench.line_client import LineClient, talking_to

AGENTS, EACH_PER_S = 8, 25
#: One after the other, again and again.
WORK: tuple[tuple[str, dict[str, Any]], ...] = (
    ("count_elements", {"selector": "button"}),
    ("evaluate", {"code": "1+1"}),
    ("count_elements", {"selector": "button"}),
    ("count_elements", {"selector": "#out"}),
    ("list_tabs", {}),
)


async def work(client: LineClient, url: str, ready: asyncio.Event) -> None:
    """Work until cancelled."""
    loop = asyncio.get_running_loop()
    await client.call("new_tab", url=url, background=True)
    for command, given in WORK:
        await client.call(command, **given)
    ready.set()
    due = loop.time()
    while True:
        for command, given in WORK:
            due += 1 / EACH_PER_S
            await asyncio.sleep(due - loop.time())
            await client.call(command, **given)


async def main(root: Path, url: str) -> None:
    """Say `ready` once each has done something, and go on until the input ends."""
    async with AsyncExitStack() as stack:
        events = [asyncio.Event() for _ in range(AGENTS)]
        working = []
        for event in events:
            client = await stack.enter_async_context(talking_to(*kapture("mcp", "--data-dir", str(root))))
            working.append(asyncio.create_task(work(client, url, event)))  # noqa: TID251

        async def ended() -> None:
            for event in events:
                await event.wait()
            print("ready", flush=True)
            await asyncio.to_thread(sys.stdin.read)

        waiting = asyncio.create_task(ended())  # noqa: TID251
        await asyncio.wait([waiting, *working], return_when=asyncio.FIRST_COMPLETED)
        failed = [task.exception() for task in working if task.done()]
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)
    if failed:
        print(repr(failed), file=sys.stderr)
        raise SystemExit(1)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
