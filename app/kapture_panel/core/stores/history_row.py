"""One row of the history, and its form in the file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Row:
    """One command as it is kept. `state` is running, ok, error, cancelled or unknown; `at` in seconds since 1970;
    `params` are redacted; `ms` is the whole time in the panel; `targets` are the elements it meant, in the order of
    its parameters (see `protocol.Response`); `shot` is the picture it took, `before` and `after` are those the recorder
    took around it: names of files, empty without one."""

    id: int
    at: float
    client: str
    kind: str
    tab_id: str
    site: str
    url: str
    command: str
    params: dict[str, Any]
    state: str = "running"
    code: str = ""
    summary: str = ""
    ms: float | None = None
    effects: dict[str, Any] = field(default_factory=dict)
    shot: str = ""
    targets: list[dict[str, Any]] = field(default_factory=list)
    before: str = ""
    after: str = ""


#: What the file has of a row, in this order.
COLUMNS = tuple(Row.__dataclass_fields__)


def stored(row: Row) -> Iterable[Any]:
    """The values of a row's columns."""
    for name in COLUMNS:
        value = getattr(row, name)
        yield json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value


def loaded(values: tuple[Any, ...]) -> Row:
    """The row of these columns; what is damaged in one is shown as it is, and hides nothing else."""
    fields = dict(zip(COLUMNS, values, strict=True))
    fields["params"] = _object(fields["params"])
    fields["effects"] = _object(fields["effects"])
    fields["targets"] = _list(fields["targets"])
    return Row(**fields)


def _object(stored: Any) -> dict[str, Any]:
    try:
        value = json.loads(stored)
    except (ValueError, TypeError):
        value = None
    return value if isinstance(value, dict) else {"damaged": str(stored)}


def _list(stored: Any) -> list[dict[str, Any]]:
    try:
        value = json.loads(stored)
    except (ValueError, TypeError):
        value = []
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
