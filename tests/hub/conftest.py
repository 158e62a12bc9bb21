"""Instances of the hub's parts over a data directory and a run-time folder that are gone afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from kapture_panel import door
from tests.support.core.fakes import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.history.close()


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of sockets, one of our own and not made yet; a short path, for sockets have at most 108 bytes."""
    monkeypatch.delenv("KAPTURE_DOOR", raising=False)
    with tempfile.TemporaryDirectory(prefix="kp-") as parent:
        folder = Path(parent, "run")
        monkeypatch.setattr(door, "runtime_dir", lambda: str(folder))
        yield folder


@pytest.fixture
async def ending() -> AsyncIterator[AsyncExitStack]:
    """What a test opens and wants closed at its end, last first."""
    async with AsyncExitStack() as stack:
        yield stack
