"""What somebody wants in words: the catalogue's verb phrase of a command, with what it is about filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from kapture_panel.core.basics import addresses
from kapture_panel.core.catalogue.catalogue import Command

_PLACE = re.compile(r"\{(\w+)\}")
_MAX_CHARS = 80


def wish(command: Command, params: Mapping[str, Any]) -> str:
    """What whoever gives the command wants, after "wants to": "send the file invoice.pdf".

    What a parameter says comes from an agent: whoever shows it makes it harmless first.
    """
    phrase = next(
        (schema["wants"] for name, schema in command.properties.items() if name in params and "wants" in schema),
        command.wants,
    )
    return _PLACE.sub(lambda place: _said(place[1], params.get(place[1])), phrase)


def placeholders(phrase: str) -> list[str]:
    """The parameters a phrase tells of."""
    return _PLACE.findall(phrase)


def _said(name: str, value: Any) -> str:
    if name == "url":
        address = addresses.as_browsed(str(value or ""))
        if scheme := addresses.foreign(address):
            return f"a {_short(scheme)}: address"
        start, end = addresses.host_in(address)
        return _short(address[start:end] or address or "a blank page")
    paths = value if isinstance(value, list) else [value or ""]
    if len(paths) == 1:
        return f"the file {_short(PurePath(str(paths[0])).name)}"
    return f"{len(paths)} files" if paths else "no file"


def _short(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else f"{text[: _MAX_CHARS - 1]}…"
