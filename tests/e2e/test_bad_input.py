"""Bad input at run time, for every command: its own code, and a message that names the value and what to do."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from kapture_panel import paths
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import OpenAgent, current_tab
from tests.support.ports import quiet_port

LAB = "/lab"


class Bad(NamedTuple):
    """A call that fails on a page of the demo site."""

    params: dict[str, Any]
    code: str
    #: What was given, in the words of the message.
    names: str
    #: What the message says to do, or what there is instead.
    next: str
    page: str = LAB


def no_tab() -> Bad:
    return Bad({"tabId": "nope"}, "TAB_NOT_FOUND", "'nope'", "connected are")


NOTHING = {"selector": "#nowhere"}


def nothing(**more: Any) -> Bad:
    return Bad({**NOTHING, **more}, "ELEMENT_NOT_FOUND", '"#nowhere"', "snapshot")


def no_selector(**more: Any) -> Bad:
    return Bad({"selector": "##", **more}, "INVALID_SELECTOR", '"##"', "write one like")


def stale(**more: Any) -> Bad:
    return Bad({"ref": "e99999", **more}, "STALE_REF", "e99999", "take a new snapshot")


def outside(**more: Any) -> Bad:
    return Bad({"x": 99999, "y": 5, **more}, "ELEMENT_NOT_FOUND", "99999,5", "viewport, which is")


def late(wait: dict[str, Any]) -> Bad:
    return Bad({**wait, "timeout": 150}, "COMMAND_TIMEOUT", "150 ms", "longer timeout")


#: Each command of the catalogue.
BAD: dict[str, list[Bad]] = {
    "list_tabs": [Bad({"bogus": 1}, "INVALID_PARAMS", "'bogus'", "it takes")],
    "batch": [
        Bad({"steps": [{"command": "clik"}]}, "INVALID_PARAMS", "'clik'", "did you mean click?"),
        Bad({"steps": [{"command": "batch"}]}, "INVALID_PARAMS", "step 1 of 1 (batch)", "cannot hold another"),
        Bad({"steps": [{"command": "click", "params": NOTHING}]}, "ELEMENT_NOT_FOUND", "step 1 of 1", "snapshot"),
        Bad(
            {"steps": [{"command": "wait", "params": {"time": 1}}, {"command": "evaluate", "params": {"code": "1 +"}}]},
            "EXECUTION_ERROR",
            "step 2 of 2 (evaluate)",
            "done before it:",
        ),
    ],
    "new_tab": [
        Bad({"url": "{dead}"}, "NAVIGATION_FAILED", "net::ERR_CONNECTION_REFUSED", "check the address"),
        Bad({"url": "not an address"}, "INVALID_PARAMS", "not an address", "give one like"),
        Bad({"url": "javascript:alert(1)"}, "DENIED", "javascript:", "use an http"),
    ],
    "close_tab": [no_tab()],
    "activate_tab": [no_tab()],
    "list_browser_tabs": [Bad({"bogus": 1}, "INVALID_PARAMS", "'bogus'", "it takes")],
    "connect_tab": [Bad({"browserTabId": 999999}, "TAB_NOT_FOUND", "999999", "kapturemcp_list_browser_tabs")],
    "navigate": [
        Bad({}, "INVALID_PARAMS", "navigate", "'url' is missing"),
        Bad({"url": "not an address"}, "INVALID_PARAMS", "not an address", "give one like"),
        Bad({"url": "http://"}, "INVALID_PARAMS", '"http://"', "give one like"),
        Bad({"url": "javascript:alert(1)"}, "DENIED", "javascript:", "use an http"),
        Bad({"url": "chrome://settings"}, "DENIED", "chrome:", "use an http"),
        Bad({"url": "file:///etc/passwd"}, "DENIED", "file:", "--allow-dir /etc"),
        Bad({"url": "{dead}"}, "NAVIGATION_FAILED", "net::ERR_CONNECTION_REFUSED", "check the address"),
        Bad({"url": "https://no-such-name.invalid/"}, "NAVIGATION_FAILED", "no-such-name.invalid", "check the address"),
        Bad({"url": "{slow}", "timeout": 200}, "COMMAND_TIMEOUT", "200 ms", "longer timeout"),
    ],
    "go_back": [no_tab()],
    "go_forward": [no_tab(), Bad({}, "NAVIGATION_FAILED", "no later page", "history")],
    "reload": [
        no_tab(),
        Bad({"timeout": 200}, "COMMAND_TIMEOUT", "200 ms", "longer timeout", page="/api/slow?ms=900"),
    ],
    "wait": [
        Bad({}, "INVALID_PARAMS", "none of them", "exactly one"),
        Bad({"time": 5, "text": "x"}, "INVALID_PARAMS", "time", "exactly one"),
        no_selector(),
        Bad({"xpath": "//["}, "INVALID_SELECTOR", '"//["', "write one like"),
        Bad({"expression": "1 +"}, "EXECUTION_ERROR", "wait: SyntaxError", "Unexpected token"),
        Bad({"expression": "nowhere()"}, "EXECUTION_ERROR", "nowhere is not defined", ":1:1"),
        late(NOTHING),
        late({"ref": "e99999"}),
        late({"text": "no such text"}),
        late({"urlContains": "no-such-page"}),
        late({"expression": "false"}),
        late({"time": 60000}),
    ],
    "click": [
        Bad({}, "INVALID_PARAMS", "click", "selector"),
        Bad({"selector": "h1", "ref": "e1"}, "INVALID_PARAMS", "selector", "exactly one"),
        Bad({"selector": "h1", "bogus": 1}, "INVALID_PARAMS", "bogus", "it takes"),
        Bad({"selector": "h1", "button": "fourth"}, "INVALID_PARAMS", "fourth", "left, middle, right"),
        Bad({"selector": "h1", "clickCount": "two"}, "INVALID_PARAMS", "two", "clickCount"),
        Bad({"x": 5}, "INVALID_PARAMS", "click", "x and y"),
        no_selector(),
        Bad({"xpath": "//["}, "INVALID_SELECTOR", '"//["', "write one like"),
        nothing(),
        Bad({"selector": "a >>> b"}, "ELEMENT_NOT_FOUND", '"a >>> b"', ">>> enters"),
        Bad({"xpath": "//nowhere"}, "ELEMENT_NOT_FOUND", '"//nowhere"', "snapshot"),
        outside(),
        Bad({"x": -5, "y": 5}, "ELEMENT_NOT_FOUND", "-5,5", "viewport, which is"),
        stale(),
        Bad({"selector": "#disabled-button"}, "ELEMENT_NOT_VISIBLE", "disabled-button", "do first what enables it"),
        Bad({"selector": "#covered-button"}, "ELEMENT_NOT_VISIBLE", 'covered by <span id="cover">', "close or scroll"),
        Bad({"selector": "title"}, "ELEMENT_NOT_VISIBLE", "<title> is hidden", "open what contains it"),
        Bad({"selector": "option"}, "ELEMENT_NOT_VISIBLE", "<option>", "kapturemcp_select", page="/checkout"),
    ],
    "hover": [
        nothing(),
        outside(),
        stale(),
        Bad({"selector": "title"}, "ELEMENT_NOT_VISIBLE", "<title> is hidden", "open what contains it"),
        Bad({"selector": "#covered-button"}, "ELEMENT_NOT_VISIBLE", 'covered by <span id="cover">', "close or scroll"),
    ],
    "fill": [
        nothing(value="x"),
        outside(value="x"),
        Bad({"selector": "#counter-button", "value": "x"}, "INVALID_PARAMS", "counter-button", "choose a field"),
        Bad({"selector": "h1", "value": "x"}, "INVALID_PARAMS", "<h1> cannot be filled", "choose a field"),
        Bad({"selector": "#picture", "value": "x"}, "INVALID_PARAMS", "picture", "upload_file", page="/checkout"),
        Bad(
            {"selector": "#customer-number", "value": "x"},
            "ELEMENT_NOT_VISIBLE",
            "customer-number",
            "another field",
            page="/checkout",
        ),
        Bad({"selector": "#floor", "value": "three"}, "INVALID_PARAMS", '"three"', "like -1.5", page="/checkout"),
    ],
    "type": [
        nothing(text="x"),
        stale(text="x"),
        Bad({"selector": "h1", "text": "x"}, "ELEMENT_NOT_VISIBLE", "<h1>", "choose a field"),
        Bad({"selector": "#region", "text": "x"}, "ELEMENT_NOT_VISIBLE", "region", "what enables it", page="/checkout"),
    ],
    "press_key": [
        Bad({"key": "Hyper+X"}, "INVALID_PARAMS", "Hyper", "use Control"),
        Bad({"key": "NoSuchKey"}, "INVALID_PARAMS", '"NoSuchKey"', "a name like Enter"),
        Bad({"key": "日本"}, "INVALID_PARAMS", '"日本"', "kapturemcp_type"),
        Bad({"key": "a", "selector": "#disabled-button"}, "ELEMENT_NOT_VISIBLE", "disabled-button", "what enables it"),
        Bad({"key": "a", "selector": "h1"}, "ELEMENT_NOT_VISIBLE", "<h1>", "what takes keys"),
    ],
    "select": [
        nothing(value="a"),
        Bad({"selector": "h1", "value": "a"}, "INVALID_PARAMS", "<h1", "choose from what opens"),
        Bad({"selector": "#country", "value": "XX"}, "INVALID_PARAMS", '"XX"', '"IE"', page="/checkout"),
        Bad({"selector": "#country", "labels": ["XX"]}, "INVALID_PARAMS", '"XX"', '"Ireland"', page="/checkout"),
        Bad({"selector": "#country", "values": ["FR", "IE"]}, "INVALID_PARAMS", "not 2", "exactly one", "/checkout"),
    ],
    "scroll": [
        Bad({}, "INVALID_PARAMS", "none of them", "exactly one"),
        nothing(),
        stale(deltaY=5),
        outside(deltaY=5),
    ],
    "drag": [
        Bad({"selector": "#disabled-button", "toX": 5, "toY": 5}, "ELEMENT_NOT_VISIBLE", "disabled-button", "enables"),
        Bad({"selector": "#drag-source", "toRef": "e99999"}, "STALE_REF", "e99999", "take a new snapshot"),
        Bad(
            {"selector": "#drag-source", "toSelector": "title"}, "ELEMENT_NOT_VISIBLE", "<title>", "open what contains"
        ),
        Bad({"selector": "#drag-source", "toX": 99999, "toY": 5}, "ELEMENT_NOT_FOUND", "99999,5", "viewport, which is"),
    ],
    "insert_text": [
        Bad({"text": "x"}, "ELEMENT_NOT_FOUND", "no text field has the focus", "name a target"),
        Bad({"text": "x", "selector": "#counter-button"}, "INVALID_PARAMS", "counter-button", "name a text field"),
        nothing(text="x"),
    ],
    "upload_file": [
        Bad({"selector": "#picture", "paths": ["/etc/hostname"]}, "FILE_NOT_ALLOWED", "/etc/hostname", "--allow-dir"),
        Bad({"selector": "#picture", "paths": ["no.txt"]}, "FILE_NOT_ALLOWED", "no.txt", "--allow-dir"),
    ],
    "fill_form": [
        Bad({"fields": [{"value": "x"}]}, "INVALID_PARAMS", "field 1 of 1 has no target", "exactly one of selector"),
        Bad({"fields": [{**NOTHING, "ref": "e1", "value": "x"}]}, "INVALID_PARAMS", "selector and ref", "exactly one"),
        Bad({"fields": [{**NOTHING, "value": "x"}]}, "ELEMENT_NOT_FOUND", "field 1 of 1 (#nowhere)", "snapshot"),
    ],
    "handle_dialog": [Bad({"accept": True}, "INVALID_PARAMS", "no dialog", "in this tab")],
    "snapshot": [
        Bad({"roles": ["buton"]}, "INVALID_PARAMS", '"buton"', "button"),
        Bad({"cursor": "s99:5"}, "INVALID_PARAMS", '"s99:5"', "take a new one"),
        Bad({"formatter": "none-such"}, "INVALID_PARAMS", "'none-such'", "there are auto, none"),
        nothing(),
        Bad({"ref": "e99999"}, "STALE_REF", "e99999", "take a new snapshot"),
        outside(),
    ],
    "screenshot": [
        Bad(
            {"name": "x", "clip": {"x": 99999, "y": 0, "width": 9, "height": 9}},
            "INVALID_PARAMS",
            "99999, 0",
            "the page, which is",
        ),
        nothing(name="x"),
        stale(name="x"),
        Bad({"name": "x", "selector": "title"}, "ELEMENT_NOT_VISIBLE", "<title>", "open what contains it"),
    ],
    "record_video": [Bad({"stop": True}, "INVALID_PARAMS", "is not recorded", "leave stop out")],
    "read_image": [
        Bad({"path": "/etc/passwd"}, "FILE_NOT_ALLOWED", "/etc/passwd", "--allow-dir"),
        Bad({"path": "nowhere.png"}, "FILE_NOT_ALLOWED", "nowhere.png", "--allow-dir"),
    ],
    "query_dom": [no_selector()],
    "get_visible_text": [nothing(), no_selector()],
    "get_computed_styles": [
        nothing(),
        no_selector(),
        Bad({"selector": "h1", "properties": ["colour"]}, "INVALID_PARAMS", '"colour"', "not a CSS property"),
    ],
    "check_visibility": [nothing(), no_selector()],
    "get_attributes": [nothing(), no_selector()],
    "count_elements": [no_selector()],
    "get_page_metadata": [no_tab()],
    "get_filtered_aria_tree": [
        no_tab(),
        Bad({"roles": ["link", "buton"]}, "INVALID_PARAMS", '"buton"', "button"),
    ],
    "find_by_text": [
        Bad({"text": "  "}, "INVALID_PARAMS", "nothing but spaces", "give the words"),
        no_selector(text="x"),
    ],
    "get_form_values": [Bad({"formSelector": "#nowhere"}, "ELEMENT_NOT_FOUND", '"#nowhere"', "snapshot")],
    "check_element_state": [nothing(), no_selector()],
    "evaluate": [
        Bad({"code": "1 +"}, "EXECUTION_ERROR", "SyntaxError", "line"),
        Bad({"code": "const a = 1;\nnowhere()"}, "EXECUTION_ERROR", "nowhere", "line 2"),
        Bad({"code": "throw new TypeError('said')"}, "EXECUTION_ERROR", "TypeError: said", "line 1"),
        Bad({"code": "Promise.reject('no')"}, "EXECUTION_ERROR", "no", ""),
        Bad({"code": "new Promise(() => {})", "timeout": 150}, "COMMAND_TIMEOUT", "150 ms", "longer timeout"),
        Bad({"code": "for (;;) {}", "timeout": 300}, "COMMAND_TIMEOUT", "300 ms", ""),
    ],
    "inject_script": [
        Bad({"source": "1 +"}, "EXECUTION_ERROR", "SyntaxError", "line 1"),
        Bad({"source": "throw new Error('said')"}, "EXECUTION_ERROR", "said", "line 1"),
        Bad({"url": "{dead}"}, "NAVIGATION_FAILED", "{dead}", "connection"),
        Bad({"url": "{shop}/nowhere.js"}, "NAVIGATION_FAILED", "{shop}/nowhere.js", "status 404"),
        Bad({"url": "http://example.com/x.js"}, "INVALID_PARAMS", "http://example.com/x.js", "use https"),
        Bad({"url": "file:///etc/passwd"}, "INVALID_PARAMS", "/etc/passwd", "https address is needed"),
    ],
    "logs": [no_tab()],
    "clear_logs": [no_tab()],
    "list_requests": [no_tab()],
    "get_request": [Bad({"requestId": "r99999"}, "INVALID_PARAMS", '"r99999"', "kapturemcp_list_requests")],
    "get_network_sources": [no_tab()],
    "get_service_workers": [no_tab()],
    "set_offline": [Bad({"tabId": "nope", "offline": True}, "TAB_NOT_FOUND", "'nope'", "connected are")],
    "resize": [Bad({"width": 0, "height": 5}, "INVALID_PARAMS", "0 × 5", "give both")],
}


def test_every_command_has_bad_input() -> None:
    catalogue = Catalogue(paths.catalogue())
    assert sorted(BAD) == sorted(command.short_name for command in catalogue)
    assert all(BAD.values())


#: Counts once more in a page, and says how far; in the lab its own script does.
PRESS = "document.querySelector('#counter-button').click(); document.querySelector('#counter-output').textContent"
COUNT = "globalThis.counted = (globalThis.counted ?? 0) + 1, `${counted}`"
#: After these the page may be another one, or none: the next call begins on a new one.
LEAVING, PAGE_GONE = ("navigate", "reload"), ("NAVIGATION_FAILED", "COMMAND_TIMEOUT")


@pytest.mark.asyncio(loop_scope="session")
async def test_bad_input_has_its_own_code_and_the_tab_goes_on(agent: OpenAgent, shop: str) -> None:
    places = {
        "{dead}": f"http://127.0.0.1:{quiet_port()}/", "{slow}": f"{shop}/api/slow?ms=3000", "{shop}": shop,
    }  # fmt: skip

    def placed(text: str) -> str:
        for name, address in places.items():
            text = text.replace(name, address)
        return text

    catalogue = Catalogue(paths.catalogue())
    faults = []
    every = [(command, bad) for command, rows in BAD.items() for bad in rows]
    async with agent(f"{shop}{LAB}") as a:
        tab, others = await current_tab(a), await tabs_of(a)
        shown, presses = LAB, 0
        for command, bad in sorted(every, key=lambda row: row[1].page):
            if bad.page != shown:
                await a.call("navigate", url=f"{shop}{bad.page}", tabId=tab)
                shown, presses = bad.page, 0
            params = {key: placed(value) if isinstance(value, str) else value for key, value in bad.params.items()}
            # None of them becomes right by waiting.
            at_once = {"wait": 0} if catalogue.get(command).waits else {}
            said = await a.fails(command, **at_once, **params)
            if not (said.startswith(f"{bad.code}: ") and placed(bad.names) in said and bad.next in said):
                faults.append(f"{command} {params} said {said!r}")
            if command == "new_tab":
                for opened in await tabs_of(a) - others:
                    await a.call("close_tab", tabId=opened)
                await a.call("activate_tab", tabId=tab)
            if command in LEAVING and bad.code in PAGE_GONE:
                await a.call("navigate", url=f"{shop}{LAB}", tabId=tab)
                shown, presses = LAB, 0
            # The same page goes on where it was; that the mouse still reaches it is tried once for each command.
            if shown == LAB and bad is BAD[command][-1]:
                await a.call("click", selector="#counter-button")
                presses += 1
            count = await a.call("evaluate", code=PRESS if shown == LAB else COUNT, tabId=tab)
            presses += 1
            if count["value"] != str(presses):
                faults.append(f"after {command} {params} the page shows {count} and not {presses}")
                shown = ""
    assert faults == []


async def tabs_of(a: Agent) -> set[str]:
    return {str(tab["tabId"]) for tab in (await a.call("list_tabs"))["tabs"]}
