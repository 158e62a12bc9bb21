"""The catalogue: what a command accepts, which defaults it applies, and how it says no."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.catalogue.problems import Called
from tests.support.core.catalogue import SAMPLES, chosen
from tests.support.core.fakes import CATALOGUE, COMMANDS, minimal

#: What no parameter of a type accepts.
WRONG: dict[str, Any] = {
    "string": 7, "integer": 1.5, "number": "seven", "boolean": "yes", "array": "a", "object": [1],
}  # fmt: skip

PARAMETERS = [(command, name) for command in CATALOGUE for name in command.all_properties]


def named(pair: object) -> str:
    return pair.short_name if isinstance(pair, Command) else str(pair)


def refusal(command: Command, params: dict[str, Any]) -> KaptureError:
    with pytest.raises(KaptureError) as raised:
        command.validate(params)
    assert raised.value.code == "INVALID_PARAMS"
    return raised.value


@pytest.mark.parametrize("name", COMMANDS)
def test_every_default_is_applied(name: str) -> None:
    command = CATALOGUE.get(name)
    given_params = minimal(command)
    full = command.validate(given_params)
    for parameter, schema in command.all_properties.items():
        if parameter in given_params:
            assert full[parameter] == given_params[parameter]
        elif "default" in schema:
            assert full[parameter] == schema["default"], parameter
        else:
            assert parameter not in full


@pytest.mark.parametrize(("command", "parameter"), PARAMETERS, ids=named)
def test_every_default_is_a_value_its_own_schema_accepts(command: Command, parameter: str) -> None:
    schema = command.all_properties[parameter]
    if "default" in schema and parameter != "fullPage":
        params = {**minimal(command), parameter: schema["default"]}
        assert command.validate(params)[parameter] == schema["default"]


@pytest.mark.parametrize("name", COMMANDS)
def test_defaults_given_by_hand_are_accepted_again(name: str) -> None:
    command = CATALOGUE.get(name)
    full = command.validate(minimal(command))
    assert command.validate(full) == full


def test_a_parameter_of_none_counts_as_left_out() -> None:
    assert CATALOGUE.get("click").validate({"ref": "e1", "button": None})["button"] == "left"
    assert "'value' is missing" in refusal(CATALOGUE.get("fill"), {"ref": "e1", "value": None}).message


def test_validation_leaves_what_it_was_given_alone() -> None:
    params = {"ref": "e1"}
    CATALOGUE.get("click").validate(params)
    assert params == {"ref": "e1"}


@pytest.mark.parametrize(("command", "parameter"), PARAMETERS, ids=named)
def test_a_value_of_the_wrong_type_is_refused_by_name_and_value(command: Command, parameter: str) -> None:
    schema = command.all_properties[parameter]
    wrong = WRONG[schema["type"]]
    error = refusal(command, {**minimal(command), parameter: wrong})
    assert error.message.startswith(f"{command.short_name}: {parameter} ")
    assert json.dumps(wrong) in error.message
    assert error.param == parameter


@pytest.mark.parametrize(
    ("command", "parameter"), [(c, p) for c, p in PARAMETERS if "enum" in c.all_properties[p]], ids=named
)
def test_a_value_outside_the_choices_is_refused_with_all_of_them(command: Command, parameter: str) -> None:
    message = refusal(command, {**minimal(command), parameter: "sideways"}).message
    assert f"{parameter} must be one of" in message
    assert '"sideways"' in message
    assert all(choice in message for choice in command.all_properties[parameter]["enum"])


BOUNDS = [
    (command, parameter, key, step)
    for command, parameter in PARAMETERS
    for key, step in (("minimum", -1), ("maximum", 1), ("exclusiveMinimum", 0))
    if key in command.all_properties[parameter]
]


@pytest.mark.parametrize(("command", "parameter", "key", "step"), BOUNDS, ids=named)
def test_every_bound_holds_and_is_named(command: Command, parameter: str, key: str, step: int) -> None:
    bound = command.all_properties[parameter][key]
    others = {} if parameter in ("time", "toX", "toY", "deltaX", "deltaY") else minimal(command)
    message = refusal(command, {**others, parameter: bound + step}).message
    assert message.startswith(f"{command.short_name}: {parameter} {bound + step} ")
    assert str(bound) in message
    if not key.startswith("exclusive"):
        others |= {"y": 1} if parameter == "x" else {}
        assert command.validate({**others, parameter: bound})[parameter] == bound


@pytest.mark.parametrize("name", COMMANDS)
def test_an_unknown_parameter_is_refused_with_the_known_ones(name: str) -> None:
    command = CATALOGUE.get(name)
    error = refusal(command, {**minimal(command), "colour": "red"})
    assert "unknown parameter 'colour'" in error.message
    assert error.param == "colour"
    assert all(known in error.message for known in command.all_properties)


@pytest.mark.parametrize(
    ("command", "parameter"), [(command, name) for command in CATALOGUE for name in command.required], ids=named
)
def test_a_missing_parameter_is_named(command: Command, parameter: str) -> None:
    params = minimal(command)
    del params[parameter]
    error = refusal(command, params)
    assert error.message == f"{command.short_name}: the parameter {parameter!r} is missing"
    assert error.param == parameter


def test_an_error_inside_a_parameter_names_the_way_to_it() -> None:
    screenshot, click = CATALOGUE.get("screenshot"), CATALOGUE.get("click")
    inside = refusal(screenshot, {"name": "a", "clip": {"x": 0, "y": 0, "width": 0, "height": 1}})
    assert inside.message.startswith("screenshot: clip.width 0 ")
    assert inside.param == "clip"
    missing = refusal(screenshot, {"name": "a", "clip": {"x": 0, "y": 0, "width": 1}})
    assert missing.param == "clip"
    assert missing.message == "screenshot: the parameter 'height' of clip is missing"
    unknown = refusal(screenshot, {"name": "a", "clip": {**SAMPLES["clip"], "depth": 3}})
    assert unknown.message == "screenshot: unknown parameter 'depth' of clip; it takes x, y, width, height"
    assert refusal(click, {"ref": "e1", "modifiers": ["Control", "Hyper"]}).message.startswith("click: modifiers.1 ")


def test_a_long_value_is_shown_in_part() -> None:
    message = refusal(CATALOGUE.get("click"), {"ref": "e1", "button": "x" * 5000}).message
    assert len(message) < 200
    assert "…" in message


TARGETED = [command for command in CATALOGUE if command.target != "none"]

WAYS: dict[str, dict[str, Any]] = {
    "selector": {"selector": "#a"}, "xpath": {"xpath": "//a"}, "ref": {"ref": "e1"}, "x,y": {"x": 0, "y": -3.5},
}  # fmt: skip


@pytest.mark.parametrize("command", TARGETED, ids=named)
def test_a_target_is_given_in_exactly_one_way(command: Command) -> None:
    others = {key: value for key, value in minimal(command).items() if key not in command.target_properties}
    if command.short_name in ("wait", "select"):
        others = {} if command.short_name == "wait" else others
    for way in WAYS.values():
        full = command.validate({**others, **way})
        assert all(full[name] == value for name, value in way.items())
    for (first, one), (second, other) in itertools.combinations(WAYS.items(), 2):
        message = refusal(command, {**others, **one, **other}).message
        assert f"exactly one of selector, xpath, ref or x,y; {first} and {second} was given" in message


@pytest.mark.parametrize("command", [c for c in TARGETED if c.target == "required"], ids=named)
def test_a_required_target_may_not_be_left_out(command: Command) -> None:
    params = minimal(command)
    del params["selector"]
    assert "none of them was given" in refusal(command, params).message


@pytest.mark.parametrize("command", TARGETED, ids=named)
def test_x_needs_y(command: Command) -> None:
    others = {key: value for key, value in minimal(command).items() if key != "selector"}
    for lone in ("x", "y"):
        assert "x and y are given together" in refusal(command, {**others, lone: 0}).message


def test_a_ref_looks_like_one() -> None:
    assert "ref" in refusal(CATALOGUE.get("click"), {"ref": "button"}).message
    assert "selector" in refusal(CATALOGUE.get("click"), {"selector": ""}).message


CHOICE_ROWS = [(command, command.choices.of, command.choices.needed) for command in CATALOGUE if command.choices.of]


def test_there_are_commands_with_choices_of_both_kinds() -> None:
    assert {needed for _command, _groups, needed in CHOICE_ROWS} == {True, False}


@pytest.mark.parametrize(("command", "groups", "needed"), CHOICE_ROWS, ids=named)
def test_one_of_the_choices_is_given_and_no_two(
    command: Command, groups: tuple[tuple[str, ...], ...], needed: bool
) -> None:
    others = dict.fromkeys(command.required, "a")
    if command.target == "required":
        others["ref"] = "e1"
    for group in groups:
        for name in group:
            assert command.validate({**others, **chosen(name)})
    for one, other in itertools.combinations(groups, 2):
        message = refusal(command, {**others, **chosen(one[0], other[0])}).message
        assert f"{'exactly' if needed else 'at most'} one of" in message
        assert f"{'/'.join(one)} and {'/'.join(other)} was given" in message
    if needed:
        assert "none of them was given" in refusal(command, others).message
    else:
        assert command.validate(others)


def test_a_choice_of_false_is_no_choice() -> None:
    full = CATALOGUE.get("screenshot").validate({"name": "a", "ref": "e1", "fullPage": False})
    assert full["fullPage"] is False


@pytest.mark.parametrize(("command", "groups", "needed"), CHOICE_ROWS, ids=named)
def test_the_choices_name_parameters_there_are(
    command: Command, groups: tuple[tuple[str, ...], ...], needed: bool
) -> None:
    assert {name for group in groups for name in group} <= {"target", *command.properties}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(data=st.data())
def test_whatever_is_given_is_accepted_whole_or_refused_in_words(data: st.DataObject) -> None:
    command = CATALOGUE.get(data.draw(st.sampled_from(COMMANDS)))
    names = st.sampled_from([*command.all_properties, "unknown"]) | st.text()
    params = data.draw(st.dictionaries(names, json_values, max_size=5))
    try:
        full = command.validate(params)
    except KaptureError:
        error = refusal(command, params)
        assert error.message.startswith(command.short_name)
        assert len(error.message) < 1000
    else:
        assert full.items() >= {key: value for key, value in params.items() if value is not None}.items()


@pytest.mark.parametrize(
    ("name", "given", "groups"),
    [
        ("wait", {}, "time, target, text, urlContains, expression"),
        ("select", {"ref": "e1"}, "value, values, labels"),
        ("drag", {"ref": "e1"}, "toSelector, toXpath, toRef, toX/toY"),
        ("scroll", {}, "target/deltaX/deltaY, toX/toY"),
        ("inject_script", {}, "source, url"),
    ],
)
def test_a_command_with_choices_wants_one_of_them(name: str, given: dict[str, Any], groups: str) -> None:
    said = refusal(CATALOGUE.get(name), given).message
    assert said == f"{name} takes exactly one of {groups}; none of them was given"


def test_a_screenshot_may_be_of_one_thing_at_most() -> None:
    said = refusal(CATALOGUE.get("screenshot"), {"name": "a", "ref": "e1", "fullPage": True}).message
    assert said == "screenshot takes at most one of target, clip, fullPage; target and fullPage was given"


def test_a_lone_x_or_y_and_two_targets_are_shown_where_they_are() -> None:
    click = CATALOGUE.get("click")
    assert refusal(click, {"y": 1}).param == "x"
    assert refusal(click, {"ref": "e1", "selector": "#a"}).param == "selector"


@pytest.mark.parametrize(("length", "shown"), [(78, "x" * 78), (79, "x" * 76 + "…")])
def test_a_value_is_shown_up_to_eighty_signs(length: int, shown: str) -> None:
    said = refusal(CATALOGUE.get("click"), {"ref": "e1", "button": "x" * length}).message
    assert said.endswith(f'not "{shown}' + ("" if shown.endswith("…") else '"'))


def test_of_several_unknown_parameters_the_first_is_named_and_values_are_shown_as_written() -> None:
    click = CATALOGUE.get("click")
    error = refusal(click, {"ref": "e1", "zoom": 1, "angle": 1})
    assert error.param == "angle"
    assert "'angle'" in error.message
    assert refusal(click, {"ref": "e1", "button": "ü"}).message.endswith('not "ü"')


#: What agents see of some commands: what all tools share is explained once elsewhere, and what is ours is left out.
TAIL = {"timeout": {"type": "integer"}, "tabId": {"type": "string"}}
TARGET = {
    "selector": {"type": "string"}, "xpath": {"type": "string"}, "ref": {"type": "string"}, "x": {"type": "number"},
    "y": {"type": "number"},
}  # fmt: skip
SNAPSHOT = {"snapshot": {"type": "string", "enum": ["none", "diff", "full"]}}
SEEN: dict[str, dict[str, Any]] = {
    "clear_logs": {"type": "object", "properties": TAIL},
    "scroll": {"type": "object", "properties": {
        **TARGET,
        "deltaX": {"type": "number", "description": "To the right"},
        "deltaY": {"type": "number", "description": "Downwards"},
        "toX": {"type": "number", "description": "Page position"},
        "toY": {"type": "number", "description": "Page position"},
        **SNAPSHOT, **TAIL,
    }},
    "wait": {"type": "object", "properties": {
        **TARGET,
        "time": {"type": "integer", "description": "Let this time pass", "maximum": 600000},
        "text": {"type": "string", "description": "Visible text in the page"},
        "urlContains": {"type": "string", "description": "Part of the address"},
        "expression": {"type": "string", "description": "JavaScript that becomes true; promises are awaited"},
        "state": {"type": "string", "description": "Of text or any match; hidden: of none", "default": "visible",
                  "enum": ["visible", "hidden", "attached"]},
        **TAIL,
    }},
    "fill_form": {"type": "object", "properties": {
        "fields": {"type": "array", "description": "A target and a value each", "items": {
            "type": "object",
            "properties": {name: {"type": "string"} for name in ("selector", "xpath", "ref", "value")},
            "required": ["value"], "additionalProperties": False,
        }},
        **SNAPSHOT, **TAIL,
    }, "required": ["fields"]},
}  # fmt: skip


@pytest.mark.parametrize("name", SEEN)
def test_an_agent_sees_of_a_command_what_it_needs_and_no_more(name: str) -> None:
    assert CATALOGUE.get(name).tool_schema == SEEN[name]


def test_no_tool_tells_an_agent_what_is_for_the_window() -> None:
    told = {key for command in CATALOGUE for schema in command.tool_schema["properties"].values() for key in schema}
    assert told == {
        "type", "description", "enum", "default", "maximum", "items", "properties", "required", "additionalProperties",
    }  # fmt: skip


def test_every_command_has_its_title_by_its_short_name() -> None:
    assert CATALOGUE.titles == {command.short_name: command.title for command in CATALOGUE}
    assert CATALOGUE.titles["click"] == CATALOGUE.get("click").title


def test_an_address_that_is_none_is_told_while_it_is_written() -> None:
    navigate = CATALOGUE.get("navigate")
    assert navigate.wrong_value({"url": "https://a.example/"}) is None
    problem = navigate.wrong_value({"url": "two words"})
    assert problem is not None
    assert (problem.param, bool(problem.short)) == ("url", True)


def only(*names: str) -> Called:
    """A reader who can give these alone."""
    return lambda name: name.upper() if name in names else ""


@pytest.mark.parametrize(
    ("known", "must"),
    [(("selector",), "needs SELECTOR"), (("selector", "ref"), "takes exactly one of SELECTOR or REF")],
)
def test_a_missing_target_is_told_with_the_ways_the_reader_has(known: tuple[str, ...], must: str) -> None:
    problem = CATALOGUE.get("click").problem({}, only(*known))
    assert problem is not None
    assert (problem.must, problem.next_step) == (must, "none of them was given")


@pytest.mark.parametrize(
    ("known", "listed"),
    [
        (("time", "text"), "TIME, TEXT"),
        (("time", "text", "ref"), "TIME, target, TEXT"),
        (("time", "target"), "TIME, TARGET"),
    ],
)
def test_choices_are_told_as_far_as_the_reader_has_them(known: tuple[str, ...], listed: str) -> None:
    problem = CATALOGUE.get("wait").problem({}, only(*known))
    assert problem is not None
    assert problem.must == f"takes exactly one of {listed}"
