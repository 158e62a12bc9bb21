"""A history in a file of its own."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from tests.support.core.fakes import row

#: Opens the history, again each time.
Store = Callable[[], History]


def on_disk(file: Path) -> list[tuple[str, str]]:
    """(command, state) as another process sees them."""
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as other:
        return list(other.execute("SELECT command, state FROM commands ORDER BY id"))


def filled(made: History, number: int, **fields: Any) -> list[Row]:
    return [made.begin(row(summary=f"row {index}", state="ok", **fields), durable=True) for index in range(number)]
