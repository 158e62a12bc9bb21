"""Conversations in a profile, and the answers of other systems."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import mcp_types as types
from mcp import Client
from PIL import Image

from kapture_panel import paths
from kapture_panel.core.catalogue.catalogue import PREFIX, Catalogue
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.agent_door import untrusted
from kapture_panel.hub.agent_door.profiles.files import Profiles
from kapture_panel.hub.browsers.managed import ManagedBrowser
from tests.support.e2e.panel import Panel

PROFILES = Profiles([paths.resources() / "profiles"], Catalogue(paths.catalogue()))

#: What varies from run to run, by the mark that stands for it in an answer or a parameter.
MARKS = {
    "<number>": r"-?\d+(?:\.\d+)?", "<path>": r"/[^\s\"`]+", "<name>": r"\d{16}-[0-9a-f]{16}\.\w+", "<ref>": r"e\d+",
    "<any>": r"(?s:.*)", "<late>": r'(?:,"lateEffects":\{[^{}]*\})?',
    "<requests>": r'(?:"requests":\d+,)?',
}  # fmt: skip

TOLD = "window.told ?? null"


@dataclass(frozen=True)
class Row:
    """One call: `before` runs in the page first, `sees` then has this value; `picture` is the size of the image."""

    tool: str
    params: dict[str, Any]
    answer: str
    sees: tuple[str, Any] | None = None
    before: str = ""
    picture: tuple[int, int] | None = None
    fails: bool = False
    marks: dict[str, str] = field(default_factory=dict)


def unmarked(said: str, source: str, *, in_text: bool) -> str:
    """An answer without the mark it must have when it holds words of a page."""
    if not in_text or not source:
        assert untrusted.KEY not in said
        return said
    for mark in (f'"{untrusted.KEY}":"{source}",', f"{untrusted.line(source)}\n", f"\n{untrusted.line(source)}"):
        if mark in said:
            return said.replace(mark, "", 1)
    raise AssertionError(f"{said} is not marked as {source}")


class Walk:
    """One conversation through the rows of a profile; `known` are the values of marks that are known by now, and
    `numbers` says whether one that looks like a number is one."""

    def __init__(self, client: Client, known: dict[str, str], *, numbers: bool = True) -> None:
        self.numbers = numbers
        self.client = client
        self.known = known

    def filled(self, value: Any) -> Any:
        """A parameter with its marks replaced; a mark alone that stands for a number becomes one."""
        if not isinstance(value, str):
            return value
        if self.numbers and value in self.known and re.fullmatch(MARKS["<number>"], self.known[value]):
            return json.loads(self.known[value])
        for mark, known in self.known.items():
            value = value.replace(mark, known)
        return value

    async def take(self, row: Row) -> types.CallToolResult:
        """Call, and compare all of the answer."""
        params = {name: self.filled(value) for name, value in row.params.items()}
        result = await self.client.call_tool(row.tool, params)
        said = "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))
        assert bool(result.is_error) is row.fails, said
        said = unmarked(said, (result.meta or {}).get(untrusted.META, ""), in_text=row.tool.startswith(PREFIX))
        pattern = re.escape(row.answer)
        for mark, known in self.known.items():
            pattern = pattern.replace(re.escape(mark), re.escape(known))
        for mark, expression in {**MARKS, **row.marks}.items():
            pattern = pattern.replace(re.escape(mark), expression)
        assert re.fullmatch(pattern, said), f"{row.tool} {params}\n  answered {said}\n  not      {row.answer}"
        if not row.tool.startswith(PREFIX):
            assert result.structured_content is None
        pictures = [block for block in result.content if isinstance(block, types.ImageContent)]
        assert len(pictures) == (row.picture is not None)
        for block in pictures:
            size = Image.open(io.BytesIO(base64.b64decode(block.data))).size
            assert size == row.picture or row.picture == (0, 0)
        self._learn(row, said)
        return result

    def _learn(self, row: Row, said: str) -> None:
        if row.tool == "browser_create_tab":
            self.known["<tab>"] = str(json.loads(said)["tab_id"])
        if row.tool == "browser_take_screenshot" and not row.fails:
            self.known["<shot>"] = said.removeprefix("Screenshot taken (saved as ").removesuffix(")")
        if row.tool == "DOMTool" and row.params["action"] == "snapshot":
            for node in json.loads(said)["nodes"]:
                marks = {"Press": "<button>", "Field": "<field>"}
                if node["name"] in marks:
                    self.known[marks[node["name"]]] = node["node_id"]


def witness_of(panel: Panel, profile: str, pages: str) -> Witness:
    """Raw CDP eyes on the pages of the browser the profile works in."""
    if not PROFILES.get(profile).isolated:
        return panel.witness(pages)
    client = next(client for client in panel.hub.state.clients.agents() if client.name == profile)
    browser = panel.hub.browsers.of(client.session)
    assert isinstance(browser, ManagedBrowser)
    return Witness(browser.pipe, pages)


@asynccontextmanager
async def tab_of_the_person(panel: Panel, page: str) -> AsyncIterator[str]:
    """A tab that no agent holds; its tabId."""
    hub = panel.hub
    tab_id = (await hub.core.router.run(hub.state.person, "new_tab", {"url": page})).tab_id
    yield tab_id
    await hub.core.router.run(hub.state.person, "close_tab", {"tabId": tab_id})


@asynccontextmanager
async def page_for(profile: str, panel: Panel, page: str) -> AsyncIterator[None]:
    """A tab for the profiles that open none themselves."""
    if PROFILES.get(profile).newest_tab:
        async with tab_of_the_person(panel, page):
            yield
    else:
        yield
