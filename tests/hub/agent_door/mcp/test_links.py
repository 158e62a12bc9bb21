"""Links in answers: only for versions of the protocol that know them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from kapture_panel.core.basics import tasks
from tests.support.core.fakes import World, ok
from tests.support.hub.conversation import Conversation
from tests.support.patience import PATIENCE_S


@pytest.mark.parametrize(
    ("version", "blocks"),
    [
        ("2024-11-05", ["text"]),
        ("2025-03-26", ["text"]),
        ("2025-06-18", ["text", "resource_link"]),
        ("2025-11-25", ["text", "resource_link"]),
    ],
)
async def test_a_long_answer_has_a_link_where_the_protocol_knows_them(
    world: World, version: str, blocks: list[str]
) -> None:
    world.tab()
    world.executor.answers["evaluate"] = ok({"value": "line of text\n" * 5_000})
    said: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
    heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def lines() -> AsyncIterator[bytes]:
        while (message := await said.get()) is not None:
            yield json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"

    async def send(line: str) -> None:
        heard.put_nowait(json.loads(line))

    serving = tasks.spawn(Conversation(world).session(send).serve(lines()), "MCP session")
    hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    call = {"name": "kapturemcp_evaluate", "arguments": {"code": "1"}}
    async with asyncio.timeout(PATIENCE_S):
        said.put_nowait({"id": 0, "method": "initialize", "params": hello})
        assert (await heard.get())["result"]["protocolVersion"] == version
        said.put_nowait({"method": "notifications/initialized"})
        said.put_nowait({"id": 1, "method": "tools/call", "params": call})
        while (answer := await heard.get()).get("id") != 1:
            pass
    said.put_nowait(None)
    await serving
    content = answer["result"]["content"]
    assert [block["type"] for block in content] == blocks
    assert "as the MCP resource kapture://output/" in content[0]["text"]
