"""The store of long answers: bounded, readable by its owner only, no way out of its folder."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from kapture_panel.core.stores.outputs import Outputs


class Clock:
    """The time of the store, set by the test; files get it as theirs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.time() - 5000
        monkeypatch.setattr("kapture_panel.core.stores.outputs.time.time", lambda: self.now)

    def add(self, store: Outputs, text: str) -> str:
        self.now += 1
        name = store.add(text)
        os.utime(store.path(name), (self.now, self.now))
        return name


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_text_is_stored_whole_and_read_again_by_its_name(tmp_path: Path) -> None:
    store = Outputs(tmp_path / "output")
    name = store.add("ünïcode\n" * 3, ".json")
    assert store.read(name).decode() == "ünïcode\n" * 3
    assert store.path(name) == tmp_path / "output" / name
    assert re.fullmatch(r"\d{16}-[0-9a-f]{16}\.json", name)
    assert Outputs(tmp_path / "output").read(name) == store.read(name), "another start finds it"


def test_half_a_character_is_no_reason_to_lose_the_rest(tmp_path: Path) -> None:
    store = Outputs(tmp_path)
    assert store.read(store.add("a\ud800b")) == b"a?b"


def test_only_the_owner_can_read(tmp_path: Path) -> None:
    store = Outputs(tmp_path / "output")
    assert (tmp_path / "output").stat().st_mode & 0o777 == 0o700
    assert store.path(store.add("x")).stat().st_mode & 0o777 == 0o600


def test_no_two_names_are_alike(tmp_path: Path) -> None:
    store = Outputs(tmp_path)
    names = {store.add("x") for _ in range(200)}
    assert len(names) == 200
    assert len({name.partition("-")[2] for name in names}) == 200


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../secret.txt", "/etc/passwd", "secret.txt", "2026112111134931-cbcb601f61c97112.txt"]
)
def test_an_unknown_name_is_a_key_error_and_leads_nowhere(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    store = Outputs(tmp_path / "output")
    (tmp_path / "output" / "secret.txt").write_text("not ours")
    for look in (store.read, store.path):
        with pytest.raises(KeyError):
            look(name)


def test_the_oldest_go_when_there_is_too_much(tmp_path: Path, clock: Clock) -> None:
    store = Outputs(tmp_path, max_bytes=100)
    first, second, third = (clock.add(store, "x" * 40) for _ in range(3))
    with pytest.raises(KeyError):
        store.read(first)
    assert len(store.read(second)) == len(store.read(third)) == 40


def test_the_newest_is_kept_however_large(tmp_path: Path, clock: Clock) -> None:
    store = Outputs(tmp_path, max_bytes=100)
    first = clock.add(store, "x")
    large = clock.add(store, "x" * 500)
    assert len(store.read(large)) == 500
    with pytest.raises(KeyError):
        store.read(first)


def test_what_is_old_goes_with_the_next_text_and_with_the_next_start(tmp_path: Path, clock: Clock) -> None:
    store = Outputs(tmp_path, max_age_s=100)
    old = clock.add(store, "old")
    clock.now += 200
    new = clock.add(store, "new")
    with pytest.raises(KeyError):
        store.path(old)
    clock.now += 200
    with pytest.raises(KeyError):
        Outputs(tmp_path, max_age_s=100).path(new)


def test_nothing_is_left_of_a_text_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Outputs(tmp_path)

    def full(_descriptor: int, _mode: str) -> None:
        os.close(_descriptor)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kapture_panel.core.stores.outputs.os.fdopen", full)
    with pytest.raises(OSError, match="No space"):
        store.add("x")
    assert list(tmp_path.iterdir()) == []


def test_what_is_of_one_conversation_is_read_by_it_alone_and_let_go_of_like_the_rest(tmp_path: Path) -> None:
    outputs = Outputs(tmp_path, max_bytes=6)
    name = outputs.add("mine", session="0123456789ab")
    assert outputs.read(name, "0123456789ab") == b"mine"
    for session in ("", "ba9876543210"):
        with pytest.raises(KeyError):
            outputs.read(name, session)
    assert (tmp_path / "0123456789ab").stat().st_mode & 0o777 == 0o700
    assert [written for written, _ in outputs.written()] == [f"0123456789ab/{name}"]
    outputs.add("newer")
    assert [written for written, _ in outputs.written() if "/" in written] == []
    outputs.remove(f"0123456789ab/{outputs.add('again', session='0123456789ab')}")
    assert [written for written, _ in outputs.written() if "/" in written] == []
