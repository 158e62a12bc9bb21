"""A policy for a while, and a person who answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from kapture_panel.core.gates.approvals import Ask, Scope
from kapture_panel.core.gates.policy import Policy
from kapture_panel.core.gates.rules import Preset, Rules
from kapture_panel.demo.agent import Agent, ToolError
from tests.support.e2e.panel import Panel

PAGE = "/policy.html"


@contextmanager
def under(panel: Panel, preset: Preset, rules: Rules | None = None, allow: Path | None = None) -> Iterator[Policy]:
    """Another policy for the panel's browser."""
    router = panel.hub.core.router
    before = router.gates.policy
    router.gates.policy = Policy(
        preset, (allow,) if allow else (), before.instance_dirs, rules=Rules() if rules is None else rules
    )
    try:
        yield router.gates.policy
    finally:
        router.gates.policy = before


class Person:
    """Somebody in front of the panel: answers each question with `answer`, and keeps it."""

    def __init__(self, panel: Panel) -> None:
        self.approvals = panel.hub.core.router.gates.approvals
        self.asks: list[Ask] = []
        self.answer: Scope | None = None
        #: What a person does with a question.
        self.decide: Callable[[Ask], object] = self._decide

    def __call__(self, ask: Ask) -> None:
        self.asks.append(ask)
        # After the asking itself: a person takes longer, too.
        asyncio.get_running_loop().call_soon(self.decide, ask)

    def _decide(self, ask: Ask) -> None:
        if self.answer is None:
            self.approvals.deny(ask, "no")
        else:
            self.approvals.allow(ask, self.answer)

    def taken(self) -> list[Ask]:
        """What was asked since the last time."""
        asks, self.asks = self.asks, []
        return asks


@asynccontextmanager
async def attended(panel: Panel) -> AsyncIterator[Person]:
    """A window with a person who says no, as long as a test does not have them say something else."""
    person = Person(panel)
    person.approvals.attend()
    person.approvals.added.connect(person)
    try:
        yield person
    finally:
        person.approvals.added.disconnect(person)
        person.approvals.leave()


async def said(agent: Agent, command: str, params: dict[str, Any]) -> str:
    """Empty when the command was carried out, else its error."""
    try:
        await agent.text(command, **params)
    except ToolError as error:
        return str(error)
    return ""
