"""What is kept of a command: typed values as their length, secrets in addresses masked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit, urlunsplit

from kapture_panel.core.catalogue import Command

MASK = "***"
MAX_KEPT_CHARS = 2000
_SECRET_KEY = re.compile(r"token|code|key|sig|password|secret|auth", re.IGNORECASE)
# Bounded repetitions: a hostile text must not cost the square of its length.
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{0,30}://[^\s\"'<>]+", re.IGNORECASE)
#: A secret parameter of an address without its scheme and host.
_PAIR = re.compile(rf"([?&#][^\s=&?#]{{0,60}}(?:{_SECRET_KEY.pattern})[^\s=&?#]{{0,60}}=)[^\s&#\"'<>]+", re.IGNORECASE)


def url(address: str) -> str:
    """`address` with its user info and the values of secret query parameters masked."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return MASK
    netloc = parts.netloc
    if "@" in netloc:
        netloc = f"{MASK}@{netloc.rpartition('@')[2]}"
    query = _masked_query(parts.query)
    fragment = _masked_query(parts.fragment) if "=" in parts.fragment else parts.fragment
    return urlunsplit((parts.scheme, netloc, parts.path, query, fragment))


def _masked_query(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    if not any(_SECRET_KEY.search(name) for name, _ in pairs):
        return query
    return "&".join(f"{quote(name)}={MASK if _SECRET_KEY.search(name) else quote(value)}" for name, value in pairs)


def text(value: str) -> str:
    """`value` with every address in it masked and its length bounded."""
    masked = _PAIR.sub(rf"\1{MASK}", _URL.sub(lambda match: url(match.group()), value))
    return masked if len(masked) <= MAX_KEPT_CHARS else masked[: MAX_KEPT_CHARS - 1] + "…"


def params(command: Command, given: dict[str, Any]) -> dict[str, Any]:
    """`given` as history keeps it; a typed value becomes `{"redacted": length}`."""
    return {name: _redacted(command.all_properties.get(name, {}), value) for name, value in given.items()}


def message(command: Command, given: dict[str, Any], said: str) -> str:
    """An error's words as history keeps them: what was typed may stand in them, and is taken out."""
    for name, value in given.items():
        for typed in _typed(command.all_properties.get(name, {}), value):
            for shown in (json.dumps(typed, ensure_ascii=False), json.dumps(typed), typed if len(typed) > 3 else ""):
                said = said.replace(shown, MASK) if shown else said
    return text(said)


def _typed(schema: dict[str, Any], value: Any) -> Iterator[str]:
    if schema.get("typed") and isinstance(value, str) and value:
        yield value
    elif isinstance(value, list) and "items" in schema:
        for item in value:
            yield from _typed(schema["items"], item)
    elif isinstance(value, dict) and "properties" in schema:
        for name, item in value.items():
            yield from _typed(schema["properties"].get(name, {}), item)


def _redacted(schema: dict[str, Any], value: Any) -> Any:
    """`value` with what its schema calls typed reduced to a length, however deep it lies."""
    if schema.get("typed") and isinstance(value, str):
        return {"redacted": len(value)}
    if isinstance(value, list) and "items" in schema:
        return [_redacted(schema["items"], item) for item in value[:100]]
    if isinstance(value, dict) and "properties" in schema:
        return {name: _redacted(schema["properties"].get(name, {}), item) for name, item in value.items()}
    return _kept(value)


def _kept(value: Any) -> Any:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, list):
        return [_kept(item) for item in value[:100]]
    if isinstance(value, dict):
        return {key: _kept(item) for key, item in value.items()}
    return value


def json_value(value: Any) -> Any:
    """Any JSON value with its strings masked and bounded."""
    return _kept(value)
