"""The files of profiles: which there are, read and checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from jsonschema import Draft202012Validator

from kapture_panel.core.basics.errors import CODES, KaptureError
from kapture_panel.core.catalogue.catalogue import Catalogue, Command
from kapture_panel.core.wire.protocol import DialogRule
from kapture_panel.hub.agent_door.profiles import templates
from kapture_panel.hub.agent_door.profiles.converters import CONVERTERS
from kapture_panel.hub.agent_door.profiles.profile import ANSWER_BYTES, Errors, Given, Profile, Route, Tool

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}")
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PROFILE_KEYS = {
    "title", "notes", "instructions", "session", "tab", "dialogs", "untrusted", "limits", "errors", "tools",
}  # fmt: skip
_ROUTE_KEYS = {"command", "params", "fixed", "defaults", "required", "result", "errors"}
_TOOL_KEYS = _ROUTE_KEYS | {"name", "description", "inputSchema", "checks", "by", "actions"}


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
            raise KaptureError("INVALID_PARAMS", f"--profile {name!r} is none of {', '.join(names)}")
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
    _know(source, _PROFILE_KEYS, "the profile")
    limits, session = source.get("limits", {}), source.get("session", "shared")
    _know(limits, {"answerBytes", "shots"}, "limits")
    if session not in ("shared", "isolated"):
        raise ValueError(f"session is {session!r}, not shared or isolated")
    if source.get("tab", "named") not in ("named", "newest"):
        raise ValueError(f"tab is {source['tab']!r}, not named or newest")
    if source.get("dialogs", "") not in get_args(DialogRule):
        raise ValueError(f"dialogs is {source['dialogs']!r}, not accept or dismiss")
    if source.get("untrusted", "text") not in ("text", "meta"):
        raise ValueError(f"untrusted is {source['untrusted']!r}, not text or meta")
    if limits.get("shots", "kept") not in ("kept", "one-slot"):
        raise ValueError(f"limits.shots is {limits['shots']!r}, not kept or one-slot")
    answer_bytes = limits.get("answerBytes", ANSWER_BYTES)
    if not isinstance(answer_bytes, int) or answer_bytes < 1:
        raise ValueError(f"limits.answerBytes is {answer_bytes!r}, not a number of bytes")
    declared = source.get("tools")
    if declared == "all":
        tools = [Tool(one.name, one.description, one.tool_schema, {"": Route(one)}) for one in catalogue]
    elif isinstance(declared, list):
        tools = [_tool(entry, catalogue) for entry in declared]
    else:
        raise ValueError('tools is neither "all" nor a list')
    by_name = {tool.name: tool for tool in tools}
    if len(by_name) != len(tools):
        raise ValueError("two tools have one name")
    return Profile(
        name=name,
        title=source.get("title", name),
        tools=by_name,
        notes=tuple(source.get("notes", ())),
        instructions=source.get("instructions", ""),
        isolated=session == "isolated",
        newest_tab=source.get("tab") == "newest",
        dialogs=source.get("dialogs", ""),
        marks_texts=source.get("untrusted") != "meta",
        answer_bytes=answer_bytes,
        one_slot=limits.get("shots") == "one-slot",
        errors=_errors(source, "errors"),
    )


def _tool(entry: Any, catalogue: Catalogue) -> Tool:
    name = entry.get("name") if isinstance(entry, dict) else None
    if not isinstance(name, str) or not _TOOL_NAME.fullmatch(name):
        raise ValueError(f"a tool's name is {name!r}, not 1 to 64 letters, digits, _ or -")
    _know(entry, _TOOL_KEYS, name)
    schema, by = entry.get("inputSchema"), entry.get("by", "")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise ValueError(f"{name}: inputSchema is no schema of an object")
    Draft202012Validator.check_schema(schema)
    inputs = schema.get("properties", {})
    if by:
        actions = entry.get("actions", {})
        if inputs.get(by, {}).get("enum") != list(actions) or by not in schema.get("required", []):
            raise ValueError(f"{name}: {by} must be required, with an enum of the actions {', '.join(actions)}")
        rest = {key: value for key, value in inputs.items() if key != by}
        # What one action does not take is for another: only what it names itself must fit its command.
        for action, route in actions.items():
            _know(route, _ROUTE_KEYS, f"{name} {action}")
        routes = {
            action: _route(f"{name} {action}", route, _taken(route, rest, catalogue), schema, catalogue)
            for action, route in actions.items()
        }
    else:
        routes = {"": _route(name, entry, inputs, schema, catalogue)}
    return Tool(
        name, entry.get("description", ""), schema, routes, by, _face(name, schema), tuple(_checks(name, entry, inputs))
    )


def _route(
    where: str, entry: dict[str, Any], inputs: dict[str, Any], schema: dict[str, Any], catalogue: Catalogue
) -> Route:
    command = _command(where, entry, catalogue)
    params = {name: _given(where, name, entry.get("params", {}).get(name, name), command) for name in inputs}
    unknown = set(entry.get("params", {})) - set(inputs)
    if unknown:
        raise ValueError(f"{where}: params names {sorted(unknown)[0]!r}, which inputSchema does not")
    fixed, defaults = entry.get("fixed", {}), entry.get("defaults", {})
    for name in fixed:
        _demand(where, name, command)
    for name in defaults:
        if name not in inputs:
            raise ValueError(f"{where}: defaults names {name!r}, which inputSchema does not")
    required = tuple(entry.get("required", ()))
    sure = {*schema.get("required", ()), *required, *defaults}
    sure |= {name for name, inner in inputs.items() if "default" in inner}
    reached = {params[name].to for name in sure if name in params} | fixed.keys()
    missing = [name for name in command.required if name not in reached]
    if missing:
        raise ValueError(f"{where}: {command.short_name} needs {missing[0]!r}, and nothing is sure to give it")
    result = entry.get("result")
    if result is not None:
        _know(result, {"text"} if "text" in result else {"json", "indent", "wrap"}, f"{where} result")
        wrong = templates.mistake({name: value for name, value in result.items() if name != "wrap"})
        if wrong:
            raise ValueError(f"{where} result: {wrong}")
    return Route(command, params, fixed, defaults, required, result, _errors(entry, f"{where} errors"))


def _command(where: str, entry: dict[str, Any], catalogue: Catalogue) -> Command:
    try:
        return catalogue.get(str(entry.get("command")))
    except KaptureError as error:
        raise ValueError(f"{where}: {error.message}") from None


def _taken(route: dict[str, Any], inputs: dict[str, Any], catalogue: Catalogue) -> dict[str, Any]:
    """Of a tool's parameters those an action takes: by its map, or because its command has one of the name."""
    known = _command("an action", route, catalogue).all_properties
    return {name: inner for name, inner in inputs.items() if name in route.get("params", {}) or name in known}


def _given(where: str, name: str, goes: Any, command: Command) -> Given:
    """`null` drops the parameter; a string renames it; `{to, convert}` renames (or not) and converts it."""
    if goes is None:
        return Given("")
    if isinstance(goes, dict):
        _know(goes, {"to", "convert"}, f"{where} {name}")
    given = Given(goes) if isinstance(goes, str) else Given(goes.get("to", name), goes.get("convert", ""))
    _demand(where, given.to, command)
    if given.convert and given.convert not in CONVERTERS:
        raise ValueError(f"{where}: {given.convert!r} is no converter; there are {', '.join(CONVERTERS)}")
    return given


def _demand(where: str, name: str, command: Command) -> None:
    if name not in command.all_properties:
        known = ", ".join(command.all_properties)
        raise ValueError(f"{where}: {command.short_name} has no parameter {name!r}; it takes {known}")


def _errors(entry: dict[str, Any], where: str) -> Errors:
    errors: Errors = entry.get("errors", {})
    for code, template in errors.items():
        if code != "*" and code.partition(" ")[0] not in CODES:
            raise ValueError(f"{where}: {code!r} is no error code")
        wrong = templates.mistake(template)
        if wrong:
            raise ValueError(f"{where} {code}: {wrong}")
    return errors


def _checks(where: str, entry: dict[str, Any], inputs: dict[str, Any]) -> Iterator[tuple[Draft202012Validator, str]]:
    for check in entry.get("checks", ()):
        _know(check, {"schema", "error"}, f"{where} checks")
        Draft202012Validator.check_schema(check["schema"])
        unknown = set(check["schema"].get("properties", {})) - set(inputs)
        if unknown:
            raise ValueError(f"{where} checks: inputSchema has no {sorted(unknown)[0]!r}")
        yield Draft202012Validator(check["schema"]), check["error"]


def _face(name: str, schema: dict[str, Any]) -> Command:
    """The tool as a command of its own, for the checks and the words that commands have."""
    return Command(
        name=name, title=name, description="", group="", icon="", klass="", scope="panel", target="none", result="text",
        properties=schema.get("properties", {}), required=tuple(schema.get("required", ())), shared={},
        target_properties={},
    )  # fmt: skip


def _know(entry: Any, keys: set[str], where: str) -> None:
    """Demand an object with none but these keys: a word misspelt must not pass for one left out."""
    if not isinstance(entry, dict):
        raise ValueError(f"{where} is no JSON object")
    unknown = sorted(set(entry) - keys)
    if unknown:
        raise ValueError(f"{where}: {unknown[0]!r} is none of {', '.join(sorted(keys))}")
