"""What a history row holds, in the words of people."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any

from kapture_panel.core.catalogue.redaction import is_redacted

_EFFECTS = (("newTabs", "New tab", ("title", "url")), ("dialogs", "Dialog", ("message", "type")))
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


def element(target: dict[str, Any]) -> str:
    """An element that was meant: button “Pay”; empty when nothing is known of it."""
    name = target.get("name")
    return " ".join([str(target.get("role") or ""), f"“{name}”" if name else ""]).strip()


def effects(seen: dict[str, Any]) -> list[tuple[str, str]]:
    """What was observed after an action, each effect with its name."""
    said = []
    if seen.get("url"):
        said.append(("Went to", str(seen["url"])))
    elif seen.get("changed"):
        said.append(("Page", "changed"))
    for key, name, fields in _EFFECTS:
        said += [(name, _first(item, fields)) for item in _list(seen.get(key))]
    for item in _list(seen.get("downloads")):
        said.append(("Download", PurePath(_first(item, ("path", "file", "name", "url"))).name))
    for key, name in _COUNTS:
        number = seen.get(key)
        amount = len(number) if isinstance(number, list) else number
        if isinstance(amount, int) and amount:
            said.append((name, f"{amount:,}"))
    return said


def error(message: str) -> tuple[str, str]:
    """What went wrong, and the next step; our messages put it behind a semicolon."""
    what, _, step = message.partition("; ")
    return what, step


def _first(item: Any, fields: tuple[str, ...]) -> str:
    if isinstance(item, dict):
        return next((str(item[name]) for name in fields if item.get(name)), value(item))
    return value(item)


def _list(given: Any) -> list[Any]:
    return given if isinstance(given, list) else []


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
