"""Where the processor's time of a command goes: `python -m tests.bench.cost`.

First by process, one call every 11 ms, and eight at once; the floor beside it. Then for the panel by room, with
Python's profiler: its own cost is left out, for it only tells which part of the panel's time was whose. A process that
waits takes no time, so a busy machine changes little.
"""

from __future__ import annotations

import asyncio
import cProfile
import os
import pstats
import runpy
import signal
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import AsyncExitStack
from functools import cache, partial
from pathlib import Path
from types import FrameType
from typing import Any

import psutil

from kapture_panel.demo.site import DemoSite
from tests.bench import harness
from tests.bench.floor import floor
from tests.bench.harness import AT_ONCE, PAGES, at_once, panel
from tests.bench.line_client import LineClient

CALLS, WARM_UP, EVERY_S = 200, 30, 0.011
COMMANDS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("list_tabs", "afterwards.html", {}),
    ("count_elements", "afterwards.html", {"selector": "button"}),
    ("evaluate", "afterwards.html", {"code": "1+1"}),
    ("click", "afterwards.html", {"selector": "#now"}),
    ("fill", "form50.html", {"selector": "#i7", "value": "filled"}),
    ("snapshot", "form50.html", {}),
)
#: A part of a path → the room whose work it is; what no row matches is its caller's.
ROOMS = (
    ("agent_door/mcp", "session"), ("agent_door", "door"), ("asyncio/", "event loop"), ("selectors.py", "event loop"),
    ("core/records", "row"), ("core/stores", "row"), ("catalogue/redaction", "row"), ("core/catalogue", "validation"),
    ("core/gates", "gates"), ("core/registry", "router"), ("core/", "router"), ("extension_door", "frame"),
    ("websockets/", "frame"),
)  # fmt: skip
PARTS = ("client", "child", "panel", "browser", "worker", "page")
PROFILE = "KAPTURE_BENCH_PROFILE"


class Processes:
    """This process and those it started, each with its part."""

    def __init__(self) -> None:
        here = psutil.Process()
        self._parts = [("client", here)]
        for process in here.children(recursive=True):
            if process.status() != psutil.STATUS_ZOMBIE:
                self._parts.append((_part(" ".join(process.cmdline())), process))

    @property
    def panel(self) -> psutil.Process:
        """The panel's own."""
        return next(process for part, process in self._parts if part == "panel")

    def taken(self) -> dict[str, float]:
        """The processor's time of each so far, in ms."""
        ms: dict[str, float] = defaultdict(float)
        for part, process in self._parts:
            ms[part] += _run_ms(process.pid)
        return ms


def _part(command: str) -> str:
    if "kapture_panel" in command or "bench.cost" in command:
        return "child" if " mcp " in command else "panel"
    if "--type=renderer" in command:
        return "worker" if "--extension-process" in command else "page"
    return "browser"


def _run_ms(pid: int) -> float:
    tasks_ = Path(f"/proc/{pid}/task")
    return sum(int((one / "schedstat").read_text().split()[0]) for one in tasks_.iterdir()) / 1e6


async def often(client: LineClient, command: str, given: dict[str, Any], times: int) -> None:
    """Call it again and again, with a rest before each."""
    for _ in range(times):
        await asyncio.sleep(EVERY_S)
        await client.call(command, **given)


async def by_process(client: LineClient, site: str) -> dict[str, float]:
    """Print each command's row.

    Returns:
        what the panel took of each, in ms.
    """
    processes = Processes()
    of_panel = {}
    for command, page, given in COMMANDS:
        await client.call("navigate", url=f"{site}/{page}")
        await often(client, command, given, WARM_UP)
        before = processes.taken()
        await often(client, command, given, CALLS)
        of_panel[command] = row(command, before, processes.taken())["panel"]
    await client.call("navigate", url=f"{site}/afterwards.html")
    for command, _page, given in COMMANDS[1:3]:
        work = partial(client.call, command, **given)
        await at_once([work] * AT_ONCE)
        before = processes.taken()
        await at_once([work] * AT_ONCE, CALLS // AT_ONCE)
        row(f"{command}, 8 at once", before, processes.taken())
    return of_panel


async def of_floor(folder: Path, site: str) -> None:
    """Print the same of the floor."""
    async with floor(folder) as raw:
        processes = Processes()
        await raw.navigate(f"{site}/afterwards.html")
        before = processes.taken()
        for _ in range(CALLS):
            await asyncio.sleep(EVERY_S)
            await raw.evaluate("1+1")
        row("floor: evaluate", before, processes.taken())
        work = partial(raw.evaluate, "1+1")
        await at_once([work] * AT_ONCE)
        before = processes.taken()
        await at_once([work] * AT_ONCE, CALLS // AT_ONCE)
        row("floor: evaluate, 8 at once", before, processes.taken())


def row(name: str, before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    """Print what each part took of a call, and all together."""
    took = {part: (after[part] - before[part]) / CALLS for part in PARTS}
    print(f"  {name:<28}{''.join(f'{took[part]:>10.2f}' for part in PARTS)}{sum(took.values()):>10.2f}", flush=True)
    return took


async def by_room(client: LineClient, site: str, of_panel: dict[str, float], folder: Path) -> None:
    """Print what each room of the panel took of it."""
    process = Processes().panel
    rooms = list(dict.fromkeys(room for _, room in ROOMS))
    print(f"  {'ms of the panel':<28}" + "".join(f"{room:>11}" for room in rooms))
    for command, page, given in COMMANDS:
        await client.call("navigate", url=f"{site}/{page}")
        await often(client, command, given, WARM_UP)
        process.send_signal(signal.SIGUSR1)
        await often(client, command, given, CALLS)
        process.send_signal(signal.SIGUSR1)
        written = folder / "profile"
        # Its event loop answers a call only after the signal is dealt with.
        await client.call("list_tabs")
        assert written.exists(), "the panel wrote no profile"
        shares = _shares(pstats.Stats(str(written)))
        written.unlink()
        print(f"  {command:<28}" + "".join(f"{shares[room] * of_panel[command]:>11.2f}" for room in rooms), flush=True)


def _shares(stats: pstats.Stats) -> dict[str, float]:
    """What part of all was each room's."""
    functions: dict[tuple[str, int, str], Any] = stats.stats  # type: ignore[attr-defined]

    @cache
    def owners(function: tuple[str, int, str]) -> dict[str, float]:
        for part, room in ROOMS:
            if part in function[0]:
                return {room: 1.0}
        found: dict[str, float] = defaultdict(float)
        callers = {caller: told for caller, told in functions[function][4].items() if caller != function}
        whole = sum(told[3] for told in callers.values())
        for caller, told in callers.items() if whole else ():
            for room, share in _guarded(caller).items():
                found[room] += share * told[3] / whole
        return found or {"event loop": 1.0}

    under_way: set[tuple[str, int, str]] = set()

    def _guarded(function: tuple[str, int, str]) -> dict[str, float]:
        if function in under_way:
            return {}
        under_way.add(function)
        try:
            return owners(function)
        finally:
            under_way.discard(function)

    taken: dict[str, float] = defaultdict(float)
    for function, (_, _, own, _, _) in functions.items():
        if "epoll" in function[2] or "method 'poll'" in function[2]:
            continue
        for room, share in owners(function).items():
            taken[room] += own * share
    whole = sum(taken.values())
    return defaultdict(float, {room: ms / whole for room, ms in taken.items()})


async def main() -> None:
    """Measure with a panel of its own."""
    plain = harness.kapture
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        site = stack.enter_context(DemoSite(PAGES))
        print(f"  {'ms of processor time a call':<28}" + "".join(f"{part:>10}" for part in (*PARTS, "all")))
        await of_floor(folder / "floor", site.url)
        async with panel(folder / "plain") as client:
            of_panel = await by_process(client, site.url)
        os.environ[PROFILE] = str(folder / "profile")
        harness.kapture = lambda *given: [sys.executable, "-m", "tests.bench.cost", *given]
        async with panel(folder / "profiled") as client:
            await by_room(client, site.url, of_panel, folder)
        harness.kapture = plain


def profiled(arguments: list[str]) -> None:
    """Be the panel; a signal begins and ends its profile."""
    profile = cProfile.Profile(time.thread_time)
    state = {"is_on": False}

    def toggle(_number: int, _frame: FrameType | None) -> None:
        state["is_on"] = not state["is_on"]
        if state["is_on"]:
            profile.enable()
        else:
            profile.disable()
            # The file appears whole.
            written = Path(f"{os.environ[PROFILE]}.new")
            profile.dump_stats(written)
            written.replace(os.environ[PROFILE])
            profile.clear()

    if arguments[0] == "serve":
        signal.signal(signal.SIGUSR1, toggle)
    sys.argv = ["kapture", *arguments]
    runpy.run_module("kapture_panel", run_name="__main__")


if __name__ == "__main__":
    if sys.argv[1:]:
        profiled(sys.argv[1:])
    else:
        asyncio.run(main())
