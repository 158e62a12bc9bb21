"""Two agents at work, in a process of their own: `python -m tests.bench.watch_agents DATA URL`, until its input ends.

Each has a tab of its own, and clicks, fills and looks there again and again. Between two rounds it rests for 100 ms; a
model takes longer.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from kapture_panel.demo.agent import Agent, connect

REST_S = 0.1


async def work(root: Path, url: str, name: str, ready: asyncio.Event) -> None:
    """Work until cancelled."""
    async with connect(root, name) as client:
        agent = Agent(client)
        await agent.call("new_tab", url=url, background=True)
        while True:
            await agent.call("click", selector="#i1")
            await agent.call("fill", selector="#i2", value="words")
            await agent.text("snapshot")
            ready.set()
            await asyncio.sleep(REST_S)


async def main(root: Path, url: str) -> None:
    """Say `ready` once both have done something, and go on until the input ends."""
    events = [asyncio.Event(), asyncio.Event()]
    working = [asyncio.create_task(work(root, url, f"busy-{at}", event)) for at, event in enumerate(events)]  # noqa: TID251

    async def ended() -> None:
        for event in events:
            await event.wait()
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)

    waiting = asyncio.create_task(ended())  # noqa: TID251
    await asyncio.wait([waiting, *working], return_when=asyncio.FIRST_COMPLETED)
    for task in working:
        task.cancel()
    results = await asyncio.gather(*working, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            print(f"{result!r}", file=sys.stderr)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
