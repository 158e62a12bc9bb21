"""Which browsers are trusted: written down whole or not at all, for its owner alone."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path

import pytest

from kapture_panel.core.registry.paired import PairedBrowsers

KEY = "ab" * 32


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "paired.json"


def test_a_browser_stays_paired_over_a_restart(file: Path) -> None:
    made = PairedBrowsers(file).add("one", KEY, "Chrome 156")
    again = PairedBrowsers(file)
    assert list(again) == [made]
    assert again.find("one") == made
    assert again.find("two") is None


def test_a_name_the_person_gave_is_kept_over_a_restart_and_a_new_pairing(file: Path) -> None:
    browsers = PairedBrowsers(file)
    browsers.add("one", KEY, "Chrome 156")
    told: list[str] = []
    browsers.changed.connect(lambda browser: told.append(browser.name))
    browsers.rename("one", "Chrome – Work")
    browsers.rename("one", "Chrome – Work")
    assert (browsers.given_name("one"), browsers.given_name("two"), told) == ("Chrome – Work", "", ["Chrome – Work"])
    again = PairedBrowsers(file)
    assert again.given_name("one") == "Chrome – Work"
    assert again.add("one", "cd" * 32, "Chrome 157").name == "Chrome – Work"


def test_a_name_that_cannot_be_written_down_is_not_taken(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browsers = PairedBrowsers(file)
    browsers.add("one", KEY, "Chrome 156")
    monkeypatch.setattr(browsers, "_path", file / "nowhere" / "paired.json")
    with pytest.raises(OSError, match="nowhere"):
        browsers.rename("one", "Work")
    assert browsers.given_name("one") == ""


def test_only_the_owner_can_read_the_keys_and_nothing_is_left_beside(file: Path) -> None:
    umask = os.umask(0)
    try:
        PairedBrowsers(file).add("one", KEY, "Chrome 156")
    finally:
        os.umask(umask)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["paired.json"]


def test_removing_forgets_the_key_on_disk_too_and_is_told_once(file: Path) -> None:
    browsers = PairedBrowsers(file)
    browsers.add("one", KEY, "Chrome 156")
    told: list[str] = []
    browsers.removed.connect(lambda browser: told.append(browser.install))
    assert browsers.remove("one")
    assert not browsers.remove("one")
    assert told == ["one"]
    assert KEY not in file.read_text()
    assert len(PairedBrowsers(file)) == 0


def test_a_browser_paired_anew_has_its_old_key_replaced(file: Path) -> None:
    browsers = PairedBrowsers(file)
    told: list[str] = []
    browsers.removed.connect(lambda browser: told.append(f"removed {browser.key[:2]}"))
    browsers.added.connect(lambda browser: told.append(f"added {browser.key[:2]}"))
    browsers.add("one", KEY, "Chrome 156")
    browsers.add("one", "cd" * 32, "Chrome 157")
    assert told == ["added ab", "removed ab", "added cd"]
    assert [browser.key[:2] for browser in PairedBrowsers(file)] == ["cd"]


def test_when_it_was_here_last_is_kept_but_not_with_every_step(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "time", lambda: now)
    browsers = PairedBrowsers(file)
    browsers.add("one", KEY, "Chrome 156")
    before = file.stat().st_mtime_ns
    now = 1030.0
    browsers.see("one", is_here=True)
    assert browsers.is_here("one")
    assert file.stat().st_mtime_ns == before
    now = 1100.0
    browsers.see("one", "Google Chrome 157", is_here=False)
    assert not browsers.is_here("one")
    (known,) = PairedBrowsers(file)
    assert (known.browser, known.paired_at, known.seen_at) == ("Google Chrome 157", 1000.0, 1100.0)
    browsers.see("nobody", "X", is_here=True)
    assert not browsers.is_here("nobody")
    assert len(browsers) == 1


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"install": "one"}]', '{"a": 1}', "null"])
def test_a_damaged_file_is_moved_aside_and_told(file: Path, text: str, caplog: pytest.LogCaptureFixture) -> None:
    file.write_text(text)
    with caplog.at_level(logging.WARNING):
        assert len(PairedBrowsers(file)) == 0
    assert file.with_suffix(".damaged.json").read_text() == text
    assert "paired browsers could not be read" in caplog.text


def test_what_cannot_be_written_down_is_not_trusted_and_not_forgotten(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    browsers = PairedBrowsers(file)
    browsers.add("one", KEY, "Chrome 156")
    monkeypatch.setattr(PairedBrowsers, "_write", _full)
    with pytest.raises(OSError, match="full"):
        browsers.add("two", KEY, "Edge 156")
    with pytest.raises(OSError, match="full"):
        browsers.remove("one")
    assert [browser.install for browser in browsers] == ["one"]
    browsers.see("one", "Chrome 157", is_here=True)
    assert "could not be written down" in caplog.text


def _full(*_: object) -> None:
    raise OSError(28, "the disk is full")
