"""What a history row holds, in the words of people."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any

from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.catalogue.redaction import is_redacted
from kapture_panel.core.wire.targets import Target

_EFFECTS = (
    ("newTabs", "New tab", ("title", "url", "host")),
    ("dialogs", "Dialog", ("message", "type")),
    ("invalid", "Invalid field", ("field",)),
)
_COUNTS = (("consoleErrors", "Console errors"), ("requests", "Requests"))


def value(given: Any) -> str:
    """A parameter as people say it."""
    if is_redacted(given):
        length = given["redacted"]
        return f"{_count(length, 'character')}, not kept" if isinstance(length, int) else "not kept"
    if isinstance(given, bool):
        return "yes" if given else "no"
    if isinstance(given, dict):
        return ", ".join(f"{name} {value(item)}" for name, item in given.items())
    if isinstance(given, list):
        return "; ".join(map(value, given)) or "none"
    return str(given) if isinstance(given, (str, int, float)) else json.dumps(given)


def element(target: Target) -> str:
    """An element that was meant: button “Pay”; empty when nothing is known of it."""
    return " ".join([target.role, f"“{target.name}”" if target.name else ""]).strip()


def effects(seen: JsonObject) -> list[tuple[str, str]]:
    """What was observed after an action, each effect with its name."""
    said = []
    if seen.get("url"):
        said.append(("Went to", str(seen["url"])))
    elif seen.get("changed"):
        said.append(("Page", "changed" if seen["changed"] is True else "not known"))
    said += [(name.capitalize(), _change(pair)) for name, pair in _dict(seen.get("target")).items()]
    for key, name, fields in _EFFECTS:
        said += [(name, _first(item, fields)) for item in _list(seen.get(key))]
    for item in _list(seen.get("downloads")):
        said.append(("Download", PurePath(_first(item, ("path", "file", "name", "url"))).name))
    said += [("Under way", str(address)) for address in _list(seen.get("pending"))]
    for key, name in _COUNTS:
        number = seen.get(key)
        amount = len(number) if isinstance(number, list) else number
        if isinstance(amount, int) and amount:
            said.append((name, f"{amount:,}"))
    return said


def _first(item: Any, fields: tuple[str, ...]) -> str:
    if isinstance(item, dict):
        return next((str(item[name]) for name in fields if item.get(name)), value(item))
    return value(item)


def _change(pair: Any) -> str:
    """What a state was, and is: "no → yes"."""
    return " → ".join("nothing" if one is None else value(one) for one in _list(pair))


def _dict(given: Any) -> JsonObject:
    return given if isinstance(given, dict) else {}


def _list(given: Any) -> list[Any]:
    return given if isinstance(given, list) else []


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
