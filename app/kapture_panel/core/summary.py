"""One line that says what a command did, for history rows and the window."""

from __future__ import annotations

import json
import re
from typing import Any

from kapture_panel.core.answer import Answer
from kapture_panel.core.basics import addresses
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.catalogue import redaction
from kapture_panel.core.wire.outcome import Confirmed, Outcome, Unverifiable

#: How each step begins in the text a batch answers.
_STEP = re.compile(r"^\d+\. ", re.MULTILINE)
#: Of the numbers of a result that are shown with their name.
_UNITS = {"waited": " ms"}


def of(answer: Answer) -> str:
    """What `answer` says, in at most a line."""
    if answer.shot is not None:
        return f"{answer.shot.width} × {answer.shot.height} {answer.result['format']}"
    if answer.image is not None:
        return f"{answer.result['width']} × {answer.result['height']} of {answer.result['path']}"
    if answer.command.composite:
        # What each step answered may repeat what it was given; the steps are rows of their own.
        return _count(len(_STEP.findall(str(answer.result))), "step")
    if answer.effects is not None:
        fetched = f"sha256 {answer.result['sha256']} · " if _has_hash(answer.result) else ""
        return fetched + effects(answer.effects.as_json()) + _outcome(answer.outcome)
    if answer.command.klass == "execute":
        return _shape(answer.result)
    return value(answer.result)


def _shape(result: Any) -> str:
    """What code came to, without its words: it can read any field of the page, one for a password, too."""
    found = result.get("value", result) if isinstance(result, dict) else result
    if isinstance(found, str):
        return f"text of {_count(len(found), 'character')}"
    if isinstance(found, dict):
        return _count(len(found), "field")
    if isinstance(found, list):
        return _count(len(found), "item")
    return json.dumps(found) if found is None or isinstance(found, bool) else "a number"


def _outcome(known: Outcome | None) -> str:
    """The word the effects do not say already."""
    if isinstance(known, Unverifiable):
        return f" · unverifiable: {known.reason}"
    return " · confirmed" if isinstance(known, Confirmed) else ""


def _has_hash(result: Any) -> bool:
    return isinstance(result, dict) and "sha256" in result


_LISTED = (("newTabs", "new tab"), ("dialogs", "dialog"), ("downloads", "download"), ("invalid", "invalid field"))


def effects(seen: JsonObject) -> str:
    """The observed effects of an action in words: "navigated to /thanks · 1 console error · 3 requests"."""
    parts = []
    if seen.get("url"):
        address = addresses.parts_of(seen["url"])
        parts.append(f"navigated to {address.path or '/'}{'?' + address.query if address.query else ''}")
    for key, word in _LISTED:
        if seen.get(key):
            parts.append(_count(len(seen[key]), word))
    for key, word in (("consoleErrors", "console error"), ("requests", "request")):
        number = seen.get(key) or 0
        if number:
            parts.append(_count(number if isinstance(number, int) else len(number), word))
    parts += [_program(program) for program in seen.get("programs") or []]
    if seen.get("pending"):
        parts.append(f"{len(seen['pending'])} under way")
    if seen.get("changed") is True and not seen.get("url"):
        parts.append("page changed")
    return " · ".join(parts) or ("effect unknown" if seen.get("changed") == "unknown" else "no observable effect")


def _program(program: JsonObject) -> str:
    """What became of an address that another program opens; of the address its kind, for the rest may be a message."""
    scheme, colon, _ = str(program["url"]).partition(":")
    address = f"a {scheme}: address" if colon else "an address"
    return f"{'kept back' if program['kept'] else 'handed over'} {address} for another program"


def value(result: Any) -> str:
    """A JSON value in a few words."""
    if isinstance(result, dict):
        for key in ("value", "url", "text"):
            if key in result:
                return value(result[key])
        lists = [(key, item) for key, item in result.items() if isinstance(item, list)]
        if len(lists) == 1:
            return _count(len(lists[0][1]), lists[0][0].rstrip("s"))
        facts = [(key, item) for key, item in result.items() if not isinstance(item, (dict, list))]
        return ", ".join(f"{key} {item}{_UNITS.get(key, '')}" for key, item in facts)[:200]
    if isinstance(result, list):
        return _count(len(result), "item")
    text = str(result).strip()
    first, _, rest = text.partition("\n")
    # Masked before it is cut: half an address cannot be told from one without secrets.
    first = redaction.text(first)
    return f"{first[:160]} …" if rest or len(first) > 160 else first


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
