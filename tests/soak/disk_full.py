"""The disk is full: what cannot be recorded is not done, looking goes on, and room makes all good again."""

from __future__ import annotations

import ctypes
import errno
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

from kapture_panel.core.stores import history_file
from kapture_panel.demo.agent import Agent, ToolError, connect
from kapture_panel.demo.site import DemoSite
from tests.soak.check import Amount, Check, Figure
from tests.support.e2e.apart import apart, connected_tab
from tests.support.e2e.cutting import PAGE, PRESSES
from tests.support.e2e.panel import PAGES

ROUNDS, FULL = 20, 200
SIZE_MB = 8
#: A round leaves up to so much of the disk, which clicks then fill.
MOST_LEFT = 100_000
#: The panel writes beside us: so often is the room on the disk looked at.
MOST_LOOKS = 100
#: Some clicks in each round come after the disk is full for sure.
CLICKS = 60
#: What a screenshot is answered then.
FULL_WORDS = "No space left on device"
_NEW_MOUNTS = 0x00020000


async def measure(folder: Path, count: int) -> Figure:
    """Fill the disk, act, look, make room, act."""
    data = folder / "data"
    if why := not_mounted(data):
        return Figure(f"no small disk can be had: {why}", is_met=False, is_left_out=True)
    lot = random.Random(count)
    codes: Counter[str] = Counter()
    with DemoSite(PAGES) as site:
        async with apart(folder, f"{site.url}/blank.html?mine") as one, connect(data, "disk") as client:
            agent = Agent(client)
            await one.browser.see(one.page, f"{PAGE}; 0")
            looks = pictures = freed = 0
            for _ in range(count):
                fill(data, lot.randrange(MOST_LEFT))
                tab = await connected_tab(agent)
                for _ in range(CLICKS):
                    codes[await clicked(agent, tab)] += 1
                looked = await agent.call("count_elements", selector="#count", tabId=tab)
                looks += looked["count"] == 1
                fill(data, 0, "rest")
                pictures += FULL_WORDS in await pictured(agent, tab)
                for name in ("filling", "rest"):
                    (data / name).unlink()
                freed += await clicked(agent, tab) == "ok"
            pressed = await one.browser.see(one.page, PRESSES)
    rows = Counter(row.state for row in history_file.read(data / "history.sqlite3", limit=50_000, matching="cmd:click"))
    answered = codes["ok"] + freed
    shown = (
        f"{dict(codes)}; {pressed} presses for {answered} answers that say so and {rows['ok']} rows; "
        f"{looks} of {count} looks were answered, {pictures} of {count} screenshots said that the "
        f"disk is full, {freed} of {count} clicks once there was room"
    )
    is_met = (
        pressed == answered == rows["ok"] and looks == pictures == freed == count and codes.keys() == {"ok", "INTERNAL"}
    )
    return Figure(shown, is_met)


def not_mounted(folder: Path) -> str:
    """Mount a small disk there that only this process and its children see; in words, why it could not be done."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "that needs Linux and root"
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_MOUNTS) != 0:
        return f"a namespace of its own: {os.strerror(ctypes.get_errno())}"
    folder.mkdir(mode=0o700)
    for command in (
        ["mount", "--make-rprivate", "/"],
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m,mode=0700", "tmpfs", str(folder)],
    ):
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            return ran.stderr.strip()
    return ""


def fill(data: Path, left: int, name: str = "filling") -> None:
    """Write until the disk has only so many bytes left."""
    with (data / name).open("wb") as file:
        for _ in range(MOST_LOOKS):
            disk = os.statvfs(data)
            if (room := disk.f_bavail * disk.f_frsize - left) <= 0:
                return
            try:
                os.posix_fallocate(file.fileno(), 0, room)
            except OSError as error:  # the panel has written meanwhile
                if error.errno != errno.ENOSPC:
                    raise
            else:
                return
    raise TimeoutError(f"others wrote to the disk at each of {MOST_LOOKS} looks")


async def pictured(agent: Agent, tab: str) -> str:
    """What a screenshot says that cannot be kept; "" when it could."""
    try:
        await agent.call("screenshot", name="full", tabId=tab)
    except ToolError as error:
        return str(error)
    return ""


async def clicked(agent: Agent, tab: str) -> str:
    try:
        await agent.call("click", selector="#count", tabId=tab)
    except ToolError as error:
        return str(error).partition(":")[0]
    return "ok"


CHECK = Check(
    "disk-full",
    f"clicks on a disk of {SIZE_MB} MB that is full: those that cannot be recorded are refused and not done, looking "
    "goes on, a screenshot says that the disk is full, and with some room clicks are done again",
    measure,
    longest_s=200,
    amount=Amount(ROUNDS, FULL, "full disks"),
)
