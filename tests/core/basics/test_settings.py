"""A person's choices: written whole or not at all, never lost to a damaged file."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from kapture_panel.core.basics import private_file
from kapture_panel.core.basics.settings import Settings


def no_room(*_args: object) -> None:
    """A full disk."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def test_choices_outlive_the_process(file: Path) -> None:
    settings = Settings(file)
    settings.set("theme", "dark")
    settings.set("sizes", [1, 2])
    again = Settings(file)
    assert (again.get("theme"), again.get("sizes"), again.get("other", 7)) == ("dark", [1, 2], 7)
    assert json.loads(file.read_text()) == {"theme": "dark", "sizes": [1, 2]}


def test_only_the_owner_can_read_them_and_nothing_is_left_beside(file: Path) -> None:
    Settings(file).set("theme", "dark")
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["settings.json"]


def test_a_choice_made_again_writes_nothing(file: Path) -> None:
    settings = Settings(file)
    settings.set("theme", "dark")
    file.unlink()
    settings.set("theme", "dark")
    assert not file.exists()


def test_a_failed_write_leaves_the_old_file(file: Path) -> None:
    settings = Settings(file)
    settings.set("theme", "dark")
    with pytest.raises(TypeError):
        settings.set("odd", object())
    assert json.loads(file.read_text()) == {"theme": "dark"}


def test_what_could_not_be_written_does_not_hold_and_can_be_chosen_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, told = Settings(file), list[str]()
    settings.set("history.typed", True)
    settings.changed.connect(told.append)
    with monkeypatch.context() as full:
        full.setattr(private_file, "write", no_room)
        for _ in range(2):
            with pytest.raises(OSError, match="No space left"):
                settings.keep("history.typed", False)
    assert (settings.get("history.typed"), told) == (True, [])
    settings.keep("history.typed", False)
    assert (Settings(file).get("history.typed"), told) == (False, ["history.typed"])


def test_what_is_only_handy_holds_as_long_as_the_program_runs_though_the_disk_is_full(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings, told = Settings(file), list[str]()
    settings.changed.connect(told.append)
    with monkeypatch.context() as full:
        full.setattr(private_file, "write", no_room)
        settings.set("palette.recent", ["click"])
    assert (settings.get("palette.recent"), told) == (["click"], ["palette.recent"])
    assert "palette.recent is not kept: [Errno 28] No space left" in caplog.text
    settings.set("theme", "dark")
    assert Settings(file).get("palette.recent") == ["click"], "written with the next one"


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"null", b'{"a": 1}}', b"\xff\xfe\x00"])
def test_a_damaged_file_is_moved_aside_and_told(file: Path, content: bytes, caplog: pytest.LogCaptureFixture) -> None:
    file.write_bytes(content)
    settings = Settings(file)
    assert settings.get("theme", "light") == "light"
    aside = file.with_name("settings.damaged.json")
    assert aside.read_bytes() == content
    assert str(aside) in caplog.text
    settings.set("theme", "dark")
    assert Settings(file).get("theme") == "dark"


def test_no_file_is_no_damage(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert Settings(file).get("theme") is None
    assert not file.exists()
    assert not caplog.records


def test_a_choice_is_auto_until_one_was_made_that_we_know(file: Path) -> None:
    file.write_text(json.dumps({"mouse.natural": "on", "mouse.cursor": "perhaps", "damaged": ["on"]}))
    settings = Settings(file)
    assert [settings.choice(name) for name in ("mouse.natural", "mouse.cursor", "damaged", "new")] == [
        "on", "auto", "auto", "auto",
    ]  # fmt: skip


def test_who_listens_is_told_of_each_change_once_it_is_kept(file: Path) -> None:
    settings = Settings(file)
    told: list[tuple[str, object]] = []
    settings.changed.connect(lambda name: told.append((name, Settings(file).get(name))))
    settings.set("mouse.cursor", "on")
    settings.set("mouse.cursor", "on")
    assert told == [("mouse.cursor", "on")]
