"""The catalogue: every command as declared in `extension/commands.json`, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from kapture_panel.core.basics.errors import KaptureError

PREFIX = "kapturemcp_"
#: Of `wait`, `select` and `scroll`: groups of parameters of which not more than one may be given,
#: and whether one must be. A target counts as one choice named "target".
CHOICES: dict[str, tuple[tuple[tuple[str, ...], ...], bool]] = {
    "kapturemcp_wait": ((("time",), ("target",), ("text",), ("urlContains",), ("expression",)), True),
    "kapturemcp_select": ((("value",), ("values",), ("labels",)), True),
    "kapturemcp_screenshot": ((("target",), ("clip",), ("fullPage",)), False),
    "kapturemcp_drag": ((("toSelector",), ("toXpath",), ("toRef",), ("toX", "toY")), True),
    "kapturemcp_scroll": ((("target", "deltaX", "deltaY"), ("toX", "toY")), True),
    "kapturemcp_inject_script": ((("source",), ("url",)), True),
}


#: What of a parameter an agent is not told: its form in the window, and bounds whose errors say them.
_FOR_US = frozenset(
    {"title", "unit", "typed", "chosen", "labels", "propose", "when", "format", "pattern", "minLength", "maxLength",
     "minimum", "maximum", "exclusiveMinimum", "minItems", "maxItems"}
)  # fmt: skip
#: What of a parameter that every tool shares the server's instructions say once.
_EXPLAINED_ONCE = frozenset({"description", "default"})


@dataclass(frozen=True)
class Command:
    """One entry of the catalogue.

    `properties` holds the command's own parameters; `all_properties` adds the shared ones
    (target, snapshot, timeout, tabId), each a flat JSON Schema with `title`, `description`, `default`, `unit`.
    """

    name: str
    title: str
    description: str
    group: str
    icon: str
    klass: str
    scope: str
    target: str
    result: str
    properties: dict[str, dict[str, Any]]
    required: tuple[str, ...]
    shared: dict[str, dict[str, Any]]
    target_properties: dict[str, dict[str, Any]]
    action: bool = False
    quick: bool = False
    immediate: bool = False
    opens_browser: bool = False
    #: The answer carries text of the page, so agents get it as text alone.
    page_text: bool = False
    #: Whoever is not the person needs the person's yes, under every policy.
    asks: bool = False
    #: Other words a person may look for it by.
    also: str = ""

    @property
    def short_name(self) -> str:
        """The name without the prefix, as people read it."""
        return self.name.removeprefix(PREFIX)

    @cached_property
    def all_properties(self) -> dict[str, dict[str, Any]]:
        """Every parameter the command takes, in the order a form shows them."""
        properties: dict[str, dict[str, Any]] = {}
        if self.target != "none":
            properties.update(self.target_properties)
        properties.update(self.properties)
        if self.action:
            properties["snapshot"] = self.shared["snapshot"]
        if "timeout" in self.shared:
            properties["timeout"] = self.shared["timeout"]
        if self.scope == "tab":
            properties["tabId"] = self.shared["tabId"]
        return properties

    @cached_property
    def tool_schema(self) -> dict[str, Any]:
        """The JSON Schema an MCP client sees: what repeats in every tool is explained once elsewhere."""
        shared = (self.shared.keys() | self.target_properties.keys()) - self.properties.keys()
        properties = {}
        for name, schema in self.all_properties.items():
            hidden = _FOR_US | (_EXPLAINED_ONCE if name in shared else frozenset())
            properties[name] = _without_marks({key: value for key, value in schema.items() if key not in hidden})
        tool: dict[str, Any] = {"type": "object", "properties": properties}
        if self.required:
            tool["required"] = list(self.required)
        return tool

    def class_with(self, params: Mapping[str, Any]) -> str:
        """The class of what really happens: waiting for an expression runs code."""
        return "execute" if self.short_name == "wait" and "expression" in params else self.klass

    @cached_property
    def _validator(self) -> Draft202012Validator:
        return Draft202012Validator(
            {
                "type": "object",
                "properties": self.all_properties,
                "required": list(self.required),
                "additionalProperties": False,
            }
        )

    def validate(self, params: dict[str, Any]) -> dict[str, Any]:
        """Check `params` and apply every default.

        Returns:
            A new dict with all defaults filled in.

        Raises:
            KaptureError: `INVALID_PARAMS`, naming the parameter, its value and what would be right.
        """
        given = {key: value for key, value in params.items() if value is not None}
        error = best_match(self._validator.iter_errors(given))
        if error is not None:
            raise KaptureError("INVALID_PARAMS", f"{self.short_name}: {self._explain(error)}", param=_culprit(error))
        self._check_target(given)
        self._check_choices(given)
        defaults = {name: schema["default"] for name, schema in self.all_properties.items() if "default" in schema}
        return {**defaults, **given}

    def problem(self, given: dict[str, Any]) -> tuple[str, str] | None:
        """What is wrong with the values that are given, whatever is missing beside them.

        Returns:
            The parameter and what it must be, or None.
        """
        for error in self._validator.iter_errors(given):
            if error.absolute_path or error.validator != "required":
                name = _culprit(error)
                short = _SHORT.get(str(error.validator)) if len(error.absolute_path) == 1 else None
                return name, short(error.validator_value) if short else self._explain(error).removeprefix(f"{name} ")
        return None

    def _check_target(self, given: dict[str, Any]) -> None:
        if self.target == "none":
            return
        ways: list[str] = [way for way in ("selector", "xpath", "ref") if way in given]
        if "x" in given or "y" in given:
            if not ("x" in given and "y" in given):
                raise KaptureError(
                    "INVALID_PARAMS",
                    f"{self.short_name}: x and y are given together or not at all",
                    param="x",
                )
            ways.append("x,y")
        if len(ways) > 1 or (self.target == "required" and not ways):
            found = " and ".join(ways) or "none of them"
            raise KaptureError(
                "INVALID_PARAMS",
                f"{self.short_name} takes exactly one of selector, xpath, ref or x,y; {found} was given",
                param="selector",
            )

    def _check_choices(self, given: dict[str, Any]) -> None:
        groups, needed = CHOICES.get(self.name, ((), False))
        present = set(given)
        if present & self.target_properties.keys():
            present.add("target")
        present -= {name for name in present if given.get(name) is False}
        chosen = [names for names in groups if present & set(names)]
        if len(chosen) > 1 or (needed and not chosen):
            listed = ", ".join("/".join(names) for names in groups)
            found = " and ".join("/".join(names) for names in chosen) or "none of them"
            many = "exactly" if needed else "at most"
            raise KaptureError("INVALID_PARAMS", f"{self.short_name} takes {many} one of {listed}; {found} was given")

    def _explain(self, error: ValidationError) -> str:
        where = ".".join(str(part) for part in error.absolute_path)
        inside = f" of {where}" if where else ""
        value = json.dumps(error.instance, ensure_ascii=False, default=str)
        shown = value if len(value) <= 80 else value[:77] + "…"
        if error.validator == "required":
            missing = [name for name in error.validator_value if name not in error.instance]
            return f"the parameter {missing[0]!r}{inside} is missing"
        if error.validator == "additionalProperties":
            unknown = sorted(set(error.instance) - set(error.schema.get("properties", {})))
            known = ", ".join(error.schema.get("properties", {}))
            return f"unknown parameter {unknown[0]!r}{inside}; it takes {known or 'none'}"
        if error.validator == "type":
            return f"{where} must be of type {error.validator_value}, not {shown}"
        if error.validator == "enum":
            return f"{where} must be one of {', '.join(map(str, error.validator_value))}, not {shown}"
        return f"{where} {error.message.replace(repr(error.instance), shown, 1)}"


_TYPES = {"integer": "a whole number", "number": "a number", "boolean": "yes or no", "string": "text"}
#: What a value must be, in the few words there is room for beside it.
_SHORT: dict[str, Callable[[Any], str]] = {
    "maximum": lambda most: f"at most {most:,}",
    "minimum": lambda least: f"at least {least:,}",
    "exclusiveMinimum": lambda above: f"more than {above:,}",
    "maxLength": lambda most: f"at most {most:,} characters",
    "minLength": lambda _least: "not empty",
    "maxItems": lambda most: f"at most {most:,}",
    "minItems": lambda least: f"at least {least:,}",
    "type": lambda kind: _TYPES.get(kind, f"of type {kind}"),
}


def _culprit(error: ValidationError) -> str:
    """The parameter an error is about, so that a form can show it there."""
    if error.absolute_path:
        return str(error.absolute_path[0])
    if error.validator == "required":
        return str(next(name for name in error.validator_value if name not in error.instance))
    return str(min(set(error.instance) - set(error.schema.get("properties", {})), default=""))


class Catalogue:
    """All commands by name.

    Args:
        source: path of `commands.json`.
    """

    def __init__(self, source: Path) -> None:
        declared = json.loads(source.read_text(encoding="utf-8"))
        self.groups: dict[str, str] = {group["name"]: group["title"] for group in declared["groups"]}
        self._commands = {
            entry["name"]: _command(entry, declared["shared"], declared["target"]) for entry in declared["commands"]
        }

    def __iter__(self) -> Any:
        return iter(self._commands.values())

    def __len__(self) -> int:
        return len(self._commands)

    def get(self, name: str) -> Command:
        """The command called `name`, with or without the prefix.

        Raises:
            KaptureError: `INVALID_PARAMS` naming the nearest commands.
        """
        command = self._commands.get(name) or self._commands.get(PREFIX + name)
        if command is None:
            from difflib import get_close_matches

            short = [known.short_name for known in self]
            near = get_close_matches(name.removeprefix(PREFIX), short, n=3)
            hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(short)}"
            raise KaptureError("INVALID_PARAMS", f"there is no command {name!r}; {hint}")
        return command

    def of_scope(self, scope: str) -> list[Command]:
        """The commands carried out in `scope`: tab, browser or panel."""
        return [command for command in self if command.scope == scope]


def _without_ours(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name not in ("typed", "chosen")}


def _without_marks(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without `typed` and `chosen`, which are ours alone, in the items of arrays."""
    if "items" not in schema:
        return schema
    items = _without_ours(schema["items"])
    if "properties" in items:
        items["properties"] = {name: _without_ours(item) for name, item in items["properties"].items()}
    return {**schema, "items": items}


def _command(entry: dict[str, Any], shared: dict[str, Any], target: dict[str, Any]) -> Command:
    schema = entry["inputSchema"]
    return Command(
        name=entry["name"],
        title=entry["title"],
        description=entry["description"],
        group=entry["group"],
        icon=entry["icon"],
        klass=entry["class"],
        scope=entry["scope"],
        target=entry["target"],
        result=entry["result"],
        properties=schema["properties"],
        required=tuple(schema["required"]),
        shared=shared,
        target_properties=target,
        action=entry.get("action", False),
        quick=entry.get("quick", False),
        immediate=entry.get("immediate", False),
        opens_browser=entry.get("opensBrowser", False),
        page_text=entry.get("pageText", False),
        asks=entry.get("asks", False),
        also=entry.get("also", ""),
    )
