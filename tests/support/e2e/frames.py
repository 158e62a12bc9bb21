"""A page with frames of other sites, and what is asked of it."""

from __future__ import annotations

from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import Panel

PAY = "#pay >>> "

BANK = "#pay >>> #bank >>> "


async def loaded(a: Agent) -> None:
    """Wait until all frames show their documents."""
    await a.call("wait", selector=f"{BANK}#confirm")
    await a.call("wait", selector="#far >>> #bank >>> #confirm", state="attached")
    await a.call("wait", selector="#sister >>> button")
    await a.call("wait", selector="#sand >>> button")


async def said(panel: Panel, pages: str) -> list[str]:
    """What the frames told the top page."""
    return list(await panel.witness(pages).see("said", "/frames_top.html"))
