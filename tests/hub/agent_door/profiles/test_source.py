"""What a file says is a struct; of what it says wrong the place, the value and what would be right are told."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET, Struct

from kapture_panel.hub.agent_door.profiles.source import Behind, Check, Declared, Renamed, Source, convert


def test_what_is_left_out_has_its_default() -> None:
    source = convert({"tools": "all"}, Source, "the profile")
    assert (source.session, source.tab, source.untrusted, source.dialogs) == ("shared", "named", "text", "")
    assert (source.limits.answer_bytes, source.limits.shots) == (20_000, "kept")


def test_a_parameter_is_renamed_converted_or_dropped() -> None:
    said = {"command": "click", "params": {"a": "b", "c": {"convert": "whole"}, "d": None}}
    assert convert(said, Behind, "go").params == {"a": "b", "c": Renamed(None, "whole"), "d": None}


def test_a_shape_may_be_anything() -> None:
    behind = convert({"command": "click", "result": {"json": None}}, Behind, "go")
    assert behind.result is not None
    assert behind.result.json is None
    assert behind.result.text is UNSET


WRONG: list[tuple[Any, type[Struct], str]] = [
    (5, Behind, "go is not a JSON object"),
    (
        {"comand": "click"},
        Behind,
        "go: 'comand' is not one of command, params, fixed, defaults, required, result, errors",
    ),
    ({"schema": {}}, Check, "go: error is missing"),
    ({"command": 5}, Behind, "go: command is 5, Expected `str`, got `int`"),
    ({"result": {"texts": "x"}}, Behind, "go result: 'texts' is not one of text, json, indent, wrap"),
    ({"result": {"indent": "x"}}, Behind, "go result: result.indent is 'x', Expected `int | null`, got `str`"),
    ({"session": "own"}, Source, "go: session is 'own', not shared or isolated"),
    ({"limits": {"answerBytes": -1}}, Source, "go limits: limits.answerBytes is -1, not a number of bytes"),
    ({"name": "x", "inputschema": {}}, Declared, "go: 'inputschema' is not one of command, params"),
]


@pytest.mark.parametrize(("source", "kind", "words"), WRONG)
def test_what_is_wrong_is_told(source: Any, kind: type[Struct], words: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011  the words are what is looked at
        convert(source, kind, "go")
    assert str(raised.value).startswith(words)
