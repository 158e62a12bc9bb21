"""A Kapture script: chosen rows as a JSON file that `kapture run` does again, without a model.

The file: `{"version", "parameters": {NAME: {"label", "length", "secret"}}, "steps": [{"command", "params", "tab",
"opens", "dialog", "outcome"}], "leftOut": [{"command", "why"}]}`; a step's `params` hold `{"parameter": NAME}` for what
is given when it is run. `tab` and `opens` are labels; see `steps.Step`. `outcome` is what the step came to when it was
recorded; it has to come to the same again, or to more, unless the file does not say it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from kapture_panel.core.basics import sanitize
from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.basics.free_json import Params
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores.history_row import Row
from kapture_panel.export.steps import Step, plan

VERSION = 1


class Described(msgspec.Struct, omit_defaults=True):
    """A value that is given when the script is run; `length` in characters, None when that is not known."""

    label: str = ""
    length: int | None = None
    secret: bool = False


class Written(msgspec.Struct, omit_defaults=True):
    """A step as the file has it, see `steps.Step`."""

    command: str
    params: Params = {}  # msgspec copies it per instance
    tab: str = ""
    opens: str = ""
    dialog: bool = False
    outcome: str = ""


class Omitted(msgspec.Struct):
    """A row that is not a step."""

    command: str
    why: str


class Content(msgspec.Struct):
    """The file."""

    version: int
    steps: list[Written]
    parameters: dict[str, Described] = {}
    leftOut: list[Omitted] = []


def script(rows: Sequence[Row], _pictures: Path, catalogue: Catalogue) -> str:
    """The script that does again what `rows`, oldest first, did."""
    planned = plan(rows, catalogue)
    content = Content(
        VERSION,
        [Written(step.command, step.params, step.tab, step.opens, step.dialog, step.outcome) for step in planned.steps],
        {one.name: Described(one.label, one.length, one.secret) for one in planned.parameters},
        [Omitted(item.row.command, item.why) for item in planned.left_out],
    )
    return sanitize.json_text(msgspec.to_builtins(content), indent=2)


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
        content = self._read(text)
        self.parameters = content.parameters
        self.steps = [
            Step(one.command, one.params, one.tab, one.opens, one.dialog, one.outcome) for one in content.steps
        ]
        self._check(catalogue)

    def _read(self, text: str) -> Content:
        made_with = "one is made with: kapture export --format kapture"
        try:
            said = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._wrong(f"is not JSON: {error}") from None
        version = said.get("version") if isinstance(said, dict) else VERSION
        if version != VERSION:
            raise self._wrong(f"has the version {version!r}, {VERSION} is known here", "export it again")
        try:
            return msgspec.convert(said, Content)
        except msgspec.ValidationError as error:
            raise self._wrong(f"is not a Kapture script: {error}", made_with) from None

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

    def _wrong(self, what: str, next_step: str = "") -> KaptureError:
        return KaptureError("INVALID_PARAMS", f"{self._name} {what}", next_step)


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
