"""History rows as JSON: one array, or one object per line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from kapture_panel.core.history import Row


def array(rows: Sequence[Row], _pictures: Path) -> str:
    """All rows as one JSON array."""
    return json.dumps([asdict(row) for row in rows], indent=1, ensure_ascii=False)


def lines(rows: Sequence[Row], _pictures: Path) -> str:
    """Each row as a JSON object on a line of its own."""
    return "".join(f"{json.dumps(asdict(row), ensure_ascii=False)}\n" for row in rows)
