"""Rows of the history of a running panel, and the scripts that are made of them, run as a person runs them."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from kapture_panel.core.stores.history_row import Row
from kapture_panel.hub.browsers.managed import find_browser
from tests.support.e2e.panel import Panel


def newest(panel: Panel) -> int:
    """The id of the newest row."""
    return max((row.id for row in panel.hub.state.history.rows(limit=1)), default=0)


def since(panel: Panel, row_id: int) -> list[Row]:
    """The rows after that with this id, oldest first."""
    return [row for row in reversed(panel.hub.state.history.rows(limit=500)) if row.id > row_id]


async def kapture(*arguments: str) -> tuple[int, str, str]:
    """Run the program `kapture`; its exit code, what it said and what it complained of."""
    return await python("-m", "kapture_panel", *arguments)


async def python(*arguments: str, folder: Path | None = None) -> tuple[int, str, str]:
    """Run a Python program in `folder`; its exit code, what it said and what it complained of."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONWARNINGS": "default"}, cwd=folder,
    )  # fmt: skip
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


async def play(file: Path, values: dict[str, str], folder: Path) -> tuple[int, str, str]:
    """Run a Playwright script as it was exported; it leaves its pictures in `folder`."""
    given = [f"--{name}={value}" for name, value in values.items()]
    browser = ("--executable-path", find_browser(), "--headless", "--no-sandbox")
    return await python(str(file), *browser, *given, folder=folder)


async def played(file: Path, values: dict[str, str], look: str, folder: Path) -> str:
    """The same, with a line at its end that prints what `look` sees in the first page; that."""
    head, main, tail = file.read_text().partition("\n\n\ndef main() -> None:")
    file.write_text(f"{head}\n    print(page.evaluate({look!r})){main}{tail}")
    code, out, err = await play(file, values, folder)
    assert code == 0, err
    return out.strip()
