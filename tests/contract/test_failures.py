"""A failing test names its cause: pytest shows groups within groups only in part."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import run

from tests.support.failures import innermost
from tests.support.tree import ROOT

TEST = """
def test_that_fails() -> None:
    cause = ValueError("the cause")
    try:
        raise KeyError("first") from None
    except KeyError as first:
        cause.__cause__ = first
    raise ExceptionGroup("outer", [ExceptionGroup("inner", [cause])])
"""


def test_groups_of_one_are_unwrapped_and_others_are_not() -> None:
    one, two = ValueError("one"), ValueError("two")
    assert innermost(ExceptionGroup("outer", [ExceptionGroup("inner", [one])])) is one
    several = ExceptionGroup("several", [one, two])
    assert innermost(ExceptionGroup("outer", [several])) is several
    assert innermost(one) is one


def test_a_failure_within_groups_is_told_as_what_it_is(tmp_path: Path) -> None:
    file = tmp_path / "test_failing.py"
    file.write_text(TEST, encoding="utf-8")
    options = ["-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'base'}", "-c", str(ROOT / "pyproject.toml")]
    command = [sys.executable, "-m", "pytest", *options, f"--confcutdir={ROOT}", "-p", "tests.conftest", str(file)]
    ended = run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "ValueError: the cause" in ended.stdout, ended.stdout
    assert "KeyError: 'first'" in ended.stdout
    assert "ExceptionGroup: outer" not in ended.stdout
