"""Captions: what was done, by whom, when; in the order in which it began."""

from __future__ import annotations

from pathlib import Path

from kapture_panel.hub.videos.captions import Captions
from tests.support.core.fakes import CATALOGUE, row

BUTTON = [{"selector": "#b", "role": "button", "name": "Buy <b>&\n\n00:00 --> now"}]


def test_commands_stand_in_the_order_they_began_and_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.vtt"
    captions = Captions(path, CATALOGUE)
    captions.begin(row("snapshot", id=1), 100)
    captions.begin(row("click", id=2), 600)
    captions.settle(row("click", id=2, state="ok", targets=BUTTON), 700)
    assert path.read_text() == "WEBVTT\n", "the first one goes on"
    captions.settle(row("snapshot", id=1, state="error", code="TAB_CRASHED"), 900)
    assert "Snapshot" in path.read_text(), "what is known is written, should the panel be killed"
    captions.begin(row("fill", id=3, kind="person"), 3_723_500)
    captions.end(3_724_000)
    assert path.read_text() == (
        "WEBVTT\n"
        "\n00:00:00.100 --> 00:00:00.900\nclaude: Snapshot ✗ TAB_CRASHED\n"
        "\n00:00:00.600 --> 00:00:02.100\nclaude: Click “Buy &lt;b&gt;&amp; 00:00 --&gt; now” ✓\n"
        "\n01:02:03.500 --> 01:02:04.000\na person: Fill a field\n"
    )
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_forgotten_before_it_is_written_is_left_out(tmp_path: Path) -> None:
    captions = Captions(tmp_path / "a.vtt", CATALOGUE)
    captions.begin(row("click", id=1), 100)
    captions.forget([1])
    captions.end(500)
    assert (tmp_path / "a.vtt").read_text() == "WEBVTT\n"
