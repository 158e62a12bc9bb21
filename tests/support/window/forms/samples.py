"""Parameters for every command of the catalogue, made from its own schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kapture_panel import paths
from kapture_panel.core.catalogue.catalogue import Catalogue, Command

CATALOGUE = Catalogue(paths.catalogue())
COMMANDS: list[Command] = list(CATALOGUE)
TARGETS: list[dict[str, Any]] = [
    {"selector": "#a >>> b"},
    {"xpath": "//a[.='x']"},
    {"ref": "e5"},
    {"x": 10, "y": 2.5},
]


def value_for(schema: dict[str, Any]) -> Any:
    """A value of a parameter that is not its default."""
    if "enum" in schema:
        return schema["enum"][-1]
    kind = schema["type"]
    if kind == "boolean":
        return not schema.get("default", False)
    if kind == "integer":
        return max(schema.get("minimum", 0), 2)
    if kind == "number":
        return 1.5
    if kind == "array" and schema["items"].get("type") == "object":
        required = schema["items"].get("required", [])
        return [{name: value_for(schema["items"]["properties"][name]) for name in required}]
    if kind == "array":
        return schema["items"]["enum"][:2] if "enum" in schema["items"] else ["first", "second one"]
    if kind == "object":
        return {name: 10 + at for at, name in enumerate(schema["properties"])}
    if schema.get("pattern"):
        return "e7"
    return "return 1;\n// två" if schema.get("format") == "javascript" or schema.get("typed") else "some text"


def samples(command: Command) -> Iterator[dict[str, Any]]:
    """Valid parameters: the least, all at once or each choice by itself, every way of a target."""
    groups, needed = command.choices.of, command.choices.needed
    exclusive = {name for names in groups for name in names}
    shared = (command.target_properties.keys() - command.properties.keys()) | {"tabId"}
    free = {
        name: value_for(schema) for name, schema in command.all_properties.items() if name not in exclusive | shared
    }
    least = {name: value_for(command.properties[name]) for name in command.required}
    targets = TARGETS if command.target == "required" else [{}]
    choices: list[dict[str, Any]] = [
        {name: value_for(command.properties[name]) for name in names if name != "target"}
        for names in groups
        if names != ("target",)
    ]
    if not needed:
        choices.append({})
    for target in targets:
        for choice in choices:
            yield {**least, **target, **choice}
            yield {**free, **target, **choice}
    if command.target == "optional":
        yield from ({**free, **target} for target in TARGETS)
