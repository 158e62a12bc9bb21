"""Nothing of the machine it was written on is in the repository."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.tree import ROOT, texts

#: Written so that this file does not match itself.
FORBIDDEN = {
    "a developer's folder": r"/(?:home|Users)/(?!me/|user/|runner/)[a-z]\w*/|[A-Z]:\\+Users\\+\w|/ro{2}t/\w|/wor[k]/\w",
    "a package registry": r"py[p]i\.org|python[h]osted\.org|registry\.n[p]mjs|arti[f]actory|de[v]pi|extra-i[n]dex-url",
    "a merge conflict": r"^(?:<{7} |>{7} |={7}$)",
    "a key": r"BEGIN (?:RSA |EC |OPENSSH )?PRIV[A]TE KEY",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_names_it(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what], re.MULTILINE)
    found = [f"{path}: {match.group()}" for path, text in texts() for match in pattern.finditer(text)]
    assert found == []


def test_no_file_names_this_very_folder() -> None:
    assert [path for path, text in texts() if str(ROOT) in text] == []
    assert len(list(texts())) > 50


@pytest.mark.parametrize("pattern", ["*.orig", "*.rej", "*.pyc", "*.sqlite3", "*.log", ".env"])
def test_no_file_was_left_behind(pattern: str) -> None:
    assert not [path for path, _ in texts() if Path(path).match(pattern)]
