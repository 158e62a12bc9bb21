"""Each command in Playwright's words: idiomatic where the row says enough, and Python whatever it says."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kapture_panel.core.catalogue import redaction
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.stores.history_row import Row
from kapture_panel.core.wire.targets import Target
from kapture_panel.export.playwright.commands import KEYS
from kapture_panel.export.playwright.script import script
from tests.support.core.fakes import CATALOGUE, COMMANDS, minimal, row
from tests.support.core.playwright import BUY, TWIN, body, done
from tests.support.tree import ROOT


@pytest.mark.parametrize(
    ("made", "lines"),
    [
        (done("click", [BUY], ref="e1"), ['page.get_by_role("button", name="Buy \\"now\\"", exact=True).click()']),
        (done("click", [TWIN], ref="e1"), ['page.locator("css=#a > b").click()']),
        (done("click", [BUY], selector=".buy"), ['page.locator("css=.buy").first.click()']),
        (done("click", [BUY], xpath="//a"), ['page.locator("xpath=//a").first.click()']),
        (
            done("click", [replace(BUY, selector="#f >>> #h >>> #buy", through=["frame", "shadow"])], ref="e1"),
            ['page.frame_locator("css=#f").locator("css=#h")'
             '.get_by_role("button", name="Buy \\"now\\"", exact=True).click()'],
        ),
        (
            done("click", selector="iframe#f >>> my-box >>> b", clickCount=2, button="right", modifiers=["Shift"]),
            ['page.frame_locator("css=iframe#f").locator("css=my-box").locator("css=b").first'
             '.click(button="right", click_count=2, modifiers=["Shift"])'],
        ),
        (done("click", x=1.5, y=2), ["page.mouse.click(1.5, 2)"]),
        (done("click", x=1.5, y=2, holdMs=700), ["page.mouse.click(1.5, 2, delay=700)"]),
        (done("click", selector="#a", holdMs=700), ['page.locator("css=#a").first.click(delay=700)']),
        (done("click", selector="#a", holdMs=0), ['page.locator("css=#a").first.click()']),
        (done("navigate", url="localhost:8000/x"), ['page.goto("http://localhost:8000/x")']),
        (
            done("navigate", url="example.com", waitUntil="none"),
            ['page.goto("https://example.com", wait_until="commit")'],
        ),
        (done("wait", urlContains="/done"), ['page.wait_for_url(lambda address: "/done" in address)']),
        (done("wait", selector=".row", state="hidden"),
         ['page.locator("css=.row").filter(visible=True).first.wait_for(state="hidden")']),
        (done("wait", xpath="//li", state="hidden"),
         ['page.locator("xpath=//li").filter(visible=True).first.wait_for(state="hidden")']),
        (done("wait", selector=".row", state="attached"),
         ['page.locator("css=.row").first.wait_for(state="attached")']),
        (done("wait", text="Hi"),
         ['page.get_by_text("Hi").filter(visible=True).first.wait_for(state="visible")']),
        (done("wait", text="Hi", state="hidden"),
         ['page.get_by_text("Hi").filter(visible=True).first.wait_for(state="hidden")']),
        (done("wait", text="Hi", state="attached"), ['page.get_by_text("Hi").first.wait_for(state="attached")']),
        (
            done("press_key", key="Control+w", action="down", count=2),
            ['page.keyboard.down("Control")', *['page.keyboard.down("w")'] * 2],
        ),
        (
            done("press_key", key="Control+w", action="up"),
            ['page.keyboard.up("w")', 'page.keyboard.up("Control")'],
        ),
        (done("press_key", key="Ctrl+Option+Left"), ['page.keyboard.press("Control+Alt+ArrowLeft")']),
        (done("press_key", key="Cmd++"), ['page.keyboard.press("Meta++")']),
        (done("press_key", key="Cmd+Plus"), ['page.keyboard.press("Meta++")']),
        (done("press_key", key="+"), ['page.keyboard.press("+")']),
        (done("press_key", selector="#a", key="Esc"), ['page.locator("css=#a").first.press("Escape")']),
        (
            done("press_key", key="Cmd+Down", action="down"),
            ['page.keyboard.down("Meta")', 'page.keyboard.down("ArrowDown")'],
        ),
        (
            done("press_key", key="Ctrl+Space", action="up"),
            ['page.keyboard.up(" ")', 'page.keyboard.up("Control")'],
        ),
        (done("press_key", key="Control+A", count=3), ["for _ in range(3):", '    page.keyboard.press("Control+A")']),
        (
            done("drag", [TWIN, BUY], ref="e1", toRef="e2"),
            ['page.locator("css=#a > b").drag_to(page.get_by_role("button", name="Buy \\"now\\"", exact=True))'],
        ),
        (
            done("drag", selector="#a", toSelector="#b", holdMs=600),
            ['page.locator("css=#a").first.hover()', "page.mouse.down()", "page.wait_for_timeout(600)",
             'page.locator("css=#b").first.hover()', "page.mouse.up()"],
        ),
        (
            done("drag", x=1, y=2, toX=3, toY=4, holdMs=0),
            ["page.mouse.move(1, 2, steps=8)", "page.mouse.down()", "page.mouse.move(3, 4, steps=8)",
             "page.mouse.up()"],
        ),
        (
            done("upload_file", [Target(selector="#zone")], selector="#zone", paths=["/a"]),
            ['drop_files(page.locator("css=#zone"), ["/a"])'],
        ),
        (done("upload_file", paths=["/a"]), ["# Left out: Playwright knows no file chooser that waits.", "pass"]),
        (done("upload_file", selector="#f", paths=["/a"]), ['page.locator("css=#f").first.set_input_files(["/a"])']),
        (
            done("fill", [replace(TWIN, type="checkbox")], selector="#c", value={"redacted": 4}),
            ['page.locator("css=#c").first.set_checked(True)'],
        ),
        (done("evaluate", code="app.deleteAll // x"), ['run_code(page, "app.deleteAll // x")']),
        (done("evaluate", code="return 1"), ['run_code(page, "return 1")']),
        (done("snapshot"), ["# Left out: snapshot, it only looks.", "pass"]),
        (done("clear_logs"), ["# Left out: Playwright has nothing like clear_logs.", "pass"]),
    ],
)  # fmt: skip
def test_a_row_becomes_the_line_a_person_would_write(made: Row, lines: list[str]) -> None:
    assert body(made) == lines


@pytest.mark.parametrize(
    ("made", "lines"),
    [
        (done("wait", selector="#a", timeout=120_000),
         ['page.locator("css=#a").filter(visible=True).first.wait_for(state="visible", timeout=120000)']),
        (done("wait", urlContains="/b", timeout=9),
         ['page.wait_for_url(lambda address: "/b" in address, timeout=9)']),
        (done("wait", expression="ready", timeout=9), ['wait_until(page, "ready", timeout_ms=9)']),
        (done("wait", time=5, timeout=9), ["page.wait_for_timeout(5)"]),
        (done("navigate", url="http://a.example/", timeout=9), ['page.goto("http://a.example/", timeout=9)']),
        (done("reload", timeout=9), ["page.reload(timeout=9)"]),
        (done("activate_tab", timeout=9), ["page.bring_to_front()"]),
        (done("new_tab", url="http://a.example/", timeout=9),
         ["page2 = page.context.new_page()", 'page2.goto("http://a.example/", timeout=9)']),
        (done("click", [TWIN], ref="e1", timeout=9), ['page.locator("css=#a > b").click(timeout=9)']),
        (done("click", x=1, y=2, timeout=9), ["page.mouse.click(1, 2)"]),
        (done("fill_form", [TWIN], fields=[{"ref": "e1", "value": {"redacted": 0}}], timeout=9),
         ['page.locator("css=#a > b").fill("", timeout=9)']),
        (done("press_key", selector="#a", key="Esc", timeout=9),
         ['page.locator("css=#a").first.press("Escape", timeout=9)']),
        (done("press_key", key="Esc", timeout=9), ['page.keyboard.press("Escape")']),
        (done("select", [replace(TWIN, role="listbox")], ref="e1", labels=["One"], timeout=9),
         ['page.get_by_role("option", name="One", exact=True).click(timeout=9)']),
    ],
)  # fmt: skip
def test_a_call_waits_as_long_as_it_was_told_to(made: Row, lines: list[str]) -> None:
    assert body(made) == lines


@pytest.mark.parametrize(
    ("made", "lines"),
    [
        (done("press_key", key="Enter", action=None), ['page.keyboard.press("Enter")']),
        (done("click", x=1, y=2, ref=None, selector=None), ["page.mouse.click(1, 2)"]),
        (done("wait", text="Hi", time=None, state="attached"),
         ['page.get_by_text("Hi").first.wait_for(state="attached")']),
        (done("scroll", deltaY=9, toX=None), ["scroll_page(page, 0, 9)"]),
    ],
)  # fmt: skip
def test_a_parameter_that_null_left_out_says_nothing(made: Row, lines: list[str]) -> None:
    assert body(made) == lines


def test_every_name_of_a_key_that_only_kapture_knows_is_translated() -> None:
    (aliases,) = re.findall(
        r"const ALIASES = \{\s*__proto__: null,(.*?)\};", (ROOT / "extension/tab/keys.js").read_text(), re.DOTALL
    )
    assert dict(re.findall(r'(\w+): "([^"]+)",', aliases)) == KEYS


def _values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "string":
            return st.from_regex(r"e[0-9]+", fullmatch=True) if "pattern" in schema else st.text(min_size=1)
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(schema.get("minimum", -5), schema.get("maximum", 10**6))
        case "number":
            return st.floats(0.5, 8)
        case "array":
            return st.lists(_values(schema["items"]), min_size=1, max_size=3)
        case _:
            properties = {name: _values(one) for name, one in schema.get("properties", {}).items()}
            needed = schema.get("required", [])
            optional = {name: one for name, one in properties.items() if name not in needed}
            return st.fixed_dictionaries({name: properties[name] for name in needed}, optional=optional)


def _params(command: Command) -> st.SearchStrategy[dict[str, Any]]:
    chosen = {name for names in command.choices.of for name in names}
    free = {
        name: _values(schema)
        for name, schema in command.properties.items()
        if name not in chosen and name not in command.target_properties
    }
    return st.fixed_dictionaries({}, optional=free).map(lambda params: {**minimal(command), **params})


_NAMES = st.one_of(
    st.text(max_size=20), st.sampled_from(["class", "page", "run", "é", "\u202eevil", "a\nb", '"""', "\\"])
)
_TARGETS = st.lists(
    st.fixed_dictionaries(
        {
            "selector": st.one_of(st.none(), st.text(min_size=1)),
            "through": st.lists(st.sampled_from(["frame", "shadow"])),
        },
        optional={
            "role": st.sampled_from(["button", "textbox", "made-up"]), "name": _NAMES, "alone": st.booleans(),
            "type": st.sampled_from(["checkbox", "select-one", "text"]), "secret": st.booleans(),
        },
    ),
    max_size=3,
)  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
@given(data=st.data())
def test_every_command_with_any_parameters_makes_python(name: str, data: st.DataObject) -> None:
    command = CATALOGUE.get(name)
    params = data.draw(_params(command))
    targets = data.draw(_TARGETS)
    if command.target != "none" and data.draw(st.booleans()):
        params.pop("selector", None)
        params |= data.draw(st.sampled_from([{"ref": "e1"}, {"xpath": "//a"}, {"x": 1, "y": 2}]))
    made = row(name, state="ok", params=redaction.params(command, params), targets=targets)
    text = script([made], Path("nowhere"), CATALOGUE)
    ast.parse(text)
    text.encode()


@pytest.mark.parametrize(
    ("made", "lines"),
    [
        (done("scroll", [TWIN], ref="e1", deltaY=5), ['turn_wheel(page.locator("css=#a > b"), 0, 5, scrolls=False)']),
        (
            row("scroll", state="ok", outcome="confirmed", params={"selector": "p", "deltaX": 2}),
            ['turn_wheel(page.locator("css=p").first, 2, 0, scrolls=True)'],
        ),
        (done("scroll", x=1, y=2, deltaY=5), ["page.mouse.move(1, 2)", "page.mouse.wheel(0, 5)"]),
        (done("scroll", deltaY=5), ["scroll_page(page, 0, 5)"]),
        (done("wait", expression="ready"), ['wait_until(page, "ready")']),
        (done("inject_script", source="a = 1"), ['inject(page, "a = 1")']),
        (
            done("select", [replace(TWIN, role="combobox")], ref="e1", value="Red"),
            ['page.locator("css=#a > b").click()', 'page.get_by_role("option", name="Red", exact=True).click()'],
        ),
    ],
)
def test_what_takes_more_than_a_call_of_playwrights(made: Row, lines: list[str]) -> None:
    assert body(made) == lines
