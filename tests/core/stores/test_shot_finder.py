"""A picture is found by the name a row keeps, and nothing outside its folder is."""

from __future__ import annotations

from pathlib import Path

from kapture_panel.core.stores.shot_finder import Finder
from kapture_panel.core.stores.shots import Shots


def test_the_file_of_a_picture_is_found_by_the_name_that_a_row_keeps(tmp_path: Path) -> None:
    shots = Shots(tmp_path / "shots")
    plain = shots.add(b"p", name="[a]*", tab_id="t1", format="png")
    own = shots.add(b"p", name="a", tab_id="t1", format="png", session="0123456789ab")
    for path in (tmp_path / "out.png", tmp_path / "shots" / "recordings" / "before.jpg"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"p")
    finder = Finder(tmp_path / "shots")
    assert [finder.find(shot.path.name) for shot in (plain, own)] == [plain.path, own.path]
    for name in ("../out.png", "before.jpg", "*", "0123456789ab/../../out.png"):
        assert not finder.find(name).exists(), name
    assert Finder(tmp_path / "none").find("a.png") == tmp_path / "none" / "a.png"
