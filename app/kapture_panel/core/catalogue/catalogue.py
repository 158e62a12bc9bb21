"""The catalogue: every command as declared in `extension/commands.json`, and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params, Schema
from kapture_panel.core.catalogue import entries, problems, sharing
from kapture_panel.core.catalogue.entries import Declared, Entry
from kapture_panel.core.catalogue.problems import Called, Problem

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

PREFIX = "kapturemcp_"
#: What of a parameter an agent is not told: its form in the window, and what errors say early enough.
_FOR_US = frozenset(
    {"title", "unit", "class", "wants", "typed", "chosen", "labels", "propose", "when", "format", "pattern",
     "minLength", "maxLength", "minimum", "exclusiveMinimum", "minItems", "maxItems"}
)  # fmt: skip
#: What a command that lets a time pass may take beside it.
AROUND_TIME_MS = 1000
#: The ways to name a target, each with the parameters it takes.
_WAYS = (("selector",), ("xpath",), ("ref",), ("x", "y"))
#: What of a parameter that every tool shares the server's instructions say once.
_EXPLAINED_ONCE = frozenset({"description", "default", "maximum"})


class Command(Entry, kw_only=True, eq=False, dict=True):
    """One entry of the catalogue, with the parameters it shares with others.

    `properties` holds the command's own parameters; `all_properties` adds the shared ones
    (target, snapshot, timeout, tabId), each a flat JSON Schema with `title`, `description`, `default`, `unit`.
    """

    shared: dict[str, Schema]
    target_properties: dict[str, Schema]

    @property
    def properties(self) -> dict[str, Schema]:
        """Its own parameters."""
        return self.input_schema.properties

    @property
    def required(self) -> tuple[str, ...]:
        """The parameters it cannot do without."""
        return self.input_schema.required

    @property
    def short_name(self) -> str:
        """The name without the prefix, as people read it."""
        return self.name.removeprefix(PREFIX)

    @property
    def waits(self) -> bool:
        """Whether it acts on elements, and so waits until they are there and ready."""
        return sharing.waits(self.klass, self.target, self.properties)

    @cached_property
    def all_properties(self) -> dict[str, Schema]:
        """Every parameter the command takes, in the order a form shows them."""
        return sharing.all_properties(
            self.properties, self.shared, self.target_properties,
            klass=self.klass, scope=self.scope, target=self.target, action=self.action,
        )  # fmt: skip

    @cached_property
    def tool_schema(self) -> Schema:
        """The JSON Schema an MCP client sees: what repeats in every tool is explained once elsewhere.

        A default that is false, zero or empty is what leaving a parameter out means anyway.
        """
        shared = (self.shared.keys() | self.target_properties.keys()) - self.properties.keys()
        properties = {}
        for name, schema in self.all_properties.items():
            if schema.get("unlisted"):
                continue
            hidden = _FOR_US | (_EXPLAINED_ONCE if name in shared else frozenset())
            properties[name] = _without_marks(
                {key: value for key, value in schema.items() if key not in hidden and (key != "default" or value)}
            )
        tool: Schema = {"type": "object", "properties": properties}
        if self.required:
            tool["required"] = list(self.required)
        return tool

    def class_with(self, params: Mapping[str, Any]) -> str:
        """The class of what really happens: waiting for an expression runs code."""
        return next(
            (schema["class"] for name, schema in self.properties.items() if name in params and "class" in schema),
            self.klass,
        )

    @cached_property
    def _validator(self) -> Draft202012Validator:
        # Imported when the first parameters come: a tenth of a second of the window's start.
        from jsonschema import Draft202012Validator

        return Draft202012Validator(
            {
                "type": "object",
                "properties": self.all_properties,
                "required": list(self.required),
                "additionalProperties": False,
            }
        )

    def validate(self, params: Params) -> Params:
        """Check `params` and apply every default.

        Returns:
            A new dict with all defaults filled in.

        Raises:
            KaptureError: `INVALID_PARAMS`, naming the parameter, its value and what would be right.
        """
        given = without_null(params)
        problem = self.problem(given)
        if problem is not None:
            raise KaptureError("INVALID_PARAMS", problem.of(self.short_name), problem.next_step, param=problem.param)
        defaults = {name: schema["default"] for name, schema in self.all_properties.items() if "default" in schema}
        if self.passes_time:
            defaults["timeout"] = self.usual_ms(given)
        return {**defaults, **given}

    def usual_ms(self, given: Params) -> int:
        """How long a call may take that does not say it: longer where it lets a longer time pass."""
        usual: int = self.shared["timeout"]["default"]
        return max(usual, given.get("time", 0) + AROUND_TIME_MS) if self.passes_time else usual

    def problem(self, params: Params, called: Called = str) -> Problem | None:
        """What is wrong with the parameters, the worst first, if anything is; told with the reader's names."""
        from jsonschema.exceptions import best_match

        given = without_null(params)
        error = best_match(self._validator.iter_errors(given))
        if error is not None:
            return problems.told(error, called)
        endless = next((name for name, value in given.items() if not _is_finite(value)), None)
        if endless is not None:  # JSON has 1e400 and no infinity, so the browser would get null
            return Problem(called(endless) or endless, called(endless) or endless, "must be a finite number")
        return self._problem_of_target(given, called) or self._problem_of_choices(given, called)

    def wrong_value(self, given: Params) -> Problem | None:
        """What is wrong with the values that are given, whatever is missing beside them.

        An address that is none is told here alone, while it is written: sent, the extension decides about it.
        """
        for error in self._validator.iter_errors(given):
            if error.absolute_path or error.validator != "required":
                return problems.told(error)
        for name, value in given.items():
            if self.all_properties[name].get("format") == "address" and (why := addresses.unlike_one(value)):
                return Problem(name, short=why)
        return None

    def _problem_of_target(self, given: Params, called: Called) -> Problem | None:
        if self.target == "none":
            return None
        if ("x" in given) != ("y" in given):
            x, y = called("x"), called("y")
            return Problem(x, must=f"{x} and {y} are given together or not at all")
        ways = [names for names in _WAYS if given.keys() >= set(names)]
        if len(ways) > 1 or (self.target == "required" and not ways):
            found = " and ".join(filter(None, (_told(names, ",", called) for names in ways))) or "none of them"
            known = list(filter(None, (_told(names, ",", called) for names in _WAYS)))
            listed = " or ".join(filter(None, (", ".join(known[:-1]), *known[-1:])))
            must = f"takes exactly one of {listed}" if len(known) > 1 else f"needs {listed}"
            return Problem(called(_WAYS[0][0]), self.short_name, must, f"{found} was given")
        return None

    def _problem_of_choices(self, given: Params, called: Called) -> Problem | None:
        groups, needed = self.choices.of, self.choices.needed
        present = set(given)
        if present & self.target_properties.keys():
            present.add("target")
        present -= {name for name in present if given.get(name) is False}
        chosen = [names for names in groups if present & set(names)]
        if len(chosen) <= 1 and (chosen or not needed):
            return None
        has_target = any(map(called, self.target_properties))

        def own(names: Iterable[str]) -> str:
            return _told(names, "/", lambda name: name if name == "target" and has_target else called(name))

        listed = ", ".join(filter(None, map(own, groups)))
        found = " and ".join(filter(None, map(own, chosen))) or "none of them"
        many = "exactly" if needed else "at most"
        return Problem("", self.short_name, f"takes {many} one of {listed}", f"{found} was given")


def _told(names: Iterable[str], joint: str, called: Called) -> str:
    """Parameters that are one choice, as the reader calls them; empty when the reader has none of them."""
    return joint.join(filter(None, map(called, names)))


def _is_finite(value: Any) -> bool:
    """Whether a value, or each in it, is none of the numbers that are too large for JavaScript."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)
    return all(abs(one) <= sys.float_info.max for one in inside if isinstance(one, int | float))


def without_null(params: Params) -> Params:
    """A parameter of None counts as left out."""
    return {name: value for name, value in params.items() if value is not None}


class Catalogue:
    """All commands by name.

    Args:
        source: path of `commands.json`.
    """

    def __init__(self, source: Path) -> None:
        declared = entries.read(source)
        self.groups: dict[str, str] = {group.name: group.title for group in declared.groups}
        self._commands = {entry.name: _command(entry, declared) for entry in declared.commands}
        #: What people call a command, by its name without the prefix.
        self.titles = {command.short_name: command.title for command in self}

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
            raise KaptureError("INVALID_PARAMS", f"there is no command {name!r}", hint)
        return command

    def of_scope(self, scope: str) -> list[Command]:
        """The commands carried out in `scope`: tab, browser or panel."""
        return [command for command in self if command.scope == scope]


def _without_ours(schema: Schema) -> Schema:
    return {name: value for name, value in schema.items() if name not in ("typed", "chosen", "format")}


def _without_marks(schema: Schema) -> Schema:
    """A schema without `typed`, `chosen` and `format`, which are ours alone, in the items of arrays."""
    if "items" not in schema:
        return schema
    items = _without_ours(schema["items"])
    if "properties" in items:
        items["properties"] = {name: _without_ours(item) for name, item in items["properties"].items()}
    return {**schema, "items": items}


def _command(entry: Entry, declared: Declared) -> Command:
    return Command(**msgspec.structs.asdict(entry), shared=declared.shared, target_properties=declared.target)
