"""A local door with what stands behind it."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from kapture_panel.hub.agent_door.agents import AgentsDoor
from tests.support.core.fakes import World
from tests.support.hub.fakes import Changes, DoorVisitor, nothing_tried, sources_of


class Setting:
    """An open door of the world's router, and those who visit it."""

    def __init__(self, world: World, root: Path, ending: AsyncExitStack) -> None:
        self.world, self.root = world, root
        self.asked: list[str] = []
        self.door = AgentsDoor(
            root, world.router, world.clients, self._control, sources_of(world), nothing_tried, world.state.outputs
        )
        self.clients = Changes(world.clients.added, world.clients.removed)
        self._ending = ending

    async def visit(self, greeting: Any, **options: Any) -> tuple[DoorVisitor, dict[str, Any]]:
        visitor = DoorVisitor(self.root)
        answer = await visitor.connect(greeting, **options)
        self._ending.push_async_callback(visitor.hang_up)
        return visitor, answer

    def names(self) -> list[str]:
        return [client.name for client in self.world.clients]

    def _control(self, ask: str) -> dict[str, Any]:
        self.asked.append(ask)
        return {"ok": True}
