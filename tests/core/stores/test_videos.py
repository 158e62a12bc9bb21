"""The store of videos: private, bounded, and known again after a restart."""

from __future__ import annotations

import os
import time
from pathlib import Path

from kapture_panel.core.stores.videos import MAX_AGE_S, Video, Videos


def ended(videos: Videos, size: int = 10, age_s: float = 0.0) -> Video:
    video = videos.begin("t1", "claude", "shop.example")
    video.path.write_bytes(b"v" * size)
    video.captions.touch()
    videos.end(video)
    os.utime(video.path, (time.time() - age_s,) * 2)
    return video


def test_only_its_owner_can_read_one_and_a_session_has_its_own(tmp_path: Path) -> None:
    videos = Videos(tmp_path / "videos")
    video = videos.begin("t1", "claude", "shop.example", session="0123456789ab")
    assert video.path.parent.name == "0123456789ab"
    assert (video.path.stat().st_mode & 0o777, video.path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_the_oldest_go_when_there_is_too_much_and_one_under_way_stays(tmp_path: Path) -> None:
    videos = Videos(tmp_path, max_bytes=25)
    under_way = videos.begin("t1", "claude", "shop.example")
    first, second, third = (ended(videos) for _ in range(3))
    assert list(videos) == [under_way, second, third]
    assert not first.path.exists()
    assert not first.captions.exists()
    assert len(list(tmp_path.iterdir())) == 2 + 3 + 3, "none of the first is left"


def test_after_a_restart_it_is_known_who_and_what_is_in_one_and_old_ones_go(tmp_path: Path) -> None:
    videos = Videos(tmp_path)
    video = videos.begin("t1", "claude", "shop.example")
    videos.saw(video, client="cursor", site="bank.example")
    ended(videos, age_s=MAX_AGE_S + 60)
    (again,) = Videos(tmp_path)
    assert (again.path, again.tab_id) == (video.path, "t1")
    assert (again.clients, again.sites) == ({"claude", "cursor"}, {"shop.example", "bank.example"})
    assert again.ended_at is not None
