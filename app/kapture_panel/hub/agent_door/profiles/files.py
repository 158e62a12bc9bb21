"""The files of profiles: which there are, read and checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from kapture_panel.core.basics.errors import CODES, KaptureError
from kapture_panel.core.basics.free_json import Schema
from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.core.catalogue.entries import Inputs
from kapture_panel.hub.agent_door.profiles import templates
from kapture_panel.hub.agent_door.profiles.converters import CONVERTERS
from kapture_panel.hub.agent_door.profiles.profile import Given, Profile, Route, Tool
from kapture_panel.hub.agent_door.profiles.source import (
    Behind,
    Check,
    Declared,
    Errors,
    Renamed,
    Result,
    Source,
    convert,
)

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}")
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Profiles:
    """The profiles of an instance, read when they are asked for.

    Args:
        folders: of `NAME.json` files, ours first: a file of the person's never stands in for one of ours.
        catalogue: the commands they may name.
    """

    def __init__(self, folders: list[Path], catalogue: Catalogue) -> None:
        self._folders = folders
        self._catalogue = catalogue

    def names(self) -> list[str]:
        """What there is, ours first."""
        found: dict[str, None] = {}
        for folder in self._folders:
            stems = sorted(path.stem for path in folder.glob("*.json"))
            found |= {stem: None for stem in stems if _NAME.fullmatch(stem)}
        return list(found)

    def get(self, name: str) -> Profile:
        """The profile called `name`, checked.

        Raises:
            KaptureError: `INVALID_PARAMS`: there is none, or its file is wrong, and where.
        """
        names = self.names()
        if name not in names:
            raise KaptureError("INVALID_PARAMS", f"--profile {name!r} is not one of {', '.join(names)}")
        path = next(path for folder in self._folders if (path := folder / f"{name}.json").is_file())
        try:
            return read(name, json.loads(path.read_text(encoding="utf-8")), self._catalogue)
        except (OSError, ValueError) as error:
            raise KaptureError("INVALID_PARAMS", f"the profile file {path} cannot be used: {error}") from None


def read(name: str, source: Any, catalogue: Catalogue) -> Profile:
    """The profile a file's JSON describes.

    Raises:
        ValueError: what is wrong, and in which tool.
    """
    said = convert(source, Source, "the profile")
    if said.tools == "all":
        tools = [Tool(one.name, one.description, one.tool_schema, {"": Route(one)}) for one in catalogue]
    elif isinstance(said.tools, list):
        tools = [_tool(entry, catalogue) for entry in said.tools]
    else:
        raise ValueError('tools is neither "all" nor a list')
    by_name = {tool.name: tool for tool in tools}
    if len(by_name) != len(tools):
        raise ValueError("two tools have one name")
    _check_errors(said.errors, "errors")
    return Profile(
        name=name,
        title=said.title or name,
        tools=by_name,
        notes=tuple(said.notes),
        instructions=said.instructions,
        isolated=said.session == "isolated",
        newest_tab=said.tab == "newest",
        dialogs=said.dialogs,
        marks_texts=said.untrusted == "text",
        has_all=said.tools == "all",
        answer_bytes=said.limits.answer_bytes,
        one_slot=said.limits.shots == "one-slot",
        errors=said.errors,
    )


def _tool(entry: Any, catalogue: Catalogue) -> Tool:
    name = entry.get("name") if isinstance(entry, dict) else None
    if not isinstance(name, str) or not _TOOL_NAME.fullmatch(name):
        raise ValueError(f"a tool's name is {name!r}, not 1 to 64 letters, digits, _ or -")
    said = convert(entry, Declared, name)
    schema = said.input_schema
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise ValueError(f"{name}: inputSchema is not a schema of an object")
    _validator(schema)
    routes = _actions(said, catalogue) if said.by else {"": _route(name, said, _inputs(said), schema, catalogue)}
    checks = tuple(_checks(name, said.checks, _inputs(said)))
    return Tool(name, said.description, schema, routes, said.by, _face(name, schema), checks)


def _inputs(said: Declared) -> dict[str, Schema]:
    inputs: dict[str, Schema] = said.input_schema.get("properties", {})
    return inputs


def _actions(said: Declared, catalogue: Catalogue) -> dict[str, Route]:
    """The routes of a tool whose parameter `by` chooses one."""
    inputs = _inputs(said)
    if inputs.get(said.by, {}).get("enum") != list(said.actions) or said.by not in said.input_schema.get(
        "required", []
    ):
        actions = ", ".join(said.actions)
        raise ValueError(f"{said.name}: {said.by} must be required, with an enum of the actions {actions}")
    rest = {key: value for key, value in inputs.items() if key != said.by}
    routes = {}
    for action, entry in said.actions.items():
        where = f"{said.name} {action}"
        behind = convert(entry, Behind, where)
        # What one action does not take is for another: only what it names itself must fit its command.
        known = _command(where, behind, catalogue).all_properties
        taken = {name: inner for name, inner in rest.items() if name in behind.params or name in known}
        routes[action] = _route(where, behind, taken, said.input_schema, catalogue)
    return routes


def _route(where: str, said: Behind, inputs: dict[str, Schema], schema: Schema, catalogue: Catalogue) -> Route:
    command = _command(where, said, catalogue)
    params = {name: _given(where, name, said.params.get(name, name), command) for name in inputs}
    _demand_all_in(where, "params", said.params, inputs)
    _demand_all_in(where, "defaults", said.defaults, inputs)
    for name in said.fixed:
        _demand(where, name, command)
    sure = {*schema.get("required", ()), *said.required, *said.defaults}
    sure |= {name for name, inner in inputs.items() if "default" in inner}
    reached = {params[name].to for name in sure if name in params} | said.fixed.keys()
    missing = [name for name in command.required if name not in reached]
    if missing:
        raise ValueError(f"{where}: {command.short_name} needs {missing[0]!r}, and nothing is sure to give it")
    if said.result is not None:
        _check_result(said.result, f"{where} result")
    _check_errors(said.errors, f"{where} errors")
    return Route(command, params, said.fixed, said.defaults, tuple(said.required), said.result, said.errors)


def _command(where: str, said: Behind, catalogue: Catalogue) -> Command:
    if not said.command:
        raise ValueError(f"{where}: command is missing")
    try:
        return catalogue.get(said.command)
    except KaptureError as error:
        raise ValueError(f"{where}: {error.message}") from None


def _given(where: str, name: str, goes: str | Renamed | None, command: Command) -> Given:
    """`null` drops the parameter; a string renames it; `{to, convert}` renames (or not) and converts it."""
    if goes is None:
        return Given("")
    given = Given(goes) if isinstance(goes, str) else Given(name if goes.to is None else goes.to, goes.convert)
    _demand(where, given.to, command)
    if given.convert and given.convert not in CONVERTERS:
        raise ValueError(f"{where}: {given.convert!r} is not a converter; the converters are {', '.join(CONVERTERS)}")
    return given


def _demand(where: str, name: str, command: Command) -> None:
    if name not in command.all_properties:
        known = ", ".join(command.all_properties)
        raise ValueError(f"{where}: {command.short_name} has no parameter {name!r}; it takes {known}")


def _demand_all_in(where: str, what: str, names: Iterable[str], inputs: dict[str, Schema]) -> None:
    unknown = sorted(set(names) - set(inputs))
    if unknown:
        raise ValueError(f"{where}: {what} names {unknown[0]!r}, which inputSchema does not")


def _check_result(result: Result, where: str) -> None:
    if (result.text is UNSET) == (result.json is UNSET):
        raise ValueError(f"{where}: there is either text or json")
    wrong = templates.mistake(result.json if result.text is UNSET else result.text)
    if wrong:
        raise ValueError(f"{where}: {wrong}")


def _check_errors(errors: Errors, where: str) -> None:
    for code, template in errors.items():
        if code != "*" and code.partition(" ")[0] not in CODES:
            raise ValueError(f"{where}: {code!r} is not an error code")
        wrong = templates.mistake(template)
        if wrong:
            raise ValueError(f"{where} {code}: {wrong}")


def _checks(where: str, checks: list[Check], inputs: dict[str, Schema]) -> Iterator[tuple[Draft202012Validator, str]]:
    for check in checks:
        validator = _validator(check.schema)
        unknown = set(check.schema.get("properties", {})) - set(inputs)
        if unknown:
            raise ValueError(f"{where} checks: inputSchema has no {sorted(unknown)[0]!r}")
        yield validator, check.error


def _validator(schema: Schema) -> Draft202012Validator:
    """What checks against a schema, imported for the first one, since the window's start has none.

    Raises:
        SchemaError: it is no schema.
    """
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def _face(name: str, schema: Schema) -> Command:
    """The tool as a command of its own, for the checks and the words that commands have."""
    inputs = Inputs("object", schema.get("properties", {}), tuple(schema.get("required", ())), False)
    return Command(
        name=name, title=name, wants="", description="", group="", icon="", klass="read", scope="panel", target="none",
        result="text", input_schema=inputs, shared={}, target_properties={},
    )  # fmt: skip
