"""`kapture run`: repeats a Kapture script through the running panel, step by step, without a model."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from kapture_panel import door, paths
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.export.kapture_script import Described, Script, filled
from kapture_panel.export.steps import Step
from kapture_panel.hub.agent_door.door_client import DoorClient
from kapture_panel.programs import terminal

#: Parameters that name an element → what `wait` calls them.
_ELEMENTS = {"selector": "selector", "xpath": "xpath", "toSelector": "selector", "toXpath": "xpath"}

#: Outcomes from the least to the most, and in words.
_SAID = {
    "no_effect": "no effect was seen",
    "done": "an effect was seen",
    "confirmed": "the page confirmed what it did",
}
_RANKS = tuple(_SAID)


class CameToLess(Exception):
    """A step did less than when it was recorded."""


def run(options: argparse.Namespace) -> int:
    """Run the script, or only check it. Exit code 1 at the first step that fails, 3 without a panel."""
    script = _read(options.file)
    values = _given(options.parameters, script, options.file)
    if options.check:
        needed = f"; parameters: {', '.join(script.parameters)}" if script.parameters else ""
        terminal.say(f"{options.file} is a Kapture script of {len(script.steps)} steps{needed}")
        return 0
    _ask_for_secrets(script, values)
    if missing := script.missing(values):
        listed = ", ".join(_in_words(name, script.parameters[name]) for name in missing)
        raise KaptureError("INVALID_PARAMS", f"missing parameters: {listed}", "give each as name=value")
    with DoorClient(Path(door.data_dir(options.data_dir)), {"role": "call"}) as panel:
        runner = Runner(panel)
        for number, step in enumerate(script.steps, 1):
            where = f"{number}/{len(script.steps)}  {step.command}"
            try:
                took_ms = runner.do(step, filled(step.params, values))
            except KaptureError as error:
                terminal.say(f"{where}  failed", flush=True)
                if error.code == "PANEL_DOWN":
                    raise
                terminal.complain(f"kapture: step {number} ({step.command}): {error.code}: {error.message}")
                return 1
            except CameToLess as error:
                terminal.say(f"{where}  failed", flush=True)
                terminal.complain(f"kapture: step {number} ({step.command}): {error}")
                return 1
            terminal.say(f"{where}  {took_ms:.0f} ms", flush=True)
    return 0


class Runner:
    """Does steps one after the other; knows which tab each label means."""

    def __init__(self, panel: DoorClient) -> None:
        self._panel = panel
        self._tabs: dict[str, str] = {}
        #: Whether the person has read here that the step waits for them.
        self._has_told = False

    def do(self, step: Step, params: Params) -> float:
        """Do one step, waiting first for the elements it names: nobody looks at the page in between.

        Returns:
            What the command itself took, in ms.

        Raises:
            KaptureError: it failed.
            CameToLess: it did less than when it was recorded.
        """
        self._has_told = False
        tab = {"tabId": self._tabs[step.tab]} if step.tab else {}
        if step.command != "wait":
            patience = {"timeout": params["timeout"]} if "timeout" in params else {}
            for element in _elements(params):
                self._ask("wait", {**element, **patience, **tab, "state": "attached"})
        try:
            answer = self._ask(step.command, {**params, **tab})
        except KaptureError as error:
            if step.dialog and error.code == "DIALOG_OPEN":
                return 0.0  # the dialog that the next step answers came while this one waited, as it did then
            raise
        _compare(step, (answer.get("outcome") or {}).get("outcome", ""))
        if step.opens:
            self._tabs[step.opens] = _opened(step, answer)
        return float(answer.get("ms", 0.0))

    def _ask(self, command: str, params: Params) -> JsonObject:
        """Give a command; as long as the person has not answered a question about it, the same call joins it again."""
        while True:
            try:
                return self._panel.ask({"command": command, "params": params})
            except KaptureError as error:
                if error.code != "APPROVAL_PENDING":
                    raise
                if not self._has_told:
                    self._has_told = True
                    terminal.complain("kapture: the panel's window asks you about this step; the run waits there")


def _compare(step: Step, outcome: str) -> None:
    """Compare what a step came to with what it came to when it was recorded; what nobody could tell is not compared.

    Raises:
        CameToLess: it did less.
    """
    if outcome in _RANKS and step.outcome in _RANKS and _RANKS.index(outcome) < _RANKS.index(step.outcome):
        raise CameToLess(f"{_SAID[outcome]}; when it was recorded, {_SAID[step.outcome]}")


def _opened(step: Step, answer: JsonObject) -> str:
    """The tabId of the tab that came of a step."""
    if step.command == "new_tab":
        return str(answer["tabId"])
    tabs = (answer.get("effects") or {}).get("newTabs") or []
    if not tabs or not tabs[0].get("tabId"):
        raise KaptureError("TAB_NOT_FOUND", "it opened no tab, as it did when it was recorded", "look at the page")
    return str(tabs[0]["tabId"])


def _elements(params: Params) -> Iterator[Params]:
    for name, waited in _ELEMENTS.items():
        if name in params:
            yield {waited: params[name]}
    for field in params.get("fields") or []:
        yield from _elements(field)


def _read(file: Path) -> Script:
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise KaptureError("INVALID_PARAMS", f"{file} is not text in UTF-8") from None
    except OSError as error:
        raise KaptureError("FILE_NOT_FOUND", f"{file} cannot be read: {error.strerror}") from None
    return Script(text, str(file), Catalogue(paths.catalogue()))


def _given(parameters: list[str], script: Script, file: Path) -> dict[str, str]:
    values = {}
    for text in parameters:
        name, equals, value = text.partition("=")
        if not equals:
            raise KaptureError("INVALID_PARAMS", f"{text!r} is not name=value")
        if name not in script.parameters:
            known = ", ".join(script.parameters) or "none"
            raise KaptureError("INVALID_PARAMS", f"{file} has no parameter {name!r}", f"it has {known}")
        values[name] = value
    return values


def _ask_for_secrets(script: Script, values: dict[str, str]) -> None:
    """A secret on a command line is seen by every process of the machine: at a terminal it is asked for."""
    if not sys.stdin.isatty():
        return
    for name in script.missing(values):
        if script.parameters[name].secret:
            values[name] = terminal.ask_secret(f"{_in_words(name, script.parameters[name])}: ")


def _in_words(name: str, described: Described) -> str:
    facts = [json.dumps(described.label or name, ensure_ascii=False)]
    if described.length is not None:
        facts.append(f"{described.length} characters")
    if described.secret:
        facts.append("secret")
    return f"{name} ({', '.join(facts)})"
