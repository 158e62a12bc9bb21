"""What is written into a client's file is what the official MCP client can start, and it drives a real browser."""

from __future__ import annotations

import asyncio
import json
import sys
import tomllib
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import Implementation

from kapture_panel.demo.agent import Agent
from kapture_panel.installing.clients import CLIENTS, by_key
from tests.support.core.installing.samples import SAMPLES
from tests.support.e2e.panel import Panel

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("key", [client.key for client in CLIENTS if client.key])
async def test_the_entry_of_each_client_starts_a_conversation(
    key: str, panel: Panel, shop: str, tmp_path: Path
) -> None:
    file = tmp_path / "client-file"
    file.write_text(SAMPLES[key])
    program = str(Path(sys.executable).parent / "kapture")
    options = ["--file", str(file), "--data-dir", str(panel.data.root), "--tools", "core"]
    installing = await asyncio.create_subprocess_exec(program, "install", key, *options, stdout=asyncio.subprocess.PIPE)
    await installing.communicate()
    assert installing.returncode == 0
    client = by_key(key)
    text = file.read_text()
    if client.is_toml:
        servers = tomllib.loads(text)[client.outer]
    else:
        # Without comments, as what the entry itself is written as.
        _, _, rest = text.rpartition('"kapture":')
        servers = {"kapture": json.JSONDecoder().raw_decode(rest.lstrip())[0]}
    entry = servers["kapture"]
    server = StdioServerParameters(command=entry["command"], args=entry["args"])
    async with Client(server, client_info=Implementation(name=key, version="1")) as connected:
        agent = Agent(connected)
        tab = await agent.call("new_tab", url=shop)
        assert "heading" in await agent.text("snapshot", tabId=tab["tabId"])
        assert [one.name for one in panel.hub.state.clients.agents()] == [key]
        tools = {tool.name for tool in (await connected.list_tools()).tools}
        assert "kapturemcp_query_dom" not in tools
        hub = panel.hub
        await hub.core.router.run(hub.state.person, "close_tab", {"tabId": tab["tabId"]})
