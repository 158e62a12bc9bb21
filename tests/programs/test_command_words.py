"""The words of a command line become the parameters of a command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kapture_panel import paths
from kapture_panel.core.catalogue import command_line
from kapture_panel.programs.command_words import Words, Wrong

LINES = command_line.read(str(paths.catalogue()))[1]


def params(name: str, *words: str, text: str = "from standard input") -> dict[str, Any]:
    return Words(LINES, lambda: text).parameters(LINES[name], words)


CASES: list[tuple[list[str], dict[str, Any]]] = [
    (["click", "e5"], {"ref": "e5"}),
    (["click", "#buy"], {"selector": "#buy"}),
    (["click", "//button[1]"], {"xpath": "//button[1]"}),
    (["click", "(//a)[2]"], {"xpath": "(//a)[2]"}),
    (["click", "120,80.5"], {"x": 120, "y": 80.5}),
    (["click", "a,b"], {"selector": "a,b"}),
    (["click", "--selector", "e5"], {"selector": "e5"}),
    (["click", "--x", "1", "--y=2"], {"x": 1, "y": 2}),
    (["click", "e5", "--click-count", "2", "--button=right"], {"ref": "e5", "clickCount": 2, "button": "right"}),
    (["click", "e5", "--clickCount", "2"], {"ref": "e5", "clickCount": 2}),
    (["click", "e5", "--modifiers", "Shift,Alt"], {"ref": "e5", "modifiers": ["Shift", "Alt"]}),
    (["fill", "e7", "two words"], {"ref": "e7", "value": "two words"}),
    (["fill", "e7", "-5"], {"ref": "e7", "value": "-5"}),
    (["fill", "e7", "5"], {"ref": "e7", "value": "5"}),
    (["fill", "e7", "--", "--json"], {"ref": "e7", "value": "--json"}),
    (["fill", "e7", "-"], {"ref": "e7", "value": "from standard input"}),
    (["fill", "e7", "--value", "-"], {"ref": "e7", "value": "from standard input"}),
    (["fill", "e7", "--value=-"], {"ref": "e7", "value": "-"}),
    (["fill", "--ref", "e7", "x"], {"ref": "e7", "value": "x"}),
    (["type", "hello"], {"text": "hello"}),
    (["type", "e5", "hello", "--submit"], {"ref": "e5", "text": "hello", "submit": True}),
    (["evaluate", "1", "--no-await-promise"], {"code": "1", "awaitPromise": False}),
    (["evaluate", "1", "--await-promise=false"], {"code": "1", "awaitPromise": False}),
    (["press_key", "Enter"], {"key": "Enter"}),
    (["press_key", "e5", "Enter"], {"ref": "e5", "key": "Enter"}),
    (["snapshot"], {}),
    (["snapshot", "e5", "--roles", "button,link"], {"ref": "e5", "roles": ["button", "link"]}),
    (["snapshot", "--roles", "button", "--roles", "link"], {"roles": ["button", "link"]}),
    (["screenshot", "page"], {"name": "page"}),
    (["screenshot", "e5", "page"], {"ref": "e5", "name": "page"}),
    (["screenshot", "page", "--clip", "0,0,40,30"],
     {"name": "page", "clip": {"x": 0, "y": 0, "width": 40, "height": 30}}),
    (["screenshot", "page", "--clip", '{"x": 1}'], {"name": "page", "clip": {"x": 1}}),
    (["select", "e5", "red"], {"ref": "e5", "value": "red"}),
    (["select", "e5", "--labels", "Doe, John", "--labels", "Roe"], {"ref": "e5", "labels": ["Doe, John", "Roe"]}),
    (["select", "e5", "--labels", '["a", "b"]'], {"ref": "e5", "labels": ["a", "b"]}),
    (["drag", "e1", "#to"], {"ref": "e1", "toSelector": "#to"}),
    (["drag", "e1", "40,50"], {"ref": "e1", "toX": 40, "toY": 50}),
    (["drag", "e1", "--to-ref", "e2"], {"ref": "e1", "toRef": "e2"}),
    (["wait", "--text", "Saved"], {"text": "Saved"}),
    (["scroll", "--delta-y", "-300"], {"deltaY": -300}),
    (["handle_dialog", "true", "Ann"], {"accept": True, "promptText": "Ann"}),
    (["handle_dialog", "--no-accept"], {"accept": False}),
    (["resize", "800", "600"], {"width": 800, "height": 600}),
    (["get_attributes", "a", "href", "title"], {"selector": "a", "attributes": ["href", "title"]}),
    (["get_attributes", "a", "--attributes", "href,title"], {"selector": "a", "attributes": ["href", "title"]}),
    (["fill_form", "e1=Ann", "e2=a=b", '{"selector": "#c", "value": "d"}'],
     {"fields": [{"ref": "e1", "value": "Ann"}, {"ref": "e2", "value": "a=b"}, {"selector": "#c", "value": "d"}]}),
    (["batch", "click e5", "fill e7 'two words'", "list-tabs"],
     {"steps": [{"command": "click", "params": {"ref": "e5"}},
                {"command": "fill", "params": {"ref": "e7", "value": "two words"}},
                {"command": "list_tabs", "params": {}}]}),
    (["resize", "wide", "600"], {"width": "wide", "height": 600}),  # the panel refuses it, by name
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), CASES, ids=[" ".join(line) for line, _ in CASES])
def test_words_are_read_by_their_place_and_options_by_name(line: list[str], expected: dict[str, Any]) -> None:
    assert params(*line) == expected


def test_a_path_is_one_of_the_folder_the_call_is_made_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    at = str(tmp_path / "a, b.png")
    assert params("upload_file", "e5", "a, b.png", "~/c.png") == {
        "ref": "e5",
        "paths": [at, str(tmp_path / "home" / "c.png")],
    }
    assert params("upload_file", "a, b.png") == {"paths": [at]}
    assert params("upload_file", "--paths", "a, b.png", "--paths", "/d") == {"paths": [at, "/d"]}
    assert params("upload_file", "e5", "[]") == {"ref": "e5", "paths": []}
    assert params("read_image", "a, b.png") == {"path": at}
    assert params("evaluate", "a.png") == {"code": "a.png"}


def test_of_a_list_standard_input_is_an_entry_a_line_or_json() -> None:
    steps = params("batch", "-", text="click e1\n\n  hover e2\n")["steps"]
    assert [step["command"] for step in steps] == ["click", "hover"]
    fields = [{"ref": "e1", "value": "[x]"}]
    assert params("fill_form", "-", text=json.dumps(fields)) == {"fields": fields}


WRONG = [
    (["click"], "TARGET is missing; usage: kapture click TARGET"),
    (["fill", "e5"], "VALUE is missing; usage: kapture fill TARGET VALUE"),
    (["click", "e5", "e6"], "'e6' is one word too many; usage: kapture click TARGET; quote a text of several words"),
    (["click", "e5", "--buton", "left"], "click has no option --buton; did you mean --button?"),
    (["click", "e5", "--zzz"], "click has no option --zzz; see kapture click --help"),
    (["click", "e5", "--no-button"], "click has no option --no-button; did you mean --button?"),
    (["click", "e5", "--button"], "--button needs a value; one of left, middle, right"),
    (["inject_script", "-", "--url", "-"], "standard input can be read only once; give one - alone"),
    (["query_dom", "e5"], "query_dom takes a CSS selector, and e5 is a ref; kapture snapshot e5 shows it"),
    (["screenshot", "a", "--clip", "1,2"], "--clip cannot be '1,2'; give x,y,width,height, or JSON"),
    (["batch", "fry e5"], "the step 'fry e5' names no command; kapture call --help lists them"),
    (["batch", "click 'e5"], 'the step "click \'e5" cannot be read: No closing quotation; quote it as in a shell'),
    (["batch", "click"], "TARGET is missing; usage: kapture click TARGET"),
]


@pytest.mark.parametrize(("line", "said"), WRONG, ids=[" ".join(line) for line, _ in WRONG])
def test_what_cannot_be_used_is_named_with_the_next_step(line: list[str], said: str) -> None:
    with pytest.raises(Wrong) as raised:
        params(*line)
    assert f"{raised.value.what}; {raised.value.next_step}" == said


def test_the_general_form_takes_every_parameter_by_name() -> None:
    words = Words(LINES, str)
    given = words.named(LINES["click"], ["selector=#a=b", "clickCount=2", "modifiers=Shift,Alt", "unknown=[1]"])
    assert given == {"selector": "#a=b", "clickCount": 2, "modifiers": ["Shift", "Alt"], "unknown": [1]}
    assert words.named(LINES["fill"], ["value=-"]) == {"value": "-"}
    with pytest.raises(Wrong, match="'e5' is not key=value"):
        words.named(LINES["click"], ["e5"])
