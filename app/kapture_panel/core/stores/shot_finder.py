"""Finds a stored picture's file by the name that a row keeps."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

#: The folder of a conversation's own pictures. The recorder has one in here, too, which is none.
OWN_FOLDER = re.compile(r"[0-9a-f]{12}")


class Finder:
    """Finds the files of pictures whose names the rows keep: in a store's folder, or in conversations' own in it.

    Only for the person: no agent may see what another's conversation has in its own folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, name: str) -> Path:
        """The file of a picture; where it would be when there is none. A name never leads out of the folder."""
        plain = self._folder / Path(name).name
        if plain.exists():
            return plain
        return next((path for own in self._owns if (path := own / plain.name).exists()), plain)

    @cached_property
    def _owns(self) -> list[Path]:
        """Looked for once: there are thousands of pictures beside them."""
        return [path for path in self._folder.glob("*") if OWN_FOLDER.fullmatch(path.name)]
