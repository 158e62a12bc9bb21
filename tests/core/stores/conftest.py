"""The history's file, and who opens it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from kapture_panel.core.stores.history import History
from tests.support.core.history_store import Store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    """Opens the history; each is closed at the end."""
    with contextlib.ExitStack() as ending:

        def opened() -> History:
            made = History(file)
            ending.callback(made.close)
            return made

        yield opened
