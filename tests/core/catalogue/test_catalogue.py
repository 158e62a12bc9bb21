"""The catalogue: what a command accepts, which defaults it applies, and how it says no."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel import paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue import catalogue
from kapture_panel.core.catalogue.catalogue import CHOICES, Command
from tests.support.core.fakes import CATALOGUE, COMMANDS, minimal

#: Parameter values for the groups of `CHOICES`.
SAMPLES: dict[str, Any] = {
    "time": 5, "target": {"ref": "e1"}, "text": "a", "urlContains": "a", "expression": "1", "value": "a",
    "values": ["a"], "labels": ["a"], "clip": {"x": 0, "y": 0, "width": 1, "height": 1}, "fullPage": True,
    "deltaX": 1, "deltaY": 1, "toX": 1, "toY": 1, "toSelector": "b", "toXpath": "//b", "toRef": "e2",
    "source": "1", "url": "https://a.example/a.js",
}  # fmt: skip
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


def chosen(*names: str) -> dict[str, Any]:
    params: dict[str, Any] = {}
    for name in names:
        params |= SAMPLES[name] if name == "target" else {name: SAMPLES[name]}
    return params


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
    assert error.details["param"] == parameter


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
    assert error.details["param"] == "colour"
    assert all(known in error.message for known in command.all_properties)


@pytest.mark.parametrize(
    ("command", "parameter"), [(command, name) for command in CATALOGUE for name in command.required], ids=named
)
def test_a_missing_parameter_is_named(command: Command, parameter: str) -> None:
    params = minimal(command)
    del params[parameter]
    error = refusal(command, params)
    assert error.message == f"{command.short_name}: the parameter {parameter!r} is missing"
    assert error.details["param"] == parameter


def test_an_error_inside_a_parameter_names_the_way_to_it() -> None:
    screenshot, click = CATALOGUE.get("screenshot"), CATALOGUE.get("click")
    inside = refusal(screenshot, {"name": "a", "clip": {"x": 0, "y": 0, "width": 0, "height": 1}})
    assert inside.message.startswith("screenshot: clip.width 0 ")
    assert inside.details["param"] == "clip"
    missing = refusal(screenshot, {"name": "a", "clip": {"x": 0, "y": 0, "width": 1}})
    assert missing.details["param"] == "clip"
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


CHOICE_ROWS = [(CATALOGUE.get(name), groups, needed) for name, (groups, needed) in CHOICES.items()]


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


@pytest.mark.parametrize("name", COMMANDS)
def test_the_schema_of_a_tool_is_flat(name: str) -> None:
    schema = CATALOGUE.get(name).tool_schema
    assert schema["type"] == "object"
    assert set(schema) <= {"type", "properties", "required"}
    banned = {"oneOf", "anyOf", "allOf", "not", "$ref", "if"}
    for parameter in schema["properties"].values():
        assert isinstance(parameter["type"], str)
        assert not banned & parameter.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_tool_offers_exactly_the_parameters_the_command_takes(name: str) -> None:
    command = CATALOGUE.get(name)
    assert list(command.tool_schema["properties"]) == list(command.all_properties)
    assert command.tool_schema.get("required", []) == list(command.required)


def test_what_every_tool_shares_is_not_explained_in_each() -> None:
    for command in CATALOGUE:
        explained_once = (command.shared.keys() | command.target_properties.keys()) - command.properties.keys()
        for name in explained_once & command.all_properties.keys():
            assert "description" not in command.tool_schema["properties"][name]
        for name in command.properties.keys() - command.target_properties.keys():
            assert command.tool_schema["properties"][name]["description"]


def test_the_tools_take_little_of_an_agents_context() -> None:
    listed = [{"name": c.name, "description": c.description, "inputSchema": c.tool_schema} for c in CATALOGUE]
    assert len(json.dumps(listed, separators=(",", ":"))) < 600 * len(CATALOGUE)


@pytest.mark.parametrize("name", COMMANDS)
def test_an_entry_is_declared_in_full(name: str) -> None:
    command = CATALOGUE.get(name)
    assert command.name == catalogue.PREFIX + name
    assert command.group in CATALOGUE.groups
    assert command.klass in ("read", "interact", "navigate", "execute", "file")
    assert command.scope in ("tab", "browser", "panel")
    assert command.target in ("none", "optional", "required")
    assert command.result in ("json", "table", "text", "image")
    assert command.description
    assert set(command.required) <= command.properties.keys()
    for schema in command.all_properties.values():
        assert schema["title"]
        assert schema["description"]


@pytest.mark.parametrize("name", COMMANDS)
def test_shared_parameters_go_where_they_mean_something(name: str) -> None:
    command = CATALOGUE.get(name)
    taken = command.all_properties.keys()
    assert ("tabId" in taken) == (command.scope == "tab")
    assert "timeout" in taken
    assert ("snapshot" in taken) == command.action
    assert ({"selector", "xpath", "ref", "x", "y"} <= taken) == (command.target != "none")


def test_what_a_person_types_is_marked() -> None:
    marked = {
        (command.short_name, name)
        for command in CATALOGUE
        for name, schema in command.properties.items()
        if schema.get("typed")
    }
    assert marked == {
        ("fill", "value"),
        ("type", "text"),
        ("insert_text", "text"),
        ("handle_dialog", "promptText"),
    }


def test_a_command_is_found_with_and_without_its_prefix() -> None:
    assert CATALOGUE.get("click") is CATALOGUE.get("kapturemcp_click")
    assert len(CATALOGUE) == len(list(CATALOGUE)) == len(COMMANDS)


def test_an_unknown_command_is_answered_with_the_nearest() -> None:
    with pytest.raises(KaptureError, match=r"there is no command 'clik'; did you mean click") as raised:
        CATALOGUE.get("clik")
    assert raised.value.code == "INVALID_PARAMS"
    with pytest.raises(KaptureError, match=r"'zzzz'; there are: list_tabs, batch"):
        CATALOGUE.get("zzzz")


def test_every_command_has_one_scope() -> None:
    scopes = [CATALOGUE.of_scope(scope) for scope in ("tab", "browser", "panel")]
    assert sum(map(len, scopes)) == len(CATALOGUE)
    assert [command.short_name for command in scopes[2]] == ["list_tabs", "batch", "read_image"]


@pytest.mark.parametrize(
    ("name", "given", "problem"),
    [
        ("click", {"clickCount": 9}, ("clickCount", "at most 3")),
        ("click", {"clickCount": 0}, ("clickCount", "at least 1")),
        ("click", {"clickCount": "two"}, ("clickCount", "a whole number")),
        ("click", {"clickCount": 2}, None),
        ("navigate", {}, None),
    ],
)
def test_a_problem_of_what_is_given_is_told_in_few_words(
    name: str, given: dict[str, Any], problem: tuple[str, str] | None
) -> None:
    assert CATALOGUE.get(name).problem(given) == problem


DECLARED = json.loads(paths.catalogue().read_text(encoding="utf-8"))
#: What of a schema an agent is told; the rest is for the window and for what is kept.
TOLD = {"type", "description", "default", "enum", "items", "properties", "required", "additionalProperties"}


@pytest.mark.parametrize("entry", DECLARED["commands"], ids=lambda entry: entry["name"])
def test_a_command_is_what_its_entry_says(entry: dict[str, Any]) -> None:
    command = CATALOGUE.get(entry["name"])
    said = {
        "name": command.name, "title": command.title, "description": command.description, "group": command.group,
        "icon": command.icon, "class": command.klass, "scope": command.scope, "target": command.target,
        "result": command.result, "action": command.action, "quick": command.quick, "immediate": command.immediate,
        "opensBrowser": command.opens_browser, "pageText": command.page_text, "asks": command.asks,
        "also": command.also,
    }  # fmt: skip
    unsaid = {"also": "", **dict.fromkeys(("action", "quick", "immediate", "opensBrowser", "pageText", "asks"), False)}
    assert said == {**unsaid, **{name: value for name, value in entry.items() if name != "inputSchema"}}
    assert command.properties == entry["inputSchema"]["properties"]
    assert list(command.required) == entry["inputSchema"]["required"]
    assert (command.shared, command.target_properties) == (DECLARED["shared"], DECLARED["target"])


def test_a_command_does_nothing_special_that_is_not_said() -> None:
    plain = Command(
        name="n", title="", description="", group="", icon="", klass="read", scope="tab", target="none", result="json",
        properties={}, required=(), shared={}, target_properties={},
    )  # fmt: skip
    flags = plain.action, plain.quick, plain.immediate, plain.opens_browser, plain.page_text, plain.asks
    assert flags == (False,) * 6
    assert plain.also == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_an_agent_is_told_what_it_needs_and_nothing_that_is_ours(name: str) -> None:
    for schema in CATALOGUE.get(name).tool_schema["properties"].values():
        assert schema.keys() <= TOLD
        items = schema.get("items", {})
        for inner in (items, *items.get("properties", {}).values()):
            assert not inner.keys() & {"typed", "chosen", "title", "unit"}


def test_marks_are_taken_out_of_items_and_of_what_is_in_them() -> None:
    form, select = CATALOGUE.get("fill_form"), CATALOGUE.get("select")
    assert form.tool_schema["properties"]["fields"]["items"] == {
        "type": "object",
        "properties": {name: {"type": "string"} for name in ("selector", "xpath", "ref", "value")},
        "required": ["value"],
        "additionalProperties": False,
    }
    assert select.tool_schema["properties"]["values"]["items"] == {"type": "string"}
    assert form.properties["fields"]["items"]["properties"]["value"]["typed"] is True


def test_what_all_tools_share_is_offered_without_its_default_and_what_is_ones_own_with_it() -> None:
    click = CATALOGUE.get("click").tool_schema["properties"]
    assert "default" not in click["timeout"]
    assert click["button"]["default"] == "left"


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
    assert refusal(click, {"y": 1}).details["param"] == "x"
    assert refusal(click, {"ref": "e1", "selector": "#a"}).details["param"] == "selector"


@pytest.mark.parametrize(("length", "shown"), [(78, "x" * 78), (79, "x" * 76 + "…")])
def test_a_value_is_shown_up_to_eighty_signs(length: int, shown: str) -> None:
    said = refusal(CATALOGUE.get("click"), {"ref": "e1", "button": "x" * length}).message
    assert said.endswith(f'not "{shown}' + ("" if shown.endswith("…") else '"'))


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
        ("upload_file", {"paths": []}, ("paths", "at least 1")),
        ("upload_file", {"paths": ["a"] * 21}, ("paths", "at most 20")),
        ("click", {"button": "third"}, ("button", 'must be one of left, middle, right, not "third"')),
        ("batch", {"steps": [{"command": 7}]}, ("steps", "steps.0.command must be of type string, not 7")),
        ("fill_form", {"fields": [{"ref": "e1"}]}, ("fields", "the parameter 'value' of fields.0 is missing")),
    ],
)
def test_a_problem_says_what_must_be(name: str, given: dict[str, Any], problem: tuple[str, str]) -> None:
    assert CATALOGUE.get(name).problem(given) == problem


def test_a_problem_with_an_unknown_parameter_names_the_known_ones() -> None:
    found = CATALOGUE.get("go_back").problem({"colour": "red"})
    assert found == ("colour", "unknown parameter 'colour'; it takes snapshot, timeout, tabId")


def test_the_groups_have_titles() -> None:
    assert {group["name"]: group["title"] for group in DECLARED["groups"]} == CATALOGUE.groups


def test_three_near_names_are_told_at_most_and_the_prefix_does_not_count() -> None:
    with pytest.raises(KaptureError, match="did you mean") as raised:
        CATALOGUE.get("kapturemcp_get_reques")
    near = raised.value.message.partition("did you mean ")[2].rstrip("?").split(" or ")
    assert near[0] == "get_request"
    assert 1 < len(near) <= 3


def test_of_several_unknown_parameters_the_first_is_named_and_values_are_shown_as_written() -> None:
    click = CATALOGUE.get("click")
    error = refusal(click, {"ref": "e1", "zoom": 1, "angle": 1})
    assert error.details["param"] == "angle"
    assert "'angle'" in error.message
    assert refusal(click, {"ref": "e1", "button": "ü"}).message.endswith('not "ü"')
