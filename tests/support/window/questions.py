"""Questions that agents ask the person, and their cards."""

from __future__ import annotations

import asyncio
from typing import Any

from kapture_panel.core.basics import tasks
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.registry.clients import Client
from kapture_panel.window.agents.ask_card import AskCard
from kapture_panel.window.shell.main_window import MainWindow
from tests.support.window.fakes import Instance
from tests.support.window.qt_loop import until

HOSTILE = "<b>claude</b>\u202e\u0007-code"


def ask_to_run(instance: Instance, code: str = "1", **more: Any) -> tuple[Client, asyncio.Task[str]]:
    """An agent asks to run code, which may be allowed for longer; the client, and how it ends."""
    agent = instance.add_agent("claude-code")
    agent.parent, agent.program = "claude", "/usr/bin/claude"

    async def asking() -> str:
        try:
            await instance.router.gates.approvals.ask(
                agent, instance.catalogue.get("evaluate"), {"code": code}, site="shop.example",
                where="Cart – https://shop.example/", timeout_s=20,
                why="runs code, which can read and change everything on this page",
                permission="execute", scopes=("once", "session", "always"), **more,
            )  # fmt: skip
        except KaptureError as error:
            return f"{error.code}: {error.message}"
        return "allowed"

    return agent, tasks.spawn(asking(), "ask")


def ask(instance: Instance, name: str = HOSTILE, tab: int = 7) -> asyncio.Task[str]:
    """An agent asks to connect a tab; ends with "allowed" or the refusal."""
    agent = instance.add_agent(name)

    async def asking() -> str:
        try:
            await instance.router.gates.approvals.ask(
                agent, instance.catalogue.get("connect_tab"), {"browserTabId": tab},
                site="shop.example", where="<i>Cart</i> – https://shop.example/?q=1", timeout_s=20,
            )  # fmt: skip
        except KaptureError as error:
            return f"{error.code}: {error.message}"
        return "allowed"

    return tasks.spawn(asking(), "ask")


async def card_of(window: MainWindow) -> AskCard:
    """The card in sight, once its buttons take clicks."""
    await until(
        lambda: (card := window.rooms.agents.approvals.card) is not None and card.is_open and card.allow.isEnabled()
    )
    assert window.rooms.agents.approvals.card is not None
    return window.rooms.agents.approvals.card
