"""Long answers, on a real page: a head, a file and a resource; a terminal gets all of it."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client

from kapture_panel.demo.agent import Agent, connect
from tests.e2e.conftest import Panel

pytestmark = pytest.mark.asyncio(loop_scope="session")

FILL = """{
  const text = Array.from({ length: 3000 }, (_, line) => `line ${line} of a long page`).join("\\n");
  document.body.innerHTML = `<pre>${text}</pre>`;
  for (let line = 0; line < 900; line += 1) console.log(`said ${line} ${"x".repeat(30)}`);
  const padding = "y".repeat(60);
  for (let request = 0; request < 300; request += 1) new Image().src = `/nothing.png?request=${request}&${padding}`;
}"""
#: Tool, its parameters, how its file ends, a line that is in all of the answer and in no head.
LONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("evaluate", {"code": "document.body.innerText"}, ".json", "line 2999 of a long page"),
    ("get_visible_text", {"maxLength": 1_000_000}, ".txt", "line 2999 of a long page"),
    ("logs", {"max": 5000}, ".txt", "said 0 x"),
    ("list_requests", {"max": 1000}, ".txt", "request=0&"),
    ("batch", {"steps": [{"command": "logs", "params": {"max": 5000}}] * 2}, ".txt", "said 0 x"),
]


async def called(client: Client, command: str, params: dict[str, Any]) -> tuple[str, types.ResourceLink]:
    """The text and the link of a long answer."""
    result = await client.call_tool(f"kapturemcp_{command}", params)
    assert not result.is_error
    assert result.structured_content is None
    said, link = result.content
    assert isinstance(said, types.TextContent)
    assert isinstance(link, types.ResourceLink)
    return said.text, link


@pytest.mark.parametrize(("command", "params", "suffix", "last"), LONG)
async def test_a_long_answer_is_a_head_a_file_and_a_resource(
    panel: Panel, pages: str, command: str, params: dict[str, Any], suffix: str, last: str
) -> None:
    async with connect(panel.data.root, "reader") as client:
        agent = Agent(client)
        tab = (await agent.call("new_tab", url=f"{pages}/blank.html"))["tabId"]
        await agent.call("evaluate", code=FILL)
        text, link = await called(client, command, params)
        head, _, how = text.partition("\n(cut: ")
        assert len(text.encode()) < 6000
        assert last not in text
        path = Path(re.search(r"read it with `cat (\S+)`", how)[1])  # type: ignore[index]
        assert path.parent == panel.data.output
        assert path.suffix == suffix
        assert path.stat().st_mode & 0o777 == 0o600
        whole = path.read_text()
        assert whole.startswith(head)
        assert last in whole
        assert len(whole.encode()) == link.size
        assert link.size is not None
        assert link.size > 20_000
        assert link.uri == f"kapture://output/{path.name}"
        [content] = (await client.read_resource(link.uri)).contents
        assert isinstance(content, types.TextResourceContents)
        assert content.text == whole
        await agent.call("close_tab", tabId=tab)


async def test_a_snapshot_goes_on_by_its_cursor_and_is_no_file(panel: Panel, pages: str) -> None:
    before = set(panel.data.output.iterdir())
    async with connect(panel.data.root, "reader") as client:
        agent = Agent(client)
        tab = (await agent.call("new_tab", url=f"{pages}/blank.html"))["tabId"]
        await agent.call("evaluate", code="document.body.innerHTML = '<button>A button</button>'.repeat(3000); 1")
        text = await agent.text("snapshot")
        assert len(text) > 20_000
        assert "go on with kapturemcp_snapshot and cursor" in text
        assert set(panel.data.output.iterdir()) == before
        await agent.call("close_tab", tabId=tab)


async def test_a_terminal_gets_all_of_it(panel: Panel, pages: str) -> None:
    before = set(panel.data.output.iterdir())
    async with connect(panel.data.root, "reader") as client:
        agent = Agent(client)
        tab = (await agent.call("new_tab", url=f"{pages}/blank.html"))["tabId"]
        call = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "kapture_panel", "call", "--data-dir", str(panel.data.root), "evaluate",
            f"tabId={tab}", "code='x'.repeat(50000)", stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, _ = await call.communicate()
        assert call.returncode == 0
        assert out.count(b"x") >= 50_000
        assert set(panel.data.output.iterdir()) == before
        await agent.call("close_tab", tabId=tab)
