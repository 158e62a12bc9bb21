"""The screenshot store: bounded, readable by its owner only, nothing left behind."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kapture_panel.core.stores.shots import Shot, Shots


class Clock:
    """The time of the store, set by the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_900_000_000.0
        monkeypatch.setattr("kapture_panel.core.stores.shots.time.time", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def add(store: Shots, name: str = "cart", size: int = 10, image_format: str = "png") -> Shot:
    return store.add(b"x" * size, name=name, tab_id="t1", format=image_format)


def test_a_picture_is_stored_whole_with_its_place_on_the_page(tmp_path: Path) -> None:
    store = Shots(tmp_path / "shots")
    heard: list[Shot] = []
    store.added.connect(heard.append)
    shot = store.add(b"bytes", name="a", tab_id="t1", format="jpeg", width=4, height=3, scale=0.5, x=1, y=2)
    assert shot.path.read_bytes() == b"bytes"
    assert (shot.width, shot.height, shot.scale, shot.x, shot.y) == (4, 3, 0.5, 1, 2)
    assert shot.size_bytes == 5
    assert list(store) == heard == [shot]


def test_only_the_owner_can_read_the_pictures(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        store = Shots(tmp_path / "shots")
        shot = add(store)
    finally:
        os.umask(umask)
    assert shot.path.stat().st_mode & 0o777 == 0o600
    assert shot.path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("session", ["", "a-conversation"])
def test_a_folder_that_was_deleted_meanwhile_is_made_again(tmp_path: Path, session: str) -> None:
    store = Shots(tmp_path / "shots")
    (tmp_path / "shots").rmdir()
    shot = store.add(b"bytes", name="a", tab_id="t1", format="png", session=session)
    assert shot.path.read_bytes() == b"bytes"
    assert shot.path.parent.stat().st_mode & 0o777 == 0o700


def test_more_pictures_than_are_kept_make_room_from_the_oldest_on(tmp_path: Path) -> None:
    store = Shots(tmp_path, max_count=3)
    gone: list[Shot] = []
    store.removed.connect(gone.append)
    taken = [add(store) for _ in range(5)]
    assert (list(store), gone) == (taken[2:], taken[:2])
    assert [shot.path.exists() for shot in taken] == [False, False, True, True, True]
    assert len(list(Shots(tmp_path, max_count=2))) == 2


def test_what_is_equal_in_two_pictures_is_in_memory_once(tmp_path: Path) -> None:
    """Thousands are kept, and most show one window: a number of its own takes three times the place of a reference."""
    store = Shots(tmp_path)

    def added(tab_id: str) -> Shot:
        title, width, side = (json.loads(text) for text in ('"Cart"', "1280.0", "1280"))
        return store.add(
            b"x", name="".join(["ca", "rt"]), tab_id="".join(["tab", tab_id]), format="png", width=side,
            view_width=width, title=title,
        )  # fmt: skip

    def twice(shots: list[Shot]) -> list[str]:
        first, second, third = shots
        names = ("name", "title", "width", "view_width")
        found = [name for name in names if getattr(first, name) is not getattr(second, name)]
        return found + ["tab_id"] * (first.tab_id is not third.tab_id)

    shots = [added("1"), added("2"), added("1")]
    assert list(store) == shots
    assert len({shot.file for shot in shots}) == 3
    assert twice(shots) == []
    assert twice(list(Shots(tmp_path))) == []


def test_a_copy_that_somebody_put_into_another_folder_counts_once(tmp_path: Path) -> None:
    own = tmp_path / "0123456789ab"
    own.mkdir()
    file = add(Shots(tmp_path)).file
    (own / file).write_bytes(b"x" * 10)
    again = Shots(tmp_path, max_bytes=25)
    add(again)
    assert len(again) == 2


@pytest.mark.parametrize(("image_format", "suffix"), [("png", ".png"), ("jpeg", ".jpg"), ("webp", ".webp")])
def test_the_file_is_named_after_its_format(tmp_path: Path, image_format: str, suffix: str) -> None:
    assert add(Shots(tmp_path), image_format=image_format).path.suffix == suffix


def test_a_name_is_known_again_after_a_restart(tmp_path: Path) -> None:
    add(Shots(tmp_path), name="cart-2")
    (shot,) = Shots(tmp_path)
    assert (shot.name, shot.session) == ("cart-2", None)


def test_a_name_and_a_title_are_known_again_as_they_were(tmp_path: Path) -> None:
    Shots(tmp_path).add(
        b"x", name="full page: ä", tab_id="t1", format="png", width=4, height=3, title="Pay?token=hunter2&a=b"
    )
    (shot,) = Shots(tmp_path)
    assert shot.name == "full page: ä"
    assert shot.title.startswith("Pay?token=")
    assert "hunter2" not in shot.title + "".join(path.read_bytes().decode() for path in tmp_path.iterdir())


def test_what_an_older_version_kept_is_read(tmp_path: Path) -> None:
    kept = {"tab_id": "t1", "width": 4, "height": 3, "scale": 1.0, "x": 0.0, "y": 0.0}
    kept |= {"scroll_x": 0.0, "scroll_y": 0.0, "view_width": 9.0, "view_height": 9.0}
    path = add(Shots(tmp_path), name="full page").path
    path.with_name(f"{path.name}.json").write_text(json.dumps(kept))
    (shot,) = Shots(tmp_path)
    assert (shot.name, shot.title, shot.tab_id, shot.width) == ("full_page", "", "t1", 4)


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("cart", "cart"),
        ("../../etc/passwd", "etc_passwd"),
        ("a/b\\c:d*e", "a_b_c_d_e"),
        ("..", "screenshot"),
        ("  ", "screenshot"),
        ("x" * 500, "x" * 60),
        ("Übersicht – 1", "Übersicht_1"),
        ("a\x00b\nc", "a_b_c"),
    ],
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str, stem: str) -> None:
    shot = add(Shots(tmp_path), name=name)
    assert shot.path.parent == tmp_path
    _, unguessable, rest = shot.path.stem.split("-", 2)
    assert (len(unguessable), rest) == (12, stem)
    assert shot.name == name


def test_pictures_of_one_name_in_one_second_are_kept_apart(tmp_path: Path, clock: Clock) -> None:
    store = Shots(tmp_path)
    assert len({add(store).path for _ in range(50)}) == 50


def test_the_oldest_pictures_make_room_for_a_new_one(tmp_path: Path) -> None:
    store = Shots(tmp_path, max_bytes=25)
    removed: list[Shot] = []
    store.removed.connect(removed.append)
    first, second, third = add(store), add(store), add(store)
    assert removed == [first]
    assert list(store) == [second, third]
    assert {path.name for path in tmp_path.iterdir()} == {second.path.name, third.path.name}


def test_a_picture_larger_than_the_store_is_kept_alone(tmp_path: Path) -> None:
    store = Shots(tmp_path, max_bytes=25)
    add(store)
    large = add(store, size=100)
    assert list(store) == [large]
    assert list(tmp_path.iterdir()) == [large.path]


def test_old_pictures_go(tmp_path: Path, clock: Clock) -> None:
    store = Shots(tmp_path, max_age_s=60)
    old = add(store)
    clock.now += 61
    new = add(store)
    assert list(store) == [new]
    assert not old.path.exists()


def test_a_new_store_takes_over_what_it_finds_oldest_first(tmp_path: Path, clock: Clock) -> None:
    store = Shots(tmp_path)
    paths = [add(store, name).path for name in ("one", "two", "three")]
    for age, path in enumerate(reversed(paths)):
        os.utime(path, (clock.now - age, clock.now - age))
    again = Shots(tmp_path, max_bytes=20)
    assert [shot.name for shot in again] == ["two", "three"]
    assert not paths[0].exists()
    clock.now += 100
    assert len(Shots(tmp_path, max_age_s=60)) == 0
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Shots(tmp_path)

    class Full:
        def __init__(self, descriptor: int) -> None:
            self.descriptor = descriptor

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            os.close(self.descriptor)

        def write(self, data: bytes) -> None:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("kapture_panel.core.stores.shots.os.fdopen", lambda descriptor, _mode: Full(descriptor))
        with pytest.raises(OSError, match="No space left"):
            add(store)
    assert list(tmp_path.iterdir()) == []
    assert len(store) == 0
    assert add(store).path.exists()


def test_a_picture_can_be_removed_once(tmp_path: Path) -> None:
    store = Shots(tmp_path)
    removed: list[Shot] = []
    store.removed.connect(removed.append)
    shot = add(store)
    shot.path.unlink()
    store.remove(shot)
    store.remove(shot)
    assert removed == [shot]
    assert len(store) == 0


def test_what_is_too_old_goes_when_it_is_looked_through(tmp_path: Path, clock: Clock) -> None:
    store = Shots(tmp_path / "shots", max_age_s=60)
    shot = add(store)
    clock.now += 61
    store.trim()
    assert len(store) == 0
    assert not shot.path.exists()


def test_the_recorders_folder_is_no_picture(tmp_path: Path) -> None:
    store = Shots(tmp_path / "shots")
    inner = Shots(store.folder / "recordings")
    add(inner)
    assert len(Shots(tmp_path / "shots")) == 0
    assert len(inner) == 1


def test_where_a_picture_lies_on_its_page_is_known_again_after_a_restart(tmp_path: Path) -> None:
    place = {"scale": 0.5, "x": 1.0, "y": -200.0, "scroll_y": 200.0, "view_width": 1000.0, "view_height": 500.0}
    shot = Shots(tmp_path).add(b"x", name="cart", tab_id="t1", format="png", width=4, height=3, **place)  # type: ignore[arg-type]
    store = Shots(tmp_path)
    (known,) = store
    assert {name: getattr(known, name) for name in place} == place
    assert (known.tab_id, known.width, known.height, known.session) == ("t1", 4, 3, None)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    store.remove(known)
    assert list(tmp_path.iterdir()) == []
    assert shot.path == known.path


@pytest.mark.parametrize("kept", ["", "[]", "{}", '{"scale": 0}', "{" * 9])
def test_a_damaged_place_is_none(kept: str, tmp_path: Path) -> None:
    shot = Shots(tmp_path).add(b"x", name="cart", tab_id="t1", format="png", width=4, height=3)
    (tmp_path / f"{shot.path.name}.json").write_text(kept)
    (tmp_path / "lost.png.json").write_text("{}")
    (known,) = Shots(tmp_path)
    assert (known.width, known.scale, known.tab_id) == (0, 1.0, "")
    assert not (tmp_path / "lost.png.json").exists()


def test_pictures_of_one_conversation_are_in_a_folder_of_their_own_and_found_again(tmp_path: Path) -> None:
    shots = Shots(tmp_path)
    shot = shots.add(b"p", name="mine", tab_id="t1", format="png", session="0123456789ab", title="A")
    assert shot.path.parent == tmp_path / "0123456789ab"
    assert shot.path.parent.stat().st_mode & 0o777 == 0o700
    (tmp_path / "recordings").mkdir()
    (tmp_path / "recordings" / "before.jpg").write_bytes(b"r")
    again = Shots(tmp_path)
    assert [(found.path, found.session, found.title) for found in again] == [(shot.path, None, "A")]
    again.remove(next(iter(again)))
    assert list((tmp_path / "0123456789ab").iterdir()) == []
