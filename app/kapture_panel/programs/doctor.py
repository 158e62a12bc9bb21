"""`kapture doctor`: tests every link through the running panel; if none runs, it makes the checks that need none."""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import msgspec

from kapture_panel import door
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.doctor import CHAIN, Check, Ill, NotYet, is_well, line, tried
from kapture_panel.hub.agent_door import door_client
from kapture_panel.hub.browsers.managed import has_display
from kapture_panel.hub.extension_door import ports
from kapture_panel.hub.host import installation
from kapture_panel.paths import DataDir
from kapture_panel.programs import terminal

#: The slowest link may take 5 s in the panel.
ANSWER_S = 30.0
WINDOW_S = 20.0
_WINDOW = """
from PySide6.QtGui import QGuiApplication
from PySide6.QtCore import qVersion
print(qVersion(), QGuiApplication(["doctor"]).platformName())
"""


def run(options: argparse.Namespace) -> int:
    """Print a line for each link as soon as it was tried; 0 when none is broken, else 1."""
    made: list[Check] = []
    for check in _checks(Path(door.data_dir(options.data_dir)), options.port):
        made.append(check)
        if not options.json:
            terminal.say(line(check), flush=True)
    if options.json:
        terminal.say_json({"ok": is_well(made), "checks": msgspec.to_builtins(made)})
    elif not is_well(made):
        terminal.say(f"\n{sum(check.state == 'failed' for check in made)} of {len(made)} checks failed: see →")
    return 0 if is_well(made) else 1


def _checks(root: Path, port: int | None) -> Iterator[Check]:
    """Of the running panel, else of this process, and of what only a terminal can see."""
    panel = _tried("panel", lambda: installation.running(root), "end the panel and start it again: kapture")
    if panel.state == "ok":
        yield from _of_panel(root)
    else:
        yield panel
        for link in CHAIN:
            if link != "panel":
                yield Check(link, "idle", "was not tried: it needs a running panel")
        yield from _alone(root, port)
    yield _tried("window", _window, "install the packages that are named, or do without: kapture serve")


def _of_panel(root: Path) -> Iterator[Check]:
    try:
        with door_client.DoorClient(root, {"role": "doctor"}, timeout_s=ANSWER_S) as panel:
            while "check" in (answer := panel.ask({"ask": "next"})):
                yield msgspec.convert(answer["check"], Check)
    except KaptureError as error:
        yield Check("panel", "failed", error.message, "end the panel and start it again: kapture")


def _alone(root: Path, port: int | None) -> Iterator[Check]:
    data = _tried("data", lambda: installation.data_folder(root), "name another folder: kapture --data-dir DIR")
    yield data
    if data.state == "failed":
        yield Check("history", "idle", "was not tried: it needs the data folder")
    else:
        yield _tried("history", lambda: installation.history(root), "end the panel and start it again: kapture")
    yield _tried("door", lambda: installation.stale_door(root), "end what holds it")
    if data.state == "failed":
        yield Check("port", "idle", "was not tried: it needs the data folder")
    else:
        wanted = ports.wanted(DataDir(root), port)
        yield _tried("port", lambda: installation.port(*wanted), "choose another: kapture --port 0")
    yield _tried("browser", installation.browser, "install Chrome or Chromium, or name one in KAPTURE_BROWSER")
    yield _tried("files", installation.extension_files, "install Kapture Panel again")
    yield _tried("versions", installation.versions, "install Kapture Panel again")


def _window() -> str:
    """Qt finds all it needs to show a window here; tried in a process of its own, for it aborts when it does not.

    Raises:
        Ill: it does not; it says what Qt said.
        NotYet: there is no display.
    """
    if not has_display() and "QT_QPA_PLATFORM" not in os.environ:
        raise NotYet("there is no display", "without one use: kapture serve")
    command = [sys.executable, "-c", _WINDOW]
    try:
        said = subprocess.run(
            command, capture_output=True, text=True, timeout=WINDOW_S, stdin=subprocess.DEVNULL, errors="replace"
        )
    except subprocess.TimeoutExpired:
        raise Ill("Qt does not start", "look at the display: echo $DISPLAY $WAYLAND_DISPLAY") from None
    if said.returncode != 0:
        why = " ".join(said.stderr.split())[:400]
        raise Ill(
            f"Qt cannot open a window: {why}",
            "install what it names (docs/install.md lists the packages), or do without a window: kapture serve",
        )
    version, platform = said.stdout.split()
    return f"Qt {version} on {platform}"


def _tried(link: str, work: Callable[[], str], fix: str) -> Check:
    async def found() -> str:
        return work()

    tried_now: Callable[[], Awaitable[str]] = found
    return asyncio.run(tried(link, tried_now, fix))
