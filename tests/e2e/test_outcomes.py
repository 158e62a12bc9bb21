"""What came of an action is told as it was: never too good, and never "nothing" when something happened."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kapture_panel.demo.agent import Agent
from tests.support.e2e.panel import OpenAgent, Visit
from tests.support.patience import PATIENCE_MS, PATIENCE_S

pytestmark = pytest.mark.asyncio(loop_scope="session")

Told = dict[str, Any]


def _keys(key: str, focus: str, outcome: str, changed: Any, **told: Any) -> tuple[str, str, str, Any, Told]:
    return key, focus, outcome, changed, told


#: Code that is run before each of them, most often to give the focus.
_BODY = "document.activeElement.blur(), getSelection().removeAllRanges()"


def _focus(name: str) -> str:
    return f"by('{name}').focus()"


#: Key and code before it, then what is answered: outcome, `changed` (None: either), parts of result or target.
KEYS = [
    _keys("k", _BODY, "done", True),
    _keys("F2", _BODY, "no_effect", False),
    _keys("n", _BODY, "no_effect", False),
    _keys("p", _BODY, "done", True),
    _keys("v", _BODY, "done", True),
    _keys("s", _BODY, "done", True),
    _keys("f", _BODY, "done", True),
    _keys("r", _BODY, "done", True),
    _keys("l", _BODY, "done", True),
    _keys("b", _BODY, "done", True),
    _keys("Tab", _BODY, "done", True),
    _keys("Tab", _focus("text"), "done", True),
    _keys("Shift+Tab", _focus("empty"), "done", True),
    _keys("ArrowLeft", "by('text').focus(), by('text').setSelectionRange(4, 4)", "done", True),
    _keys("Control+a", "by('text').focus(), by('text').setSelectionRange(4, 4)", "done", True),
    _keys("Control+c", "by('text').select()", "unverifiable", "unknown"),
    _keys("x", "by('text').select()", "confirmed", True, value=["some text", "x"]),
    _keys("Backspace", _focus("empty"), "no_effect", False),
    _keys("Delete", _focus("locked"), "no_effect", False),
    _keys("Space", _focus("box"), "confirmed", True, checked=[False, True]),
    _keys("ArrowDown", _focus("r1"), "confirmed", True),
    _keys("ArrowDown", _focus("list"), "confirmed", True, value=["one", "two"]),
    _keys("ArrowRight", _focus("range"), "confirmed", True, value=["5", "6"]),
    _keys("Enter", _focus("counts"), "done", True),
    _keys("Enter", _focus("fragment"), "done", True),
    _keys("Enter", _focus("summary"), "confirmed", True, expanded=[False, True]),
    _keys("ArrowDown", _focus("options"), "done", True),
    _keys("PageDown", _focus("scroller"), "done", True),
    _keys("ArrowUp", _focus("game"), "done", True),
    _keys("z", _focus("editor"), "confirmed", True),
    _keys("q", "own.contentDocument.querySelector('#inner').focus()", "confirmed", True, value=["", "q"]),
    _keys("Enter", "own.contentDocument.querySelector('#inside').focus()", "done", True),
]

#: What is typed or inserted where the focus is, and what stands there then.
TEXTS: list[tuple[str, str, Told, str, Any, Told]] = [
    ("type", "text", {"text": "abc", "clear": True}, "confirmed", True, {"value": "abc"}),
    ("type", "four", {"text": "1234567"}, "done", True, {"typed": 7, "value": "1234"}),
    ("type", "deaf", {"text": "abc"}, "no_effect", False, {"value": ""}),
    ("type", "upper", {"text": "abc"}, "confirmed", True, {"value": "ABC"}),
    ("type", "number", {"text": "xyz"}, "no_effect", False, {"value": ""}),
    ("type", "secret", {"text": "hunter2"}, "confirmed", True, {"length": 7}),
    ("type", "editor", {"text": "more"}, "confirmed", True, {}),
    ("type", "game", {"text": "w"}, "done", True, {}),
    ("type", "", {"text": "w"}, "no_effect", False, {}),
    ("type", "", {"text": "k"}, "done", True, {}),
    ("insert_text", "empty", {"text": "ü"}, "confirmed", True, {"value": "ü"}),
    ("insert_text", "four", {"text": "1234567"}, "done", True, {"inserted": 7, "value": "1234"}),
    ("insert_text", "deaf", {"text": "abc"}, "no_effect", False, {"value": ""}),
    ("insert_text", "editor", {"text": "abc"}, "confirmed", True, {}),
    ("insert_text", "secret", {"text": "hunter2"}, "confirmed", True, {"length": 7}),
]

CLICKS: list[tuple[str, str, Any, Told]] = [
    ("#box", "confirmed", True, {"checked": [False, True]}),
    ("#r2", "confirmed", True, {"checked": [False, True]}),
    ("#label", "confirmed", True, {"checked": [False, True]}),
    ("#aria-box", "confirmed", True, {"checked": [False, True]}),
    ("#stubborn", "no_effect", False, {}),
    ("#dead", "no_effect", False, {}),
    ("#lively", "no_effect", False, {}),
    ("#dead-text", "no_effect", False, {}),
    ("#far", "no_effect", False, {}),
    ("#text", "done", True, {"focused": [False, True]}),
    ("#pressed", "confirmed", True, {"pressed": [False, True]}),
    ("#opens", "confirmed", True, {"expanded": [False, True]}),
    ("#tab", "confirmed", True, {"selected": [False, True]}),
    ("#choice", "confirmed", True, {"selected": [False, True]}),
    ("#summary", "confirmed", True, {"expanded": [False, True]}),
    ("#hack", "confirmed", True, {"checked": [False, True]}),
    ("#fragment", "done", True, {}),
    ("#counts", "done", True, {}),
    ("#sets-value", "done", True, {}),
    ("#clears", "done", True, {}),
    ("#sets-checked", "done", True, {}),
    ("#focuses", "done", True, {}),
    ("#shadows", "done", True, {}),
    ("#frames", "done", True, {}),
    ("#pushes", "done", True, {}),
    ("#late", "done", True, {}),
    ("#rules", "done", True, {}),
    ("#animates", "done", True, {}),
    ("#focus-other", "done", True, {}),
    ("#fetches", "done", False, {}),
    ("#copies", "unverifiable", "unknown", {}),
    ("#commands", "unverifiable", "unknown", {}),
    ("#own >>> #inside", "done", True, {}),
]

HOVERS = [
    ("#hover-display", "done", True),
    ("#hover-opacity", "done", True),
    ("#hover-visibility", "done", True),
    ("#hover-sibling", "done", True),
    ("#hover-away", "done", True),
    ("#hover-height", "done", True),
    ("#hover-script", "done", True),
    ("#hover-dead", "no_effect", False),
]

FIELDS: list[tuple[str, Told, str, Any, Told]] = [
    ("fill", {"selector": "#name", "value": "Ada"}, "confirmed", True, {"value": "Ada"}),
    ("fill", {"selector": "#name", "value": "Ada"}, "confirmed", None, {"value": "Ada"}),
    ("fill", {"selector": "#secret", "value": "hunter2"}, "confirmed", True, {"length": 7}),
    ("fill", {"selector": "#agree", "value": "true"}, "confirmed", True, {"value": "true"}),
    ("fill", {"selector": "#aria-box", "value": "true"}, "confirmed", True, {"value": "true"}),
    ("fill", {"selector": "#date", "value": "2026-05-17"}, "confirmed", True, {}),
    ("select", {"selector": "#colour", "value": "green"}, "confirmed", True, {"values": ["green"]}),
    ("select", {"selector": "#jumps", "value": "go"}, "done", True, {"values": ["choose"]}),
    (
        "fill_form",
        {"fields": [{"selector": "#name", "value": "Bo"}, {"selector": "#secret", "value": "pass"}]},
        "confirmed",
        True,
        {"filled": 2, "values": ["Bo", "••••"]},
    ),
    ("drag", {"selector": "#source", "toSelector": "#takes"}, "done", True, {"dropped": True}),
    ("drag", {"selector": "#source", "toSelector": "#refuses"}, "no_effect", False, {"dropped": False}),
    ("drag", {"selector": "#knob", "toSelector": "#still"}, "confirmed", True, {"kind": "pointer"}),
    ("scroll", {"selector": "#far"}, "confirmed", True, {}),
    ("scroll", {"toX": 0, "toY": 0}, "confirmed", True, {"y": 0}),
    ("scroll", {"deltaY": -100}, "no_effect", False, {"movedY": 0}),
    ("scroll", {"deltaY": 100}, "confirmed", True, {"movedY": 100}),
    ("evaluate", {"code": "1 + 1"}, "done", False, {"value": 2}),
    ("evaluate", {"code": "by('empty').value = 'x'"}, "done", True, {}),
]


#: On a page that draws: what cannot be seen is not called nothing.
DRAWN: list[tuple[str, Told, str, Any, Told]] = [
    ("click", {"selector": "#canvas"}, "unverifiable", "unknown", {}),
    ("click", {"selector": "#draw"}, "unverifiable", "unknown", {}),
    ("click", {"selector": "#write"}, "done", True, {}),
    ("press_key", {"key": "x"}, "unverifiable", "unknown", {}),
    ("click", {"selector": "#box"}, "confirmed", True, {"checked": [False, True]}),
]

#: The same is told in a person's own browser.
OWN: list[tuple[str, Told, str, Any, Told]] = [
    ("click", {"selector": "#box"}, "confirmed", True, {"checked": [False, True]}),
    ("click", {"selector": "#dead"}, "no_effect", False, {}),
    ("click", {"selector": "#counts"}, "done", True, {}),
    ("click", {"selector": "#copies"}, "unverifiable", "unknown", {}),
    ("press_key", {"key": "Tab"}, "done", True, {}),
    ("drag", {"selector": "#source", "toSelector": "#refuses"}, "no_effect", False, {"dropped": False}),
    ("hover", {"selector": "#hover-display"}, "done", True, {}),
    ("fill", {"selector": "#secret", "value": "hunter2"}, "confirmed", True, {"length": 7}),
    ("type", {"selector": "#four", "text": "1234567"}, "done", True, {"typed": 7, "value": "1234"}),
    ("select", {"selector": "#colour", "value": "green"}, "confirmed", True, {}),
    ("scroll", {"selector": "#far"}, "confirmed", True, {}),
]


class Tally:
    """What was answered otherwise than it was, and how much nobody could tell."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.false_nothing = 0
        self.unknown = 0
        self.count = 0

    def add(self, words: str, answer: dict[str, Any], outcome: str, changed: Any, told: dict[str, Any]) -> None:
        effects = answer["effects"]
        self.count += 1
        self.false_nothing += effects.get("changed") is False and changed is True
        self.unknown += effects.get("changed") == "unknown"
        has = {**effects.get("target", {}), **answer}
        is_right = answer["outcome"] == outcome and (changed is None or effects.get("changed") == changed)
        is_right = is_right and effects.get("target") != {}  # what does not differ is not told
        if not is_right or any(has.get(name) != value for name, value in told.items()):
            self.wrong.append(f"{words}: {answer}")


async def _try_all(a: Agent, url: str) -> Tally:
    tally = Tally()
    for key, focus, outcome, changed, told in KEYS:
        await a.call("evaluate", code=f"reset(); {focus}")
        tally.add(f"{key} at {focus}", await a.call("press_key", key=key), outcome, changed, told)
    for command, name, params, outcome, changed, told in TEXTS:
        targets: list[Told] = [{}, {"selector": f"#{name}"}] if name else [{}]
        for target in targets:
            await a.call("evaluate", code=f"reset(); {_focus(name) if name and not target else _BODY}")
            answer = await a.call(command, **params, **target)
            tally.add(f"{command} {params} {target or name}", answer, outcome, changed, told)
    await a.call("navigate", url=url)
    for selector, outcome, changed, told in CLICKS:
        tally.add(f"click {selector}", await a.call("click", selector=selector), outcome, changed, told)
    for selector, outcome, changed in HOVERS:
        tally.add(f"hover {selector}", await a.call("hover", selector=selector), outcome, changed, {})
    await a.call("navigate", url=url)
    for command, params, outcome, changed, told in FIELDS:
        tally.add(f"{command} {params}", await a.call(command, **params), outcome, changed, told)
    return tally


async def test_no_outcome_is_too_good_and_no_change_goes_unseen(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/outcomes.html") as a:
        tally = await _try_all(a, f"{pages}/outcomes.html")
    assert not tally.wrong, "\n".join(tally.wrong)
    assert tally.count >= 80
    assert tally.false_nothing == 0
    assert tally.unknown <= tally.count / 10


async def _all_right(a: Agent, cases: list[tuple[str, Told, str, Any, Told]]) -> None:
    tally = Tally()
    for command, params, outcome, changed, told in cases:
        tally.add(f"{command} {params}", await a.call(command, **params), outcome, changed, told)
    assert not tally.wrong, "\n".join(tally.wrong)


async def test_what_a_canvas_shows_is_not_known(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/outcomes_drawn.html") as a:
        await _all_right(a, DRAWN)


async def test_leaving_for_another_page_is_confirmed_by_its_address(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/outcomes.html") as a:
        for command, params in (
            ("navigate", {"url": f"{pages}/outcomes_drawn.html"}),
            ("go_back", {}),
            ("go_forward", {}),
            ("reload", {}),
        ):
            assert (await a.call(command, **params))["outcome"] == "confirmed", command


async def test_a_persons_own_browser_tells_the_same(own_agent: OpenAgent, pages: str) -> None:
    async with own_agent() as a:
        opened = await a.call("new_tab", url=f"{pages}/outcomes.html")
        assert opened["outcome"] == "confirmed"
        await _all_right(a, OWN)
        await a.call("close_tab", tabId=opened["tabId"])


async def test_what_a_frame_of_another_site_did_meanwhile_is_not_called_nothing(visitor: Visit, pages: str) -> None:
    other = pages.replace("127.0.0.1", "localhost") + "/outcomes_frame.html"
    async with visitor(f"{pages}/outcomes_drawn.html") as a:
        code = (
            "document.querySelector('#canvas').remove(); const frame = document.createElement('iframe');"
            f"frame.src = {other!r}; document.body.append(frame);"
            "document.getElementById('draw').onclick = () => frame.contentWindow.postMessage('tick', '*'); 1"
        )
        await a.call("evaluate", code=code)
        await a.call("wait", selector="iframe >>> #ticks")
        clicks = 0
        answer: dict[str, Any] = {"outcome": "no_effect"}
        async with asyncio.timeout(PATIENCE_S):
            while answer["outcome"] == "no_effect":  # on a busy machine the frame may come to it after the answer
                answer = await a.call("click", selector="#draw")
                clicks += 1
                await a.call("wait", text=str(clicks), timeout=PATIENCE_MS)
        assert (answer["outcome"], answer["effects"]["changed"]) == ("unverifiable", "unknown")
        assert (await a.call("click", selector="#out"))["outcome"] == "no_effect"


async def test_a_shadow_root_of_a_large_page_is_unknown_once_and_then_watched(visitor: Visit, pages: str) -> None:
    async with visitor(f"{pages}/blank.html") as a:
        code = (
            "document.body.innerHTML = '<i></i>'.repeat(1500) + '<div></div>';"
            "const inside = document.querySelector('div').attachShadow({ mode: 'open' });"
            "const add = () => inside.append(document.createElement('b'));"
            "addEventListener('keydown', (event) => { if (event.key === 'k') add(); }); 1"
        )
        assert (await a.call("evaluate", code=code))["effects"]["changed"] is True
        told = [await a.call("press_key", key=key) for key in "kkx"]
        assert [(one["outcome"], one["effects"]["changed"]) for one in told] == [
            ("unverifiable", "unknown"), ("done", True), ("no_effect", False),
        ]  # fmt: skip
