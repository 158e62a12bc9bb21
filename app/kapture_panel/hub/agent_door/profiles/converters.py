"""Named converters: how a profile's values become ours, and ours become a profile's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.errors import KaptureError

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|)")
_UNITS_MS = {"ms": 1, "s": 1000, "m": 60_000, "": 1000}
_REF = re.compile(r"^ *- (?!text\b).*\[ref=e\d+\]", re.MULTILINE)
_KEYS = {
    "ctrl": "Control", "control": "Control", "shift": "Shift", "alt": "Alt", "option": "Alt", "cmd": "Meta",
    "command": "Meta", "meta": "Meta", "win": "Meta", "super": "Meta", "return": "Enter", "enter": "Enter",
    "esc": "Escape", "escape": "Escape", "del": "Delete", "delete": "Delete", "backspace": "Backspace",
    "space": "Space", "spacebar": "Space", "tab": "Tab", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft",
    "right": "ArrowRight", "pageup": "PageUp", "page_up": "PageUp", "pagedown": "PageDown", "page_down": "PageDown",
    "home": "Home", "end": "End",
}  # fmt: skip


def duration(value: Any) -> int:
    """ "15s", "500ms", "2m" or a number of seconds → milliseconds."""
    found = _DURATION.fullmatch(str(value).strip())
    ms = round(float(found[1]) * _UNITS_MS[found[2]]) if found else 0
    if ms < 1:
        raise KaptureError("INVALID_PARAMS", f"{value!r} is not a duration", "give one like 15s or 500ms")
    return ms


def seconds(value: Any) -> int:
    """Seconds → milliseconds."""
    return round(float(value) * 1000)


def whole(value: Any) -> int:
    """A JSON number where we want an integer: 5.0 → 5."""
    if float(value) != int(value):
        raise KaptureError("INVALID_PARAMS", f"a whole number is wanted, not {value}")
    return int(value)


def tab_id(value: Any) -> str:
    """A tab's number → our tabId: the digits of the number to the base 36."""
    number = whole(value)
    digits = ""
    while number > 0:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    if not digits:
        raise KaptureError("TAB_NOT_FOUND", f"no tab has the number {value}", "list the tabs")
    return digits


def tab_number(value: Any) -> int:
    """Our tabId → a number that stays the same over the tab's life, whoever asks."""
    return int(str(value), 36)


def key(value: Any) -> str:
    """Other names of keys and chords → ours: "ctrl+return" → "Control+Enter"."""
    text = str(value)
    if len(text) == 1:
        return text
    names = text.removesuffix("++").split("+") + (["+"] if text.endswith("++") else [])
    return "+".join(_KEYS.get(name.strip().lower(), name) for name in names)


def formatter(value: Any) -> str:
    """Whether to use a site's formatter → which."""
    return "auto" if value else "none"


def host(value: Any) -> str:
    """An address → its host and port."""
    address = str(value)
    return addresses.parts_of(address).netloc.rpartition("@")[2] or address.split("/")[0]


def single(value: Any) -> list[Any]:
    """One value where we want a list."""
    return value if isinstance(value, list) else [value]


def refs(value: Any) -> int:
    """The text of a snapshot → how many elements of it have a ref."""
    return len(_REF.findall(str(value)))


#: What a profile may name, each a function of one value. A wrong value is `INVALID_PARAMS`, or the error it leads to.
CONVERTERS: dict[str, Callable[[Any], Any]] = {
    "duration": duration,
    "seconds": seconds,
    "whole": whole,
    "tabId": tab_id,
    "tabNumber": tab_number,
    "key": key,
    "formatter": formatter,
    "host": host,
    "list": single,
    "refs": refs,
}
