"""Programs and libraries for the machine, and which of them need which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from kapture_dist import tools

_NEEDED = re.compile(r"\(NEEDED\).*\[(.+)\]")


def within(folder: Path) -> Iterator[Path]:
    """Those in `folder`, in order."""
    for place in sorted(folder.rglob("*")):
        if place.is_file() and not place.is_symlink():
            with place.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield place


def needed(binary: Path) -> list[str]:
    """The names of the libraries that a binary says it needs."""
    return _NEEDED.findall(tools.run(["readelf", "--dynamic", "--wide", binary]))


def reached(roots: Iterable[Path], libraries: Iterable[Path]) -> set[Path]:
    """The files among `libraries` that `roots` need, directly or not."""
    by_name = {path.name: path for path in libraries}
    waiting, found = list(roots), set[Path]()
    while waiting:
        for name in needed(waiting.pop()):
            library = by_name.get(name)
            if library is not None and library not in found:
                found.add(library)
                waiting.append(library)
    return found
