"""Rows that share one page of one test: a failure names its row."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def naming(*row: object) -> Iterator[None]:
    """Say in an error from within which row it was."""
    try:
        yield
    except Exception as error:
        error.add_note(f"in the row {' · '.join(map(repr, row))}")
        raise
