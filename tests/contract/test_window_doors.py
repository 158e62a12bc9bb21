"""One door for keys and one for pictures: the sheet of shortcuts shows all keys, no picture stops the window."""

from __future__ import annotations

import re

import pytest

from tests.support.tree import PACKAGE, modules


@pytest.mark.parametrize(
    ("what", "door"),
    [
        (r"QShortcut\(|QKeySequence", "window/widgets/entries.py"),
        (r"QImageReader|QImage\.fromData", "window/widgets/pictures.py"),
    ],
)
def test_nothing_goes_round_the_door(what: str, door: str) -> None:
    found = {path.as_posix() for path in modules() if re.search(what, (PACKAGE / path).read_text(encoding="utf-8"))}
    assert found == {door}
