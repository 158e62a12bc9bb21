"""A profile: our commands under the names, parameters and answers of another system."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params, Schema
from kapture_panel.core.catalogue.catalogue import PREFIX, Catalogue, Command
from kapture_panel.core.wire.protocol import DialogRule
from kapture_panel.hub.agent_door.profiles.converters import CONVERTERS
from kapture_panel.hub.agent_door.profiles.source import ANSWER_BYTES, Errors, Result

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

CANONICAL = "kapture"
#: A command in the next step of an error.
_COMMAND = re.compile(rf"\b{PREFIX}(\w+)")


@dataclass(frozen=True)
class Given:
    """Where a parameter of a tool goes: a parameter of the command, through a converter; `to` "" drops it."""

    to: str
    convert: str = ""


@dataclass(frozen=True)
class Route:
    """How one command stands behind a tool; `params` None hands over what was given as it is.

    `result` None is the command's own.
    """

    command: Command
    params: dict[str, Given] | None = None
    fixed: Params = field(default_factory=dict)
    defaults: Params = field(default_factory=dict)
    required: tuple[str, ...] = ()
    result: Result | None = None
    errors: Errors = field(default_factory=dict)

    @property
    def only_reads(self) -> bool:
        """Whether no call does more than look: a step of a batch or the code of a wait may do anything."""
        command = self.command
        if command.klass not in ("read", "file") or command.action or command.composite:
            return False
        taken = (
            command.properties if self.params is None else {goes.to for goes in self.params.values()} | {*self.fixed}
        )
        return not any("class" in command.properties.get(name, {}) for name in taken)

    def own_name(self, parameter: str) -> str:
        """What its tool calls a parameter of the command; empty where it does not take it."""
        if self.params is None:
            return parameter if parameter in self.command.all_properties else ""
        return next((name for name, goes in self.params.items() if goes.to == parameter), "")

    def command_params(self, given: Params, label: str) -> Params:
        """What the command gets for `given`; `label` names the tool in errors.

        Raises:
            KaptureError: a parameter is missing, is none of this route, or cannot be converted.
        """
        if self.params is None:
            return given
        for name in self.required:
            if name not in given:
                raise KaptureError("INVALID_PARAMS", f"{label}: the parameter {name!r} is missing", param=name)
        params = dict(self.fixed)
        for name, value in given.items():
            if name not in self.params:
                taken = ", ".join(self.params)
                raise KaptureError("INVALID_PARAMS", f"{label} does not take {name!r}", f"it takes {taken}", param=name)
            goes = self.params[name]
            if goes.to:
                params[goes.to] = CONVERTERS[goes.convert](value) if goes.convert else value
        return params

    def in_own_words(self, error: KaptureError, params: Params) -> KaptureError:
        """What is wrong with the `params` of the command, told with the parameters of its tool; or `error` itself."""
        if self.params is None or error.code != "INVALID_PARAMS":
            return error
        own = {goes.to: name for name, goes in self.params.items() if goes.to}
        problem = self.command.problem(params, lambda name: own.get(name, ""))
        if problem is None:
            error.param = own.get(error.param, error.param)
            return error
        told = problem.of(self.command.short_name)
        return KaptureError(error.code, told, problem.next_step, param=problem.param, **error.details)


@dataclass(frozen=True)
class Tool:
    """One tool as its system declares it. With `by`, that parameter's value chooses the route; else it is `""`.

    `face` checks what a client gives, as a command's own parameters are checked; None leaves that to the command.
    """

    name: str
    description: str
    schema: Schema
    routes: dict[str, Route]
    by: str = ""
    face: Command | None = None
    checks: tuple[tuple[Draft202012Validator, str], ...] = ()

    @property
    def only_reads(self) -> bool:
        """Whether no call of it does more than look."""
        return all(route.only_reads for route in self.routes.values())

    @property
    def only_goes(self) -> bool:
        """Whether no call of it does more than look and go to pages."""
        return all(route.only_reads or route.command.klass == "navigate" for route in self.routes.values())

    def route(self, arguments: Params) -> tuple[Route, Params]:
        """The route of a call, and what was given with every default filled in.

        Raises:
            KaptureError: `INVALID_PARAMS`, naming the parameter.
        """
        if self.face is None:
            return self.routes[""], arguments
        given = self.face.validate(arguments)
        for validator, message in self.checks:
            if not validator.is_valid(given):
                raise KaptureError("INVALID_PARAMS", message)
        route = self.routes[given[self.by] if self.by else ""]
        return route, {**route.defaults, **given}

    def command_params(self, route: Route, given: Params) -> Params:
        """What the route's command gets."""
        label = f"{self.name} {given[self.by]}" if self.by else self.name
        return route.command_params({name: value for name, value in given.items() if name != self.by}, label)


@dataclass(frozen=True)
class Profile:
    """A system's tools by name, and what else is its own.

    `answer_bytes` bounds a text answer; `one_slot` deletes a screenshot once its answer is made; `isolated` gives
    every conversation a browser of its own; `newest_tab`, for tools that cannot name a tab, has a conversation begin
    in the one connected last; `dialogs` is how the file has JavaScript dialogs answered, see `dialog_rule`;
    `marks_texts` says in an answer which words are a page's, not only in its `_meta` (`hub/agent_door/untrusted.py`);
    `has_all` says that its tools are all our commands; `errors` are texts by error code,
    `notes` what differs from the original.
    """

    name: str
    title: str
    tools: dict[str, Tool]
    notes: tuple[str, ...] = ()
    instructions: str = ""
    isolated: bool = False
    newest_tab: bool = False
    dialogs: DialogRule = ""
    marks_texts: bool = True
    has_all: bool = False
    answer_bytes: int = ANSWER_BYTES
    one_slot: bool = False
    errors: Errors = field(default_factory=dict)

    @property
    def dialog_rule(self) -> DialogRule:
        """How a JavaScript dialog is answered while a tool runs; empty when a tool answers it.

        A page may always be left. Without a word in the file, tools that cannot answer one get what a headless
        Chrome does that nobody listens to.
        """
        commands = (route.command for tool in self.tools.values() for route in tool.routes.values())
        return self.dialogs or ("" if any(command.immediate for command in commands) else "dismiss")

    @property
    def going_on(self) -> tuple[str, Route] | None:
        """The tool that goes on in a long page with a cursor, and its route; None where there is none."""
        routes = ((tool.name, route) for tool in self.tools.values() for route in tool.routes.values())
        return next((one for one in routes if one[1].own_name("cursor")), None)

    def demand_steps(self, params: Params, catalogue: Catalogue) -> None:
        """A step of a batch is no way to a command that none of the tools runs. What is none at all the batch refuses.

        Raises:
            KaptureError: `INVALID_PARAMS`, before the first step runs.
        """
        steps = params.get("steps")
        named = [step.get("command") for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []
        own = {route.command.name for tool in self.tools.values() for route in tool.routes.values()}
        for command in catalogue:
            if (command.name in named or command.short_name in named) and command.name not in own:
                raise not_offered(command.name)

    def in_own_tools(self, next_step: str) -> str:
        """A next step of ours with the tools of this profile; one that it does not have is told as that."""
        by_command = {
            route.command.name: tool.name for tool in reversed(self.tools.values()) for route in tool.routes.values()
        }
        return _COMMAND.sub(lambda found: by_command.get(found[0], f"{found[1]} (not among these tools)"), next_step)

    def chosen(self, choice: str, catalogue: Catalogue) -> Profile:
        """The profile with the tools of `--tools` only: "all", "core", or group names joined by commas.

        Raises:
            KaptureError: `INVALID_PARAMS`, naming the groups there are; or this is not the canonical profile.
        """
        if choice in ("", "all"):
            return self
        if self.name != CANONICAL:
            raise KaptureError(
                "INVALID_PARAMS",
                f"--tools works only with the profile {CANONICAL}",
                f"{self.name} has exactly its tools",
            )
        commands = chosen_tools(catalogue, choice)
        return replace(self, has_all=False, tools={command.name: self.tools[command.name] for command in commands})


def not_offered(name: str) -> KaptureError:
    """The refusal of a tool that there is, but not in this conversation."""
    return KaptureError("INVALID_PARAMS", f"{name} is not among the tools this client started with")


def chosen_tools(catalogue: Catalogue, choice: str) -> list[Command]:
    """The commands of `--tools`: "all", "core", or group names joined by commas.

    Raises:
        KaptureError: `INVALID_PARAMS`, naming the groups there are.
    """
    if choice in ("", "all"):
        return list(catalogue)
    if choice == "core":
        return [command for command in catalogue if command.core]
    groups = {name.strip() for name in choice.split(",")}
    unknown = groups - catalogue.groups.keys()
    if unknown:
        raise KaptureError(
            "INVALID_PARAMS",
            f"--tools {sorted(unknown)[0]!r} is not one of all, core, {', '.join(catalogue.groups)}",
        )
    return [command for command in catalogue if command.group in groups]
