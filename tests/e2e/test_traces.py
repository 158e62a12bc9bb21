"""No command leaves a trace: a page that watches itself sees nothing but what was asked for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.demo.witness import Witness
from tests.support.core.fakes import COMMANDS
from tests.support.e2e.panel import OpenAgent, Panel, current_tab, dialog_shown
from tests.support.e2e.tab_person import declined

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOVE = {"mousemove", "mouseover", "mouseout", "mouseenter", "mouseleave", "pointermove", "pointerover", "pointerout",
        "pointerenter", "pointerleave", "pointerrawupdate"}  # fmt: skip
PRESS = {"pointerdown", "mousedown", "pointerup", "mouseup", "click", "selectstart", "selectionchange"}
FOCUS = {"focus", "blur", "focusin", "focusout", "selectionchange"}
EDIT = {"beforeinput", "input", "change", "select"}
KEY = {"keydown", "keypress", "keyup"}
#: What comes to lie under the mouse hears of it.
SCROLL = {"scroll", "scrollend", *MOVE}
#: What a document hears of its own coming, or of being shown again.
LOADED = {"load", "DOMContentLoaded", "pageshow", "pagereveal", "visibilitychange", "focus"}
DRAG = {"pointercancel", "drag", "dragstart", "dragenter", "dragover", "dragleave", "drop", "dragend"}


@dataclass(frozen=True)
class Row:
    """A call, and of what the page sees of itself what may differ afterwards: parts, and the events it may hear."""

    command: str
    params: dict[str, Any]
    parts: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()


def row(command: str, parts: str = "", events: set[str] = frozenset(), **params: Any) -> Row:  # type: ignore[assignment]
    """A row; `parts` are words."""
    return Row(command, params, frozenset(parts.split()), frozenset(events))


ROWS = [
    row("list_tabs"),
    row("list_browser_tabs"),
    row("activate_tab"),
    row("batch", steps=[{"command": "snapshot"}, {"command": "evaluate", "params": {"code": "1"}}]),
    row("snapshot"),
    row("snapshot", interactiveOnly=True, diff=True),
    row("snapshot", selector="#form", maxDepth=2),
    row("screenshot", name="plain"),
    row("screenshot", name="scaled", scale=0.5, format="jpeg"),
    row("screenshot", name="element", selector="#button"),
    row("screenshot", name="clip", clip={"x": 0, "y": 10, "width": 50, "height": 50}),
    # Chrome makes the viewport larger for a moment to paint what lies beyond it.
    row("screenshot", events={"resize"}, name="beyond", clip={"x": 0, "y": 1500, "width": 50, "height": 50}),
    row("screenshot", events={"resize"}, name="full", fullPage=True),
    row("screenshot", "scroll", SCROLL, name="scrolled", scrollY=40),
    row("screenshot", "scroll", SCROLL, name="back", scrollY=0),
    row("record_video"),
    row("record_video", stop=True),
    row("get_filtered_aria_tree"),
    row("query_dom", selector="*", limit=200),
    row("get_visible_text"),
    row("get_computed_styles", selector="#button"),
    row("check_visibility", selector="#low"),
    row("get_attributes", selector="#field"),
    row("count_elements", selector="#host >>> p"),
    row("get_page_metadata"),
    row("find_by_text", text="Framed"),
    row("get_form_values"),
    row("check_element_state", selector="#field"),
    row("get_service_workers"),
    row("list_requests"),
    row("get_request", requestId="r1"),
    row("get_network_sources"),
    row("logs"),
    row("clear_logs"),
    row("wait", time=10),
    row("wait", selector="#button"),
    row("wait", text="Framed"),
    row("wait", urlContains="traces"),
    row("wait", expression="1"),
    row("evaluate", code="1"),
    row("evaluate", code="let a = 1; const b = 2; a + b", snapshot="full"),
    row("inject_script", source="1"),
    row("inject_script", source="1", keep=True),
    row("inject_script", source="1", keep=False),
    row("hover", events=MOVE, selector="#button"),
    row("click", "focus selection", MOVE | PRESS | FOCUS, selector="#button"),
    row("fill", "values focus selection", EDIT | FOCUS, selector="#field", value="a"),
    row("fill", "values focus selection", EDIT | FOCUS, selector="#day", value="2030-01-02"),
    row("fill", "values focus selection", MOVE | PRESS | EDIT | FOCUS, selector="#box", value="true"),
    row("fill", "html mutations focus selection", EDIT | FOCUS, selector="#rich", value="Richer"),
    row("fill_form", "values focus selection", EDIT | FOCUS, fields=[{"selector": "#field", "value": "b"}]),
    row("type", "values focus selection", KEY | EDIT | FOCUS, selector="#field", text="c"),
    row("insert_text", "values focus selection", EDIT | FOCUS, selector="#field", text="d"),
    row("press_key", "focus selection", KEY | EDIT | FOCUS, key="Tab"),
    row("select", "values focus", EDIT | FOCUS, selector="#pick", value="b"),
    row("upload_file", "values", EDIT, selector="#file", paths=["<file>"]),
    row("drag", "focus selection", MOVE | PRESS | FOCUS | DRAG, selector="#from", toSelector="#to"),
    row("scroll", "scroll", SCROLL, selector="#low"),
    row("scroll", "scroll", SCROLL, toY=0),
    row("scroll", "scroll", SCROLL | {"wheel", "mousewheel"}, deltaY=100),
    row("set_offline", "online", {"offline"}, offline=True),
    row("set_offline", "online", {"online"}, offline=False),
    row("resize", "size", {"resize"}, width=700, height=500),
    row("resize", "size", {"resize"}, width=0, height=0),
]  # fmt: skip

#: Another document is there afterwards: it must be as the first one was.
LEAVING = ["navigate", "go_back", "go_forward", "reload"]
#: Tests of their own, and what leaves no page to look at.
ALONE = {"new_tab", "connect_tab", "handle_dialog", "read_image", "close_tab"}


async def test_no_command_is_forgotten() -> None:
    assert {row.command for row in ROWS} | set(LEAVING) | ALONE == set(COMMANDS)


async def look(witness: Witness, page: str) -> dict[str, Any]:
    """What the page sees of itself now, and what it noticed since the last look."""
    seen: dict[str, Any] = json.loads(await witness.see("traces()", page))
    return seen


def differing(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The parts that differ, and what was noticed."""
    noticed = {"mutations", "events"}
    return {part: after[part] for part in after if (after[part] if part in noticed else after[part] != before[part])}


async def test_a_command_leaves_nothing_but_what_it_was_asked_for(
    agent: OpenAgent, panel: Panel, pages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file.txt"
    file.write_text("content")
    monkeypatch.setattr(panel.hub.core.router.gates.policy, "allow_dirs", (tmp_path,))
    witness = panel.witness(pages)
    async with agent(f"{pages}/traces.html?rows") as a:
        before = await look(witness, "?rows")
        faults = []
        for row in ROWS:
            params = {**row.params, "paths": [str(file)]} if "paths" in row.params else row.params
            await a.text(row.command, **params)
            after = await look(witness, "?rows")
            changed = differing(before, after)
            events = set(changed.pop("events", ()))
            if changed.keys() - row.parts or events - row.events:
                unasked = {part: changed[part] for part in changed.keys() - row.parts}
                faults.append((row.command, row.params, unasked, events - row.events))
            before = after
        assert faults == [], "\n".join(map(str, faults))


def of_fresh(first: dict[str, Any], seen: dict[str, Any]) -> dict[str, Any]:
    """The parts in which a document just loaded differs from another load of it; its parser is seen at work, too."""
    changed = differing({**first, "address": seen["address"]}, seen)
    unasked = set(changed.pop("mutations")) - set(first["mutations"])
    events = set(changed.pop("events")) - set(first["events"]) - LOADED
    return {**changed, **({"mutations": unasked} if unasked else {}), **({"events": events} if events else {})}


@pytest.mark.parametrize("command", LEAVING)
async def test_the_next_document_is_as_untouched_as_the_first(
    agent: OpenAgent, panel: Panel, pages: str, command: str
) -> None:
    url = f"{pages}/traces.html?{command}"
    async with agent(url) as a:
        witness = panel.witness(pages)
        first = await look(witness, f"?{command}")
        if command.startswith("go_"):
            await a.call("navigate", url=f"{pages}/blank.html")
            await a.call("go_back")
        if command == "go_forward":
            await a.call("go_back")
        await a.call(command, **({"url": url} if command == "navigate" else {}))
        if command == "go_back":
            await a.call("navigate", url=url)
        assert of_fresh(first, await look(witness, f"?{command}")) == {}


async def test_a_connected_page_is_as_one_that_never_was(agent: OpenAgent, panel: Panel, pages: str) -> None:
    hub = panel.hub
    url = f"{pages}/traces.html?connected"
    async with agent(f"{pages}/blank.html?listens"), agent(url, "owner") as owner:
        witness = panel.witness(pages)
        tab = await current_tab(owner)
        number = await declined(panel, "?connected")
        # A document that no debugger of the extension has seen.
        heard = "globalThis.heard = new Promise(done => { new BroadcastChannel('traces').onmessage = done }); 0"
        await witness.see(heard, "?listens")
        await witness.see("setTimeout(() => location.reload()); 0", "?connected")
        await witness.see("heard.then(() => 0)", "?listens")
        untouched = await look(witness, "?connected")
        await hub.core.router.run(hub.state.person, "connect_tab", {"browserTabId": number})
        assert hub.state.tabs.find(tab) is not None
        changed = differing(untouched, await look(witness, "?connected"))
        # The tab takes part as if it were in front, whichever is.
        assert set(changed.pop("events", ())) <= {"focus", "visibilitychange"}
        assert changed == {}
        await owner.call("reload", tabId=tab)
        assert of_fresh(untouched, await look(witness, "?connected")) == {}


async def test_a_new_tab_is_untouched_too(agent: OpenAgent, panel: Panel, pages: str) -> None:
    witness = panel.witness(pages)
    async with agent(f"{pages}/traces.html?opener") as a:
        opener = await look(witness, "?opener")
        new = await a.call("new_tab", url=f"{pages}/traces.html?new", background=True)
        seen = await look(witness, "?new")
        assert of_fresh(opener, seen) == {}
        await a.call("close_tab", tabId=new["tabId"])
        assert differing(opener, await look(witness, "?opener")) == {}


async def test_a_dialog_that_is_handled_leaves_nothing(agent: OpenAgent, panel: Panel, pages: str) -> None:
    witness = panel.witness(pages)
    async with agent(f"{pages}/traces.html?dialog") as a:
        before = await look(witness, "?dialog")
        tab = await current_tab(a)
        await witness.see("setTimeout(() => { confirm('Go on?') }); 0", "?dialog")
        await dialog_shown(panel, tab)
        await a.call("handle_dialog", accept=True)
        changed = differing(before, await look(witness, "?dialog"))
        # The browser itself takes the focus to the dialog and back.
        assert set(changed.pop("events", ())) <= {"focus", "blur"}
        assert changed == {}
