"""What can be made of chosen history rows: data, a recording to look at, scripts to run again."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from kapture_panel.core.stores.history_row import Row
from kapture_panel.export import json_lines, kapture_script, playwright, recording
from kapture_panel.export.steps import plan

#: Makes the text of a file from rows, oldest first, and the folder of the pictures they name.
Export = Callable[[Sequence[Row], Path], str]

#: By name: title, suffix of the file, function.
FORMATS: dict[str, tuple[str, str, Export]] = {
    "json": ("JSON", ".json", json_lines.array),
    "jsonl": ("JSON Lines", ".jsonl", json_lines.lines),
    "html": ("Recording with pictures (web page)", ".html", recording.page),
    "playwright": ("Playwright script (Python)", ".py", playwright.script),
    "kapture": ("Kapture script", ".kapture.json", kapture_script.script),
}


#: Those that do something again: they hold only the rows that can be done again.
SCRIPTS = ("playwright", "kapture")


def steps_in(key: str, rows: Sequence[Row]) -> int | None:
    """How many of `rows` are steps of the export `key`; None when it holds the rows themselves."""
    return len(rows) - len(plan(rows).left_out) if key in SCRIPTS else None


def write(path: Path, key: str, rows: Sequence[Row], pictures: Path) -> None:
    """Write the export `key` of `rows`, oldest first, into a file only its owner can read.

    Raises:
        OSError: the file cannot be written.
    """
    _, _, export = FORMATS[key]
    text = export(rows, pictures)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
