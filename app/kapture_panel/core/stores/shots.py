"""The bounded screenshot store: files only their owner can read, oldest out first."""

from __future__ import annotations

import os
import re
import secrets
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated

import msgspec

from kapture_panel.core.basics import private_file
from kapture_panel.core.basics.free_json import JsonObject
from kapture_panel.core.basics.signal import Signal
from kapture_panel.core.catalogue import redaction
from kapture_panel.core.stores.shot_finder import OWN_FOLDER

MAX_BYTES = 200 * 1024 * 1024
#: Bounds small pictures: each takes some 0.4 KB of memory.
MAX_COUNT = 5000
MAX_AGE_S = 24 * 3600
SUFFIXES = {"png": ".png", "jpeg": ".jpg", "webp": ".webp"}


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One stored picture, the `file` in `folder`; each is itself alone: thousands are looked through.

    `width` and `height` are in picture pixels, `scale` in picture pixels per CSS pixel; `x` and `y` the CSS position of
    its upper left corner in the viewport, `scroll_x` and `scroll_y` how far the page was scrolled then, in a viewport
    of `view_width` and `view_height`. `title` is the page's when it was taken. `session` is the conversation whose own
    browser it shows, None when that is not known any more.
    """

    folder: Path
    file: str
    name: str
    tab_id: str
    taken_at: float
    size_bytes: int
    width: int = 0
    height: int = 0
    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0
    session: str | None = None
    scroll_x: float = 0.0
    scroll_y: float = 0.0
    view_width: float = 0.0
    view_height: float = 0.0
    title: str = ""

    @property
    def path(self) -> Path:
        """Where it is. A path of its own would be as large as all the rest of a picture."""
        return self.folder / self.file


#: What a picture may have in common with another.
_COMMON = [field.name for field in fields(Shot) if field.name != "tab_id"]


class _Kept(msgspec.Struct):
    """What a restart would forget, kept in a file beside a picture of a page."""

    tab_id: str
    width: int
    height: int
    scale: Annotated[float, msgspec.Meta(gt=0)]
    x: float
    y: float
    scroll_x: float
    scroll_y: float
    view_width: float
    view_height: float
    name: str = ""
    title: str = ""


_KEPT_SUFFIX = ".json"


class Shots:
    """Pictures in one folder, bounded in age, bytes and number.

    Args:
        folder: made with mode 0700 when it is missing.
    """

    def __init__(
        self, folder: Path, max_bytes: int = MAX_BYTES, max_age_s: float = MAX_AGE_S, max_count: int = MAX_COUNT
    ) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._max_age_s = max_age_s
        self._max_count = max_count
        #: By file, whose name no other has; the oldest first.
        self._shots: dict[str, Shot] = {}
        self._bytes = 0
        self._serial = 0
        self.added: Signal[Shot] = Signal()
        self.removed: Signal[Shot] = Signal()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = [
            path
            for path in private_file.files_in(folder)
            if path.parent == folder or OWN_FOLDER.fullmatch(path.parent.name)
        ]
        files = [path for path in found if path.is_file() and path.suffix != _KEPT_SUFFIX]
        for path in sorted(files, key=lambda path: path.stat().st_mtime):
            stat = path.stat()
            kept = _read_kept(path)
            self._keep(Shot(self._own(path.parent), path.name, taken_at=stat.st_mtime, size_bytes=stat.st_size, **kept))
        pictures = {_beside(shot.path) for shot in self}
        for lost in {path for path in found if path.suffix == _KEPT_SUFFIX} - pictures:
            lost.unlink()
        self.trim()

    @property
    def folder(self) -> Path:
        """Where the pictures are."""
        return self._folder

    def __iter__(self) -> Iterator[Shot]:
        return iter(tuple(self._shots.values()))

    def __len__(self) -> int:
        return len(self._shots)

    def add(
        self,
        data: bytes,
        *,
        name: str,
        tab_id: str,
        format: str,
        width: int = 0,
        height: int = 0,
        scale: float = 1.0,
        x: float = 0.0,
        y: float = 0.0,
        session: str = "",
        scroll_x: float = 0.0,
        scroll_y: float = 0.0,
        view_width: float = 0.0,
        view_height: float = 0.0,
        title: str = "",
    ) -> Shot:
        """Write one picture and make room for it.

        Raises:
            OSError: the file could not be written; nothing is left of it.
        """
        name, title = redaction.masked_text(name), redaction.masked_text(title)
        taken_at = time.time()
        self._serial += 1
        stem = re.sub(r"[^\w.-]+", "_", name)[:60].strip("._-") or "screenshot"
        stamp = time.strftime("%Y%m%d%H%M%S", time.localtime(taken_at))
        # Nobody finds a picture whose name they were not told: agents may read files of this folder.
        unguessable = secrets.token_hex(6)
        file = f"{stamp}{self._serial:04d}-{unguessable}-{stem}{SUFFIXES[format]}"
        shot = Shot(
            self._own(private_file.own_folder(self._folder, session)), file, name, tab_id, taken_at, len(data),
            width, height, scale, x, y, session, scroll_x, scroll_y, view_width, view_height, title,
        )  # fmt: skip
        path = shot.path
        try:
            _write(path, data)
            if width or title:
                _write(_beside(path), msgspec.json.encode(msgspec.convert(shot, _Kept, from_attributes=True)))
        except OSError:
            _unlink(path)
            raise
        shot = self._keep(shot)
        self.trim()
        self.added.emit(shot)
        return shot

    def remove(self, shot: Shot) -> None:
        """Delete one picture."""
        if self._shots.get(shot.file) is shot:
            del self._shots[shot.file]
            self._bytes -= shot.size_bytes
            _unlink(shot.path)
            self.removed.emit(shot)

    def trim(self) -> None:
        """Delete what is too old, or more than is kept; the newest stays unless it is too old."""
        oldest = time.time() - self._max_age_s
        while self._shots:
            shot = next(iter(self._shots.values()))
            is_too_much = self._bytes > self._max_bytes or len(self._shots) > self._max_count
            if shot.taken_at >= oldest and (not is_too_much or len(self._shots) == 1):
                return
            self.remove(shot)

    def _keep(self, shot: Shot) -> Shot:
        if same := self._shots.pop(shot.file, None):  # somebody put a copy into another of the folders
            self._bytes -= same.size_bytes
        kept = _sharing(shot, next(reversed(self._shots.values()), shot))
        self._shots[kept.file] = kept
        self._bytes += kept.size_bytes
        return kept

    def _own(self, folder: Path) -> Path:
        """One object for all pictures of the folder that most are in."""
        return self._folder if folder == self._folder else folder


def _sharing(shot: Shot, other: Shot) -> Shot:
    """The same picture; what is equal to the other's is the other's object, and its tab is named by that tab's one.

    Most pictures show a window of one size, and sizes and places of their own would double what a picture takes.
    """
    equal = {name: value for name in _COMMON if (value := getattr(other, name)) == getattr(shot, name)}
    return replace(shot, **equal, tab_id=sys.intern(shot.tab_id))


def _beside(path: Path) -> Path:
    return path.with_name(path.name + _KEPT_SUFFIX)


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(private_file.created(path), "wb") as file:
        file.write(data)


def _unlink(path: Path) -> None:
    path.unlink(missing_ok=True)
    _beside(path).unlink(missing_ok=True)


def _read_kept(path: Path) -> JsonObject:
    """What was kept beside a picture, or what its file's name says when that is missing or damaged."""
    try:
        kept = msgspec.structs.asdict(msgspec.json.decode(_beside(path).read_bytes(), type=_Kept))
    except (OSError, ValueError, RecursionError):
        kept = {"tab_id": ""}
    return {**kept, "name": kept.get("name") or path.stem.split("-", 2)[-1]}
