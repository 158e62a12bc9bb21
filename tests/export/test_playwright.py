"""Scripts for Playwright: idiomatic where the row says enough, and Python whatever it says."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.core.catalogue import redaction
from kapture_panel.core.catalogue.catalogue import CHOICES, Command
from kapture_panel.core.stores.history_row import Row
from kapture_panel.export.playwright import script
from tests.support.core.fakes import CATALOGUE, COMMANDS, minimal, row

BUY: dict[str, Any] = {"selector": "#buy", "through": [], "role": "button", "name": 'Buy "now"', "alone": True}
TWIN: dict[str, Any] = {"selector": "#a > b", "through": [], "role": "button", "name": "Add"}


def body(*rows: Row) -> list[str]:
    """The lines of `run` without those that open the first page."""
    text = script([row("new_tab", state="ok", params={}), *rows], Path("nowhere"))
    ast.parse(text)
    lines = text.partition("-> None:\n")[2].partition("\n\n\ndef main")[0].splitlines()
    return [line.removeprefix("    ") for line in lines]


def done(command: str, targets: list[dict[str, Any]] | None = None, **params: Any) -> Row:
    return row(command, state="ok", params=params, targets=targets or [])


@pytest.mark.parametrize(
    ("made", "lines"),
    [
        (done("click", [BUY], ref="e1"), ['page.get_by_role("button", name="Buy \\"now\\"", exact=True).click()']),
        (done("click", [TWIN], ref="e1"), ['page.locator("css=#a > b").click()']),
        (done("click", [BUY], selector=".buy"), ['page.locator("css=.buy").first.click()']),
        (done("click", [BUY], xpath="//a"), ['page.locator("xpath=//a").click()']),
        (
            done("click", [{**BUY, "selector": "#f >>> #h >>> #buy", "through": ["frame", "shadow"]}], ref="e1"),
            ['page.frame_locator("css=#f").locator("css=#h")'
             '.get_by_role("button", name="Buy \\"now\\"", exact=True).click()'],
        ),
        (
            done("click", selector="iframe#f >>> my-box >>> b", clickCount=2, button="right", modifiers=["Shift"]),
            ['page.frame_locator("css=iframe#f").locator("css=my-box").locator("css=b").first'
             '.click(button="right", click_count=2, modifiers=["Shift"])'],
        ),
        (done("click", x=1.5, y=2), ["page.mouse.click(1.5, 2)"]),
        (done("navigate", url="localhost:8000/x"), ['page.goto("http://localhost:8000/x")']),
        (
            done("navigate", url="example.com", waitUntil="none"),
            ['page.goto("https://example.com", wait_until="commit")'],
        ),
        (done("wait", urlContains="/done"), ['page.wait_for_url(lambda address: "/done" in address)']),
        (done("wait", text="Hi", state="hidden"), ['page.get_by_text("Hi").first.wait_for(state="hidden")']),
        (done("press_key", key="Control+A", count=3), ["for _ in range(3):", '    page.keyboard.press("Control+A")']),
        (
            done("drag", [TWIN, BUY], ref="e1", toRef="e2"),
            ['page.locator("css=#a > b").drag_to(page.get_by_role("button", name="Buy \\"now\\"", exact=True))'],
        ),
        (done("upload_file", selector="#f", paths=["/a"]), ['page.locator("css=#f").first.set_input_files(["/a"])']),
        (
            done("fill", [{**TWIN, "type": "checkbox"}], selector="#c", value={"redacted": 4}),
            ['page.locator("css=#c").first.set_checked(True)'],
        ),
        (done("evaluate", code="document.title"), ['page.evaluate("document.title")']),
        (done("evaluate", code="return 1"), ['page.evaluate("async () => {\\nreturn 1\\n}")']),
        (done("snapshot"), ["# Left out: snapshot, it only looks.", "pass"]),
        (done("clear_logs"), ["# Left out: Playwright has nothing like clear_logs.", "pass"]),
    ],
)  # fmt: skip
def test_a_row_becomes_the_line_a_person_would_write(made: Row, lines: list[str]) -> None:
    assert body(made) == lines


def test_a_dialog_is_answered_before_what_opens_it() -> None:
    opening = row("click", state="error", code="DIALOG_OPEN", params={"selector": "#ask"})
    assert body(opening, done("handle_dialog", accept=False)) == [
        'page.once("dialog", lambda dialog: dialog.dismiss())', 'page.locator("css=#ask").first.click()',
    ]  # fmt: skip


def test_a_new_tab_is_a_page_of_its_own() -> None:
    popup = row("click", state="ok", params={"selector": "a"}, effects={"newTabs": [{"tabId": "t2", "url": ""}]})
    assert body(popup, row("reload", state="ok", tab_id="t2")) == [
        "with page.expect_popup() as popup2:", '    page.locator("css=a").first.click()', "page2 = popup2.value",
        "page2.reload()",
    ]  # fmt: skip


def test_what_was_not_kept_is_asked_for() -> None:
    rows = [
        done("fill", [{**TWIN, "name": "E-mail 100%"}], selector="#m", value={"redacted": 9}),
        done("fill", [{**TWIN, "name": "Password", "secret": True}], selector="#p", value={"redacted": 5}),
    ]
    text = script(rows, Path("nowhere"))
    assert "def run(page: Page, e_mail_100: str, password: str) -> None:" in text
    assert 'parser.add_argument("--e_mail_100", required=True, help="E-mail 100%% (9 characters' in text
    assert 'options.password or getpass.getpass("Password: ")' in text


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
    chosen = {name for groups, _ in [CHOICES.get(command.name, ((), False))] for names in groups for name in names}
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
    text = script([made], Path("nowhere"))
    ast.parse(text)
    text.encode()
