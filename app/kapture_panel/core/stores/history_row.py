"""One row of the history, and its form in the file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import msgspec

from kapture_panel.core.basics.errors import in_one_line
from kapture_panel.core.basics.free_json import JsonObject, Params
from kapture_panel.core.wire.targets import Target


@dataclass
class Row:
    """One command as it is kept. `state` is running, ok, error, cancelled or unknown; `at` in seconds since 1970;
    `params` are redacted; `ms` is the time in the panel without `waited_ms`, in which a person was asked; `targets` are
    the elements it meant, in the order of its parameters (see `protocol.Response`); `shot` is the picture it took,
    `before` and `after` are those the recorder took around it: names of files, empty without one; `summary` says what
    came of it, of a failure what went wrong, and `next_step` what can be done about that; `outcome` is what an action
    came to (`wire/outcome.py`); `frame` is the id it was sent under, as long as the extension may be asked what became
    of it; `place` is where its browser was, empty for this machine."""

    id: int
    at: float
    client: str
    kind: str
    tab_id: str
    site: str
    url: str
    command: str
    params: Params
    state: str = "running"
    code: str = ""
    summary: str = ""
    ms: float | None = None
    effects: JsonObject = field(default_factory=dict)
    shot: str = ""
    targets: list[Target] = field(default_factory=list)
    before: str = ""
    after: str = ""
    next_step: str = ""
    outcome: str = ""
    frame: str = ""
    place: str = ""
    waited_ms: int = 0

    @property
    def ended_at(self) -> float:
        """When it came to its end, in seconds since 1970; of one that goes on, when it began."""
        return self.at + ((self.ms or 0) + self.waited_ms) / 1000

    @property
    def said(self) -> str:
        """What came of it, in one line."""
        return in_one_line(self.summary, self.next_step)


#: What the file has of a row, in this order.
COLUMNS = tuple(Row.__dataclass_fields__)


def exported(row: Row) -> JsonObject:
    """The row as JSON for people and programs, what came of it in one line."""
    fields: JsonObject = {**msgspec.to_builtins(row), "summary": row.said}
    del fields["next_step"], fields["frame"]
    return fields


_columns_of = attrgetter(*COLUMNS)
_JSON_AT = tuple(COLUMNS.index(name) for name in ("params", "effects", "targets"))
# Made once: `json.dumps` makes another for each call that wants more than its defaults.
_as_json = json.JSONEncoder(ensure_ascii=False).encode


def stored(row: Row) -> list[Any]:
    """The values of a row's columns. A call has its row written twice, so each step here counts."""
    values = list(_columns_of(row))
    for at in _JSON_AT:
        values[at] = _as_json(msgspec.to_builtins(values[at]))
    return values


def encodable(values: list[Any]) -> list[Any]:
    """The values with a "?" for what is no character, such as a byte of a file's name that is no text."""
    return [value.encode("utf-8", "replace").decode() if isinstance(value, str) else value for value in values]


def loaded(values: tuple[Any, ...]) -> Row:
    """The row of these columns; what is damaged in one is shown as it is, and hides nothing else."""
    fields = dict(zip(COLUMNS, values, strict=True))
    fields["params"] = _object(fields["params"])
    fields["effects"] = _object(fields["effects"])
    fields["targets"] = _targets(fields["targets"])
    return Row(**fields)


def _object(stored: Any) -> JsonObject:
    try:
        value = json.loads(stored)
    except (ValueError, TypeError):
        value = None
    return value if isinstance(value, dict) else {"damaged": str(stored)}


def _targets(stored: Any) -> list[Target]:
    try:
        return msgspec.convert(json.loads(stored), list[Target])
    except (ValueError, TypeError):
        return []
