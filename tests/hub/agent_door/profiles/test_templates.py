"""The language of a profile's answers: fields, shapes, alternatives."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel.hub.agent_door.profiles import templates

SCOPE: dict[str, Any] = {
    "result": {"value": 5, "none": None, "tabs": [{"url": "a"}, {"url": "b"}], "tabId": "z", "text": "said",
               "whole": 7.0, "half": 0.5},
    "given": {"timeout": "15s"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("done", "done"),
        ("{result.value} of {given.timeout}", "5 of 15s"),
        ("{result.tabId|tabNumber}", "35"),
        ("{result.tabs.1.url}", "b"),
        ("{result.whole} {result.half}", "7 0.5"),
        ("{result.tabs}", '[{"url": "a"}, {"url": "b"}]'),
        ("{result.tabs.2.url}", None),
        ("{result.nothing}", None),
        ("{result.none}", None),
        ("{result.value.deeper}", None),
        (["{result.nothing}", "{result.text}", "never"], "said"),
        (["{result.nothing}"], None),
        ("braces {} and {0} stay", "braces {} and {0} stay"),
    ],
)
def test_a_text_is_filled_in_or_is_no_answer(template: Any, expected: str | None) -> None:
    assert templates.text(template, SCOPE) == expected


def test_what_is_filled_in_is_not_filled_in_again() -> None:
    assert templates.text("{result.text}", {"result": {"text": "{result.value}"}}) == "{result.value}"


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ("$result.value", 5),
        ("$result.none", None),
        ("$result.nothing", templates.MISSING),
        ("plain", "plain"),
        ({"a": "$result.value", "b": "$result.nothing", "c": True}, {"a": 5, "c": True}),
        ({"$each": "$result.tabs", "as": {"at": "$item.url", "title": "$item.title"}}, [{"at": "a"}, {"at": "b"}]),
        (
            {"$each": "$result.tabs", "usual": {"url": "c", "on": True}, "as": {"at": "$item.url", "on": "$item.on"}},
            [{"at": "a", "on": True}, {"at": "b", "on": True}],
        ),
        ({"$each": "$result.nothing", "as": "$item"}, []),
        ("$result.tabId|tabNumber", 35),
    ],
)
def test_a_shape_gets_the_values_its_paths_lead_to(shape: Any, expected: Any) -> None:
    assert templates.shaped(shape, SCOPE) == expected


@pytest.mark.parametrize(
    ("template", "word"),
    [
        ("{answer.value}", "answer"),
        ("{result.value|upper}", "upper"),
        ({"a": {"$each": "$result.a", "as": "$thing.b"}}, "thing"),
        (["fine", "{result.a|nope}"], "nope"),
    ],
)
def test_a_path_that_can_never_lead_anywhere_is_a_mistake(template: Any, word: str) -> None:
    assert word in templates.mistake(template)


def test_a_good_template_is_no_mistake() -> None:
    assert templates.mistake({"a": "$result.tabId|tabNumber", "b": ["{given.x} {error.code}", "$item"]}) == ""
