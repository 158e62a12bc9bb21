"""What is wrong with parameters is told as data, and worded by whoever shows it."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel.core.catalogue.problems import Problem
from tests.support.core.fakes import CATALOGUE


def beside(command: str, given: dict[str, Any]) -> tuple[str, str] | None:
    """Parameter and words of what is wrong with a value, as a form shows it."""
    problem = CATALOGUE.get(command).wrong_value(given)
    return (problem.param, problem.beside) if problem is not None else None


@pytest.mark.parametrize(
    ("name", "given", "problem"),
    [
        ("click", {"clickCount": 11}, ("clickCount", "at most 10")),
        ("click", {"clickCount": 0}, ("clickCount", "at least 1")),
        ("click", {"clickCount": "two"}, ("clickCount", "a whole number")),
        ("click", {"clickCount": 2}, None),
        ("navigate", {}, None),
    ],
)
def test_a_problem_of_what_is_given_is_told_in_few_words(
    name: str, given: dict[str, Any], problem: tuple[str, str] | None
) -> None:
    assert beside(name, given) == problem


@pytest.mark.parametrize(
    ("name", "given", "problem"),
    [
        ("screenshot", {"fullPage": "yes"}, ("fullPage", "yes or no")),
        ("screenshot", {"name": 7}, ("name", "text")),
        ("screenshot", {"name": ""}, ("name", "not empty")),
        ("screenshot", {"name": "x" * 201}, ("name", "at most 200 characters")),
        ("screenshot", {"scale": 0}, ("scale", "more than 0")),
        ("screenshot", {"scale": "two"}, ("scale", "a number")),
        ("screenshot", {"clip": 7}, ("clip", "of type object")),
        ("fill_form", {"fields": []}, ("fields", "at least 1")),
        ("upload_file", {"paths": ["a"] * 101}, ("paths", "at most 100")),
        ("click", {"button": "third"}, ("button", 'must be one of left, middle, right, not "third"')),
        ("batch", {"steps": [{"command": 7}]}, ("steps", "steps.0.command must be of type string, not 7")),
        ("fill_form", {"fields": [{"ref": "e1"}]}, ("fields", "the parameter 'value' of fields.0 is missing")),
    ],
)
def test_a_problem_says_what_must_be(name: str, given: dict[str, Any], problem: tuple[str, str]) -> None:
    assert beside(name, given) == problem


def test_a_problem_with_an_unknown_parameter_names_the_known_ones() -> None:
    found = beside("go_back", {"colour": "red"})
    assert found == ("colour", "unknown parameter 'colour'; it takes snapshot, timeout, tabId")


@pytest.mark.parametrize(
    ("command", "given", "problem", "said"),
    [
        ("click", {"ref": "e1", "button": "x"},
         Problem("button", "button", 'must be one of left, middle, right, not "x"'),
         'click: button must be one of left, middle, right, not "x"'),
        ("click", {"y": 1}, Problem("x", must="x and y are given together or not at all"),
         "click: x and y are given together or not at all"),
        ("click", {"selector": None},
         Problem("selector", "click", "takes exactly one of selector, xpath, ref or x,y", "none of them was given"),
         "click takes exactly one of selector, xpath, ref or x,y"),
        ("batch", {"steps": [{"command": "snapshot"}] * 30},
         Problem("steps", "steps", "takes at most 20 entries, not 30", short="at most 20"),
         "batch: steps takes at most 20 entries, not 30"),
        ("navigate", {}, Problem("url", must="the parameter 'url' is missing"),
         "navigate: the parameter 'url' is missing"),
    ],
)  # fmt: skip
def test_the_command_is_named_once(command: str, given: dict[str, Any], problem: Problem, said: str) -> None:
    assert CATALOGUE.get(command).problem(given) == problem
    assert problem.of(command) == said


def test_beside_a_field_its_name_is_not_said_again() -> None:
    assert Problem("a", "a", "must be b").beside == "must be b"
    assert Problem("a", "a.0", "must be b").beside == "a.0 must be b"
    assert Problem("a", "a", "must be b", short="b").beside == "b"
    assert Problem("a", must="unknown", next_step="it takes b").beside == "unknown; it takes b"
