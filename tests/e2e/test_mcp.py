"""MCP beyond tools, with the official client, the real child and a real browser, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import re
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp.client.subscriptions import ResourceUpdated, SubscriptionLost
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from PIL import Image

from kapture_panel.core.basics import tasks
from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e.panel import Panel
from tests.support.e2e.processes import Serve, processes_of, wait_gone
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

MODES = ["legacy", MODERN_PROTOCOL_VERSIONS[-1]]


class Heard:
    """Notifications of the handshake era, in order; `until` waits for one."""

    def __init__(self) -> None:
        self.updated: list[str] = []
        self.lists = 0
        self._came = asyncio.Event()

    async def __call__(self, message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            self.updated.append(message.params.uri)
        elif isinstance(message, types.ResourceListChangedNotification):
            self.lists += 1
        self._came.set()

    async def until(self, uri: str) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while uri not in self.updated:
                self._came.clear()
                await self._came.wait()


@asynccontextmanager
async def speaking(root: Path, mode: str, heard: Heard | None = None) -> AsyncIterator[Client]:
    """A client of one era."""
    client = connect(root, "mcp-agent")
    client.mode = mode
    client.message_handler = heard
    async with client:
        yield client


@asynccontextmanager
async def tab_of(client: Client, url: str) -> AsyncIterator[str]:
    """A new tab of the client on `url`; its id."""
    agent = Agent(client)
    tab = (await agent.call("new_tab", url=url))["tabId"]
    yield tab
    await agent.call("close_tab", tabId=tab)


def one(result: types.ReadResourceResult) -> Any:
    (content,) = result.contents
    return content


@pytest.mark.parametrize("mode", MODES)
async def test_a_tab_is_read_as_resources(panel: Panel, shop: str, mode: str) -> None:
    async with speaking(panel.data.root, mode) as client, tab_of(client, shop) as tab:
        agent = Agent(client)
        await agent.call("evaluate", code="console.error('read me')", tabId=tab)
        listed = {entry.uri for entry in (await client.list_resources()).resources}
        assert {"kapture://tabs", f"kapture://tab/{tab}", f"kapture://tab/{tab}/console"} <= listed
        rows = json.loads(one(await client.read_resource("kapture://tabs")).text)["tabs"]
        assert tab in [row["tabId"] for row in rows]
        row = json.loads(one(await client.read_resource(f"kapture://tab/{tab}")).text)
        assert row["url"].startswith(shop)
        assert "error read me" in one(await client.read_resource(f"kapture://tab/{tab}/console")).text
        snapshot = one(await client.read_resource(f"kapture://tab/{tab}/snapshot")).text
        assert 'heading "Catalogue"' in snapshot
        # Said in the same form as by the tool, with whatever marks it as the page's words.
        await agent.text("snapshot", tabId=tab)
        assert snapshot.splitlines()[:2] == agent.raw.splitlines()[:2]
        assert snapshot.startswith(f"[untrusted: {shop}]\n")
        picture = one(await client.read_resource(f"kapture://tab/{tab}/screenshot"))
        assert picture.mime_type == "image/png"
        seen = Image.open(io.BytesIO(base64.b64decode(picture.blob)))
        kept = (await client.list_resources(cache_mode="refresh")).resources
        stored = next(entry.uri for entry in kept if entry.uri.startswith("kapture://screenshot/"))
        again = one(await client.read_resource(stored))
        assert Image.open(io.BytesIO(base64.b64decode(again.blob))).size == seen.size
        commands = [row.command for row in panel.hub.state.history.rows(limit=6)]
        assert {"list_tabs", "logs", "snapshot", "screenshot"} <= set(commands)


async def test_what_happens_in_a_tab_is_told_in_the_handshake_era(panel: Panel, pages: str) -> None:
    heard = Heard()
    async with speaking(panel.data.root, "legacy", heard) as client, tab_of(client, f"{pages}/blank.html") as tab:
        assert heard.lists >= 1
        followed = ["kapture://tabs", *(f"kapture://tab/{tab}{view}" for view in ("", "/console", "/snapshot"))]
        for uri in followed:
            with pytest.warns(UserWarning, match="removed as of"):
                await client.subscribe_resource(uri)
        agent = Agent(client)
        await agent.call("evaluate", code="console.log('a line')", tabId=tab)
        await heard.until(f"kapture://tab/{tab}/console")
        heard.updated.clear()
        await agent.call("reload", tabId=tab)
        await heard.until(f"kapture://tab/{tab}/snapshot")
        await agent.call("navigate", url=f"{pages}/form50.html", tabId=tab)
        for uri in followed[:2]:
            await heard.until(uri)


async def test_what_happens_in_a_tab_is_told_in_the_stateless_era(panel: Panel, pages: str) -> None:
    async with speaking(panel.data.root, MODES[1]) as client, tab_of(client, f"{pages}/blank.html") as tab:
        console, page = f"kapture://tab/{tab}/console", f"kapture://tab/{tab}/snapshot"
        agent = Agent(client)
        async with client.listen(resource_subscriptions=[console, page]) as changes, asyncio.timeout(PATIENCE_S):
            await agent.call("evaluate", code="console.log('a line')", tabId=tab)
            while await anext(changes) != ResourceUpdated(console):
                pass
            await agent.call("reload", tabId=tab)
            while await anext(changes) != ResourceUpdated(page):
                pass


async def test_a_flood_of_lines_is_told_a_few_times(panel: Panel, pages: str) -> None:
    told = 0
    async with speaking(panel.data.root, MODES[1]) as client, tab_of(client, f"{pages}/blank.html") as tab:
        agent = Agent(client)
        async with client.listen(resource_subscriptions=[f"kapture://tab/{tab}/console"]) as changes:

            async def count() -> None:
                nonlocal told
                async for _ in changes:
                    told += 1

            counting = tasks.spawn(count(), "count")
            code = "for (let i = 0; i < 20; i++) { console.log(i); await new Promise((r) => setTimeout(r, 50)); }"
            began = time.monotonic()
            await agent.call("evaluate", code=code, tabId=tab)
            took_s = time.monotonic() - began
            await tasks.end(counting)
    assert 2 <= told <= 2 + took_s / 0.3


@pytest.mark.parametrize("mode", MODES)
async def test_a_long_wait_tells_each_second(panel: Panel, pages: str, mode: str) -> None:
    said: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        said.append((progress, total, message))

    async with speaking(panel.data.root, mode) as client, tab_of(client, f"{pages}/blank.html") as tab:
        arguments = {"time": 2400, "timeout": 9000, "tabId": tab}
        await client.call_tool("kapturemcp_wait", arguments, progress_callback=hear)
        # A busy machine may tell late, and less often.
        assert said
        assert all(re.fullmatch(r"wait: waiting \d s of 9 s", message or "") for _, _, message in said)
        assert [progress for progress, _, _ in said] == sorted({progress for progress, _, _ in said})
        said.clear()
        steps = [{"command": "wait", "params": {"time": 1, "tabId": tab}}] * 3
        await client.call_tool("kapturemcp_batch", {"steps": steps}, progress_callback=hear)
        # A step that takes longer on a busy machine tells how far it is, too.
        assert [(progress, total) for progress, total, _ in said if progress % 1 == 0] == [(1, 3), (2, 3), (3, 3)]
        assert all("wait" in (message or "") for _, _, message in said)


@pytest.mark.parametrize("mode", MODES)
async def test_a_cancelled_wait_frees_the_tab_at_once(panel: Panel, pages: str, mode: str) -> None:
    async with speaking(panel.data.root, mode) as client, tab_of(client, f"{pages}/blank.html") as tab:
        agent = Agent(client)
        waiting = tasks.spawn(agent.call("wait", selector="#never", timeout=600_000, tabId=tab), "wait")
        await panel.executing(tab)
        await tasks.end(waiting)
        async with asyncio.timeout(PATIENCE_S):
            await agent.call("evaluate", code="1 + 1", tabId=tab)
        row = next(row for row in panel.hub.state.history.rows(limit=5) if row.command == "wait")
        assert row.state == "cancelled"


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A data directory for panels that are started and ended; nothing may run for it afterwards."""
    data = tmp_path / "data"
    yield data
    left = processes_of(data)
    for process in left:
        process.kill()
    assert not left, f"left behind: {[process.cmdline() for process in left]}"


async def until_reattached(client: Client) -> None:
    """Call until the child has found the new panel; it answers at once while there is none."""
    async with asyncio.timeout(PATIENCE_S):
        while (await client.call_tool("kapturemcp_list_tabs", {})).is_error:
            pass


async def test_a_subscription_outlives_the_panel_and_a_stream_ends_with_it_and_can_be_opened_again(
    root: Path, pages: str
) -> None:
    heard = Heard()
    first = await asyncio.to_thread(Serve, root)
    async with speaking(root, "legacy", heard) as handshaken, speaking(root, MODES[1]) as stateless:
        with pytest.warns(UserWarning, match="removed as of"):
            await handshaken.subscribe_resource("kapture://tabs")
        async with stateless.listen(resource_subscriptions=["kapture://tabs"]) as changes:
            await asyncio.to_thread(first.end, signal.SIGKILL)
            with pytest.raises(SubscriptionLost):
                async for _ in changes:
                    pass
        heard.updated.clear()
        options = ("--browser", "--headless", "--url", f"{pages}/blank.html")
        second = await asyncio.to_thread(Serve, root, *options)
        # What changed meanwhile nobody knows, so it is told; then what changes is.
        await heard.until("kapture://tabs")
        await until_reattached(stateless)
        heard.updated.clear()
        async with stateless.listen(resource_subscriptions=["kapture://tabs"]) as changes, asyncio.timeout(PATIENCE_S):
            await Agent(stateless).call("navigate", url=f"{pages}/form50.html")
            assert await anext(changes) == ResourceUpdated("kapture://tabs")
        await heard.until("kapture://tabs")
    await asyncio.to_thread(second.end)
    await asyncio.to_thread(wait_gone, root)
