"""Long answers, on a real page: a head, a file and a resource; a terminal gets all of it."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client

from kapture_panel.demo.agent import Agent, connect
from tests.support.e2e.panel import Panel
from tests.support.rows import naming

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


async def test_a_long_answer_is_a_head_a_file_and_a_resource(panel: Panel, pages: str) -> None:
    async with connect(panel.data.root, "reader") as client:
        agent = Agent(client)
        tab = (await agent.call("new_tab", url=f"{pages}/blank.html"))["tabId"]
        await agent.call("evaluate", code=FILL)
        for command, params, suffix, last in LONG:
            with naming(command, params):
                await is_long(panel, client, command, params, suffix, last)
        await agent.call("close_tab", tabId=tab)


async def is_long(panel: Panel, client: Client, command: str, params: dict[str, Any], suffix: str, last: str) -> None:
    """Its answer has a head, a file and a resource."""
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


Z30K = "z" * 30_000
THROWN_ERROR = "throw new Error('x'.repeat(500000) + 'END')"
THROWN = "throw 'x'.repeat(500000) + 'END'"
BIG_STEP = {"command": "evaluate", "params": {"code": "'x'.repeat(300000) + 'END'"}}
#: Profile, the bytes its answers may have, tool, parameters, how the error begins, and what its file has.
LONG_ERRORS: list[tuple[str, int, str, dict[str, Any], str, str]] = [
    ("kapture", 20_000, "kapturemcp_evaluate", {"code": THROWN_ERROR}, "EXECUTION_ERROR: Error: xxx", "xEND"),
    ("kapture", 20_000, "kapturemcp_evaluate", {"code": THROWN}, "EXECUTION_ERROR: ", "xEND"),
    ("kapture", 20_000, "kapturemcp_batch",
     {"steps": [BIG_STEP, {"command": "click", "params": {"selector": "#none"}}]},
     "ELEMENT_NOT_FOUND: step 2 of 2 (click): ", "xEND"),
    ("phoenix", 1024, "browser_eval", {"expression": THROWN_ERROR}, "Error: xxx", "xEND"),
    ("webpilot", 100_000, "browser_execute_js", {"tab_id": "<tab>", "code": THROWN_ERROR}, "Error: xxx", "xEND"),
]  # fmt: skip


#: Profile, tool, parameters of which one is very long, how the error begins.
ECHOED: list[tuple[str, str, dict[str, Any], str]] = [
    ("kapture", "kapturemcp_click", {"selector": f"#{Z30K}"}, "ELEMENT_NOT_FOUND: "),
    ("kapture", "kapturemcp_click", {"selector": f"#{Z30K}["}, "INVALID_SELECTOR: "),
    ("kapture", "kapturemcp_click", {"xpath": f"//{Z30K}"}, "ELEMENT_NOT_FOUND: "),
    ("kapture", "kapturemcp_click", {"selector": f"[title=\"{Z30K}\"]"}, "ELEMENT_NOT_FOUND: "),
    ("kapture", "kapturemcp_click", {"selector": "a", "tabId": Z30K}, "TAB_NOT_FOUND: "),
    ("kapture", "kapturemcp_click", {"selector": "a", Z30K: 1}, "INVALID_PARAMS: "),
    ("kapture", "kapturemcp_click", {"selector": "a", "button": Z30K}, "INVALID_PARAMS: "),
    ("kapture", "kapturemcp_navigate", {"url": f"http://127.0.0.1:9/{Z30K}"}, "NAVIGATION_FAILED: "),
    ("kapture", "kapturemcp_press_key", {"key": Z30K}, "INVALID_PARAMS: "),
    # Chrome's page about the address above shows that.
    ("kapture", "kapturemcp_wait", {"text": f"no {Z30K}", "timeout": 50}, "COMMAND_TIMEOUT: "),
    ("kapture", "kapturemcp_snapshot", {"cursor": Z30K}, "INVALID_PARAMS: "),
    ("kapture", "kapturemcp_snapshot", {"formatter": Z30K}, "INVALID_PARAMS: "),
    ("kapture", "kapturemcp_get_request", {"requestId": Z30K}, "INVALID_PARAMS: "),
    ("kapture", "kapturemcp_fill_form", {"fields": [{"selector": f"#{Z30K}", "value": "a"}]}, "ELEMENT_NOT_FOUND: "),
    ("kapture", "kapturemcp_batch", {"steps": [{"command": "click", "params": {"selector": f"#{Z30K}"}}]},
     "ELEMENT_NOT_FOUND: step 1 of 1 (click): "),
    ("kapture", "kapturemcp_batch", {"steps": [{"command": Z30K}]}, "INVALID_PARAMS: step 1 of 1 ("),
    ("kapture", "kapturemcp_read_image", {"path": f"/{Z30K}"}, "FILE_NOT_FOUND: "),
    ("kapture", "kapturemcp_upload_file", {"selector": "a", "paths": [f"/{Z30K}"]}, "FILE_NOT_ALLOWED: "),
    ("kapture", f"kapturemcp_{Z30K}", {}, "INVALID_PARAMS: "),
    ("phoenix", "browser_take_screenshot", {"selector": f"#{Z30K}"}, "Selector '#zzz"),
    ("phoenix", "browser_navigate", {"url": "x", "timeout": Z30K}, "'zzz"),
    ("phoenix", Z30K, {}, "there is no tool 'zzz"),
    ("webpilot", "browser_click", {"tab_id": "<tab>", "selector": f"#{Z30K}"}, "Element not found: #zzz"),
]  # fmt: skip


@pytest.mark.parametrize("profile", ["kapture", "phoenix", "webpilot"])
async def test_a_long_error_is_a_head_a_file_and_a_resource_and_repeats_little_of_what_was_given(
    panel: Panel, pages: str, profile: str
) -> None:
    async with connect(panel.data.root, "reader", "all", "--profile", profile) as client:
        tab = await opened(client, profile, f"{pages}/blank.html")
        for of, limit, tool, params, begins, has in LONG_ERRORS:
            if of == profile:
                with naming(tool, params):
                    await is_long_error(client, limit, tool, {**params, **tab}, begins, has)
        before = set(panel.data.output.iterdir())
        for of, tool, params, begins in ECHOED:
            if of == profile:
                with naming(tool[:40], begins):
                    given = {**params, **tab} if "tab_id" in params else params
                    await is_short_error(client, tool, given, begins)
                    assert set(panel.data.output.iterdir()) == before
        await closed(client, profile, tab)


async def is_long_error(client: Client, limit: int, tool: str, params: dict[str, Any], begins: str, has: str) -> None:
    """It has a head, a file and a resource."""
    result = await client.call_tool(tool, params)
    assert result.is_error
    assert result.structured_content is None
    said, link = result.content
    assert isinstance(said, types.TextContent)
    assert isinstance(link, types.ResourceLink)
    assert said.text.startswith(begins)
    assert len(said.text.encode()) < limit // 4 + 600
    [content] = (await client.read_resource(link.uri)).contents
    assert isinstance(content, types.TextResourceContents)
    assert content.text.startswith(said.text.partition("\n(cut: ")[0])
    assert has in content.text
    assert len(content.text.encode()) == link.size


async def is_short_error(client: Client, tool: str, params: dict[str, Any], begins: str) -> None:
    """It repeats only the beginning of what was given."""
    result = await client.call_tool(tool, params)
    assert result.is_error
    [said] = result.content
    assert isinstance(said, types.TextContent)
    assert said.text.startswith(begins), said.text[:300]
    assert len(result.model_dump_json()) < 4000


async def test_a_snapshot_after_a_long_answer_exempts_itself_alone(panel: Panel, pages: str) -> None:
    async with connect(panel.data.root, "reader") as client:
        agent = Agent(client)
        await agent.call("new_tab", url=f"{pages}/blank.html")
        code = "document.body.innerHTML = '<button>Tail</button>'.repeat(800); 'x'.repeat(500000) + 'END'"
        for snapshot in ("diff", "full"):
            with naming(snapshot):
                await agent.call("navigate", url=f"{pages}/blank.html")
                text, link = await called(client, "evaluate", {"code": code, "snapshot": snapshot})
                head, _, shown = text.partition("\n(cut: ")
                assert len(head) < 5500
                assert shown.count('button "Tail"') == 800
                path = Path(re.search(r"read it with `cat (\S+)`", shown)[1])  # type: ignore[index]
                assert json.loads(path.read_text())["value"].endswith("xEND")
                assert link.mime_type == "application/json"
        await agent.call("close_tab")


async def opened(client: Client, profile: str, url: str) -> dict[str, Any]:
    """Open a page by a profile's own tool; the parameter that names its tab, where tools take one."""
    if profile == "webpilot":
        made = await client.call_tool("browser_create_tab", {"url": url})
        assert isinstance(made.content[0], types.TextContent)
        return {"tab_id": json.loads(made.content[0].text)["tab_id"]}
    tool = "browser_navigate" if profile == "phoenix" else "kapturemcp_new_tab"
    assert not (await client.call_tool(tool, {"url": url})).is_error
    return {}


async def closed(client: Client, profile: str, tab: dict[str, Any]) -> None:
    """Close that page; Phoenix's browser ends with its conversation."""
    if profile == "webpilot":
        await client.call_tool("browser_close_tab", tab)
    elif profile == "kapture":
        await client.call_tool("kapturemcp_close_tab", {})


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
    before, hub = set(panel.data.output.iterdir()), panel.hub
    tab = (await hub.core.router.run(hub.state.person, "new_tab", {"url": f"{pages}/blank.html"})).tab_id
    call = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "kapture_panel", "call", "--data-dir", str(panel.data.root), "evaluate",
        f"tabId={tab}", "code='x'.repeat(50000)", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, said = await call.communicate()
    assert call.returncode == 0
    assert out.count(b"x") >= 50_000
    assert said.decode() == f"[untrusted: {pages}]\n"
    assert set(panel.data.output.iterdir()) == before
    await hub.core.router.run(hub.state.person, "close_tab", {"tabId": tab})
