"""The demo beside a running panel: a process of its own, with a history, rules and a browser of its own."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE

#: Its exit code when a person or a signal ended it before its last step.
ENDED_EARLY = 130


async def run() -> str:
    """Let the demo run until its window is closed; its last words when it failed, else "". Cancelled, it ends, too."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "kapture_panel", "demo", stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE
    )
    try:
        _, said = await process.communicate()
    finally:
        if process.returncode is None:
            process.terminate()
    if process.returncode in (0, ENDED_EARLY):
        return ""
    lines = said.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "a step of it did not do what it should"
