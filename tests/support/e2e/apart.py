"""A panel as a process of its own and a person's browser that outlives it, one tab of it connected."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kapture_panel import paths
from kapture_panel.core.registry.paired import PairedBrowsers
from kapture_panel.core.wire import handshake
from kapture_panel.demo.agent import Agent, ToolError
from kapture_panel.hub.browsers import installed_browsers
from kapture_panel.paths import DataDir
from tests.support.e2e import own_browser
from tests.support.e2e.own_browser import OwnBrowser
from tests.support.e2e.processes import Serve, unbounded
from tests.support.patience import PATIENCE_S
from tests.support.ports import quiet_port


@dataclass
class Apart:
    """`page` is the raw session on the connected tab's page."""

    data: DataDir
    browser: OwnBrowser
    page: str
    serve: Serve
    options: tuple[str, ...]

    async def start(self) -> None:
        """Start the next panel."""
        self.serve = await asyncio.to_thread(Serve, self.data.root, *self.options)

    async def kill(self) -> float:
        """Kill the panel, which it cannot notice; when that was, by the monotonic clock."""
        at = time.monotonic()
        self.serve.process.kill()
        await asyncio.to_thread(self.serve.end, signal.SIGKILL)
        return at


@asynccontextmanager
async def apart(folder: Path, url: str, env: dict[str, str] | None = None) -> AsyncIterator[Apart]:
    """The panel runs, with `env` beside the environment, and the tab that shows `url`, which ends in "?mine", is
    connected."""
    data, port, key = DataDir.open(str(folder / "data")), quiet_port(), handshake.new_secret()
    PairedBrowsers(data.paired).add("a-browser", key, "Chromium")
    unbounded(data.root)
    options = ("--port", str(port), "--own-policy", "trusting")
    extension = installed_browsers.place_extension(paths.extension(), folder / "extension", port)
    serve = await asyncio.to_thread(lambda: Serve(data.root, *options, env=env))
    one: Apart | None = None
    try:
        async with own_browser.started(folder / "profile", extension, url) as browser:
            await browser.pair(json.dumps({"install": "a-browser", "key": key, "port": port, "managed": False}))
            await browser.connect("?mine")
            one = Apart(data, browser, await browser.page("?mine"), serve, options)
            yield one
    finally:
        last = one.serve if one is not None else serve
        if last.process.returncode is None:
            await asyncio.to_thread(last.end)


async def tabs_of(agent: Agent) -> list[dict[str, Any]]:
    """The connected tabs; none while the panel is away."""
    try:
        tabs: list[dict[str, Any]] = (await agent.call("list_tabs"))["tabs"]
    except ToolError as error:
        if "PANEL_DOWN" not in str(error):
            raise
        return []
    return tabs


async def connected_tab(agent: Agent) -> str:
    """The name of the one connected tab, once there is a panel and the tab is back."""
    async with asyncio.timeout(PATIENCE_S):
        while not (tabs := await tabs_of(agent)):
            pass  # each look is a call of its own
    return str(tabs[0]["tabId"])
