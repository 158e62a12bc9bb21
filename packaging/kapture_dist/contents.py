"""What is in `dist/`: the checksums, and a list of what each package holds."""

from __future__ import annotations

import hashlib
import io
import subprocess
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

SUMS = "SHA256SUMS"
LIST = "CONTENTS.txt"
#: Parts that the large packages consist of; the first that a name holds counts.
_SHARES = (
    ("PySide6/", "Qt and PySide6"),
    ("shiboken6/", "Qt and PySide6"),
    ("-packages/kapture_panel/", "Kapture Panel itself"),
    ("-packages/cryptography/", "cryptography"),
    ("-packages/", "other Python packages"),
    ("lib/", "Python"),
    ("bin/", "Python"),
)


def write(out: Path) -> None:
    """Write both lists for the files in `out`."""
    files = sorted(path for path in out.iterdir() if path.name not in (SUMS, LIST))
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (out / SUMS).write_text("".join(sums), encoding="utf-8")
    (out / LIST).write_text("\n".join(_described(path) for path in files), encoding="utf-8")


def inside(path: Path) -> dict[str, int]:
    """The files in a package: name → size in bytes.

    Raises:
        ValueError: it is not a package of ours.
    """
    if path.suffix in (".whl", ".zip", ".mcpb"):
        with zipfile.ZipFile(path) as archive:
            return {entry.filename: entry.file_size for entry in archive.infolist()}
    if path.name.endswith(".tar.gz"):
        with tarfile.open(path) as packed:
            return {entry.name: entry.size for entry in packed if entry.isfile()}
    if path.suffix == ".deb":
        plain = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(plain)) as packed:
            return {entry.name: entry.size for entry in packed if entry.isfile()}
    raise ValueError(f"{path.name} is not a package")


def shares(files: dict[str, int]) -> dict[str, int]:
    """What a package consists of: part → bytes, the largest first."""
    sums = Counter[str]()
    for name, size in files.items():
        sums[next((part for sign, part in _SHARES if sign in name), "licences, icons, manual")] += size
    return dict(sums.most_common())


def _described(path: Path) -> str:
    if path.suffix == ".json":
        return f"{path.name}: {path.stat().st_size:,} bytes\n"
    files = inside(path)
    lines = [f"{path.name}: {path.stat().st_size:,} bytes, {len(files)} files, {sum(files.values()):,} bytes unpacked"]
    if any("-packages/" in name for name in files):
        lines += [f"  {size / 1_000_000:6.1f} MB  {part}" for part, size in shares(files).items()]
    lines += [f"{size:12,}  {name}" for name, size in sorted(files.items())]
    return "\n".join(lines) + "\n"
