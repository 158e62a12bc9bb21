"""What the commands are as tools and as entries of the catalogue."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from kapture_panel import paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue import catalogue
from kapture_panel.core.catalogue.catalogue import Command
from kapture_panel.core.catalogue.entries import Entry, Inputs
from tests.support.core.fakes import CATALOGUE, COMMANDS


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
def test_a_tool_offers_the_parameters_the_command_takes_but_the_unlisted(name: str) -> None:
    command = CATALOGUE.get(name)
    listed = [name for name, schema in command.all_properties.items() if not schema.get("unlisted")]
    assert list(command.tool_schema["properties"]) == listed
    assert {*command.all_properties} - {*listed} <= {"wait"}
    assert command.tool_schema.get("required", []) == list(command.required)


def test_what_every_tool_shares_is_not_explained_in_each() -> None:
    for command in CATALOGUE:
        explained_once = (command.shared.keys() | command.target_properties.keys()) - command.properties.keys()
        for name in explained_once & command.tool_schema["properties"].keys():
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


DECLARED = json.loads(paths.catalogue().read_text(encoding="utf-8"))

#: What of a schema an agent is told; the rest is for the window and for what is kept.
TOLD = {"type", "description", "default", "maximum", "enum", "items", "properties", "required", "additionalProperties"}


@pytest.mark.parametrize("entry", DECLARED["commands"], ids=lambda entry: entry["name"])
def test_a_command_is_what_its_entry_says(entry: dict[str, Any]) -> None:
    command = CATALOGUE.get(entry["name"])
    fields = {field.encode_name: field.name for field in msgspec.structs.fields(Entry) if field.name != "input_schema"}
    said = {name: json.loads(msgspec.json.encode(getattr(command, field))) for name, field in fields.items()}
    choices = {"of": [], "needed": False, **entry.get("choices", {})}
    marks = dict.fromkeys(fields.keys() - {"also", "help", "positional", "source", "wrapper"}, False)
    unsaid = {**marks, "also": "", "help": "", "positional": [], "source": "", "wrapper": ""}
    declared = {name: value for name, value in entry.items() if name != "inputSchema"}
    assert said == {**unsaid, **declared, "choices": choices}
    assert command.properties == entry["inputSchema"]["properties"]
    assert list(command.required) == entry["inputSchema"]["required"]
    assert (command.shared, command.target_properties) == (DECLARED["shared"], DECLARED["target"])


def test_a_command_does_nothing_special_that_is_not_said() -> None:
    plain = Command(
        name="n", title="", wants="", description="", group="", icon="", klass="read", scope="tab", target="none",
        result="json", input_schema=Inputs("object", {}, (), False), shared={}, target_properties={},
    )  # fmt: skip
    flags = plain.action, plain.immediate, plain.opens_browser, plain.page_text, plain.asks
    assert flags == (False,) * 5
    assert plain.also == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_an_agent_is_told_what_it_needs_and_nothing_that_is_ours(name: str) -> None:
    for schema in CATALOGUE.get(name).tool_schema["properties"].values():
        assert schema.keys() <= TOLD
        items = schema.get("items", {})
        for inner in (items, *items.get("properties", {}).values()):
            assert not inner.keys() & {"typed", "chosen", "title", "unit"}


@pytest.mark.parametrize("name", [command.short_name for command in CATALOGUE])
def test_an_agent_is_told_the_largest_value_of_a_number_of_the_command_alone(name: str) -> None:
    command = CATALOGUE.get(name)
    for own, schema in command.tool_schema["properties"].items():
        wanted = command.properties.get(own, {}).get("maximum")
        assert schema.get("maximum") == wanted, own


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
    assert "default" not in click["modifiers"], "it is empty: what leaving it out means"
    assert "default" not in CATALOGUE.get("snapshot").tool_schema["properties"]["look"]
    assert CATALOGUE.get("snapshot").validate({})["look"] is False


def test_the_groups_have_titles() -> None:
    assert {group["name"]: group["title"] for group in DECLARED["groups"]} == CATALOGUE.groups


def test_three_near_names_are_told_at_most_and_the_prefix_does_not_count() -> None:
    with pytest.raises(KaptureError, match="did you mean") as raised:
        CATALOGUE.get("kapturemcp_get_reques")
    near = raised.value.message.partition("did you mean ")[2].rstrip("?").split(" or ")
    assert near[0] == "get_request"
    assert 1 < len(near) <= 3
