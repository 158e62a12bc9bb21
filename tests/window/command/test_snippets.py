"""A copied call does the same as the one it was copied from, through a real shell and the parser of Python."""

from __future__ import annotations

import ast
import itertools
import json
import subprocess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel import paths
from kapture_panel.core.answer import Answer
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue import command_line
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.wire.effects import Effects
from kapture_panel.programs.command_words import Words
from kapture_panel.window.command import snippets
from tests.support.window.forms.generated import params_of
from tests.support.window.forms.samples import CATALOGUE, COMMANDS

LINES = command_line.read(str(paths.catalogue()))[1]
EVERY = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.short_name)
CONFIG = json.dumps({"mcpServers": {"kapture": {"command": "/opt/my apps/kapture", "args": ["mcp"]}}})
#: Takes the place of the program: prints with how many arguments it was called, and each.
TOLD = "told() { printf '%s\\0' $# \"$@\"; }\n"
#: No program can be started with these in its arguments.
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


def started_with(lines: list[str]) -> list[list[str]]:
    """The arguments that a shell calls `kapture call` with, for each line; a process for each would take minutes."""
    script = TOLD + "\n".join(line.replace("'/opt/my apps/kapture' call ", "told ", 1) for line in lines)
    done = subprocess.run(["/bin/sh"], input=script.encode(), capture_output=True, check=True)
    words = iter(done.stdout.decode().split("\0")[:-1])
    return [list(itertools.islice(words, int(count))) for count in words]


def params_in(words: list[str], command: Command) -> dict[str, Any]:
    return Words(LINES, str).named(LINES[command.short_name], words)


def test_a_shell_gives_every_text_back_as_it_was() -> None:
    command = CATALOGUE.get("fill")
    examples: list[dict[str, Any]] = []

    @given(TEXT, TEXT, st.integers(0, 5))
    def collect(selector: str, value: str, timeout: int) -> None:
        examples.append({"selector": selector, "value": value, "timeout": timeout})

    collect()
    _come_back(command, examples)


@EVERY
def test_a_shell_gives_the_parameters_of_every_command_back(command: Command) -> None:
    examples: list[dict[str, Any]] = []

    @given(params_of(command))
    def collect(params: dict[str, Any]) -> None:
        if "\0" not in "".join(_strings(params)):
            examples.append(params)

    collect()
    _come_back(command, examples)


def _come_back(command: Command, examples: list[dict[str, Any]]) -> None:
    told = started_with([snippets.shell(command, params, CONFIG) for params in examples])
    assert [name for name, *_ in told] == [command.short_name] * len(examples)
    assert [params_in(words, command) for _, *words in told] == examples


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
    answer = Answer(CATALOGUE.get("click"), {"clicked": True}, effects=Effects(url="/a"), snapshot="- link")
    assert json.loads(snippets.answer_json(answer)) == {
        "result": {"clicked": True},
        "effects": {"url": "/a"},
        "snapshot": "- link",
    }
    assert snippets.answer_text(answer) == "- link"
    assert snippets.answer_text(Answer(CATALOGUE.get("snapshot"), {"text": "- page"})) == "- page"
    assert json.loads(snippets.answer_text(Answer(CATALOGUE.get("list_tabs"), {"tabs": []}))) == {"tabs": []}
    assert snippets.error_text(KaptureError("STALE_REF", "e5 is gone")) == "STALE_REF: e5 is gone"
