"""What an older version left behind, as if it had been in use until now; how it was made stands beside it."""

from __future__ import annotations

import json
import os
import sqlite3
import tarfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.tree import ROOT

_KEPT = ROOT / "tests/vectors/upgrading/2e49206.tar.xz"


@dataclass(frozen=True)
class Left:
    """`data` is the data folder, its extension in it; `hello` the frame that extension greets a panel with."""

    data: Path
    hello: dict[str, Any]

    def kept(self, name: str) -> Any:
        """What the folder's JSON file `name` holds."""
        return json.loads((self.data / name).read_text(encoding="utf-8"))


def unpack(folder: Path) -> Left:
    """A copy of it in `folder`."""
    with tarfile.open(_KEPT) as packed:
        # Python before 3.11.4, as Debian 12 has it, knows no filter and takes no argument for one.
        packed.extraction_filter = getattr(tarfile, "data_filter", lambda member, _path: member)
        packed.extractall(folder)
    left = Left(folder / "data", json.loads((folder / "hello.json").read_text(encoding="utf-8")))
    _make_recent(left.data)
    return left


def _make_recent(data: Path) -> None:
    """Else what is too old would be gone at the start: rows after a month, pictures after a day."""
    for path in data.rglob("*.jpg"):
        os.utime(path)
    with closing(sqlite3.connect(data / "history.sqlite3")) as history, history:
        history.execute("UPDATE commands SET at = at + ? - (SELECT MAX(at) FROM commands)", (time.time(),))
