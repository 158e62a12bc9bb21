"""An inbox of questions, with callers that wait for it."""

from __future__ import annotations

import asyncio

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.gates.approvals import Approvals, Ask
from kapture_panel.core.registry.clients import Client
from tests.support.core.fakes import CATALOGUE

AGENT, OTHER, TERMINAL = Client("claude", "agent", pid=7), Client("codex", "agent"), Client("terminal", "terminal")


class Inbox:
    """An attended inbox that keeps what it announced."""

    def __init__(self, pending_s: float = 30.0, expiry_s: float = 600.0) -> None:
        self.approvals = Approvals(pending_s, expiry_s)
        self.approvals.attend()
        self.added: list[Ask] = []
        self.settled: list[tuple[str, str]] = []
        self.ended = asyncio.Event()
        self.approvals.added.connect(self.added.append)
        self.approvals.settled.connect(self._on_settled)

    def _on_settled(self, ask: Ask) -> None:
        self.settled.append((ask.id, ask.state))
        self.ended.set()

    async def ask(self, client: Client = AGENT, tab: int = 1, site: str = "shop.example", timeout_s: float = 30) -> str:
        """`allowed`, or the code and words of the refusal."""
        try:
            await self.approvals.ask(
                client, CATALOGUE.get("connect_tab"), {"browserTabId": tab},
                site=site, where=f"Cart – https://{site}/", timeout_s=timeout_s,
            )  # fmt: skip
        except KaptureError as error:
            return f"{error.code}: {error.message}"
        return "allowed"

    def begin(self, client: Client = AGENT, tab: int = 1, site: str = "shop.example") -> asyncio.Task[str]:
        return tasks.spawn(self.ask(client, tab, site), "ask")


async def next_round() -> None:
    """Let every task go on as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)
