"""Small JSON files that only their owner reads."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from kapture_panel.core.basics import private_file


def test_what_is_written_is_read_and_nobody_else_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    private_file.write(path, {"a": [1, "ü"]})
    assert path.stat().st_mode & 0o777 == 0o600
    assert private_file.read(path, "it", dict) == ({"a": [1, "ü"]}, "")
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_no_file_is_no_value_and_no_damage(tmp_path: Path) -> None:
    assert private_file.read(tmp_path / "a.json", "it", dict) == (None, "")


@pytest.mark.parametrize("text", ["{", "[1]", "", "\x00", '{"a": NaN'])
def test_a_damaged_file_is_moved_aside_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with caplog.at_level(logging.WARNING):
        value, warning = private_file.read(path, "the rules", lambda kept: kept["a"])
    assert value is None
    assert warning.startswith("the rules could not be read")
    assert warning in caplog.text
    assert not path.exists()
    assert (tmp_path / "a.damaged.json").read_text() == text


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    private_file.write(path, 1)
    (tmp_path / "a.new").mkdir()
    with pytest.raises(OSError, match=r"a\.new"):
        private_file.write(path, 2)
    assert private_file.read(path, "it", int) == (1, "")


def test_what_is_written_is_on_the_disk_before_it_takes_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    private_file.write(path, "old")
    synced: list[tuple[str, str]] = []
    fsync = os.fsync

    def noting(descriptor: int) -> None:
        fsync(descriptor)
        what = "folder" if os.fstat(descriptor).st_ino == tmp_path.stat().st_ino else "file"
        whole = (tmp_path / "a.new").read_text() if what == "file" else ""
        synced.append((what + whole, path.read_text()))

    monkeypatch.setattr(os, "fsync", noting)
    private_file.write(path, "new")
    assert synced == [('file"new"', '"old"'), ("folder", '"new"')]


def test_a_file_is_emptied_or_made_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for words in ("longer words", "words"):
        with os.fdopen(private_file.emptied(path), "w") as file:
            file.write(words)
    assert path.read_text() == "words"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_new_file_takes_the_place_of_none(tmp_path: Path) -> None:
    path = tmp_path / "picture"
    os.close(private_file.created(path))
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        private_file.created(path)


def test_a_file_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "history"
    private_file.ensure(path)
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("rows")
    private_file.ensure(path)
    assert path.read_text() == "rows"
