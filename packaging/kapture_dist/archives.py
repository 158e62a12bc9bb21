"""Archives that are the same bytes each time: names in order, one time, one owner, plain modes."""

from __future__ import annotations

import gzip
import io
import tarfile
import time
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from kapture_dist import source

#: The oldest time a zip can hold.
_ZIP_BEGIN = 315_532_800


def write_zip(path: Path, files: Mapping[str, bytes]) -> None:
    """Write `files` (name in the archive → content) as a zip."""
    when = time.gmtime(max(source.epoch(), _ZIP_BEGIN))[:6]
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, wherever it is made
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, files[name], compresslevel=9)


def write_tar_gz(path: Path, folder: Path) -> Path:
    """Write `folder` with all that is in it as a compressed tar, under the folder's own name; returns `path`."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for place in sorted([folder, *folder.rglob("*")]):
            archive.add(place, str(place.relative_to(folder.parent)), recursive=False, filter=_plain)
    path.write_bytes(compressed(packed.getvalue()))
    return path


def compressed(content: bytes) -> bytes:
    """As gzip, without name and time."""
    return gzip.compress(content, compresslevel=9, mtime=0)


def tree(folder: Path, places: Iterable[Path]) -> dict[str, bytes]:
    """The files among `places`, by their name within `folder`."""
    return {place.relative_to(folder).as_posix(): place.read_bytes() for place in places if place.is_file()}


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = source.epoch()
    entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
    return entry
