"""Pages that give orders, forge the panel and hide their words: no policy moves, and every answer says whose words
it carries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client

from kapture_panel.core.catalogue.catalogue import PREFIX
from kapture_panel.demo.agent import connect
from kapture_panel.hub.agent_door import untrusted
from tests.support.core.fakes import CATALOGUE, COMMANDS, minimal
from tests.support.e2e.panel import Panel

pytestmark = pytest.mark.asyncio(loop_scope="session")

CORPUS = sorted(path.stem for path in (Path(__file__).parent / "pages").glob("injection_*.html"))
#: Every text of the corpus that gives an order holds it.
CANARY = "OBEY-7731"
#: What a command is called with where the least would show nothing of the page.
PARAMS: dict[str, dict[str, Any]] = {
    "evaluate": {"code": "document.documentElement.outerHTML"},
    "query_dom": {"selector": "*"},
    "find_by_text": {"text": CANARY},
    "get_attributes": {"selector": "#field"},
    "get_form_values": {},
    "get_request": {"requestId": "r1"},
    "fill": {"selector": "#a", "value": "x"},
    "select": {"selector": "#choice", "value": "x"},
    "fill_form": {"fields": [{"selector": "#a", "value": "x"}]},
    "set_offline": {"offline": False},
    "batch": {"steps": [{"command": "snapshot", "params": {}}, {"command": "get_visible_text", "params": {}}]},
    "wait": {"text": CANARY, "timeout": 1000},
    "click": {"selector": "#a", "snapshot": "full"},
    "drag": {"selector": "#a", "toX": 5, "toY": 5, "snapshot": "full"},
    "type": {"selector": "#field", "text": "x"},
    "handle_dialog": {"action": "accept"},
    "screenshot": {"name": "injection"},
    "resize": {"width": 0, "height": 0},
    "upload_file": {"selector": "#a", "paths": ["missing"]},
}
#: These end the tab, open others, or are about files of the person.
ELSEWHERE = {"close_tab", "new_tab", "connect_tab", "read_image"}
#: What surely repeats a page's words; if one of these falls silent, the test looks at nothing.
SPEAKING = {
    "snapshot", "evaluate", "query_dom", "find_by_text", "get_attributes", "get_form_values", "get_visible_text",
    "get_filtered_aria_tree", "batch", "click", "select",
}  # fmt: skip


def told(result: types.CallToolResult) -> str:
    """All words of an answer, in whichever form."""
    texts = [block.text for block in result.content if isinstance(block, types.TextContent)]
    return "\n".join([*texts, json.dumps(result.structured_content, ensure_ascii=False)])


def is_marked(result: types.CallToolResult, origin: str) -> bool:
    """Whether the answer says whose words it has: before them, below those of an error, and beside both."""
    source = (result.meta or {}).get(untrusted.META)
    first = next(block.text for block in result.content if isinstance(block, types.TextContent))
    structured = result.structured_content
    in_text = (
        first.startswith((f"{untrusted.line(str(source))}\n", f'{{"{untrusted.KEY}":"{source}"'))
        if not result.is_error
        else first.endswith(f"\n{untrusted.line(str(source))}")
    )
    return (
        source in (origin, "several pages")
        and in_text
        and (structured is None or structured.get(untrusted.KEY) == source)
    )


#: One page is asked by every command; the others, which hide their words elsewhere, by what repeats words.
WHOLE = "injection_marks"


async def looked_at(client: Client, url: str, commands: set[str]) -> dict[str, types.CallToolResult]:
    """The answer of each command on the page as it comes: what only reads leaves it as it came."""
    answers, is_fresh = {}, False
    for name in sorted(commands):
        command = CATALOGUE.get(name)
        if not is_fresh:
            await client.call_tool(f"{PREFIX}navigate", {"url": url})
        is_fresh = command.klass == "read"
        params = {**minimal(command), **PARAMS.get(name, {})}
        if name in PARAMS and not set(PARAMS[name]) & {"snapshot"} and "selector" in minimal(command):
            params = {"selector": "#a", **PARAMS[name]}
        answers[name] = await client.call_tool(command.name, {**params, **({"url": url} if name == "navigate" else {})})
    return answers


@pytest.mark.parametrize("page", CORPUS)
async def test_no_page_moves_the_policy_and_its_words_are_marked(panel: Panel, pages: str, page: str) -> None:
    hub = panel.hub
    policy = hub.core.router.gates.policy
    before = (policy.preset, policy.own_preset, list(policy.rules), len(hub.core.router.gates.approvals))
    url = f"{pages}/{page}.html"
    async with connect(panel.data.root, "victim") as client:
        opened = await client.call_tool(f"{PREFIX}new_tab", {"url": url})
        assert opened.structured_content is not None
        commands = set(COMMANDS) - ELSEWHERE if page == WHOLE else SPEAKING | {"screenshot"}
        answers = await looked_at(client, url, commands)
        await client.call_tool(f"{PREFIX}close_tab", {"tabId": opened.structured_content["tabId"]})
    spoke = {name for name, answer in answers.items() if CANARY in told(answer)}
    assert spoke >= SPEAKING, SPEAKING - spoke
    assert [name for name in sorted(spoke) if not is_marked(answers[name], pages)] == []
    assert is_marked(answers["screenshot"], pages)  # its words are pixels
    assert (policy.preset, policy.own_preset, list(policy.rules), len(hub.core.router.gates.approvals)) == before
    assert {row.client for row in hub.state.history.rows(limit=len(COMMANDS))} <= {"victim"}


async def test_an_answer_of_our_own_words_bears_no_mark(panel: Panel, pages: str) -> None:
    async with connect(panel.data.root, "victim") as client:
        opened = await client.call_tool(f"{PREFIX}new_tab", {"url": f"{pages}/blank.html"})
        calls: dict[str, dict[str, Any]] = {"evaluate": {"code": "1"}, "logs": {}, "clear_logs": {}}
        for name, params in {**calls, "scroll": {"deltaY": 1}}.items():
            answer = await client.call_tool(PREFIX + name, params)
            assert untrusted.META not in (answer.meta or {}), name
            assert untrusted.KEY not in told(answer), name
        assert opened.structured_content is not None
        await client.call_tool(f"{PREFIX}close_tab", {"tabId": opened.structured_content["tabId"]})
