"""What the tabs of a panel come to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kapture_panel.core.registry.tabs import Tab, Tabs
from tests.support.patience import PATIENCE_S


async def until(tabs: Tabs, condition: Callable[[], object]) -> None:
    """Wait until `condition()` holds, looked at whenever a tab comes, changes or goes."""
    news = asyncio.Event()

    def look(_tab: Tab) -> None:
        news.set()

    signals = (tabs.added, tabs.changed, tabs.removed)
    for signal in signals:
        signal.connect(look)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                news.clear()
                await news.wait()
    finally:
        for signal in signals:
            signal.disconnect(look)
