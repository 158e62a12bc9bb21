"""History rows as JSON: one array, or one object per line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from kapture_panel.core.basics import plain
from kapture_panel.core.stores.history_row import Row


def array(rows: Sequence[Row], _pictures: Path) -> str:
    """All rows as one JSON array."""
    return plain.json_text([asdict(row) for row in rows], indent=1)


def lines(rows: Sequence[Row], _pictures: Path) -> str:
    """Each row as a JSON object on a line of its own."""
    return "".join(f"{plain.json_text(asdict(row))}\n" for row in rows)
