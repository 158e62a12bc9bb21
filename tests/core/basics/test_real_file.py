"""A file is opened by the path that was looked at, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kapture_panel.core.basics import real_file
from kapture_panel.core.basics.errors import KaptureError


@pytest.fixture
def real(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    for folder in ("in", "out"):
        (tmp_path / folder / "a.txt").write_text(folder)
    return (tmp_path / "in" / "a.txt").resolve()


def refused(real: Path) -> bool:
    with pytest.raises(KaptureError) as caught:
        os.close(real_file.opened(real))
    with pytest.raises(KaptureError):
        real_file.demand_real(real)
    return caught.value.code == "FILE_NOT_ALLOWED"


def test_a_file_that_is_what_it_was_is_opened(real: Path) -> None:
    real_file.demand_real(real)
    with os.fdopen(real_file.opened(real)) as file:
        assert file.read() == "in"


def test_a_link_in_its_place_opens_nothing(real: Path, tmp_path: Path) -> None:
    real.unlink()
    real.symlink_to(tmp_path / "out" / "a.txt")
    assert refused(real)


def test_neither_does_one_on_the_way_there_with_or_without_the_kernels_word(
    real: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").rename(tmp_path / "before")
    (tmp_path / "in").symlink_to(tmp_path / "out")
    assert refused(real)

    readlink = os.readlink

    def unknown(path: str) -> str:
        if str(path).startswith("/proc/"):
            raise FileNotFoundError
        return readlink(path)

    monkeypatch.setattr(os, "readlink", unknown)
    with pytest.raises(KaptureError):
        real_file.opened(real)


def test_one_that_is_gone_is_no_link(real: Path) -> None:
    real.unlink()
    with pytest.raises(FileNotFoundError):
        real_file.opened(real)


def test_a_path_leads_where_its_links_lead(real: Path) -> None:
    link = real.parent / "link"
    link.symlink_to(real)
    assert real_file.resolved(link) == real
    with pytest.raises(KaptureError, match="is not a usable path") as caught:
        real_file.resolved(Path("a\0b"))
    assert caught.value.code == "INVALID_PARAMS"


def test_a_folder_given_as_a_whole_is_told_from_that_of_a_file(real: Path) -> None:
    assert real_file.folder(real) == str(real.parent)
    assert real_file.folder(real.parent) == f"{real.parent}{os.sep}"
    assert real_file.folder(Path("/" + "a" * 5000)) == "/"
