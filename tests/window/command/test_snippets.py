"""A copied call does the same as the one it was copied from, through a real shell and a real interpreter."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.programs.call import _parameter
from kapture_panel.window.command import snippets
from tests.support.window.forms.generated import params_of
from tests.support.window.forms.samples import CATALOGUE, COMMANDS

EVERY = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.short_name)
#: Prints what it was started with.
ECHO = "import json, sys; print(json.dumps(sys.argv[1:]))"
CONFIG = json.dumps({"mcpServers": {"kapture": {"command": sys.executable, "args": ["mcp", "-c", ECHO]}}})
#: No program can be started with these in its arguments.
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


def started_with(line: str) -> list[str]:
    """The arguments a shell starts `kapture call` with; the echoing interpreter takes the place of the program."""
    line = line.replace(" call -c ", " -c ", 1)
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def params_in(words: list[str], command: Command) -> dict[str, Any]:
    return dict(_parameter(command, word) for word in words)


@given(TEXT, TEXT, st.integers(0, 5))
def test_a_shell_gives_every_text_back_as_it_was(selector: str, value: str, timeout: int) -> None:
    command = CATALOGUE.get("fill")
    params = {"selector": selector, "value": value, "timeout": timeout}
    name, *words = started_with(snippets.shell(command, params, CONFIG))
    assert name == "fill"
    assert params_in(words, command) == params


@EVERY
def test_a_shell_gives_the_parameters_of_every_command_back(command: Command) -> None:
    # One line for many calls: what starts a process each would take minutes.
    examples: list[dict[str, Any]] = []

    @given(params_of(command))
    def collect(params: dict[str, Any]) -> None:
        if "\0" not in "".join(_strings(params)):
            examples.append(params)

    collect()
    lines = [snippets.shell(command, params, CONFIG).replace(" call -c ", " -c ", 1) for params in examples]
    done = subprocess.run(["/bin/sh", "-c", "\n".join(lines[:6])], capture_output=True, check=True)
    for params, told in zip(examples, done.stdout.decode().splitlines(), strict=False):
        assert params_in(json.loads(told)[1:], command) == params


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in (key, *_strings(item))]
    return [text for item in value for text in _strings(item)] if isinstance(value, list) else []


@given(st.sampled_from(COMMANDS).flatmap(lambda command: st.tuples(st.just(command), params_of(command))))
def test_the_python_program_makes_the_very_call(call: tuple[Command, dict[str, Any]]) -> None:
    command, params = call
    tree = ast.parse(snippets.python(command, params, CONFIG))
    made = next(
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("call_tool")
    )
    assert [ast.literal_eval(argument) for argument in made.args] == [command.name, params]
    server = next(
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "StdioServerParameters"
    )
    given_server = {word.arg: ast.literal_eval(word.value) for word in server.keywords}
    assert given_server == json.loads(CONFIG)["mcpServers"]["kapture"]


@given(st.sampled_from(COMMANDS).flatmap(lambda command: st.tuples(st.just(command), params_of(command))))
def test_the_mcp_call_is_a_request_of_the_protocol(call: tuple[Command, dict[str, Any]]) -> None:
    command, params = call
    request = json.loads(snippets.mcp_call(command, params, CONFIG))
    assert request["method"] == "tools/call"
    assert request["params"] == {"name": command.name, "arguments": params}


def test_the_data_directory_of_the_panel_goes_along() -> None:
    config = json.dumps(
        {"mcpServers": {"kapture": {"command": "/opt/my apps/kapture", "args": ["mcp", "--data-dir", "/d"]}}}
    )
    line = snippets.shell(CATALOGUE.get("reload"), {}, config)
    assert line == "'/opt/my apps/kapture' call --data-dir /d reload"


def test_an_answer_is_copied_whole_or_as_the_text_it_carries() -> None:
    answer = Answer(CATALOGUE.get("click"), {"clicked": True}, effects={"url": "/a"}, snapshot="- link")
    assert json.loads(snippets.answer_json(answer)) == {
        "result": {"clicked": True},
        "effects": {"url": "/a"},
        "snapshot": "- link",
    }
    assert snippets.answer_text(answer) == "- link"
    assert snippets.answer_text(Answer(CATALOGUE.get("snapshot"), {"text": "- page"})) == "- page"
    assert json.loads(snippets.answer_text(Answer(CATALOGUE.get("list_tabs"), {"tabs": []}))) == {"tabs": []}
    assert snippets.error_text(KaptureError("STALE_REF", "e5 is gone")) == "STALE_REF: e5 is gone"
