"""A panel in this process, with a browser of its own that has no window."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from kapture_panel.core.gates.rates import MAX_PER_S, Rate
from kapture_panel.hub.host.instance import Instance
from kapture_panel.hub.hub import Hub, Options
from kapture_panel.paths import DataDir


@asynccontextmanager
async def running(root: Path, *, with_browser: bool = True) -> AsyncIterator[Hub]:
    """The panel of a data folder, which keeps no agent waiting for its rate."""
    data = DataDir.open(str(root))
    instance = Instance(data.lock)
    assert instance.acquire(lambda: False), f"{root} is in use"
    hub = Hub(data, instance, Options(port=0, headless=True), lambda _ask: False)
    try:
        await hub.start()
        hub.core.router.gates.policy.rules.set_rate(Rate(MAX_PER_S, MAX_PER_S))
        if with_browser:
            await hub.browsers.open(in_front=True)
        yield hub
    finally:
        await hub.stop()
        instance.release()
