"""Every tool of every profile, through `kapture mcp --profile NAME`, on a real page: the whole answer as its system
specifies it, and what became of the page, seen by other eyes."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import re
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from PIL import Image

from kapture_panel import paths
from kapture_panel.core.catalogue.catalogue import PREFIX, Catalogue
from kapture_panel.demo.agent import connect
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.agent_door import untrusted
from kapture_panel.hub.agent_door.profiles.files import Profiles
from kapture_panel.hub.agent_door.profiles.profile import CANONICAL
from tests.support.e2e.panel import OpenAgent, Panel, closed_port, dialog_shown
from tests.support.hub.profiles import FIRST

pytestmark = pytest.mark.asyncio(loop_scope="session")

PROFILES = Profiles([paths.resources() / "profiles"], Catalogue(paths.catalogue()))
#: What varies from run to run, by the mark that stands for it in an answer or a parameter.
MARKS = {
    "<number>": r"-?\d+(?:\.\d+)?", "<path>": r"/[^\s\"`]+", "<name>": r"\d{16}-[0-9a-f]{16}\.\w+", "<ref>": r"e\d+",
    "<any>": r"(?s:.*)", "<late>": r'(?:,"lateEffects":\{[^{}]*\})?',
    "<requests>": r'(?:"requests":\d+,)?',
}  # fmt: skip
TOLD = "window.told ?? null"
ASKS = "pad.onclick = () => { window.told = confirm('Sure?'); }"
DISMISSED = '\nthe page showed a dialog, confirm "Sure?"; it was dismissed'


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


def data(value: str) -> str:
    """An answer of unibrowse."""
    return f'{{"success":true,"data":{value}}}'


def pretty(value: Any) -> str:
    """An answer of WebPilot; marks are written as strings with a $."""
    return re.sub(r'"\$(<\w+>)"', r"\1", json.dumps(value, indent=2))


SECOND = '{"title":"Profiles","url":"<page>?2"}'
STATE = '{"title":"Profiles","url":"<page>"}'
TREE = (
    '"# Profiles — <page>\\n- heading \\"Profiles\\" [ref=<ref>] [level=1]\\n- text: Once upon a time\\n'
    '- button \\"Press\\" [ref=<ref>]\\n- button \\"Hover\\" [ref=<ref>]\\n- textbox \\"Field\\" [ref=<ref>]\\n'
    '- combobox \\"Pick\\" [ref=<ref>] value=\\"Apple\\"\\n- text: From To\\n- button \\"Pad\\" [ref=<ref>]\\n'
    '- link \\"Low\\" [ref=<ref>] offscreen"'
)

UNIBROWSE = [
    Row("browser_navigate", {"url": "<page>?2"}, data(SECOND), ("location.search", "?2")),
    Row("browser_go_back", {}, data(STATE), ("location.search", "")),
    Row("browser_go_forward", {}, data(SECOND), ("location.search", "?2")),
    Row("browser_navigate", {"url": "<page>"}, data(STATE), ("location.search", "")),
    Row("browser_click", {"element": "the button", "selector": "#button"},
        data('{"clicked":"<button id=\\"button\\">","x":<number>,"y":<number>}'), (TOLD, "clicked true")),
    Row("browser_click", {"selector": "#missing"}, "Element not found: #missing", fails=True),
    Row("browser_click", {"ref": "e99999"}, "Element not found: e99999", fails=True),
    Row("browser_hover", {"selector": "#hover"},
        data('{"hovered":"<button id=\\"hover\\">","x":<number>,"y":<number>}'), (TOLD, "hovered")),
    Row("browser_type", {"selector": "#field", "text": "ab", "submit": True}, data('{"typed":2}'),
        ("[field.value, told]", ["ab", "sent"])),
    Row("browser_drag", {"startSelector": "#from", "endSelector": "#to"},
        data('{"dragged":"<span id=\\"from\\">","to":"<span id=\\"to\\">","kind":"html5"}'), (TOLD, "dropped parcel")),
    Row("browser_select_option", {"selector": "#pick", "values": ["b"]}, data('{"labels":["Bread"],"values":["b"]}'),
        ("pick.value", "b")),
    Row("browser_press_key", {"key": "ctrl+b"}, data('{"pressed":"Control+b","count":1}'), (TOLD, "Control+b")),
    Row("browser_wait", {"time": 30}, data('{"waited":<number>}')),
    Row("browser_navigate", {"url": "<page>"}, data(STATE)),
    Row("browser_snapshot", {}, data(TREE)),
    Row("browser_screenshot", {},
        data('{"format":"png","width":<number>,"height":<number>,"scale":1,"x":0,"y":0,"path":"<path>"}'),
        picture=(0, 0)),
    Row("browser_get_console_logs", {},
        data('[{"level":"warn","text":"a 1","timestamp":<number>,"source":"<any>"}<any>]'),
        before="console.warn('a', 1)"),
    Row("browser_query_dom", {"selector": "#words"},
        data('[{"tagName":"p","id":"words","className":"lead","text":"Once upon a time","ref":"<ref>",'
             '"role":"paragraph","name":"","visible":true}]')),
    Row("browser_query_dom", {"selector": "button", "limit": 1},
        data('[{"tagName":"button","id":"button","ref":"<ref>","role":"button","name":"Press","visible":true}]')),
    Row("browser_get_visible_text", {"selector": "#words"}, data('"Once upon a time"')),
    Row("browser_get_computed_styles", {"selector": "#words", "properties": ["margin"]}, data('{"margin":"0px"}')),
    Row("browser_check_visibility", {"selector": "#words"},
        data('{"box":{"height":<number>,"width":<number>,"x":0,"y":<number>},"inViewport":true,"name":"",'
             '"ref":"<ref>","role":"paragraph","tag":"p","visible":true}')),
    Row("browser_get_attributes", {"selector": "#words"}, data('{"class":"lead","id":"words"}')),
    Row("browser_count_elements", {"selector": "button"}, data("3")),
    Row("browser_get_page_metadata", {},
        data('{"charset":"UTF-8","headings":["Profiles"],"language":"en","meta":{"description":"For profiles"},'
             '"readyState":"complete","title":"Profiles","url":"<page>"}')),
    Row("browser_get_filtered_aria_tree", {"roles": ["heading"]},
        data('"# Profiles — <page>\\n- heading \\"Profiles\\" [ref=<ref>] [level=1]"')),
    Row("browser_find_by_text", {"text": "UPON"},
        data('[{"inViewport":true,"name":"","ref":"<ref>","role":"paragraph","tag":"p"}]')),
    Row("browser_find_by_text", {"text": "UPON", "exact": True}, data("[]")),
    Row("browser_get_form_values", {"formSelector": "#form"},
        data('[{"field":"field","inViewport":true,"name":"Field","ref":"<ref>","role":"textbox","tag":"input",'
             '"type":"text","value":""},{"field":"pick","inViewport":true,"label":"Apple","name":"Pick","ref":"<ref>",'
             '"role":"combobox","tag":"select","value":"a"}]')),
    Row("browser_get_form_values", {"formSelector": "#none"}, "Element not found: #none", fails=True),
    Row("browser_check_element_state", {"selector": "#field"},
        data('{"editable":true,"enabled":true,"focused":false,"inViewport":true,"name":"Field","readOnly":false,'
             '"ref":"<ref>","required":false,"role":"textbox","tag":"input","valid":true,"visible":true}')),
    Row("browser_click", {"selector": "#pad"},
        data('{"clicked":"<button id=\\"pad\\">","x":<number>,"y":<number>}') + DISMISSED, (TOLD, False), before=ASKS),
]  # fmt: skip

WEBPILOT = [
    Row("browser_create_tab", {"url": "<page>"},
        pretty({"tab_id": "$<number>", "url": "<page>", "title": "Profiles"}), ("document.title", "Profiles")),
    Row("browser_get_tabs", {},
        '[<any>  {\n    "tab_id": <tab>,\n    "url": "<page>",\n    "title": "Profiles"\n  }<any>]'),
    Row("browser_get_accessibility_tree", {"tab_id": "<tab>"},
        '{\n  "tree": ' + TREE + ',\n  "elementCount": 7\n}'),
    Row("browser_get_accessibility_tree", {"tab_id": "<tab>", "usePlatformOptimizer": False},
        '{\n  "tree": ' + TREE + ',\n  "elementCount": 7\n}'),
    Row("browser_inject_script", {"tab_id": "<tab>", "script_url": "<site>/profiles.js", "keep_injected": True},
        pretty({"success": True}), ("window.injected", 1)),
    Row("browser_execute_js", {"tab_id": "<tab>", "code": "({ a: [1, 'ü'] })"},
        '{\n  "result": {\n    "a": [\n      1,\n      "ü"\n    ]\n  }\n}'),
    Row("browser_execute_js", {"tab_id": "<tab>", "code": "foo"},
        "ReferenceError: foo is not defined (line 1, column 1)", fails=True),
    Row("browser_execute_js", {"tab_id": "<tab>", "code": "confirm('Sure?')"}, '{\n  "result": false\n}' + DISMISSED),
    Row("browser_click", {"tab_id": "<tab>", "selector": "#button", "showCursor": True, "delay": 20},
        pretty({"success": True, "x": "$<number>", "y": "$<number>"}), (TOLD, "clicked true")),
    Row("browser_click", {"tab_id": "<tab>", "x": 450, "y": 120}, pretty({"success": True, "x": 450, "y": 120}),
        (TOLD, "pad 50,20")),
    Row("browser_click", {"tab_id": "<tab>", "selector": "#missing"}, "Element not found: #missing", fails=True),
    Row("browser_type", {"tab_id": "<tab>", "text": "x", "selector": "#field", "pressEnter": True},
        pretty({"success": True}), ("[field.value, told]", ["x", "sent"])),
    Row("browser_scroll", {"tab_id": "<tab>", "pixels": 100}, pretty({"success": True}), ("scrollY", 100)),
    Row("browser_scroll", {"tab_id": "<tab>", "selector": "#low"}, pretty({"success": True}), ("scrollY > 1500", True)),
    Row("browser_close_tab", {"tab_id": "<tab>"}, pretty({"success": True})),
    Row("browser_close_tab", {"tab_id": "<tab>"}, "No tab with id: <tab>.", fails=True),
]  # fmt: skip

PHOENIX = [
    Row("browser_navigate", {"url": "<page>"}, "done", ("[innerWidth, innerHeight]", [1280, 720])),
    Row("browser_navigate", {"url": "<dead>"}, "net::ERR_CONNECTION_REFUSED: Failed to connect to <host>", fails=True),
    Row("browser_navigate", {"url": "<shop>/api/slow?ms=3000", "timeout": "200ms"},
        "Timeout after 200ms waiting for page load", fails=True),
    Row("browser_navigate", {"url": "<page>", "timeout": "5s"}, "done", ("location.href", "<page>")),
    Row("browser_eval", {"expression": "document.querySelector('#button').click()"},
        "<javascript_result>null</javascript_result>", (TOLD, "clicked false")),
    Row("browser_eval", {"expression": "document.querySelector('#words').textContent"},
        '<javascript_result>"Once upon a time"</javascript_result>'),
    Row("browser_eval", {"expression": "new Promise(r => setTimeout(() => r({ready: true}), 20))"},
        '<javascript_result>{"ready":true}</javascript_result>'),
    Row("browser_eval", {"expression": "confirm('Sure?')"}, "<javascript_result>false</javascript_result>" + DISMISSED),
    Row("browser_eval", {"expression": "foo"}, "ReferenceError: foo is not defined at line 1", fails=True),
    Row("browser_eval", {"expression": "const a = 1;\nfoo(a)"}, "ReferenceError: foo is not defined at line 2",
        fails=True),
    Row("browser_eval", {"expression": "new Promise(() => {})", "timeout": "200ms"},
        "Timeout after 200ms waiting for the expression", fails=True),
    Row("browser_eval", {"expression": "'x'.repeat(2000)"},
        '<javascript_result>"x<any>\n(cut: 256 of 2041 bytes. All of it is in <path>: read it with `cat <path>`, or as '
        "the MCP resource kapture://output/<name>)"),
    Row("browser_take_screenshot", {}, "Screenshot taken (saved as <path>)", picture=(1280, 720)),
    Row("browser_take_screenshot", {"selector": "#pad"}, "Screenshot taken (saved as <path>)", picture=(100, 50)),
    Row("browser_take_screenshot", {"selector": "#missing"}, "Selector '#missing' not found", fails=True),
    Row("read_image", {"path": "<shot>"}, "Image from <shot> (type: image/png)", picture=(100, 50)),
    Row("read_image", {"path": "<shots>/none.png"}, "Image file not found: <shots>/none.png", fails=True),
    Row("browser_clear_console_logs", {}, "Cleared <number> console log entries."),
    Row("browser_recent_console_logs", {"limit": 1},
        '[{"type":"log","args":["a 1"],"timestamp":<number>,"context":"page"}]',
        before="console.log('first'); console.log('a', 1)"),
    Row("browser_clear_console_logs", {}, "Cleared 2 console log entries."),
    Row("browser_recent_console_logs", {}, "[]"),
    Row("browser_resize", {"width": 800, "height": 600}, "done", ("[innerWidth, innerHeight]", [800, 600])),
    Row("browser_resize", {"width": 0, "height": 600}, "Invalid dimensions: width and height must be positive",
        ("[innerWidth, innerHeight]", [800, 600]), fails=True),
    Row("browser_resize", {"width": -5, "height": -5}, "Invalid dimensions: width and height must be positive",
        fails=True),
    Row("browser_get_service_workers", {}, "no service worker is registered for this page's site"),
    Row("browser_get_network_sources", {"limit": 1}, "<any>network <any>\n<ref> <any>", marks={"<ref>": r"r\d+"}),
    Row("browser_set_offline", {"offline": True}, "done", ("navigator.onLine", False)),
    Row("browser_navigate", {"url": "<page>"}, "net::ERR_INTERNET_DISCONNECTED: Failed to load <page>", fails=True),
    Row("browser_set_offline", {"offline": False}, "done"),
    Row("browser_navigate", {"url": "<page>"}, "done", ("navigator.onLine", True)),
]  # fmt: skip

BROWSERX = [
    Row("DOMTool", {"action": "snapshot", "selector": "#button, #low"},
        '{"count":2,"nodes":[{"node_id":"<ref>","tag":"button","role":"button","name":"Press","visible":true,'
        '"inViewport":true},{"node_id":"<ref>","tag":"a","role":"link","name":"Low","visible":true,"inViewport":false}]}'),
    Row("DOMTool", {"action": "snapshot"}, '{"count":7,"nodes":[{"node_id":"<ref>","tag":"h1",<any>]}'),
    Row("DOMTool", {"action": "click", "node_id": "<button>"}, "Clicked <button>.", (TOLD, "clicked true")),
    Row("DOMTool", {"action": "type", "node_id": "<field>", "text": "hi"}, "Typed 2 characters into <field>.",
        ("field.value", "hi")),
    Row("DOMTool", {"action": "keypress", "key": "return", "node_id": "<field>"}, "Pressed return.", (TOLD, "sent")),
    Row("PageScreenShotTool", {"action": "screenshot"},
        "Screenshot of the viewport, <number> × <number> pixels. x and y of a point are its position in the picture.",
        ("scrollY", 0), picture=(0, 0)),
    Row("PageScreenShotTool", {"action": "click", "x": 450, "y": 120}, "Clicked at 450, 120.", (TOLD, "pad 50,20")),
    Row("PageScreenShotTool", {"action": "click", "x": 450, "y": 120}, "Clicked at 450, 120." + DISMISSED,
        (TOLD, False), before=ASKS),
    Row("PageScreenShotTool", {"action": "type", "x": "<field.x>", "y": "<field.y>", "text": "!"},
        "Typed 1 characters at <number>, <number>.", ("[field.value, document.activeElement.id]", ["hi!", "field"])),
    Row("PageScreenShotTool", {"action": "keypress", "key": "ctrl+b"}, "Pressed ctrl+b.", (TOLD, "Control+b")),
    Row("PageScreenShotTool", {"action": "scroll", "x": 0, "y": 700}, "Scrolled to 0, 700.", ("scrollY", 700)),
    Row("PageScreenShotTool", {"action": "screenshot", "scrollY": 300},
        "Screenshot of the viewport, <number> × <number> pixels. x and y of a point are its position in the picture.",
        ("scrollY", 300), picture=(0, 0)),
    Row("PageScreenShotTool", {"action": "click", "x": 99999, "y": 5},
        "<any>99999<any>", fails=True),
]  # fmt: skip

#: What an action did, and what came of a page besides.
WENT = '"effects":{"url":"<page>%s","title":"Profiles",<requests>"changed":true}<late>}'
#: The first eleven tools of Kapture, called as an agent that was made for them does.
KAPTURE = [
    Row("kapturemcp_list_tabs", {},
        '{"tabs":[<any>{"tabId":"<tab>","url":"<page>","title":"Profiles","state":"connected","driver":"kapture",'
        '"current":true}]}'),
    Row("kapturemcp_navigate", {"tabId": "<tab>", "url": "<page>?2", "timeout": 5000},
        '{"title":"Profiles","url":"<page>?2",' + WENT % "?2", ("location.search", "?2")),
    Row("kapturemcp_go_back", {"tabId": "<tab>"}, '{"title":"Profiles","url":"<page>",' + WENT % "",
        ("location.search", "")),
    Row("kapturemcp_go_forward", {"tabId": "<tab>"}, '{"title":"Profiles","url":"<page>?2",' + WENT % "?2",
        ("location.search", "?2")),
    Row("kapturemcp_click", {"tabId": "<tab>", "selector": "#button"},
        '{"clicked":"<button id=\\"button\\">","x":<number>,"y":<number>,"effects":{"changed":false}<late>}',
        (TOLD, "clicked true")),
    Row("kapturemcp_click", {"tabId": "<tab>", "selector": "#missing"},
        'ELEMENT_NOT_FOUND: nothing matches "#missing"; look at a snapshot', fails=True),
    Row("kapturemcp_click", {"tabId": "<tab>", "selector": "#["},
        'INVALID_SELECTOR: "#[" is not a CSS selector; write one like #id or [name=to]', fails=True),
    Row("kapturemcp_click", {"tabId": "gone", "selector": "#button"},
        "TAB_NOT_FOUND: no connected tab is called 'gone'; connected are <any><tab> (<any>)", fails=True),
    Row("kapturemcp_hover", {"tabId": "<tab>", "selector": "#hover"},
        '{"hovered":"<button id=\\"hover\\">","x":<number>,"y":<number>,"effects":{"changed":false}<late>}',
        (TOLD, "hovered")),
    Row("kapturemcp_fill", {"tabId": "<tab>", "selector": "#field", "value": "new"},
        '{"value":"new","effects":{"changed":true}<late>}', ("field.value", "new")),
    Row("kapturemcp_select", {"tabId": "<tab>", "selector": "#pick", "value": "b"},
        '{"labels":["Bread"],"values":["b"],"effects":{"changed":true}<late>}', ("pick.value", "b")),
    Row("kapturemcp_evaluate", {"tabId": "<tab>", "code": "({ a: [1, 'ü'] })"},
        '{"value":{"a":[1,"ü"]},"effects":{"changed":false}<late>}'),
    Row("kapturemcp_evaluate", {"tabId": "<tab>", "code": "foo"},
        "EXECUTION_ERROR: ReferenceError: foo is not defined (line 1, column 1)<any>", fails=True),
    Row("kapturemcp_evaluate", {"tabId": "<tab>", "code": "new Promise(() => {})", "timeout": 200},
        "COMMAND_TIMEOUT: not done after 200 ms; give a longer timeout or check the page<any>", fails=True),
    Row("kapturemcp_logs", {"tabId": "<tab>", "max": 2},
        "<number> error two\n    lines\n<number> warn a 1\n(2 of <number> lines, newest first)<any>",
        before="[console.log('first'), console.warn('a', 1), console.error('two\\nlines')]"),
    Row("kapturemcp_screenshot", {"tabId": "<tab>", "name": "pad", "selector": "#pad", "width": 50, "height": 50},
        "50 × 25 png, scale 0.5; for click x, y: divide a pixel's position by 0.5, then add 400, 100. Saved as <path>",
        picture=(50, 25)),
]  # fmt: skip

Call = tuple[str, dict[str, Any]]

TABLE = {"unibrowse": UNIBROWSE, "webpilot": WEBPILOT, "phoenix": PHOENIX, "browserx": BROWSERX}


async def test_no_tool_of_any_profile_is_forgotten() -> None:
    assert set(TABLE) | {CANONICAL} == set(PROFILES.names())
    for name, rows in TABLE.items():
        assert {row.tool for row in rows} == set(PROFILES.get(name).tools), name
        for tool in PROFILES.get(name).tools.values():
            done = [row.params for row in rows if row.tool == tool.name and not row.fails]
            assert done, tool.name
            assert {params[tool.by] if tool.by else "" for params in done} == set(tool.routes), tool.name


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
    client = next(client for client in panel.hub.services.clients.agents() if client.name == profile)
    browser = panel.hub.links.browser_of(client.session)
    assert browser is not None
    return Witness(browser.pipe, pages)


@asynccontextmanager
async def tab_of_the_person(panel: Panel, page: str) -> AsyncIterator[str]:
    """A tab that no agent holds; its tabId."""
    services = panel.hub.services
    tab_id = (await services.router.run(services.person, "new_tab", {"url": page})).tab_id
    yield tab_id
    await services.router.run(services.person, "close_tab", {"tabId": tab_id})


@asynccontextmanager
async def page_for(profile: str, panel: Panel, page: str) -> AsyncIterator[None]:
    """A tab for the profiles that open none themselves."""
    if PROFILES.get(profile).newest_tab:
        async with tab_of_the_person(panel, page):
            yield
    else:
        yield


@pytest.mark.parametrize("profile", TABLE)
async def test_each_tool_answers_as_its_system_does_and_does_what_it_says(
    panel: Panel, pages: str, shop: str, profile: str
) -> None:
    page = f"{pages}/profiles.html"
    dead = f"http://127.0.0.1:{closed_port()}"
    known = {
        "<page>": page, "<site>": pages, "<shop>": shop, "<dead>": f"{dead}/", "<host>": dead.removeprefix("http://"),
        "<shots>": str(panel.data.screenshots),
    }  # fmt: skip
    witness: Witness | None = None
    async with page_for(profile, panel, page), connect(panel.data.root, profile, "all", "--profile", profile) as client:
        listed = (await client.list_tools()).tools
        assert {one.name: one.input_schema for one in listed} == {
            name: tool.schema for name, tool in PROFILES.get(profile).tools.items()
        }
        walk = Walk(client, known)
        for row in TABLE[profile]:
            if witness is not None:
                if row.before:
                    await witness.see(row.before, "/profiles.html")
                if "<field.x>" in row.params.values():
                    box = await witness.see(
                        "(b => [b.x + 5, b.y + 5])(field.getBoundingClientRect())", "/profiles.html"
                    )
                    known["<field.x>"], known["<field.y>"] = map(str, box)
            await walk.take(row)
            witness = witness or witness_of(panel, profile, pages)
            if row.sees:
                expression, expected = row.sees
                seen = await witness.see(expression, "/profiles.html")
                assert seen == walk.filled(expected), f"{row.tool} {row.params}: {expression} is {seen}"


#: By profile: a tool that opens the page, one that looks at it, and one that leaves it.
DIALOGS: dict[str, tuple[Call | None, Call, Call]] = {
    "unibrowse": (None, ("browser_click", {"selector": "#pad"}), ("browser_navigate", {"url": "<page>?left"})),
    "webpilot": (
        ("browser_create_tab", {"url": "<page>"}), ("browser_click", {"tab_id": "<tab>", "selector": "#pad"}),
        ("browser_execute_js", {"tab_id": "<tab>", "code": "location.search = '?left'"}),
    ),
    "phoenix": (
        ("browser_navigate", {"url": "<page>"}), ("browser_eval", {"expression": "1"}),
        ("browser_navigate", {"url": "<page>?left"}),
    ),
    "browserx": (
        None, ("PageScreenShotTool", {"action": "click", "x": 450, "y": 120}),
        ("PageScreenShotTool", {"action": "click", "x": 450, "y": 120}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("profile", DIALOGS)
async def test_a_dialog_nobodys_call_opened_and_a_page_that_asks_not_to_be_left_stop_no_profile(
    panel: Panel, pages: str, profile: str
) -> None:
    page = f"{pages}/profiles.html"
    known = {"<page>": page}
    opening, looking, leaving = DIALOGS[profile]
    async with page_for(profile, panel, page), connect(panel.data.root, profile, "all", "--profile", profile) as client:

        async def call(tool: str, params: dict[str, Any]) -> str:
            filled = {name: Walk(client, known).filled(value) for name, value in params.items()}
            result = await client.call_tool(tool, filled)
            said = "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))
            assert not result.is_error, said
            return said

        if opening is not None:
            opened = await call(*opening)
            if profile == "webpilot":
                known["<tab>"] = str(json.loads(opened)["tab_id"])
        await call(*looking)
        witness = witness_of(panel, profile, pages)
        await witness.see("setTimeout(() => { window.told = prompt('Late?', 'x') ?? 'nothing' }); 1", "/profiles.html")
        await dialog_shown(panel, page)
        assert (await call(*looking)).endswith('\nthe page showed a dialog, prompt "Late?"; it was dismissed')
        await witness.see(
            "onbeforeunload = (event) => event.preventDefault();pad.onclick = () => { location.search = '?left' }; 1",
            "/profiles.html",
        )
        assert (await call(*leaving)).endswith('\nthe page showed a dialog, beforeunload ""; it was accepted')
        assert await witness.see("location.search", "/profiles.html") == "?left"
        assert "the page showed" not in await call(*looking)
        if profile == "webpilot":
            await call("browser_close_tab", {"tab_id": "<tab>"})


async def test_webpilots_tabs_with_dialogs_are_opened_and_closed_in_one_call(panel: Panel, pages: str) -> None:
    async with connect(panel.data.root, "webpilot", "all", "--profile", "webpilot") as client:

        async def call(tool: str, **params: Any) -> tuple[Any, str]:
            result = await client.call_tool(tool, params)
            assert not result.is_error, result.content
            first, *rest = [block.text for block in result.content if isinstance(block, types.TextContent)]
            return json.loads(first), "\n".join(rest)

        opened, said = await call("browser_create_tab", url=f"{pages}/dialogs.html?greeting")
        assert said == 'the page showed a dialog, alert "Welcome"; it was dismissed'
        await call("browser_click", tab_id=opened["tab_id"], selector="#arm")
        closed, said = await call("browser_close_tab", tab_id=opened["tab_id"])
        assert closed == {"success": True}
        assert said == 'the page showed a dialog, beforeunload ""; it was accepted'
        assert opened["tab_id"] not in [tab["tab_id"] for tab in (await call("browser_get_tabs"))[0]]


async def test_a_page_that_never_stops_showing_dialogs_is_left(panel: Panel, pages: str) -> None:
    async with connect(panel.data.root, "phoenix", "all", "--profile", "phoenix") as client:

        async def call(tool: str, **params: Any) -> str:
            result = await client.call_tool(tool, params)
            return "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))

        await call("browser_navigate", url=f"{pages}/dialogs.html")
        said = await call("browser_eval", expression="for (;;) alert('again')", timeout="1s")
        assert said.startswith("Timeout after 1s waiting for the expression\n")
        assert re.search(r"and \d+ dialogs more, answered in the same way$", said)
        assert (await call("browser_navigate", url=f"{pages}/blank.html")).startswith("done")
        assert await call("browser_eval", expression="1 + 1") == "<javascript_result>2</javascript_result>"


async def test_the_first_eleven_tools_of_kapture_answer_whole(panel: Panel, pages: str) -> None:
    assert {row.tool for row in KAPTURE} == {PREFIX + name for name in FIRST}
    page = f"{pages}/profiles.html"
    async with connect(panel.data.root, "kapture", "all", "--profile", "kapture") as client:
        opened = (await client.call_tool("kapturemcp_new_tab", {"url": page})).structured_content
        assert opened is not None
        walk = Walk(client, {"<page>": page, "<tab>": opened["tabId"]}, numbers=False)
        for row in KAPTURE:
            if row.before:
                await panel.witness(pages).see(row.before, "/profiles.html")
            await walk.take(row)
            if row.sees:
                assert await panel.witness(pages).see(row.sees[0], "/profiles.html") == row.sees[1], row.tool
        await client.call_tool("kapturemcp_close_tab", {"tabId": opened["tabId"]})


class Parcel(BaseHTTPRequestHandler):
    """Answers everything with a file to keep."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Disposition", 'attachment; filename="parcel.bin"')
        self.send_header("Content-Length", "6")
        self.end_headers()
        self.wfile.write(b"parcel")

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def parcels() -> Iterator[str]:
    """The address of a download."""
    with HTTPServer(("127.0.0.1", 0), Parcel) as server:
        serving = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}/parcel"
        server.shutdown()
        serving.join()


async def test_a_download_that_phoenix_navigates_to_is_told_with_its_file(
    panel: Panel, pages: str, parcels: str
) -> None:
    async with connect(panel.data.root, "phoenix", "all", "--profile", "phoenix") as client:
        await client.call_tool("browser_navigate", {"url": f"{pages}/blank.html"})
        result = await client.call_tool("browser_navigate", {"url": parcels})
        said = "".join(block.text for block in result.content if isinstance(block, types.TextContent))
        found = re.fullmatch(r"Download completed: parcel\.bin \(saved as (/\S+)\)", said)
        assert found, said
        assert Path(found[1]).is_relative_to(panel.data.downloads)
        assert Path(found[1]).read_bytes() == b"parcel"


async def test_webpilots_kept_script_runs_again_after_a_navigation(panel: Panel, pages: str) -> None:
    async with connect(panel.data.root, "webpilot", "all", "--profile", "webpilot") as client:

        async def call(tool: str, **params: Any) -> Any:
            result = await client.call_tool(tool, params)
            assert not result.is_error, result.content
            block = result.content[0]
            assert isinstance(block, types.TextContent)
            return json.loads(block.text)

        tab = (await call("browser_create_tab", url=f"{pages}/profiles.html"))["tab_id"]
        url = f"{pages}/profiles.js"
        await call("browser_inject_script", tab_id=tab, script_url=url, keep_injected=True)
        await call("browser_execute_js", tab_id=tab, code="location.assign('/profiles.html?again')")
        assert (await call("browser_execute_js", tab_id=tab, code="[location.search, injected]"))["result"] == [
            "?again",
            1,
        ]
        await call("browser_close_tab", tab_id=tab)


async def test_browserx_leaves_no_picture_behind(agent: OpenAgent, panel: Panel, pages: str) -> None:
    before = set(panel.data.screenshots.iterdir())
    async with (
        agent(f"{pages}/pixels.html"), connect(panel.data.root, "browserx", "all", "--profile", "browserx") as client,
    ):  # fmt: skip
        for _ in range(3):
            result = await client.call_tool("PageScreenShotTool", {"action": "screenshot"})
            assert [block.type for block in result.content] == ["image", "text"]
            assert set(panel.data.screenshots.iterdir()) == before


async def test_a_point_of_browserx_picture_is_the_point_it_clicks_whatever_the_pixel_ratio(
    panel: Panel, pages: str
) -> None:
    async with (
        tab_of_the_person(panel, f"{pages}/pixels.html") as tab_id,
        connect(panel.data.root, "browserx", "all", "--profile", "browserx") as client,
    ):
        services = panel.hub.services
        size = {"width": 2000, "height": 900, "deviceScaleFactor": 2, "tabId": tab_id}
        await services.router.run(services.person, "resize", size)
        result = await client.call_tool("PageScreenShotTool", {"action": "screenshot"})
        block = result.content[0]
        assert isinstance(block, types.ImageContent)
        picture = Image.open(io.BytesIO(base64.b64decode(block.data))).convert("RGB")
        assert picture.size == (2000, 900)
        blue = [(x, y) for x in range(0, 2000, 5) for y in range(0, 900, 5) if picture.getpixel((x, y)) == (0, 0, 255)]
        x, y = blue[len(blue) // 2]
        await client.call_tool("PageScreenShotTool", {"action": "click", "x": x, "y": y})
        told = await panel.witness(pages).see("document.title", "/pixels.html")
        assert told == f"blue {x - 300},{y - 50}"


@pytest.mark.parametrize("options", [["--profile", "nope"], ["--profile=phoenix", "--tools", "core"]])
async def test_a_profile_there_is_not_ends_the_child_with_a_reason(panel: Panel, options: list[str]) -> None:
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "kapture_panel", "mcp", "--data-dir", str(panel.data.root), *options,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, complaints = await child.communicate()
    assert child.returncode == 2
    expected = (
        "is none of browserx, kapture, phoenix, unibrowse, webpilot" if "nope" in options else "exactly its tools"
    )
    assert expected in complaints.decode()
