"""Turns pictures into a WebM file in a process of its own, so that neither the hub nor the window waits for it."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import struct
import sys
from collections.abc import Callable
from pathlib import Path

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError

#: As `video_helper` reads it: time in ms, length of the JPEG.
_HEAD = struct.Struct("<II")
#: One picture takes some 30 ms; a process that takes so long hangs.
ANSWER_S = 20.0
#: What has the encoder; in `pyproject.toml` an extra asks for the same.
PACKAGE = "av>=18,<19"


def demand() -> None:
    """Raise `NO_ENCODER` when PyAV is not installed."""
    if importlib.util.find_spec("av") is None:
        # The folder and the .deb have no pip, nor has what uv makes.
        has_pip = importlib.util.find_spec("pip") is not None
        install = f"{sys.executable} -m pip install" if has_pip else f"uv pip install --python {sys.executable}"
        raise KaptureError(
            "NO_ENCODER",
            "a video needs PyAV (the Python package av), which is not installed",
            f"a person can install it with: {install} '{PACKAGE}'",
        )


class Encoder:
    """One video on its way; `start` begins, `end` ends it.

    Args:
        path: the file, which is there and empty.
        width: of the video in pixels, even.
        height: the same.
        on_bytes: called with the size of the file after each picture.
        on_failed: called once when it goes on no more, with the reason.
    """

    def __init__(
        self, path: Path, width: int, height: int, on_bytes: Callable[[int], object], on_failed: Callable[[str], object]
    ) -> None:
        self._arguments = (str(path), str(width), str(height))
        self._on_bytes = on_bytes
        self._on_failed = on_failed
        self._process: asyncio.subprocess.Process | None = None
        self._work: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._waiting: tuple[int, bytes] | None = None
        self._end_ms: int | None = None
        #: How many pictures the video has.
        self.pictures = 0
        #: Why it has no end that was written; empty as long as all goes well.
        self.failure = ""

    async def start(self) -> None:
        """Start the process.

        Raises:
            OSError: it cannot be started.
        """
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "kapture_panel.video_helper",
            *self._arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # what ends the panel from a terminal leaves it the time to end the file
        )
        self._work = tasks.spawn(self._run(), "a video's encoder")

    def put(self, at_ms: int, jpeg: bytes) -> None:
        """Show a picture from then on; while one is encoded the newest waits, and those before it are left out."""
        self._waiting = (at_ms, jpeg)
        self._news.set()

    async def end(self, at_ms: int) -> None:
        """Show the last picture until then and close the file; `failure` tells if that did not go well."""
        self._end_ms = at_ms
        self._news.set()
        if self._work is not None:
            await asyncio.wait([self._work])

    async def kill(self) -> None:
        """End at once, the file as it is."""
        await tasks.end(self._work)
        await self._stop()

    async def _run(self) -> None:
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                if self._waiting is not None:
                    (at_ms, jpeg), self._waiting = self._waiting, None
                    size = await self._ask(at_ms, jpeg)
                    self.pictures += 1
                    self._on_bytes(size)
                    self._news.set()  # another one, or the end, may have come meanwhile
                elif self._end_ms is not None:
                    self._on_bytes(await self._ask(self._end_ms, b""))
                    return
        except (TimeoutError, ConnectionError, ValueError) as error:
            self.failure = str(error) or f"the encoder did not answer within {ANSWER_S:.0f} s"
            self._on_failed(self.failure)
        finally:
            await self._stop()

    async def _ask(self, at_ms: int, jpeg: bytes) -> int:
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        async with asyncio.timeout(ANSWER_S):
            self._process.stdin.write(_HEAD.pack(at_ms, len(jpeg)) + jpeg)
            await self._process.stdin.drain()
            line = await self._process.stdout.readline()
        if not line:
            raise ConnectionError("the encoder's process ended")
        said = json.loads(line)
        if "error" in said:
            raise ConnectionError(said["error"])
        return int(said["bytes"])

    async def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(ANSWER_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
