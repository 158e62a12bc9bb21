"""Files of uploads under names of their own."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from kapture_panel.core.stores import upload_copies
from kapture_panel.core.stores.upload_copies import UploadCopies


@pytest.fixture
def descriptor(tmp_path: Path) -> Iterator[int]:
    """A file that was opened, and has another in its place by now."""
    path = tmp_path / "a.txt"
    path.write_text("the one")
    os.utime(path, ns=(5_000_000_001, 5_000_000_001))
    opened = os.open(path, os.O_RDONLY)
    path.rename(tmp_path / "kept.txt")
    path.write_text("another")
    yield opened
    os.close(opened)


@pytest.mark.parametrize("is_linked", [True, False])
def test_what_was_opened_is_given_whatever_stands_in_its_place(
    tmp_path: Path, descriptor: int, monkeypatch: pytest.MonkeyPatch, is_linked: bool
) -> None:
    if not is_linked:
        monkeypatch.setattr(upload_copies, "_linked", lambda *_given: False)
    given = UploadCopies(tmp_path / "uploads").give(1, descriptor, "a.txt")
    assert given is not None
    assert (given.name, given.read_text(), given.stat().st_mtime_ns) == ("a.txt", "the one", 5_000_000_001)
    assert given.samefile(tmp_path / "kept.txt") is is_linked
    assert all(stat.S_IMODE(folder.stat().st_mode) == 0o700 for folder in given.parents[:2])
    if not is_linked:
        assert stat.S_IMODE(given.stat().st_mode) == 0o600


def test_a_large_file_that_cannot_have_a_second_name_is_not_copied(
    tmp_path: Path, descriptor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload_copies, "_linked", lambda *_given: False)
    assert UploadCopies(tmp_path / "uploads", max_copied_bytes=6).give(1, descriptor, "a.txt") is None
    assert list((tmp_path / "uploads").iterdir()) == []


def test_so_much_is_copied_together_and_no_more(
    tmp_path: Path, descriptor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = UploadCopies(tmp_path / "uploads", max_together=2 * len("the one"))
    assert copies.give(1, descriptor, "a.txt") is not None  # a second name takes no room
    monkeypatch.setattr(upload_copies, "_linked", lambda *_given: False)
    first, second, third = (copies.give(1, descriptor, "a.txt") for _ in range(3))
    assert first is not None
    assert (second is not None, third) == (True, None)
    copies.remove(first.parent.name)
    assert copies.give(1, descriptor, "a.txt") is not None
    assert len(copies.written()) == 3


def test_each_says_which_row_it_belongs_to(tmp_path: Path, descriptor: int) -> None:
    copies = UploadCopies(tmp_path / "uploads")
    for row_id in (7, 12):
        assert copies.give(row_id, descriptor, "a.txt") is not None
    (tmp_path / "uploads" / ("3" * 32)).mkdir()  # as an earlier version named it
    assert sorted(copy.row_id for copy in copies.written()) == [0, 7, 12]


def test_what_is_gone_when_it_is_looked_at_is_left_out(
    tmp_path: Path, descriptor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another upload gives its folder up, in a thread of its own."""
    monkeypatch.setattr(upload_copies, "_linked", lambda *_given: False)
    copies = UploadCopies(tmp_path / "uploads", max_together=2 * len("the one"))
    first, second = (copies.give(1, descriptor, "a.txt") for _ in range(2))
    assert first is not None
    assert second is not None
    first.unlink()
    first.symlink_to(tmp_path / "nowhere")  # named in its folder, and gone when it is looked at
    (tmp_path / "uploads" / "3-00").symlink_to(tmp_path / "nowhere")
    assert copies.give(1, descriptor, "a.txt") is not None
    assert copies.give(1, descriptor, "a.txt") is None
    assert len(copies.written()) == 3
    copies.trim()


def test_they_are_removed_when_they_are_old_and_the_files_stay(tmp_path: Path, descriptor: int) -> None:
    copies = UploadCopies(tmp_path / "uploads")
    old, new = copies.give(1, descriptor, "a.txt"), copies.give(1, descriptor, "a.txt")
    assert old is not None
    assert new is not None
    os.utime(old.parent, (0, 0))
    copies.trim()
    assert (old.parent.exists(), new.read_text()) == (False, "the one")
    assert (tmp_path / "kept.txt").read_text() == "the one"
