"""What one instance keeps stands in its places, and what is too old goes from all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kapture_panel.core.registry.clients import Client
from kapture_panel.core.state import State
from kapture_panel.paths import DataDir
from tests.support.core.fakes import CATALOGUE, World, row


async def test_everything_stands_in_its_place(tmp_path: Path) -> None:
    places = DataDir(tmp_path)
    state = State(CATALOGUE, places, Client("you", "person"))
    state.history.begin(row(), durable=True)
    state.settings.set("theme", "dark")
    state.paired.add("one", "ab" * 32, "Chrome")
    state.pause.hold()
    assert all(path.is_file() for path in (places.history, places.settings, places.paired, places.paused))
    assert all(path.is_dir() for path in (places.screenshots, places.output))
    state.history.close()


async def test_what_was_kept_is_there_again(tmp_path: Path) -> None:
    first = State(CATALOGUE, DataDir(tmp_path), Client("you", "person"))
    first.history.begin(row("navigate"), durable=True)
    first.pause.hold()
    first.history.close()
    second = State(CATALOGUE, DataDir(tmp_path), Client("you", "person"))
    assert [one.command for one in second.history.rows()] == ["navigate"]
    assert second.pause.is_on
    second.history.close()


def test_trimming_asks_every_store_that_grows(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    stores = ("history", "outputs", "recordings", "shots", "upload_copies", "videos")
    for name in stores:
        monkeypatch.setattr(getattr(world.state, name), "trim", lambda name=name: asked.append(name))
    world.state.trim()
    assert sorted(asked) == sorted(stores)


async def test_a_history_that_cannot_be_written_keeps_no_other_store_from_being_trimmed(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Those take the room that a full disk lacks."""
    asked: list[str] = []
    for name in ("outputs", "upload_copies", "videos"):
        monkeypatch.setattr(getattr(world.state, name), "trim", lambda name=name: asked.append(name))
    world.history._db.execute("PRAGMA query_only=ON")
    world.state.trim()
    assert asked == ["outputs", "upload_copies", "videos"]
    assert world.history.trouble is not None
    assert "could not be trimmed" in caplog.text
    world.history._db.execute("PRAGMA query_only=OFF")
