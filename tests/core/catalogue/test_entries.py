"""What the file of commands may say: a word no entry knows is refused with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kapture_panel import paths
from kapture_panel.core.catalogue import entries

SOURCE = json.loads(paths.catalogue().read_text(encoding="utf-8"))


def navigate(declared: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in declared["commands"] if one["name"] == "kapturemcp_navigate")
    return found


def read(folder: Path, change: Callable[[dict[str, Any]], object]) -> entries.Declared:
    declared = json.loads(json.dumps(SOURCE))
    change(declared)
    path = folder / "commands.json"
    path.write_text(json.dumps(declared), encoding="utf-8")
    return entries.read(path)


def test_all_that_is_declared_is_read(tmp_path: Path) -> None:
    declared = read(tmp_path, lambda _declared: None)
    assert [entry.name for entry in declared.commands] == [entry["name"] for entry in SOURCE["commands"]]
    entry = next(entry for entry in declared.commands if entry.name == "kapturemcp_navigate")
    written = navigate(SOURCE)
    assert (entry.klass, entry.opens_browser, entry.core) == ("navigate", True, True)
    assert entry.input_schema.properties == written["inputSchema"]["properties"]
    assert entry.input_schema.required == ("url",)


WRONG: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a mark": (lambda declared: navigate(declared).update(pagetext=True), "unknown field `pagetext`"),
    "a class": (lambda declared: navigate(declared).update({"class": "reads"}), "'reads'"),
    "nothing where something is needed": (lambda declared: navigate(declared).pop("icon"), "missing required.*`icon`"),
    "a word of a schema": (
        lambda declared: navigate(declared)["inputSchema"]["properties"]["url"].update(minlength=1),
        "unknown field `minlength`",
    ),
    "unknown parameters": (
        lambda declared: navigate(declared)["inputSchema"].update(additionalProperties=True),
        "additionalProperties",
    ),
    "choices": (lambda declared: navigate(declared).update(choices={"oneOf": []}), "unknown field `oneOf`"),
    "a part of the file": (lambda declared: declared.update(version=2), "unknown field `version`"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_nobody_reads_is_refused(what: str, tmp_path: Path) -> None:
    change, words = WRONG[what]
    with pytest.raises(msgspec.ValidationError, match=words):
        read(tmp_path, change)
