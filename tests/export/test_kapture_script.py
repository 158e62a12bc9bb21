"""Kapture scripts: written from rows, read with care."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.redaction import params as redacted
from kapture_panel.export.kapture_script import Script, filled, script
from tests.support.core.fakes import CATALOGUE, COMMANDS, minimal, row


def read(content: Any) -> Script:
    return Script(content if isinstance(content, str) else json.dumps(content), "job.json", CATALOGUE)


def test_what_is_written_can_be_read() -> None:
    rows = [row(name, id=at, state="ok", params=redacted(CATALOGUE.get(name), minimal(CATALOGUE.get(name))))
            for at, name in enumerate(COMMANDS)]  # fmt: skip
    made = read(script(rows, Path("nowhere"), CATALOGUE))
    assert {step.command for step in made.steps} >= {"click", "fill", "navigate", "wait", "close_tab"}
    assert made.missing({}) == list(made.parameters)
    assert made.missing(dict.fromkeys(made.parameters, "")) == []


def test_a_step_says_what_it_came_to() -> None:
    steps = json.loads(
        script([row("click", state="ok", outcome="done", params={"selector": "#a"})], Path("nowhere"), CATALOGUE)
    )
    assert [step.get("outcome") for step in steps["steps"]] == [None, "done"]
    assert len(read(steps).steps) == 2


def test_what_is_not_done_again_is_said() -> None:
    made = json.loads(
        script([row("snapshot", state="ok"), row("click", state="error", code="BUSY")], Path("nowhere"), CATALOGUE)
    )
    assert made["steps"] == []
    assert made["leftOut"] == [
        {"command": "snapshot", "why": "it only looks"}, {"command": "click", "why": "it failed with BUSY"},
    ]  # fmt: skip


STEP = {"command": "reload", "tab": "tab1"}
OPENING = {"command": "new_tab", "params": {}, "opens": "tab1"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is not JSON"),
        ([], "is not a Kapture script"),
        ({"version": 1}, "is not a Kapture script"),
        ({"version": 9, "steps": []}, "has the version 9, 1 is known here"),
        ({"version": 1, "steps": [], "parameters": []}, "Expected `object`, got `array` - at `$.parameters`"),
        ({"version": 1, "steps": [3]}, "Expected `object`, got `int` - at `$.steps[0]`"),
        ({"version": 1, "steps": [{"params": {}}]}, "missing required field `command` - at `$.steps[0]`"),
        ({"version": 1, "steps": [{"command": "clack"}]}, "step 1: there is no command 'clack'; did you mean click"),
        ({"version": 1, "steps": [{"command": "click", "params": {"selektor": "a"}}]}, "unknown parameter 'selektor'"),
        ({"version": 1, "steps": [STEP]}, "step 1: no step before it opens the tab 'tab1'"),
        (
            {"version": 1, "steps": [OPENING, {"command": "type", "params": {"text": {"parameter": "x"}}}]},
            "step 2: the parameter 'x' is not declared",
        ),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_its_place(content: Any, said: str) -> None:
    with pytest.raises(KaptureError) as refused:
        read(content)
    assert refused.value.code == "INVALID_PARAMS"
    assert refused.value.message.startswith("job.json ")
    assert said in refused.value.message


def test_parameters_are_filled_in_however_deep() -> None:
    assert filled({"fields": [{"value": {"parameter": "a"}}], "n": 1}, {"a": "x"}) == {
        "fields": [{"value": "x"}],
        "n": 1,
    }
