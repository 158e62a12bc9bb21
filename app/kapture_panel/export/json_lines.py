"""History rows as JSON: one array, or one object per line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kapture_panel.core.basics import sanitize
from kapture_panel.core.catalogue.catalogue import Catalogue
from kapture_panel.core.stores.history_row import Row, exported


def array(rows: Sequence[Row], _pictures: Path, _catalogue: Catalogue) -> str:
    """All rows as one JSON array."""
    return sanitize.json_text([exported(row) for row in rows], indent=1)


def lines(rows: Sequence[Row], _pictures: Path, _catalogue: Catalogue) -> str:
    """Each row as a JSON object on a line of its own."""
    return "".join(f"{sanitize.json_text(exported(row))}\n" for row in rows)
