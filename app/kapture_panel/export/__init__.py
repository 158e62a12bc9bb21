"""What can be made from chosen history rows: data, a recording to look at, scripts to run again."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from kapture_panel.core.basics import private_file
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores.history_row import Row
from kapture_panel.export import json_lines, kapture_script, recording
from kapture_panel.export.playwright import script
from kapture_panel.export.steps import plan

#: Makes the text of a file from rows, oldest first, the folder of the pictures they name, and the catalogue of their
#: commands.
Export = Callable[[Sequence[Row], Path, Catalogue], str]

#: By name: title, suffix of the file, function.
FORMATS: dict[str, tuple[str, str, Export]] = {
    "html": ("Recording (web page)", ".html", recording.page),
    "json": ("JSON", ".json", json_lines.array),
    "jsonl": ("JSON Lines", ".jsonl", json_lines.lines),
    "playwright": ("Playwright script (Python)", ".py", script.script),
    "kapture": ("Kapture script", ".kapture.json", kapture_script.script),
}


#: Those that do something again: they hold only the rows that can be done again.
SCRIPTS = ("playwright", "kapture")


def steps_in(key: str, rows: Sequence[Row], catalogue: Catalogue) -> int | None:
    """How many of `rows` are steps of the export `key`; None when it holds the rows themselves."""
    return len(rows) - len(plan(rows, catalogue).left_out) if key in SCRIPTS else None


def write(path: Path, key: str, rows: Sequence[Row], pictures: Path, catalogue: Catalogue) -> int | None:
    """Write the export `key` of `rows`, oldest first, into a file only its owner can read.

    Returns:
        How many pictures are in it; None when it is of a kind that holds none.

    Raises:
        OSError: the file cannot be written.
    """
    _, _, export = FORMATS[key]
    text = export(rows, pictures, catalogue)
    with os.fdopen(private_file.emptied(path), "w", encoding="utf-8") as file:
        file.write(text)
    return recording.pictures_in(text) if key == "html" else None
