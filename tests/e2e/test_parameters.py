"""Every parameter of every command does what it says, seen in the page or in the answer."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.demo.agent import Agent, ToolError
from kapture_panel.demo.witness import Witness
from tests.support.core.fakes import CATALOGUE
from tests.support.e2e.panel import OpenAgent, Panel, Visit, current_tab, dialog_shown, heard

pytestmark = pytest.mark.asyncio(loop_scope="session")

HERE = Path(__file__).parent
PAGE = "/parameters.html"
#: Every command shares these: see the tests at the end, test_timeouts.py, and test_waiting.py.
SHARED = {"timeout", "tabId", "snapshot", "wait"}
#: Takes the page, so that `none` has something to do.
FORMATTER = """
def match(url):
    return "parameters.html" in url

def format(nodes, url):
    return f"{len(nodes)} nodes"
"""
WAYS = ("selector", "xpath", "ref", "point")


@dataclass(frozen=True)
class Row:
    """A call that proves its parameters: what the page then holds, or what the answer says (a regular expression).

    `before` is done in the page first, by the agent: what a witness of another session did may be told later than that
    it is done. `heard` is the console line it leads to at a time of its own.
    """

    command: str
    params: dict[str, Any]
    sees: tuple[str, Any] | None = None
    says: str = ""
    before: str = ""
    heard: str = ""

    @property
    def proved(self) -> set[str]:
        """The parameters this row is about."""
        return set(self.params)


#: Command with a target → the element's id, what else is given, and the proof.
TARGETS: list[tuple[str, str, dict[str, Any], tuple[str, Any] | None, str]] = [
    ("wait", "pad", {}, None, r'"waited":\d'),
    ("click", "pad", {}, ("told().at(-1)", "clicked 1"), ""),
    ("hover", "over", {}, ("told()", ["hovered"]), ""),
    ("fill", "field", {"value": "new"}, ("field.value", "new"), ""),
    ("type", "field", {"text": "x"}, ("field.value.length", 4), ""),
    ("press_key", "pad", {"key": "a"}, ("told().at(-1)", "key a pad"), ""),
    ("insert_text", "field", {"text": "yz"}, ("field.value.length", 5), ""),
    ("select", "one", {"value": "b"}, ("one.value", "b"), ""),
    ("upload_file", "file", {"paths": ["<file>"]}, ("file.files[0].name", "file.txt"), ""),
    ("scroll", "box", {"deltaX": 30, "deltaY": 40}, ("[box.scrollLeft, box.scrollTop, scrollX]", [30, 40, 0]), ""),
    ("drag", "from", {"toSelector": "#to"}, ("told().includes('dropped on to')", True), ""),
    ("snapshot", "field", {}, None, r'^# [^\n]*\n- textbox "Field" \[ref=e\d+\][^\n]*$'),
    ("screenshot", "pad", {"name": "a"}, None, r"^100 × 30 png"),
]  # fmt: skip

ROWS = [
    Row("batch", {"steps": [{"command": "evaluate", "params": {"code": "40 + 2"}}]}, says="42"),
    Row("navigate", {"url": "<page>?there"}, sees=("location.search", "?there")),
    Row("navigate", {"url": "<page>"}, sees=("location.search", "")),
    Row("wait", {"time": 60}, says=r'"waited":(?:[6-9]\d|\d{3})'),
    Row("wait", {"text": "Some words more"}, says='"waited"'),
    Row("wait", {"urlContains": "parameters"}, says="parameters.html"),
    Row("wait", {"expression": "told().push('asked') && true"}, says='"expression":true'),
    Row("wait", {"selector": "#none", "state": "hidden"}, says='"waited"'),
    Row("click", {"selector": "#pad", "button": "right"}, sees=("told().includes('mousedown 2 1 ')", True)),
    Row("click", {"selector": "#pad", "clickCount": 2}, sees=("told().at(-1)", "clicked 2")),
    Row("click", {"selector": "#pad", "modifiers": ["Shift"]}, sees=("told().includes('mousedown 0 1 shift')", True)),
    Row("type", {"selector": "#field", "text": "ab", "clear": True}, sees=("field.value", "ab")),
    Row("type", {"selector": "#field", "text": "ab", "delay": 400}, sees=("gap() > 390", True)),
    Row("type", {"selector": "#field", "text": "a", "submit": True}, sees=("told().includes('key Enter field')", True)),
    Row("press_key", {"selector": "#pad", "key": "ArrowUp", "count": 3}, sees=("told()", ["key ArrowUp pad"] * 3)),
    Row("select", {"selector": "#pick", "values": ["a", "b"]}, sees=("pick.selectedOptions.length", 2)),
    Row("select", {"selector": "#pick", "labels": ["Bread"]}, sees=("pick.value", "b")),
    Row("scroll", {"deltaX": 120}, sees=("[scrollX, scrollY]", [120, 0])),
    Row("scroll", {"deltaY": 130}, sees=("[scrollX, scrollY]", [0, 130])),
    Row("scroll", {"toX": 140, "toY": 150}, sees=("[scrollX, scrollY]", [140, 150])),
    Row("scroll", {"selector": "#low"}, sees=("scrollX > 1000 && scrollY > 1500", True)),
    Row("drag", {"selector": "#from", "toXpath": "//*[@id='to']"}, sees=("told().includes('dropped on to')", True)),
    Row("drag", {"selector": "#from", "toRef": "<ref:to>"}, sees=("told().includes('dropped on to')", True)),
    Row("drag", {"selector": "#from", "toX": 60, "toY": 25}, sees=("told().includes('dropped on pad')", True)),
    Row("fill_form", {"fields": [{"selector": "#field", "value": "a"}, {"ref": "<ref:pick>", "value": "b"}]},
        sees=("[field.value, pick.value]", ["a", "b"])),
    Row("snapshot", {"interactiveOnly": True}, says=r'^(?=.*heading "Some words")(?!.*Some words more)'),
    Row("snapshot", {"find": "SOME words more"}, says=r'^(?=.*Some words more)(?!.*textbox)'),
    Row("snapshot", {"roles": ["textbox"]}, says=r'^# [^\n]*\n- textbox "Field" [^\n]*$'),
    Row("snapshot", {"maxDepth": 1}, says=r'^(?=.*region "Box")(?!.*Within)'),
    Row("snapshot", {"formatter": "none"}, says=r"^(?!.*\(formatter)"),
    Row("snapshot", {"diff": True}, says="nothing changed"),
    Row("screenshot", {"name": "a name"}, says="a-name|a_name|a name"),
    Row("screenshot", {"name": "a", "clip": {"x": 5, "y": 1500, "width": 40, "height": 20}}, says=r"^40 × 20 png"),
    Row("screenshot", {"name": "a", "fullPage": True, "scale": 0.1}, says=r"^300 × 300 png, scale 0\.1"),
    Row("screenshot", {"name": "a", "scrollX": 70}, sees=("[scrollX, scrollY]", [70, 0])),
    Row("screenshot", {"name": "a", "scrollY": 80}, sees=("[scrollX, scrollY]", [0, 80])),
    Row("screenshot", {"name": "a", "selector": "#pad", "width": 50}, says=r"^50 × 15 png, scale 0\.5"),
    Row("screenshot", {"name": "a", "selector": "#pad", "height": 10}, says=r"^33 × 10 png, scale 0\.33"),
    Row("screenshot", {"name": "a", "selector": "#pad", "scale": 2}, says=r"^200 × 60 png, scale 2;"),
    Row("screenshot", {"name": "a", "format": "jpeg"}, says=r"jpeg, .*\.jpe?g$"),
    Row("query_dom", {"selector": "p"}, says='"count":1,.*Some words more'),
    Row("query_dom", {"selector": ".row", "limit": 2}, says=r'"count":10,(?!.*(?:"tag".*){3})'),
    Row("get_visible_text", {"selector": "h2"}, says="^Some words$"),
    Row("get_visible_text", {"selector": "h2", "maxLength": 4}, says="^Some(?! words)"),
    Row("get_computed_styles", {"selector": "#pad", "properties": ["width"]}, says='"styles":{"width":"100px"}'),
    Row("check_visibility", {"selector": "#low"}, says='"inViewport":false'),
    Row("get_attributes", {"selector": "#low", "attributes": ["href"]}, says='"attributes":{"href":"#low"}'),
    Row("count_elements", {"selector": ".row"}, says='"count":10'),
    Row("get_filtered_aria_tree", {"roles": ["heading"]}, says=r'^# [^\n]*\n- heading "Some words"[^\n]*$'),
    Row("get_filtered_aria_tree", {"maxDepth": 1}, says=r'^(?=.*region "Box")(?!.*Within)'),
    Row("get_filtered_aria_tree", {"interactiveOnly": True}, says=r"^(?!.*Some words more)"),
    Row("find_by_text", {"text": "some words"}, says='"count":2'),
    Row("find_by_text", {"text": "Some words", "exact": True}, says='"count":1'),
    Row("find_by_text", {"text": "some words", "selector": "p"}, says='"count":1'),
    Row("find_by_text", {"text": "some words", "limit": 1}, says=r'"count":2,(?!.*(?:"ref".*){2})'),
    Row("get_form_values", {"formSelector": "#small"}, says='"count":1,.*Inside'),
    Row("check_element_state", {"selector": "#field"}, says='"editable":true'),
    Row("evaluate", {"code": "Promise.resolve(7)"}, says='"value":7'),
    Row("evaluate", {"code": "Promise.resolve(7)", "awaitPromise": False}, says=r'"value":(?!7)'),
    Row("inject_script", {"source": "globalThis.injected = 5; injected"}, sees=("injected", 5)),
    Row("logs", {"max": 1}, says=r"^\d+ log two[^\n]*\n\(1 of", before="[console.log('one'), console.log('two')]"),
    Row("logs", {"level": "warn"}, says=r"^\d+ warn careful[^\n]*\n\(1 of", before="console.warn('careful')"),
    Row("logs", {"since": 9_000_000_000_000}, says="^no console lines match"),
    Row("logs", {"context": "worker"}, says=r"^\d+ log of a worker[^\n]* \[worker\]\n\(1 of",
        before="work(\"console.log('of a worker'); postMessage(1)\")", heard="of a worker"),
    Row("logs", {"context": "page"}, says=r"^(?!.*\[worker\])"),
    Row("list_requests", {"since": 9_000_000_000_000}, says="^no requests match"),
    Row("list_requests", {"filter": "?filtered"}, says=r"\?filtered\n\(1 of",
        before="fetch('/blank.html?filtered').then(r => r.text())"),
    Row("list_requests", {"max": 1}, says=r"^[^\n]*\n\(1 of"),
    Row("list_requests", {"format": "har"}, says=r'^\{"log":'),
    Row("get_request", {"requestId": "r1"}, says="^r1 GET"),
    Row("get_network_sources", {"max": 1}, says=r"^[^\n]*\n[^\n]*\n\(1 of"),
    Row("set_offline", {"offline": True}, sees=("navigator.onLine", False)),
    Row("set_offline", {"offline": False}, sees=("navigator.onLine", True)),
    Row("resize", {"width": 640, "height": 480}, sees=("[innerWidth, innerHeight]", [640, 480])),
    Row("resize", {"width": 640, "height": 480, "deviceScaleFactor": 2}, sees=("devicePixelRatio", 2)),
    Row("resize", {"width": 0, "height": 0}, sees=("innerWidth === 640", False)),
]  # fmt: skip

#: What takes more than one call, or a page of its own: command → parameter → the test that proves it.
ELSEWHERE = {
    "new_tab": {
        "url": "test_commands.py::test_new_tab_in_the_background_and_close_tab",
        "background": "test_commands.py::test_a_new_tab_comes_to_the_front_unless_it_is_to_stay_behind",
    },
    "connect_tab": {
        "browserTabId": "test_connect_tab.py::test_an_allowed_tab_is_connected_and_becomes_the_current_one",
    },
    "click": {"holdMs": "test_presses.py::test_a_click_is_made_ten_times_and_held"},
    "drag": {
        "steps": "test_drag.py::test_a_drag_takes_as_many_steps_as_it_is_told_to",
        "holdMs": "test_drag.py::test_what_wants_to_be_held_first_is",
    },
    "navigate": {
        "waitUntil": "test_commands.py::test_navigate_answers_where_it_went_and_waits_for_what_it_was_told_to"
    },
    "reload": {"ignoreCache": "test_network.py::test_a_reload_fetches_what_the_browser_keeps_only_if_it_is_told_to"},
    "handle_dialog": {
        "accept": "test_commands.py::test_dialogs_block_their_tab_only_and_are_answered",
        "promptText": "test_commands.py::test_dialogs_block_their_tab_only_and_are_answered",
    },
    "snapshot": {
        "cursor": "test_looking.py::test_a_long_snapshot_comes_in_pages_of_8_000_tokens_that_leave_nothing_out",
        "look": "test_pressable.py::test_a_closer_look_adds_box_and_colours",
    },
    "press_key": {"action": "test_held_keys.py::test_clicks_wheels_and_keys_are_done_with_what_is_held"},
    "record_video": {
        "stop": "test_record_video.py::test_a_video_shows_what_happened_and_says_who_did_it",
        "seconds": "test_record_video.py::test_a_video_ends_with_its_time",
    },
    "read_image": {"path": "test_scripts.py::test_an_image_file_comes_as_a_picture_and_is_no_screenshot"},
    "inject_script": {
        "url": "test_scripts.py::test_a_script_at_an_address_is_fetched_by_the_panel",
        "keep": "test_scripts.py::test_a_kept_script_runs_first_in_every_later_page_until_it_is_ended",
    },
    "screenshot": {"quality": "test_parameters.py::test_quality_decides_the_size_of_a_picture"},
}


def proved(command: Command) -> set[str]:
    """The parameters of a command that something here proves."""
    name = command.short_name
    of_rows = set().union(*(row.proved for row in ROWS if row.command == name))
    targeted = [target for target in TARGETS if target[0] == name]
    of_targets = {"selector", "xpath", "ref", "x", "y"} | targeted[0][2].keys() if targeted else set()
    return of_rows | of_targets | ELSEWHERE.get(name, {}).keys()


@pytest.mark.parametrize("command", list(CATALOGUE), ids=lambda command: command.short_name)
async def test_no_parameter_is_forgotten(command: Command) -> None:
    assert proved(command) == command.all_properties.keys() - SHARED


@pytest.mark.parametrize(
    ("command", "param", "where"),
    [(command, param, where) for command, params in ELSEWHERE.items() for param, where in params.items()],
)
async def test_a_proof_elsewhere_is_there_and_passes_the_parameter(command: str, param: str, where: str) -> None:
    file, _, name = where.partition("::")
    test = functions_of(file)[name]
    assert f'"{command}"' in test
    assert re.search(rf'\b{param}=|[\'"]{param}[\'"]:', test)


@cache
def functions_of(file: str) -> dict[str, str]:
    """The text of each test of a file, with its decorators."""
    text = (HERE / file).read_text(encoding="utf-8")
    lines, found = text.splitlines(), {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min(one.lineno for one in [node, *node.decorator_list])
            found[node.name] = "\n".join(lines[first - 1 : node.end_lineno])
    return found


async def filled(agent: Agent, value: Any, known: dict[str, str]) -> Any:
    """A parameter with its marks replaced; `<ref:ID>` is the ref of an element."""
    if isinstance(value, list):
        return [await filled(agent, one, known) for one in value]
    if isinstance(value, dict):
        return {name: await filled(agent, one, known) for name, one in value.items()}
    if not isinstance(value, str):
        return value
    if value.startswith("<ref:"):
        return await ref(agent, value[5:-1])
    for mark, one in known.items():
        value = value.replace(mark, one)
    return value


async def ref(agent: Agent, element: str) -> str:
    """The ref of the element with this id."""
    listed = json.loads(await agent.text("query_dom", selector=f"#{element}"))
    return str(listed["elements"][0]["ref"])


async def prove(agent: Agent, panel: Panel, witness: Witness, row: Row, known: dict[str, str]) -> str:
    """Run a row; what is wrong with it, or nothing."""
    await witness.see("begin()", PAGE)
    if row.before:
        async with heard(panel, row.heard):
            await agent.call("evaluate", code=f"(async () => {{ await ({row.before}) }})()")
    said = await agent.text(row.command, **await filled(agent, row.params, known))
    if row.says and not re.search(row.says, said, re.DOTALL):
        return f"{row.command} {row.params} said {said[:400]!r}"
    if row.sees:
        expression, expected = row.sees
        seen = await witness.see(expression, PAGE)
        if seen != expected:
            return f"{row.command} {row.params}: {expression} is {seen}"
    return ""


async def idle(agent: Agent, panel: Panel, witness: Witness, row: Row, known: dict[str, str]) -> list[str]:
    """The parameters without which a row holds as well: it proves nothing of them."""
    found = []
    for name in row.params:
        rest = {other: value for other, value in row.params.items() if other != name}
        if row.command == "wait":  # for what never comes
            rest["timeout"] = 200
        try:
            fault = await prove(agent, panel, witness, replace(row, params=rest), known)
        except ToolError as error:
            fault = str(error)
        if not fault:
            found.append(f"{row.command} {row.params} holds without {name}")
    return found


@pytest.fixture
def known(pages: str, tmp_path: Path, panel: Panel, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What the marks of parameters stand for."""
    (tmp_path / "file.txt").write_text("content")
    monkeypatch.setattr(panel.hub.core.router.gates.policy, "allow_dirs", (tmp_path,))
    return {"<page>": f"{pages}{PAGE}", "<file>": str(tmp_path / "file.txt")}


async def test_each_parameter_does_what_it_says_and_nothing_does_it_without(
    agent: OpenAgent, panel: Panel, pages: str, known: dict[str, str], plugins: Path
) -> None:
    (plugins / "parameters.py").write_text(FORMATTER)
    witness = panel.witness(pages)
    async with agent(f"{pages}{PAGE}") as a:
        faults = []
        for row in ROWS:
            faults += [await prove(a, panel, witness, row, known), *await idle(a, panel, witness, row, known)]
        assert [fault for fault in faults if fault] == []


@pytest.mark.parametrize("way", WAYS)
async def test_each_way_to_name_a_target_reaches_it(
    visitor: Visit, panel: Panel, pages: str, known: dict[str, str], way: str
) -> None:
    async with visitor(f"{pages}{PAGE}") as a:
        witness = panel.witness(pages)
        faults = []
        for command, element, params, sees, says in TARGETS:
            target: dict[str, Any] = {"selector": f"#{element}"}
            if way == "xpath":
                target = {"xpath": f"//*[@id='{element}']"}
            elif way == "ref":
                target = {"ref": await ref(a, element)}
            elif way == "point":
                middle = (
                    f"(b => ({{ x: b.x + b.width / 2, y: b.y + b.height / 2 }}))({element}.getBoundingClientRect())"
                )
                await witness.see("begin()", PAGE)
                target = await witness.see(middle, PAGE)
            row = Row(command, {**target, **params}, sees, says)
            faults.append(await prove(a, panel, witness, row, known))
            if way == WAYS[0]:  # what else is given is the same in all
                faults += await idle(a, panel, witness, row, known)
        assert [fault for fault in faults if fault] == []


async def test_quality_decides_the_size_of_a_picture(visitor: Visit, panel: Panel, pages: str) -> None:
    sizes = []
    async with visitor(f"{pages}{PAGE}") as a:
        for quality in (5, 95):
            said = await a.text("screenshot", name="a", format="webp", quality=quality)
            sizes.append(Path(said.rpartition("Saved as ")[2]).stat().st_size)
    assert sizes[0] * 1.5 < sizes[1]


async def test_a_tab_that_is_named_is_the_one(agent: OpenAgent, panel: Panel, pages: str) -> None:
    async with agent(f"{pages}/blank.html?named") as a:
        named = await current_tab(a)
        other = (await a.call("new_tab", url=f"{pages}/blank.html?other"))["tabId"]
        assert (await a.call("evaluate", code="location.search", tabId=named))["value"] == "?named"
        assert (await a.call("evaluate", code="location.search", tabId=other))["value"] == "?other"
        await a.call("close_tab", tabId=other)


#: Of each action the least that it does here.
ACTIONS: dict[str, dict[str, Any]] = {
    "navigate": {"url": "<page>?action"}, "go_back": {}, "go_forward": {}, "reload": {},
    "evaluate": {"code": "1"}, "inject_script": {"source": "1"}, "set_offline": {"offline": False},
    "resize": {"width": 0, "height": 0}, "fill_form": {"fields": [{"selector": "#field", "value": "a"}]},
    **{command: {"selector": f"#{element}", **params} for command, element, params, *_ in TARGETS},
}  # fmt: skip


async def test_every_action_shows_the_page_after_it_when_it_is_asked_to(
    agent: OpenAgent, panel: Panel, pages: str, known: dict[str, str]
) -> None:
    actions = [command.short_name for command in CATALOGUE if command.action]
    async with agent(f"{pages}{PAGE}") as a:
        without = []
        for name in actions:
            if name not in ("handle_dialog", "new_tab"):
                said = await a.text(name, **await filled(a, ACTIONS[name], known), snapshot="full")
                if 'textbox "Field"' not in said:
                    without.append((name, said[:200]))
        assert without == []
        tab = await current_tab(a)
        await panel.witness(pages).see("setTimeout(() => alert(1)); 0", PAGE)
        await dialog_shown(panel, tab)
        assert 'textbox "Field"' in await a.text("handle_dialog", accept=True, snapshot="full")
        assert 'textbox "Field"' in await a.text("new_tab", url=f"{pages}{PAGE}", snapshot="full")
        await a.call("close_tab")
