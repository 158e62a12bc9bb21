"""Every core test runs without Qt and finds the same examples each time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.core.fakes import World

settings.register_profile("kapture", derandomize=True, deadline=None, database=None)
settings.load_profile("kapture")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.history.close()
