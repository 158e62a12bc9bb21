"""An answer in lines for people: `name: value`, what is inside indented below."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from kapture_panel.core.basics.free_json import JsonObject


def of_answer(told: JsonObject) -> str:
    """The text of an answer's JSON: what came of it, the result, its effects."""
    left = dict(told)
    first = [str(left.pop("outcome"))] if "outcome" in left else []
    return "\n".join([*first, *_lines(left)])


def of_value(value: Any) -> str:
    """What code gave: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def _lines(told: JsonObject) -> Iterator[str]:
    for name, value in told.items():
        if isinstance(value, dict) and value:
            yield f"{name}:"
            yield from _indented(_lines(value))
        elif isinstance(value, list) and value:
            yield from _of_list(name, value)
        else:
            yield from _named(name, value)


def _of_list(name: str, values: list[Any]) -> Iterator[str]:
    if not any(isinstance(one, (dict, list)) for one in values):
        shown = list(map(_scalar, values))
        if not any("," in one or "\n" in one for one in shown):
            yield f"{name}: {', '.join(shown)}"
            return
    yield f"{name}:"
    for one in values:
        inside = list(_lines(one)) if isinstance(one, dict) else _scalar(one).split("\n")
        first, *more = [_in_one_line(one)] if isinstance(one, dict) and _is_flat(one) else inside or ["{}"]
        yield f"  - {first}"
        yield from (f"    {line}" for line in more)


def _is_flat(told: JsonObject) -> bool:
    """Whether an object is one line: an element, a tab, a request."""
    return bool(told) and not any(isinstance(value, (dict, list)) or "\n" in _scalar(value) for value in told.values())


def _in_one_line(told: JsonObject) -> str:
    return "  ".join(f"{name}: {_scalar(value)}" for name, value in told.items())


def _named(name: str, value: Any) -> Iterator[str]:
    first, *more = _scalar(value).split("\n")
    if not more:
        yield f"{name}: {first}".rstrip()
        return
    yield f"{name}:"
    yield from _indented((first, *more))


def _indented(lines: Any) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "none" if value in ({}, []) else json.dumps(value, ensure_ascii=False)
