"""Every tool of every profile, through `kapture mcp --profile NAME`, on a real page: the whole answer as its system
specifies it, and what became of the page, seen by other eyes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from kapture_panel.demo.agent import connect
from kapture_panel.demo.witness import Witness
from kapture_panel.hub.agent_door.profiles.profile import CANONICAL
from tests.support.e2e.panel import Panel, heard
from tests.support.e2e.profiles import PROFILES, TOLD, Row, Walk, page_for, witness_of
from tests.support.ports import quiet_port

pytestmark = pytest.mark.asyncio(loop_scope="session")

ASKS = "pad.onclick = () => { window.told = confirm('Sure?'); }"

DISMISSED = '\nthe page showed a dialog, confirm "Sure?"; it was dismissed'


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
    '- combobox \\"Pick\\" [ref=<ref>] value=\\"Apple\\" options=\\"Apple\\" \\"Bread\\"\\n'
    '- clickable \\"From\\" [ref=<ref>]\\n- text: To\\n- button \\"Pad\\" [ref=<ref>]\\n'
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
        '{\n  "tree": ' + TREE + ',\n  "elementCount": 8\n}'),
    Row("browser_get_accessibility_tree", {"tab_id": "<tab>", "usePlatformOptimizer": False},
        '{\n  "tree": ' + TREE + ',\n  "elementCount": 8\n}'),
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
    Row("browser_navigate", {"url": "<page>", "timeout": "60s"}, "done", ("location.href", "<page>")),
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


TABLE = {"unibrowse": UNIBROWSE, "webpilot": WEBPILOT, "phoenix": PHOENIX, "browserx": BROWSERX}


async def test_no_tool_of_any_profile_is_forgotten() -> None:
    assert set(TABLE) | {CANONICAL} == set(PROFILES.names())
    for name, rows in TABLE.items():
        assert {row.tool for row in rows} == set(PROFILES.get(name).tools), name
        for tool in PROFILES.get(name).tools.values():
            done = [row.params for row in rows if row.tool == tool.name and not row.fails]
            assert done, tool.name
            assert {params[tool.by] if tool.by else "" for params in done} == set(tool.routes), tool.name


@pytest.mark.parametrize("profile", TABLE)
async def test_each_tool_answers_as_its_system_does_and_does_what_it_says(
    panel: Panel, pages: str, shop: str, profile: str
) -> None:
    page = f"{pages}/profiles.html"
    dead = f"http://127.0.0.1:{quiet_port()}"
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
                    async with heard(panel, "a 1" if "console" in row.before else ""):
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
