"""A Kapture script: chosen rows as a JSON file that `kapture run` does again, without a model.

The file: `{"version", "parameters": {NAME: {"label", "length", "secret"}}, "steps": [{"command", "params", "tab",
"opens", "dialog"}], "leftOut": [{"command", "why"}]}`; a step's `params` hold `{"parameter": NAME}` for what is given
when it is run. `tab` and `opens` are labels; see `steps.Step`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kapture_panel.core.basics import plain
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores.history_row import Row
from kapture_panel.export.steps import Parameter, Step, plan

VERSION = 1


def script(rows: Sequence[Row], _pictures: Path) -> str:
    """The script that does again what `rows`, oldest first, did."""
    planned = plan(rows)
    return plain.json_text(
        {
            "version": VERSION,
            "parameters": {parameter.name: _described(parameter) for parameter in planned.parameters},
            "steps": [_step(step) for step in planned.steps],
            "leftOut": [{"command": item.row.command, "why": item.why} for item in planned.left_out],
        },
        indent=2,
    )


def _described(parameter: Parameter) -> dict[str, Any]:
    length = {} if parameter.length is None else {"length": parameter.length}
    return {"label": parameter.label, **length, **({"secret": True} if parameter.secret else {})}


def _step(step: Step) -> dict[str, Any]:
    marks = {"tab": step.tab, "opens": step.opens, "dialog": step.dialog}
    return {"command": step.command, "params": step.params, **{name: mark for name, mark in marks.items() if mark}}


class Script:
    """A script that was read.

    Args:
        text: the file's text.
        name: what the errors call it.

    Raises:
        KaptureError: `INVALID_PARAMS`, saying where the file is wrong.
    """

    def __init__(self, text: str, name: str, catalogue: Catalogue) -> None:
        self._name = name
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._wrong(f"is not JSON: {error}") from None
        if not isinstance(content, dict) or not isinstance(content.get("steps"), list):
            raise self._wrong("is no Kapture script; one is made with: kapture export --format kapture")
        if content.get("version") != VERSION:
            raise self._wrong(f"has the version {content.get('version')!r}, {VERSION} is known here; export it again")
        parameters = content.get("parameters", {})
        if not isinstance(parameters, dict) or not all(isinstance(one, dict) for one in parameters.values()):
            raise self._wrong("has parameters that are no objects")
        self.parameters: dict[str, dict[str, Any]] = parameters
        self.steps = [self._read(number, step) for number, step in enumerate(content["steps"], 1)]
        self._check(catalogue)

    def _read(self, number: int, step: Any) -> Step:
        texts = ("command", "tab", "opens")
        if (
            not isinstance(step, dict)
            or not isinstance(step.get("params", {}), dict)
            or not all(isinstance(step.get(name, ""), str) for name in texts)
            or not step.get("command")
        ):
            raise self._wrong(f"has a step {number} that is no object with a command and params")
        command, tab, opens = (step.get(name, "") for name in texts)
        return Step(command, step.get("params", {}), tab, opens, bool(step.get("dialog")))

    def _check(self, catalogue: Catalogue) -> None:
        open_tabs: set[str] = set()
        for number, step in enumerate(self.steps, 1):
            try:
                catalogue.get(step.command).validate(filled(step.params, dict.fromkeys(self.parameters, "a")))
            except KaptureError as error:
                raise self._wrong(f"is wrong in step {number}: {error.message}") from None
            if step.tab and step.tab not in open_tabs:
                raise self._wrong(f"is wrong in step {number}: no step before it opens the tab {step.tab!r}")
            open_tabs.add(step.opens)

    def missing(self, values: dict[str, str]) -> list[str]:
        """The parameters `values` do not give."""
        return [name for name in self.parameters if name not in values]

    def _wrong(self, what: str) -> KaptureError:
        return KaptureError("INVALID_PARAMS", f"{self._name} {what}")


def filled(value: Any, values: dict[str, str]) -> Any:
    """`value` with each `{"parameter": NAME}` replaced.

    Raises:
        KaptureError: `INVALID_PARAMS` for one that is not declared.
    """
    if isinstance(value, dict):
        if value.keys() == {"parameter"}:
            if value["parameter"] not in values:
                raise KaptureError("INVALID_PARAMS", f"the parameter {value['parameter']!r} is not declared")
            return values[value["parameter"]]
        return {name: filled(item, values) for name, item in value.items()}
    if isinstance(value, list):
        return [filled(item, values) for item in value]
    return value
