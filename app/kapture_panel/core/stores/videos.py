"""The bounded store of videos of tabs, each with its captions: files only their owner can read, oldest out first."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from kapture_panel.core.basics import private_file
from kapture_panel.core.basics.signal import Signal

MAX_BYTES = 500 * 1024 * 1024
MAX_AGE_S = 24 * 3600
_KEPT_SUFFIX = ".json"


class _Kept(msgspec.Struct):
    """What a restart would forget, in a file beside the video."""

    tab_id: str
    began_at: float
    clients: list[str]
    sites: list[str]


@dataclass(eq=False)
class Video:
    """One video; `clients` and `sites` are those who recorded it or gave a command meanwhile, and where the tab was.

    Times are in seconds since 1970; `ended_at` is None as long as it is recorded.
    """

    path: Path
    tab_id: str
    began_at: float
    ended_at: float | None = None
    size_bytes: int = 0
    clients: set[str] = field(default_factory=set)
    sites: set[str] = field(default_factory=set)

    @property
    def captions(self) -> Path:
        """Beside it, under the same name: players find them there."""
        return self.path.with_suffix(".vtt")


class Videos:
    """Videos in one folder, bounded in age and bytes. One that is being recorded is never too old or too much.

    Args:
        folder: made with mode 0700 when it is missing.
    """

    def __init__(self, folder: Path, max_bytes: int = MAX_BYTES, max_age_s: float = MAX_AGE_S) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._max_age_s = max_age_s
        self.removed: Signal[Video] = Signal()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = [path for path in private_file.files_in(folder) if path.suffix == ".webm"]
        self._videos = sorted(map(_read, found), key=lambda video: video.ended_at or 0.0)
        self.trim()

    def __iter__(self) -> Iterator[Video]:
        return iter(tuple(self._videos))

    def __len__(self) -> int:
        return len(self._videos)

    def begin(self, tab_id: str, client: str, site: str, session: str = "") -> Video:
        """Make an empty file for a video that is recorded from now on; with a `session` it is that conversation's.

        Raises:
            OSError: it cannot be written.
        """
        began_at = time.time()
        stamp = time.strftime("%Y%m%d%H%M%S", time.localtime(began_at))
        # Nobody finds a video whose name they were not told: agents may read files of this folder.
        path = private_file.own_folder(self._folder, session) / f"{stamp}-{secrets.token_hex(6)}.webm"
        os.close(private_file.created(path))
        video = Video(path, tab_id, began_at, clients={client}, sites={site})
        self._videos.append(video)
        self._keep(video)
        return video

    def saw(self, video: Video, *, client: str = "", site: str = "") -> None:
        """Somebody gave a command meanwhile, or the tab is elsewhere."""
        new = {client} - video.clients - {""} | {site} - video.sites - {""}
        video.clients |= {client} - {""}
        video.sites |= {site} - {""}
        if new:
            self._keep(video)

    def end(self, video: Video) -> None:
        """It is recorded no more: keep it, and make room for it."""
        if video in self._videos:
            video.ended_at = time.time()
            video.size_bytes = video.path.stat().st_size
            self.trim()

    def remove(self, video: Video) -> None:
        """Delete one, with its captions; whoever records it is told, and stops."""
        if video in self._videos:
            self._videos.remove(video)
            self.removed.emit(video)
            for path in (video.path, video.captions, _beside(video.path)):
                path.unlink(missing_ok=True)

    def trim(self) -> None:
        """Delete what is too old, or more than is kept; the newest stays unless it is too old."""
        oldest = time.time() - self._max_age_s
        ended = [video for video in self._videos if video.ended_at is not None]
        total = sum(video.size_bytes for video in ended)
        for number, video in enumerate(ended, 1):
            is_old = (video.ended_at or 0.0) < oldest
            if is_old or (total > self._max_bytes and number < len(ended)):
                total -= video.size_bytes
                self.remove(video)

    @staticmethod
    def _keep(video: Video) -> None:
        kept = {
            "tab_id": video.tab_id, "began_at": video.began_at,
            "clients": sorted(video.clients), "sites": sorted(video.sites),
        }  # fmt: skip
        private_file.write(_beside(video.path), kept, is_synced=False)


def _beside(path: Path) -> Path:
    return path.with_name(path.name + _KEPT_SUFFIX)


def _read(path: Path) -> Video:
    """One that was there before; without what was kept beside it only its age is known."""
    stat = path.stat()
    try:
        kept = msgspec.json.decode(_beside(path).read_bytes(), type=_Kept)
    except (OSError, ValueError):
        kept = _Kept("", stat.st_mtime, [], [])
    return Video(path, kept.tab_id, kept.began_at, stat.st_mtime, stat.st_size, set(kept.clients), set(kept.sites))
