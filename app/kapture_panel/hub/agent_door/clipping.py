"""Cuts the values that an error repeats, so that they can still be recognised."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

#: Nothing that was given is repeated beyond this.
MAX_CHARS = 200


def clipped(said: Any, given: Any) -> Any:
    """`said` (JSON) with each text of `given` (JSON) that is longer than `MAX_CHARS` cut wherever it is repeated."""
    long = sorted({text for text in _texts(given) if len(text) > MAX_CHARS}, key=len, reverse=True)
    return _without(said, long) if long else said


def _without(said: Any, long: list[str]) -> Any:
    if isinstance(said, str):
        for text in long:
            for shown in (text, json.dumps(text, ensure_ascii=False)[1:-1], repr(text)[1:-1]):
                said = said.replace(shown, f"{shown[:MAX_CHARS]}… ({len(text)} characters)")
        return said
    if isinstance(said, list):
        return [_without(item, long) for item in said]
    if isinstance(said, dict):
        return {_without(name, long): _without(value, long) for name, value in said.items()}
    return said


def _texts(given: Any) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, list):
        for item in given:
            yield from _texts(item)
    elif isinstance(given, dict):
        for name, value in given.items():
            yield name
            yield from _texts(value)
