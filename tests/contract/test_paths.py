"""Every location on disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kapture_panel import paths, shipped
from kapture_panel.paths import DataDir


def test_what_is_shipped_is_found() -> None:
    assert (paths.extension() / "manifest.json").is_file()
    assert (paths.resources() / "theme").is_dir()
    assert paths.catalogue().is_file()


def test_an_installed_copy_is_preferred_to_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "_PACKAGE", str(tmp_path / "app" / "kapture_panel"))
    (tmp_path / "app" / "kapture_panel").mkdir(parents=True)
    assert paths.extension() == tmp_path / "extension"
    (tmp_path / "app" / "kapture_panel" / "extension").mkdir()
    assert paths.extension() == tmp_path / "app" / "kapture_panel" / "extension"


def test_the_data_directory_is_the_owners_alone_and_all_is_inside(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        data = DataDir.open(str(tmp_path / "new" / "data"))
    finally:
        os.umask(umask)
    assert data.root.stat().st_mode & 0o777 == 0o700
    places = [data.lock, data.history, data.settings, data.screenshots, data.browser, data.log]
    assert len(set(places)) == len(places)
    assert all(place.parent == data.root for place in places)
    assert DataDir.open(str(data.root)) == data
