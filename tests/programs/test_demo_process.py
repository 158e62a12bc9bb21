"""The demo beside a running panel: it says why it did not run, and ends with who began it."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest

from kapture_panel.core.basics import tasks
from kapture_panel.programs import demo_process
from tests.support.patience import PATIENCE_S
from tests.support.window.qt_loop import until


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX's")
async def test_a_demo_that_cannot_run_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o777)
    monkeypatch.setenv("KAPTURE_HOME", str(tmp_path))
    assert "others may write in the data folder" in await demo_process.run()


async def test_a_demo_ends_with_who_began_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAPTURE_HOME", str(tmp_path / "data"))
    begun: list[asyncio.subprocess.Process] = []
    begin = asyncio.create_subprocess_exec

    async def begin_and_tell(*command: str, **how: Any) -> asyncio.subprocess.Process:
        begun.append(await begin(*command, **how))
        return begun[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", begin_and_tell)
    running = tasks.spawn(demo_process.run(), "the demo")
    await until(lambda: begun and _demos(), "the process of the demo")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    async with asyncio.timeout(PATIENCE_S):
        await begun[0].communicate()  # until it has ended
    assert begun[0].returncode in (-signal.SIGTERM, demo_process.ENDED_EARLY), "it ran to its end"


def _demos() -> list[psutil.Process]:
    """Those of this process that have become the program."""
    return [child for child in psutil.Process().children() if child.cmdline()[-1:] == ["demo"]]
