"""A password that its page puts into title, address, console and text is in nothing that leaves the page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

import pytest

from kapture_panel.demo.agent import Agent
from tests.support.e2e.exports import kapture
from tests.support.e2e.late import told
from tests.support.e2e.panel import OpenAgent, Panel, current_tab, heard

pytestmark = pytest.mark.asyncio(loop_scope="session")

CANARY = 'kite&"77 moon'
WAYS = (CANARY, quote(CANARY, safe=""), CANARY.replace('"', '\\"'), quote(CANARY, safe="").replace("%20", "+"))


async def looks(agent: Agent) -> str:
    """All that an agent can ask of the page and its console, but by code, which may read any field."""
    said = [await agent.text("snapshot"), await agent.text("logs"), await agent.text("list_requests")]
    said += [str(await agent.call(command)) for command in ("list_tabs", "list_browser_tabs", "get_page_metadata")]
    return "\n".join(said)


@pytest.mark.parametrize(
    ("command", "params"),
    [
        ("fill", {"selector": "#password", "value": CANARY}),
        ("type", {"selector": "#password", "text": CANARY}),
        ("type", {"selector": "#password", "text": CANARY, "submit": True}),
        ("insert_text", {"selector": "#password", "text": CANARY}),
        ("fill_form", {"fields": [{"selector": "#password", "value": CANARY}]}),
    ],
)
async def test_it_is_masked_in_answers_rows_console_and_tab(
    agent: OpenAgent, panel: Panel, pages: str, command: str, params: dict[str, object]
) -> None:
    state = panel.hub.state
    async with agent(f"{pages}/mirrors.html") as a:
        tab_id = await current_tab(a)
        async with heard(panel, "typed ***"):
            said = await a.text(command, **params)
        said += await looks(a)
        tab = state.tabs.get(tab_id)
        kept = [tab.title, tab.url, *(line.text for line in state.console.lines(tab_id))]
        kept += [request.url for request in state.requests.all(tab_id)]
        kept += [str(row) for row in state.history.rows(limit=20)]
        for way in WAYS:
            assert way not in said
            assert way not in "\n".join(kept)
        assert "Welcome ***" in said
        assert any("***" in line.text for line in state.console.lines(tab_id))
    _are_without_it(panel.kept())


async def test_it_is_masked_in_a_window_that_its_page_opens(
    agent: OpenAgent, panel: Panel, pages: str, tmp_path: Path
) -> None:
    state = panel.hub.state
    async with agent(f"{pages}/mirrors.html") as a:
        await a.call("fill", selector="#password", value=CANARY)
        clicked = await a.call("click", selector="#open")
        (new,) = await told(a, clicked, "newTabs")
        said = f"{clicked} {new}" + await a.text("wait", text="They typed", tabId=new["tabId"])
        opened = state.tabs.get(new["tabId"])
        said += await a.text("snapshot", tabId=opened.tab_id) + await a.text("logs", tabId=opened.tab_id)
        said += await looks(a)
        kept = [opened.title, opened.url, *(line.text for line in state.console.lines(opened.tab_id))]
        for way in WAYS:
            assert way not in said
            assert way not in "\n".join(kept)
        assert "They typed ***" in said
        exports = []
        for name in ("json", "jsonl", "html", "playwright", "kapture", "har"):
            file = tmp_path / f"export.{name}"
            data = ("--data-dir", str(panel.data.root))
            code, _, complaint = await kapture("export", "--format", name, "-o", str(file), *data)
            assert code == 0, complaint
            exports.append(file)
        await a.call("close_tab", tabId=opened.tab_id)
    assert "mirrors.html" in (tmp_path / "export.html").read_text()
    assert "mirrored.html" in (tmp_path / "export.har").read_text()
    _are_without_it([*exports, *panel.kept()])


def _are_without_it(files: Iterable[Path]) -> None:
    for file in files:
        if file.is_file():
            data = file.read_bytes()
            assert not any(way.encode() in data for way in WAYS), file
