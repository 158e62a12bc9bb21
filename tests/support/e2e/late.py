"""What an answer tells, or a later one: how soon the browser says what an action led to is chance."""

from __future__ import annotations

import asyncio
from typing import Any

from kapture_panel.demo.agent import Agent
from tests.support.patience import PATIENCE_S


async def told(a: Agent, answer: dict[str, Any], kind: str, **where: Any) -> list[dict[str, Any]]:
    """What an answer, or else a later one, tells of a kind; `where` is the tab, if it is not the current one."""
    found: list[dict[str, Any]] = answer["effects"].get(kind) or []
    async with asyncio.timeout(PATIENCE_S):
        while not found:
            found = (await a.call("wait", time=100, **where)).get("lateEffects", {}).get(kind, [])
    return found


async def late_effects(a: Agent, waited: dict[str, Any]) -> dict[str, Any]:
    """What a wait tells late, or else the next answer: it may have begun before what it waited for came, or after."""
    answer = waited if "lateEffects" in waited else await a.call("count_elements", selector="p")
    late: dict[str, Any] = answer["lateEffects"]
    return late


async def popup_closed(a: Agent, selector: str) -> None:
    """Wait until no snapshot shows what the browser had opened for a field: it closes in its own time."""
    async with asyncio.timeout(PATIENCE_S):
        while "[expanded]" in await a.text("snapshot", selector=selector):
            pass  # each look is a call of its own
