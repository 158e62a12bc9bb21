"""Nothing of the machine it was written on is in the repository."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.tree import ROOT, files, texts

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


#: What an editor, a merge, an installer or a run of the program leaves behind.
LEFT = ("*.orig", "*.rej", "*.pyc", "*.whl", "*.sqlite3", "*.log", ".env")


def left_behind(root: Path) -> list[str]:
    return sorted(path.name for path in files(root) if any(path.match(pattern) for pattern in LEFT))


def test_no_file_was_left_behind() -> None:
    assert left_behind(ROOT) == []


@pytest.mark.parametrize("has_git", [True, False])
def test_what_is_left_behind_is_seen_text_or_not_and_though_git_ignores_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_git: bool
) -> None:
    # This folder may lie in the repository: without one of its own, git is to look no further up.
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    names = sorted(pattern.replace("*", "left") for pattern in LEFT)
    (tmp_path / "app").mkdir()
    for name in names:
        (tmp_path / "app" / name).write_bytes(b"\xff\0")
    (tmp_path / ".gitignore").write_bytes((ROOT / ".gitignore").read_bytes())
    if has_git:
        for command in (["init", "-q"], ["add", "--force", "."]):
            subprocess.run(["git", *command], cwd=tmp_path, check=True)
    assert left_behind(tmp_path) == names
