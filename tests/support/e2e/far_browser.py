"""A browser as a service at a CDP address gives it: our extension is in it, and the port is all there is of it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil

from kapture_panel import paths
from kapture_panel.hub.browsers.helper_processes import helpers_of, wait_ended
from kapture_panel.hub.browsers.managed import find_browser
from tests.support.patience import PATIENCE_S


class FarBrowser:
    """A running one; `address` is where it speaks CDP."""

    def __init__(self, process: asyncio.subprocess.Process, address: str) -> None:
        self.process = process
        self.address = address

    def freeze(self) -> None:
        """It answers nobody any more, and its sockets stay open."""
        self.process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        """It is gone at once."""
        self.process.kill()


@asynccontextmanager
async def far_browser(folder: Path, *, extension: Path | None = None) -> AsyncIterator[FarBrowser]:
    """Start one with a profile in `folder`; without an `extension` of a test's own it has ours."""
    flags = [f"--user-data-dir={folder}", "--remote-debugging-port=0", "--headless=new", "--no-first-run"]
    flags += [f"--load-extension={extension or paths.extension()}", "--silent-debugger-extension-api"]
    flags += ["--disable-dev-shm-usage", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    process = await asyncio.create_subprocess_exec(
        find_browser(), *flags, "about:blank", stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    helpers: list[psutil.Process] = []
    try:
        async with asyncio.timeout(PATIENCE_S):
            while b"DevTools listening on " not in (line := await process.stderr.readline()):
                assert line, "the browser ended"
        helpers = helpers_of(process.pid)
        yield FarBrowser(process, line.decode().split("DevTools listening on ")[1].strip())
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await asyncio.to_thread(wait_ended, helpers, PATIENCE_S)
