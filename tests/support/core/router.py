"""What several tests of the router do."""

from __future__ import annotations

import asyncio
from typing import Any

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics import tasks
from tests.support.core.fakes import World


def running(world: World, command: str, **params: Any) -> asyncio.Task[Answer]:
    return tasks.spawn(world.run(command, **params), command)
