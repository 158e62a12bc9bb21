"""The running instance the end-to-end tests share, and what they ask it and its answers."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from kapture_panel import paths
from kapture_panel.core.registry.tabs import Tab
from kapture_panel.core.stores.console import ConsoleLine
from kapture_panel.core.wire.handshake import EXTENSION_ID
from kapture_panel.demo.agent import Agent
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.browsers.cdp_pipe import CdpPipe
from kapture_panel.hub.hub import Hub
from tests.support.e2e.own_browser import OwnBrowser
from tests.support.patience import PATIENCE_S
from tests.support.tree import ROOT

#: The pages of the tests, and other people's libraries, which some of them load.
PAGES = ROOT / "tests/e2e/pages"
PACKAGES = ROOT / "tests/e2e/packages/node_modules"

#: The kinds of browser: in `BOTH_KINDS` the tests of a file run in each.
PANELS, OWN = "panels", "own"
BOTH_KINDS = pytest.mark.parametrize("panel", [PANELS, OWN], indirect=True)


@dataclass
class Panel:
    """A running instance in this process, with a headless browser: the panel's, or `own`, a person's that is paired."""

    hub: Hub
    data: paths.DataDir
    own: OwnBrowser | None = None

    def witness(self, site: str) -> Witness:
        """Raw CDP eyes on the pages of `site`."""
        return Witness(self.pipe, site)

    @property
    def pipe(self) -> CdpPipe:
        """The way to the browser past the extension."""
        if self.own is not None:
            return self.own.pipe
        assert self.hub.browsers.shared is not None
        return self.hub.browsers.shared.pipe

    def kept(self) -> Iterator[Path]:
        """What stands in the data directory, but what the managed browsers themselves write, which comes and goes."""
        for folder, folders, files in os.walk(self.data.root):
            place = Path(folder)
            yield from (place / name for name in (*folders, *files))
            folders[:] = [name for name in folders if self.data.sessions != place and place / name != self.data.browser]

    async def executing(self, tab_id: str) -> None:
        """Wait until a command runs in the tab; one that is over before it is looked for is never seen."""
        running = asyncio.Event()

        def look(tab: Tab) -> None:
            if tab.tab_id == tab_id and tab.state == "executing":
                running.set()

        tabs = self.hub.state.tabs
        tabs.changed.connect(look)
        try:
            look(tabs.get(tab_id))
            async with asyncio.timeout(PATIENCE_S):
                await running.wait()
        finally:
            tabs.changed.disconnect(look)


class OpenAgent(Protocol):
    """Connects an agent and opens a tab for it."""

    def __call__(self, url: str = "", name: str = "test-agent") -> AbstractAsyncContextManager[Agent]: ...


class Visit(Protocol):
    """Leads an agent that has a tab to a page."""

    def __call__(self, url: str) -> AbstractAsyncContextManager[Agent]: ...


def whole(text: str) -> str:
    """A text answer, from the file it names when it was cut."""
    cut = re.search(r"\(cut: \d+ of \d+ bytes\. All of it is in (\S+):", text)
    return Path(cut[1]).read_text(encoding="utf-8") if cut else text


async def current_tab(agent: Agent) -> str:
    """The tabId of the tab the agent used last."""
    tabs = (await agent.call("list_tabs"))["tabs"]
    return str(next(tab["tabId"] for tab in tabs if tab.get("current")))


async def dialog_shown(panel: Panel, where: str) -> None:
    """Wait until the tab with this tabId or address shows a dialog."""
    tabs = panel.hub.state.tabs
    shown = asyncio.Event()

    def look(tab: Tab) -> None:
        if where in (tab.tab_id, tab.url) and tab.state == "dialog":
            shown.set()

    tabs.changed.connect(look)
    for tab in tabs:
        look(tab)
    async with asyncio.timeout(PATIENCE_S):
        await shown.wait()
    tabs.changed.disconnect(look)


@asynccontextmanager
async def heard(panel: Panel, text: str) -> AsyncIterator[None]:
    """Leave the block when the console line that is `text` has come; without a text at once."""
    came = asyncio.Event()

    def listen(lines: list[ConsoleLine]) -> None:
        if any(line.text == text for line in lines):
            came.set()

    appended = panel.hub.state.console.appended
    appended.connect(listen)
    try:
        yield
        if text:
            async with asyncio.timeout(PATIENCE_S):
                await came.wait()
    finally:
        appended.disconnect(listen)


async def extension_target(panel: Panel, kind: str) -> dict[str, Any]:
    """What Chromium calls the page or the worker of the extension."""
    found = (await panel.pipe.call("Target.getTargets", {"filter": [{"type": kind}]}))["targetInfos"]
    prefix = f"chrome-extension://{EXTENSION_ID}/"
    return next(target for target in found if target["url"].startswith(prefix))
