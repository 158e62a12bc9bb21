"""Any valid parameters of a command, generated from its schemas."""

from __future__ import annotations

from math import ceil, floor
from typing import Any

from hypothesis import strategies as st

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Command

_TEXT = st.text(max_size=30)
_SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8)
_ANY = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=5,
)


def value_of(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Any value a schema allows."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    low, high = schema.get("minimum"), schema.get("maximum")
    match schema["type"]:
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(-(2**53) if low is None else low, 2**53 if high is None else high)
        case "number":
            if "exclusiveMinimum" in schema:
                above = schema["exclusiveMinimum"]
                return st.floats(above, high, exclude_min=True, allow_nan=False, allow_infinity=False)
            floats = st.floats(low, high, allow_nan=False, allow_infinity=False)
            whole = (ceil(-(2**53) if low is None else low), floor(2**53 if high is None else high))
            return floats | st.integers(*whole)
        case "array":
            items = value_of(schema["items"])
            least, most = schema.get("minItems", 0), min(schema.get("maxItems", 4), 4)
            return st.lists(items, min_size=least, max_size=most, unique=schema.get("uniqueItems", False))
        case "object":
            return _object(schema)
    if schema.get("pattern"):
        return st.from_regex(schema["pattern"], fullmatch=True)
    return st.text(min_size=schema.get("minLength", 0), max_size=max(30, schema.get("minLength", 0)))


def _object(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    properties = schema.get("properties")
    if properties is None:
        return st.dictionaries(_TEXT, _ANY, max_size=3)
    needed = {name: value_of(properties[name]) for name in schema.get("required", ())}
    return st.fixed_dictionaries(
        needed, optional={name: value_of(part) for name, part in properties.items() if name not in needed}
    )


@st.composite
def params_of(draw: st.DrawFn, command: Command) -> dict[str, Any]:
    """Any parameters the command takes, without the tab, which a form does not have."""
    properties = {name: schema for name, schema in command.all_properties.items() if name != "tabId"}
    ways = command.target_properties.keys() if command.target != "none" else set()
    free = {name for name in properties if name not in ways}
    params = {
        name: draw(value_of(properties[name])) for name in free if name in command.required or draw(st.booleans())
    }
    way = draw(st.sampled_from(["selector", "xpath", "ref", "x"])) if ways else None
    if way and (command.target == "required" or draw(st.booleans())):
        params |= {name: draw(value_of(properties[name])) for name in ((way, "y") if way == "x" else (way,))}
    for names in command.choices.of:
        if not _takes(command, params):
            for name in names:
                params.pop(name, None)
            if "target" in names:
                params = {name: value for name, value in params.items() if name not in ways}
    if not _takes(command, params):
        names = draw(st.sampled_from([names for names in command.choices.of if "target" not in names]))
        params |= {
            name: True if properties[name]["type"] == "boolean" else draw(value_of(properties[name])) for name in names
        }
    command.validate(params)
    return params


def _takes(command: Command, params: dict[str, Any]) -> bool:
    try:
        command.validate(params)
    except KaptureError:
        return False
    return True
