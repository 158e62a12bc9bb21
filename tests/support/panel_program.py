"""The panel's whole program, as a person starts it, with something that watches or uses its window beside it."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from kapture_panel.core.basics import tasks
from kapture_panel.programs import arguments as command_line
from kapture_panel.programs import panel

if TYPE_CHECKING:
    from kapture_panel.hub.host.instance import Instance
    from kapture_panel.hub.hub import Hub, Options
    from kapture_panel.paths import DataDir
    from kapture_panel.window.shell.main_window import MainWindow

Beside = Callable[["Hub", "MainWindow"], Awaitable[None]]


def run(arguments: list[str], beside: Beside) -> int:
    """Do what `kapture ARGUMENTS` does.

    Args:
        beside: runs in the program's own event loop from when the window is built. It is cancelled when the program
            ends; when it fails its traceback is printed and the program is asked to end.

    Returns:
        The program's exit code; 70 when `beside` failed.
    """
    opened = panel.opened
    failures: list[Exception] = []

    async def watched(hub: Hub, window: MainWindow) -> None:
        try:
            await beside(hub, window)
        except Exception as error:
            failures.append(error)
            traceback.print_exc()
            window.quit()

    @asynccontextmanager
    async def opened_with_it(
        data: DataDir, instance: Instance, options: Options, ended: asyncio.Event
    ) -> AsyncIterator[tuple[Hub, MainWindow]]:
        async with opened(data, instance, options, ended) as (hub, window):
            task = tasks.spawn(watched(hub, window), "beside the program")
            try:
                yield hub, window
            finally:
                await tasks.end(task)

    panel.opened = opened_with_it
    code = command_line.run(arguments)
    return 70 if failures else code
